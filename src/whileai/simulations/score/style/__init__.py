"""Over-optimization signatures on replies: the things a reward pays for by accident.

Lambert 2025, chapters Over-optimization and Model Character and Products; Gao et al. 2022, arXiv:2210.10760.
"""

from whileai.simulations.score.style.phrases import FAMILIES, STYLE_MARKERS, style_families, style_phrases
from whileai.simulations.score.style.refusal import refusal_report
from whileai.simulations.score.style.report import StyleReport, style_report
from whileai.simulations.score.style.stamp import style_markers

__all__ = [
    "FAMILIES",
    "STYLE_MARKERS",
    "StyleReport",
    "refusal_report",
    "style_families",
    "style_markers",
    "style_phrases",
    "style_report",
]
