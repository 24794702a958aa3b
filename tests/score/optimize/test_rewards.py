from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.optimize.rewards import reward_notes, unusable_rewards


@each_of(
    ("row", "kind"),
    [
        ({}, "missing"),
        ({"reward": None}, "missing"),
        ({"reward": ""}, "missing"),
        ({"reward": True}, "boolean"),
        ({"reward": False}, "boolean"),
        ({"reward": 0.9999999}, "rounding"),
        ({"reward": -1e-9}, "rounding"),
        ({"reward": 0.5}, "partial"),
        ({"reward": 0.999}, "partial"),
        ({"reward": 7}, "outside"),
        ({"reward": -1}, "outside"),
        ({"reward": "0.5"}, "partial"),
        ({"reward": "high"}, "other"),
        ({"reward": float("nan")}, "other"),
        ({"reward": [1]}, "other"),
        ({"reward": None, "qwen_reward": 0.25}, "partial"),
    ],
)
def test_what_stands_in_the_place_of_a_label(row: dict, kind: str) -> None:
    found = unusable_rewards(RowTable([row]))
    assert {name: n for name, n in found.items() if n} == {kind: 1}


@pytest.mark.parametrize("row", [{"reward": 1}, {"reward": "0.0"}, {"reward": 0.5, "qwen_reward": 1}])
def test_a_row_with_a_label_is_not_among_them(row: dict) -> None:
    found = unusable_rewards(RowTable([row]))
    assert sum(found.values()) == 0
    assert reward_notes(found, 1) == []


def test_the_note_says_how_many_and_what_to_do() -> None:
    found = unusable_rewards(RowTable([{"reward": 0.5}, {"reward": 0.25}, {"reward": 1}]))
    assert reward_notes(found, 3) == [
        "2 of 3 rows with partial credit: it does not vote; choose the score that passes, int(reward >= 0.5) say"
    ]
    assert "min_reward" in reward_notes(found, 3, "sft")[0]
