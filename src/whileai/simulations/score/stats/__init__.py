"""Confidence intervals, comparison of runs, sizing: everything over tasks, never rows."""

from whileai.simulations.score.stats.noise import noise_band
from whileai.simulations.score.stats.summary import marker_names, marker_summary, metric_summary

__all__ = ["marker_names", "marker_summary", "metric_summary", "noise_band"]
