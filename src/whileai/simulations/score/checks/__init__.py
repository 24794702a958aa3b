"""Every check of what an agent did, together: what fires, how often, and whether the reward pays for it."""

from whileai.simulations.score.checks.gather import Checks, checks
from whileai.simulations.score.checks.rules import COMPOSED, RULES, evidence_of
from whileai.simulations.score.checks.text import format_checks, format_fired

__all__ = ["COMPOSED", "RULES", "Checks", "checks", "evidence_of", "format_checks", "format_fired"]
