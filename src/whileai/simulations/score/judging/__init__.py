"""One contract for every judge, the loop that runs one over rows, and what its verdicts give."""

from whileai.simulations.score.judging.compared import JudgeComparison, JudgeScore
from whileai.simulations.score.judging.comparison import compare_judges
from whileai.simulations.score.judging.evaluate import evaluate
from whileai.simulations.score.judging.judge import Judge
from whileai.simulations.score.judging.loop import run_judge
from whileai.simulations.score.judging.names import judge_name_of
from whileai.simulations.score.judging.pairs import build_preference_pairs
from whileai.simulations.score.judging.scored import ScoredData
from whileai.simulations.score.judging.selection import Selection, select
from whileai.simulations.score.judging.verdict import normalize_judge_result

__all__ = [
    "Judge",
    "JudgeComparison",
    "JudgeScore",
    "ScoredData",
    "Selection",
    "build_preference_pairs",
    "compare_judges",
    "evaluate",
    "judge_name_of",
    "normalize_judge_result",
    "run_judge",
    "select",
]
