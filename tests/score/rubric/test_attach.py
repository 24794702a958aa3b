from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given

import strategies as s
import whileai.simulations as wai

RUBRIC = wai.Rubric((wai.Criterion("Issues the refund", kind="hard"),))


def test_rows_that_share_a_block_do_not_share_a_rubric() -> None:
    block = {"reference": "forty dollars"}
    rows = wai.attach_rubric([{"privileged": block}, {"privileged": block}], RUBRIC)
    rows[0]["privileged"]["rubric"]["criteria"].clear()
    assert len(rows[1]["privileged"]["rubric"]["criteria"]) == 1
    assert block == {"reference": "forty dollars"}


@pytest.mark.parametrize("block", [None, "text", [1], 5])
def test_a_block_that_is_no_dict_becomes_one(block: Any) -> None:
    assert wai.rubric_of(wai.attach_rubric([{"privileged": block}], RUBRIC)[0]) == RUBRIC


def test_no_row_is_changed_when_a_form_does_not_stand() -> None:
    rows = [{"n": 1}, {"n": 2}]
    held = copy.deepcopy(rows)
    with pytest.raises(ValueError, match="title"):
        wai.attach_rubric(rows, lambda row: RUBRIC if row["n"] == 1 else [{"title": ""}])
    assert rows == held


def test_a_callable_may_give_any_form_and_odd_items_are_dropped() -> None:
    forms = {1: [{"title": "A"}], 2: {"criteria": ["B"]}, 3: None, 4: "C"}
    rows = wai.attach_rubric([None, *({"n": n} for n in forms), "x"], lambda row: forms[row["n"]])
    found = [wai.rubric_of(row) for row in rows]
    assert [rubric and rubric.criteria[0].title for rubric in found] == ["A", "B", None, "C"]


def test_overwrite_false_keeps_even_a_rubric_that_cannot_be_read() -> None:
    rows = [{"privileged": {"rubric": [{"title": ""}]}}, {"privileged": {"rubric": {}}}]
    wai.attach_rubric(rows, RUBRIC, overwrite=False)
    assert wai.rubric_of(rows[0]) is None
    assert wai.rubric_of(rows[1]) == RUBRIC


def test_only_the_privileged_rubric_is_read() -> None:
    assert wai.rubric_of({"rubric": [{"title": "A"}]}) is None


@given(s.json_values)
def test_reading_a_rubric_never_raises(held: Any) -> None:
    for row in (held, {"privileged": held}, {"privileged": {"rubric": held}}):
        found = wai.rubric_of(row)
        assert found is None or isinstance(found, wai.Rubric)
