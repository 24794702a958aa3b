"""Argument grounding: did every tool argument come from the conversation?"""

from whileai.simulations.score.grounding.report import grounding_report
from whileai.simulations.score.grounding.row import argument_grounding, mark_grounding, ungrounded_arguments

__all__ = [
    "argument_grounding",
    "grounding_report",
    "mark_grounding",
    "ungrounded_arguments",
]
