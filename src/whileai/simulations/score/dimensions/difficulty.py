"""How hard a situation is, by the stance of the person in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.score.checklist.vocabulary import text_of

ORDINARY, AMBIGUOUS, BOUNDARY, ADVERSARIAL, UNLABELLED = (
    "ordinary", "ambiguous", "boundary", "adversarial", "unlabelled",
)  # fmt: skip
HARD = frozenset({AMBIGUOUS, BOUNDARY, ADVERSARIAL})
_TIERS = {
    **dict.fromkeys(("ambiguous", "unsure", "vague", "underspecified"), AMBIGUOUS),
    **dict.fromkeys(("boundary", "conflicting", "policy-push"), BOUNDARY),
    **dict.fromkeys(("adversarial", "malicious", "forbidden"), ADVERSARIAL),
}


def tier_of(dimensions: Any) -> str:
    """The tier of a row's `scenario_dimensions`, by `stance`, else `user_behavior`; `unlabelled` with neither.

    >>> tier_of({"stance": "unsure"}), tier_of({"user_behavior": "retry"}), tier_of({"tool": "get"})
    ('ambiguous', 'ordinary', 'unlabelled')
    """
    if dimensions is None or not isinstance(dimensions, Mapping):
        return UNLABELLED
    stance = text_of(dimensions.get("stance")) or text_of(dimensions.get("user_behavior"))
    return _TIERS.get(stance.strip().lower(), ORDINARY) if stance else UNLABELLED
