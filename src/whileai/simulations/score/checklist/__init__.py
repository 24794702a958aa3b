"""A reward computed from what the world knows: what a task expects, whether it came about, conduct gated by it."""

from whileai.simulations.score.checklist.context import privileged_context
from whileai.simulations.score.checklist.expected import expected_outcome
from whileai.simulations.score.checklist.outcome import outcome_check
from whileai.simulations.score.checklist.reward import task_checklist

__all__ = ["expected_outcome", "outcome_check", "privileged_context", "task_checklist"]
