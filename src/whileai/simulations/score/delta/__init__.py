"""The comparison report: did training help?"""

from whileai.simulations.score.delta.report import DeltaReport, delta_report
from whileai.simulations.score.delta.text import format_delta_report

__all__ = ["DeltaReport", "delta_report", "format_delta_report"]
