"""Pairwise judging: which of two replies to the same request is better, asked both ways round."""

from whileai.simulations.score.pairwise.judge import pairwise_judge
from whileai.simulations.score.pairwise.pairs import judge_pairs

__all__ = ["judge_pairs", "pairwise_judge"]
