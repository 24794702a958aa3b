"""Row hygiene that a grouped update or a rejection-sampling pass cares about."""

from whileai.simulations.score.hygiene.correlations import reward_correlations
from whileai.simulations.score.hygiene.dedupe import dedupe_groups
from whileai.simulations.score.hygiene.length import length_report
from whileai.simulations.score.hygiene.near_duplicates import near_duplicate_prompts

__all__ = ["dedupe_groups", "length_report", "near_duplicate_prompts", "reward_correlations"]
