"""The first look at some rollouts: what was read, how good the policy is, where the tasks lie, what is missing."""

from whileai.simulations.score.overview.gather import Overview, overview
from whileai.simulations.score.overview.text import format_overview

__all__ = ["Overview", "format_overview", "overview"]
