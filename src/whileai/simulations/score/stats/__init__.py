"""Confidence intervals, comparison of runs, sizing: everything over tasks, never rows."""

from whileai.simulations.score.stats.compare import compare_runs
from whileai.simulations.score.stats.noise import noise_band
from whileai.simulations.score.stats.summary import marker_names, marker_summary, metric_summary

__all__ = ["compare_runs", "marker_names", "marker_summary", "metric_summary", "noise_band"]
