"""Human labels on rows: who said what, and do they agree (Lambert 2025, chapter Preference Data)."""

from whileai.simulations.score.labels.annotators import annotator_agreement, format_annotators
from whileai.simulations.score.labels.attach import attach_labels, format_labels

__all__ = ["annotator_agreement", "attach_labels", "format_annotators", "format_labels"]
