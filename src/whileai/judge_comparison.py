"""Several judges on the same rows, ranked by how they agree with labels you trust."""

from whileai.simulations.score.judging.compared import JudgeComparison, JudgeScore
from whileai.simulations.score.judging.comparison import compare_judges

__all__ = ["JudgeComparison", "JudgeScore", "compare_judges"]
