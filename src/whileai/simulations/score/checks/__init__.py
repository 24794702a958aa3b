"""Every check of what an agent did, together: what fires, how often, and whether the reward pays for it."""

from whileai.simulations.score.checks.gather import Checks, checks
from whileai.simulations.score.checks.identifiers import invented_identifiers
from whileai.simulations.score.checks.rules import RULES, examine
from whileai.simulations.score.checks.text import format_checks, format_fired

__all__ = ["RULES", "Checks", "checks", "examine", "format_checks", "format_fired", "invented_identifiers"]
