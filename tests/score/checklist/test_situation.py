from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.score.checklist.situation import Rule, situation_of_dims, situation_of_row
from whileai.simulations.score.checklist.vocabulary import Stance, WorldState


@each_of(
    ("dims", "rules"),
    [
        ({}, []),
        ({"tool": "unspecified"}, []),
        ({"tool": " "}, []),
        ({"tool": ["refund_order"]}, []),
        ({"stance": "hurried", "world_state": "unknown", "history": "fresh"}, []),
        ({"tool": "refund_order"}, [Rule.TARGET]),
        ({"tool": "Unrelated"}, [Rule.TARGET]),
        ({"tool": "unrelated"}, [Rule.UNRELATED]),
        ({"tool": "multi_tool", "world_state": "missing", "intent_known": False}, [Rule.COMPOUND]),
        ({"tool": "multi_tool", "stance": "ADVERSARIAL"}, [Rule.ADVERSARIAL]),
        ({"tool": "unrelated", "intent_known": False}, [Rule.UNRELATED]),
        ({"tool": "refund_order", "intent_known": False, "world_state": "missing"}, [Rule.VAGUE]),
        ({"tool": "refund_order", "intent_known": 0}, [Rule.TARGET]),
        ({"ask_family": "vague"}, [Rule.VAGUE]),
        ({"ask_family": "general"}, []),
        ({"tool": "refund_order", "world_state": "Entity Missing"}, [Rule.MISSING]),
        ({"tool": "refund_order", "world_state": "already_done"}, [Rule.ALREADY_DONE]),
        ({"world_state": "duplicate"}, [Rule.DUPLICATE]),
        (
            {"tool": "refund_order", "world_state": "duplicate entity", "history": "prior_partial_action"},
            [Rule.DUPLICATE, Rule.PARTIAL, Rule.TARGET],
        ),
        ({"history": "Partially completed", "ask_family": "tool"}, [Rule.PARTIAL, Rule.TOOL_ASK]),
        ({"tool": "refund_order", "ask_family": "tool"}, [Rule.TARGET]),
    ],
)
def test_rules_apply_in_order_and_the_first_that_decides_is_the_last(dims: dict, rules: list[Rule]) -> None:
    assert list(situation_of_dims(dims).rules) == rules


@pytest.mark.parametrize(
    ("row", "stance"),
    [
        ({"scenario_dimensions": {"stance": "hurried"}, "stance": "adversarial"}, Stance.HURRIED),
        ({"scenario_dimensions": {"stance": ""}, "stance": "adversarial"}, Stance.ADVERSARIAL),
        ({"scenario_dimensions": "stance", "stance": "adversarial"}, Stance.ADVERSARIAL),
        ({"scenario_dimensions": {"stance": "hurried"}, "tier": "adversarial"}, Stance.HURRIED),
        ({"stance": None, "tier": "adversarial"}, Stance.ADVERSARIAL),
    ],
)
def test_dimensions_win_over_the_row_and_the_tier_stands_in_last(row: dict, stance: Stance) -> None:
    assert situation_of_row(row).stance is stance


def test_the_other_axes_of_a_row_fall_back_to_its_fields() -> None:
    row = {"scenario_dimensions": {"tool": None}, "tool": "get_order", "world_state": "missing", "history": "fresh"}
    situation = situation_of_row(row)
    assert (situation.tool, situation.world) == ("get_order", WorldState.MISSING)


def test_whether_the_ask_is_vague_is_read_from_the_row_only() -> None:
    dims = {"intent_known": False, "ask_family": "tool"}
    situation = situation_of_row({"scenario_dimensions": dims})
    assert (situation.vague, situation.tool_ask) == (False, False)
