"""From a big graded batch to the rows worth training on, and to the tasks of the next round."""

from whileai.simulations.score.optimize.gates import filter_rl_rows
from whileai.simulations.score.optimize.next_round import next_round
from whileai.simulations.score.optimize.optimize import optimize
from whileai.simulations.score.optimize.rl import select_for_rl
from whileai.simulations.score.optimize.sft import select_for_sft
from whileai.simulations.score.optimize.signal import group_signal
from whileai.simulations.score.optimize.trims import trim_out_of_band, trim_unanimous_groups
from whileai.simulations.score.recommend import recommend

__all__ = [
    "filter_rl_rows",
    "group_signal",
    "next_round",
    "optimize",
    "recommend",
    "select_for_rl",
    "select_for_sft",
    "trim_out_of_band",
    "trim_unanimous_groups",
]
