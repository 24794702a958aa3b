from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.score.checklist.vocabulary import Stance
from whileai.simulations.score.dimensions.difficulty import tier_of

TIERS = {"ambiguous": "ambiguous", "unsure": "ambiguous", "boundary": "boundary", "conflicting": "boundary"}


@each_of("stance", list(Stance))
def test_every_stance_has_a_tier(stance: Stance) -> None:
    expected = "adversarial" if stance is Stance.ADVERSARIAL else TIERS.get(stance, "ordinary")
    assert tier_of({"stance": stance.value}) == expected


@pytest.mark.parametrize(
    ("dimensions", "tier"),
    [
        ({"stance": "", "user_behavior": "policy-push"}, "boundary"),
        ({"stance": "whimsical"}, "ordinary"),
        ({"stance": "Forbidden "}, "adversarial"),
        ({"stance": 5}, "unlabelled"),
        ({}, "unlabelled"),
        (None, "unlabelled"),
        ("boundary", "unlabelled"),
    ],
)
def test_other_words_for_a_stance(dimensions: object, tier: str) -> None:
    assert tier_of(dimensions) == tier
