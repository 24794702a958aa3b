"""What a judge's answer means, beyond the cases of the reference."""

from __future__ import annotations

from decimal import Decimal
from enum import IntEnum
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from strategies import json_values
from tables import each_of
from whileai.simulations.score.judging import normalize_judge_result

Row = dict[str, Any]


class Grade(IntEnum):
    GOOD = 1


@each_of(
    ("answer", "reward"),
    [
        (np.float32(0.5), 0.5), (np.int64(1), 1), (np.bool_(True), 1), (np.float64(0.0), 0), (Grade.GOOD, 1),
        ({"reward": np.float64(0.25)}, 0.25), (-0.0, 0), ({"score": False}, 0),
    ],
)  # fmt: skip
def test_numbers_of_every_make_are_plain_ones(answer: Any, reward: float) -> None:
    found = normalize_judge_result(answer)["reward"]
    assert (found, type(found)) == (reward, type(reward))


@each_of("answer", [None, "1", b"1", [1], (1,), {1}, Decimal(1), 1j, object(), float("nan"), 10**400, -1, 1.0000001])
@each_of("wrapped", [False, True])
def test_what_is_no_reward_is_never_one(answer: Any, wrapped: bool) -> None:
    found = normalize_judge_result({"reward": answer, "reason": "r"} if wrapped else answer)
    assert (found["reward"], found["judge_status"]) == (None, "invalid_result")
    assert found["reason"] == ("r" if wrapped else "")
    assert found["judge_meta"]


@pytest.mark.parametrize(
    ("answer", "status", "meta"),
    [
        (
            {"rating": None, "score": 3}, "missing_reward",
            {"returned_keys": ["rating", "score"], "returned": '{"score": 3}'},
        ),
        ({"rating": "4"}, "invalid_result", {"reward_type": "str", "returned": '{"rating": "4"}'}),
        (None, "invalid_result", {"reward_type": "NoneType"}),
        ([3], "invalid_result", {"reward_type": "list", "returned": "[3]"}),
        ({"rating": True}, "invalid_result", {"reward_type": "bool", "returned": '{"rating": true}'}),
        (0.5, "invalid_result", {"rating_out_of_scale": 0.5, "scale": [1.0, 5.0]}),
    ],
)  # fmt: skip
def test_ratings_that_are_none(answer: Any, status: str, meta: Row) -> None:
    found = normalize_judge_result(answer, scale=(1, 5))
    assert (found["reward"], found["judge_status"], found["judge_meta"]) == (None, status, meta)


def test_a_rating_next_to_the_end_of_its_scale_is_the_end() -> None:
    assert normalize_judge_result(4.9999999, scale=(1, 5))["reward"] == 1


def test_a_block_of_meta_that_is_no_dict_stays_as_it_is() -> None:
    assert normalize_judge_result({"reward": 1, "judge_meta": "x"})["judge_meta"] == {"judge_meta": "x"}


@given(json_values)
def test_any_answer_has_the_four_keys_and_is_not_changed(answer: Any) -> None:
    before = repr(answer)
    for scale in (None, (0, 10)):
        found = normalize_judge_result(answer, scale)
        assert list(found) == ["reward", "reason", "judge_status", "judge_meta"]
        assert (found["reward"] is None) is (found["judge_status"] != "ok")
    assert repr(answer) == before
