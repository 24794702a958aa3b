"""An agent looked at before its rows are paid for, and the rows after: the spec, the asks, the mix, the failures."""

from whileai.simulations.score.preflight.agent import preflight
from whileai.simulations.score.preflight.dataset import dataset_report
from whileai.simulations.score.preflight.failures import FAILURE_CLASSES, classify_failure
from whileai.simulations.score.preflight.gap import coverage_gap
from whileai.simulations.score.preflight.gap_text import format_coverage_gap

__all__ = [
    "FAILURE_CLASSES",
    "classify_failure",
    "coverage_gap",
    "dataset_report",
    "format_coverage_gap",
    "preflight",
]
