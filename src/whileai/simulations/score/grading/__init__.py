"""Deterministic conduct rules for any tool-using agent, and the shape of what a rollout did."""

from whileai.simulations.score.grading.conduct import conduct_grade
from whileai.simulations.score.grading.signature import behavior_signature

__all__ = ["behavior_signature", "conduct_grade"]
