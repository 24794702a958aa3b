"""The coverage grid: the axes a situation varies on, the clauses of a policy, and the cells to cover."""

from whileai.simulations.score.dimensions.axes import build_dimensions
from whileai.simulations.score.dimensions.clauses import policy_sections
from whileai.simulations.score.dimensions.regions import scenario_regions

__all__ = ["build_dimensions", "policy_sections", "scenario_regions"]
