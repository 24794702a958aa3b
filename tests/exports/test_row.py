"""`exported_row`: nothing that only the teacher was told leaves, and nothing else is lost."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from export_rows import parallel, stepped
from strategies import rows
from whileai.simulations.exports import exported_row
from whileai.simulations.exports.scrub import PRIVATE
from whileai.simulations.rows.text import calls

SECRET = "the seal was broken twice"
NESTED = st.recursive(
    st.just(SECRET) | st.none() | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*sorted(PRIVATE), "_own", "kept", "name", "input"]), inner, max_size=4)
    ),
    max_leaves=12,
)


def names_in(value: Any) -> set[Any]:
    if isinstance(value, dict):
        return {*value, *(name for item in value.values() for name in names_in(item))}
    return {name for item in value for name in names_in(item)} if isinstance(value, list) else set()


@settings(max_examples=25)
@given(st.dictionaries(st.sampled_from(["lineage", "judge_meta", "meta", *sorted(PRIVATE), "_x"]), NESTED))
def test_private_names_leave_at_no_depth(row: dict[str, Any]) -> None:
    found = exported_row(row)
    assert not names_in(found) & {*PRIVATE, "_own", "_x"}
    assert all(value is not None for value in found.values())


def test_what_a_call_holds_is_kept_but_for_what_no_tool_calls_its_own() -> None:
    steps = [
        {
            "tool": "pay",
            "arguments": {"reference": "TX-1", "_id": 5, "note": None},
            "result": {"reference": "TX-2", "hidden_state": {"balance": SECRET}},
            "privileged": SECRET,
        }
    ]
    found = exported_row({"prompt": "Pay.", "steps": steps, "final_text": "Paid."})
    assert found["steps"] == [
        {
            "tool": "pay",
            "arguments": {"reference": "TX-1", "_id": 5, "note": None},
            "result": {"reference": "TX-2"},
        }
    ]
    assert SECRET not in json.dumps(found)
    assert calls(found)[0].arguments == {"reference": "TX-1", "_id": 5, "note": None}


def test_messages_are_rebuilt_where_there_are_none_and_stay_where_there_are() -> None:
    assert [turn["role"] for turn in exported_row(stepped())["messages"]] == [
        "user", "assistant", "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert exported_row(parallel())["messages"] == parallel()["messages"]


@pytest.mark.parametrize(("state", "kept"), [("unspecified", False), ("Unknown", False), ("", False), ("paid", True)])
def test_a_world_state_that_says_nothing_is_left_out(state: str, kept: bool) -> None:
    assert ("world_state" in exported_row({"world_state": state})) is kept


def test_a_judge_that_saw_the_block_does_not_tell_it_on() -> None:
    row = stepped(
        privileged={"reference": SECRET, "hidden_state": {"why": "It broke."}},
        reason=f"Correct, as {SECRET.upper()}.",
        judge_meta={"model": "m", "quotes": ["fine", f"'{SECRET}'"], "n": 3},
    )
    found = exported_row(row)
    assert SECRET not in json.dumps(found).lower()
    assert found["judge_meta"]["quotes"][0] == "fine"
    assert found["judge_meta"]["n"] == 3


def test_what_the_user_said_is_no_secret() -> None:
    row = stepped(prompt=f"Refund it, {SECRET}.", privileged={"reference": SECRET}, reason=f"asked: {SECRET}")
    assert exported_row(row)["reason"] == f"asked: {SECRET}"


def test_what_the_row_says_of_itself_is_no_secret() -> None:
    row = stepped(
        scenario_dimensions={"tool_condition": "malformed_result"},
        privileged={"hidden_state": {"tool_condition": "malformed_result"}},
        reason="claims success over malformed_result",
    )
    assert exported_row(row)["reason"] == "claims success over malformed_result"


@settings(max_examples=25)
@given(rows())
def test_the_row_stays_as_it_was(row: dict[str, Any]) -> None:
    before = copy.deepcopy(row)
    exported_row(row)
    assert repr(row) == repr(before)


def test_rows_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match="exported_row takes one row, a dict, got list"):
        exported_row([{}])  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["llm_reason", "gold_reason", "note"])
def test_words_beside_the_episode_that_quote_the_block_are_withheld(field: str) -> None:
    row = {"prompt": "q", "final_text": "No.", field: f"since {SECRET}", "privileged": {"reference": SECRET}}
    assert SECRET not in json.dumps(exported_row(row))
    assert field in exported_row(row)


def test_a_marker_named_by_the_block_does_not_leave() -> None:
    row = {"final_text": "No.", "markers": {SECRET: 1, "ok": 1}, "privileged": {"reference": SECRET}}
    assert exported_row(row)["markers"] == {"ok": 1}


def test_json_that_travels_as_text_holds_no_private_key() -> None:
    step = {"tool": "a", "arguments": '{"hidden_state": {"x": 1}, "y": 2}', "result": '[{"privileged": 5, "z": 1}]'}
    found = exported_row({"prompt": "q", "steps": [step], "final_text": "No."})
    assert found["steps"] == [{"tool": "a", "arguments": '{"y": 2}', "result": '[{"z": 1}]'}]


def test_a_row_nested_too_deep_is_refused_by_name() -> None:
    deep: Any = "x"
    for _ in range(2000):
        deep = [deep]
    with pytest.raises(ValueError, match="task 'p' is nested too deep"):
        exported_row({"prompt": "p", "steps": [{"tool": "t", "result": deep}], "final_text": "a"})
