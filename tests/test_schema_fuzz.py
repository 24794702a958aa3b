"""What holds for every dict, whatever it holds: reading never raises, and a second trip changes nothing."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import whileai.simulations as wai
from strategies import any_dicts, json_values, messages, numbers, objects, rows, steps, texts

SCHEMA = json.loads(files("whileai.simulations").joinpath("schemas/row-v1.json").read_text(encoding="utf-8"))
CHECKS = {
    kind: Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"})
    for kind, name in (("row", "row"), ("training", "training_row"), ("preference", "preference_row"))
}
DEEP = json.loads("[" * 500 + "]" * 500)
for _ in range(5000):
    DEEP = [DEEP]


def alike(left: object, right: object) -> bool:
    """Equality in which NaN equals NaN and True does not equal 1."""
    return wire(left) == wire(right)


def wire(value: object) -> str:
    return repr(value)


def joined(row: dict) -> dict:
    return wai.to_row(*wai.from_row(row))


@settings(max_examples=60, deadline=None)
@given(any_dicts())
def test_any_dict_is_read_checked_and_grouped_without_an_error(row):
    wai.from_row(row)
    wai.task_key(row)
    wai.calibration_of(row)
    for kind in ("row", "training", "preference", "other"):
        assert isinstance(wai.validate(row, kind), list)


@settings(max_examples=60, deadline=None)
@given(any_dicts())
def test_the_second_trip_gives_the_same_row_and_the_same_objects(row):
    first = joined(row)
    assert alike(sorted_keys(joined(first)), sorted_keys(first))
    assert wire(wai.from_row(joined(first))) == wire(wai.from_row(first))


def sorted_keys(row: dict) -> list:
    return sorted(row.items(), key=lambda item: repr(item[0]))


@settings(max_examples=60, deadline=None)
@given(any_dicts())
def test_reading_and_joining_leave_the_source_row_as_it_was(row):
    before = copy.deepcopy(row)
    joined(row)
    assert wire(row) == wire(before)


@settings(max_examples=60, deadline=None)
@given(any_dicts())
def test_the_canonical_row_is_a_valid_stamped_row(row):
    problems = wai.validate(joined(row))
    assert problems == ["calibration_invalid"] if row.get("calibration") is not None and problems else problems == []


@settings(max_examples=60, deadline=None)
@given(rows())
def test_a_task_with_an_id_keeps_its_key(row):
    if any(row.get(name) not in (None, "") for name in ("scenario_id", "task_id")):
        assert wai.task_key(joined(row)) == wai.task_key(row)


@settings(max_examples=60, deadline=None)
@given(rows())
def test_no_column_of_the_source_is_lost_but_defaults_and_columns_rewritten_as_others(row):
    out = joined(row)
    for key, value in row.items():
        empty_chat = key == "messages" and not value  # a list-valued prompt fills it
        if key not in REWRITTEN and value is not None and not empty_chat:
            assert wire(out[key]) == wire(value), key


REWRITTEN = {  # read into a typed form, parsed, or left out when they say the default; see the other tests
    "schema_version", "scenario_id", "prompt", "steps", "final_text", "steps_json", "messages_json", "metadata_json",
    "reward", "qwen_reward", "llm_reward", "reason", "failure_class", "judge_status", "judge_name", "label_source",
    "judge_meta", "llm_reason", "markers", "calibration", "faults", "fault_detected", "world_state", "rollout_index",
    "policy_version", "spec_id",
}  # fmt: skip

stamped = objects({"prompt": texts, "steps": json_values, "final_text": texts, "reward": numbers}).map(
    lambda row: {**row, "schema_version": "1"}
)
training = objects({"messages": st.lists(messages, max_size=3), "tools": json_values, "loss_mask": json_values})
preference = objects({"chosen": json_values, "rejected": json_values, "schema_version": texts})


def agrees(kind: str, row: dict) -> None:
    assert CHECKS[kind].is_valid(row) == (wai.validate(row, kind) == []), row


@settings(max_examples=60, deadline=None)
@given(stamped)
def test_the_json_schema_agrees_with_validate_on_stamped_rows(row):
    if not any(value != value for value in row.values()):
        agrees("row", {**row, "calibration": None})


@settings(max_examples=60, deadline=None)
@given(training, numbers)
def test_the_json_schema_agrees_with_validate_on_training_rows(row, flag):
    turns = row.get("messages")
    if isinstance(turns, list) and "loss_mask" in row:
        row = {**row, "loss_mask": [flag] * len(turns)}
    elif "loss_mask" in row:
        row = {name: value for name, value in row.items() if name != "loss_mask"}
    if row:
        agrees("training", row)


@settings(max_examples=60, deadline=None)
@given(preference)
def test_the_json_schema_agrees_with_validate_on_preference_rows(row):
    if row:
        agrees("preference", row)


@settings(max_examples=60, deadline=None)
@given(rows())
def test_every_joined_row_is_valid_under_the_json_schema(row):
    out = joined({name: value for name, value in row.items() if name != "calibration"})
    assert CHECKS["row"].is_valid(out), list(CHECKS["row"].iter_errors(out))[:1]


@settings(max_examples=60, deadline=None)
@given(steps, messages)
def test_odd_steps_and_messages_are_read(step, message):
    _, rollout, _, _ = wai.from_row({"steps": [step], "messages": [message]})
    assert isinstance(rollout.final_text, str)


@pytest.mark.parametrize("column", ["prompt", "final_text", "steps", "messages", "reward", "scenario_id", "judge_meta"])
@pytest.mark.parametrize(
    "value", [DEEP, {"a": DEEP}, 10**5000, {1: {2: 3}}, {None: float("nan")}], ids=lambda v: type(v).__name__
)
def test_values_python_cannot_print_are_read_in_every_column(column, value):
    row = {"prompt": "p", column: value}
    wai.task_key(row)
    out = joined(row)
    assert wai.validate(out) == []
    assert set(joined(out)) == set(out)


def test_a_deep_result_of_a_step_is_joined():
    out = joined({"task_id": "t", "prompt": "p", "steps": [{"tool": "get", "arguments": {}, "result": DEEP}]})
    assert out["steps"][0]["result"] is DEEP


def test_a_dict_subclass_is_a_row_and_gains_no_keys():
    row = defaultdict(list, {"prompt": "p", "steps": [defaultdict(str, {"tool": "get"})]})
    assert wai.from_row(row)[1].steps[0].tool == "get"
    assert set(row) == {"prompt", "steps"}
    assert set(row["steps"][0]) == {"tool"}
