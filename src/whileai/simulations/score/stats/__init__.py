"""Confidence intervals, comparison of runs, sizing: everything over tasks, never rows."""

from whileai.simulations.rows.task import task_key
from whileai.simulations.score.decontaminate import decontaminate
from whileai.simulations.score.stats.compare import compare_runs
from whileai.simulations.score.stats.noise import noise_band
from whileai.simulations.score.stats.sizing import HoldoutSizeReport, detectable_effect, holdout_size
from whileai.simulations.score.stats.summary import marker_names, marker_summary, metric_summary
from whileai.simulations.score.stats.variance import EvalVarianceReport, eval_variance

__all__ = [
    "EvalVarianceReport",
    "HoldoutSizeReport",
    "compare_runs",
    "decontaminate",
    "detectable_effect",
    "eval_variance",
    "holdout_size",
    "marker_names",
    "marker_summary",
    "metric_summary",
    "noise_band",
    "task_key",
]
