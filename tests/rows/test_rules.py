"""The rules of one row: its task, its grade, its numbers."""

from __future__ import annotations

import hashlib
import math

import pytest

from tables import each_of
from whileai.simulations.rows.grade import grade, label
from whileai.simulations.rows.task import prompt_hash, task_key
from whileai.simulations.rows.values import finite, number


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ({"scenario_id": 0, "task_id": "t"}, "0"),
        ({"scenario_id": False, "task_id": "t"}, "False"),
        ({"scenario_id": "", "task_id": " t "}, " t "),
        ({"prompt": ["a"]}, "['a']"),
        ({}, ""),
    ],
)
def test_task_is_the_first_id_that_is_set_as_text(row: dict, key: str) -> None:
    assert task_key(row) == key


class _Missing:
    """Stands for pandas' NA: has no truth."""

    __name__ = "NAType"

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")


_Missing.__name__ = "NAType"


@pytest.mark.parametrize("missing", [None, math.nan, "", _Missing()])
def test_missing_id_gives_way_to_the_next(missing: object) -> None:
    assert task_key({"scenario_id": missing, "task_id": "t"}) == "t"


def test_prompt_hash_is_twelve_hex_of_sha256() -> None:
    assert prompt_hash("Where is order 4473?") == "task_" + hashlib.sha256(b"Where is order 4473?").hexdigest()[:12]
    assert prompt_hash("\ud800").startswith("task_")


@pytest.mark.parametrize(
    ("value", "read"), [(True, 1), ("7", 7), (" 0.5 ", 0.5), ("1e3", 1000.0), ("1_0", None), ("", None), ([], None)]
)
def test_numbers_are_read_from_bools_and_text(value: object, read: object) -> None:
    assert number(value) == read


@each_of("value", [math.nan, math.inf, "nan", "inf", 10**400, "9" * 500, None, "x"])
def test_what_is_not_finite_is_no_number_to_compute_with(value: object) -> None:
    assert finite(value) is None


@each_of(
    ("row", "want"),
    [
        ({"reward": 1.0}, 1), ({"reward": "0"}, 0), ({"reward": True}, None), ({"reward": 0.5, "qwen_reward": 0}, 0),
        ({"reward": 0, "qwen_reward": 1}, 0), ({"reward": 2}, None), ({"reward": None, "qwen_reward": True}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_label_is_the_first_exact_zero_or_one(row: dict, want: int | None) -> None:
    assert label(row) == want


def test_grade_is_the_first_finite_number_and_nan_when_ungraded() -> None:
    assert grade({"reward": 0.25, "qwen_reward": 1}) == 0.25
    assert grade({"reward": math.nan, "qwen_reward": "0.5"}) == 0.5
    assert math.isnan(grade({"reward": True}))


class _Unprintable:
    def __str__(self) -> str:
        raise RuntimeError("no text")


def test_id_whose_text_is_an_error_names_its_type() -> None:
    assert task_key({"scenario_id": _Unprintable()}) == "<_Unprintable>"
