"""What holds for every dict, whatever it holds: reading never raises, and a second trip changes nothing."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import whileai.simulations as wai
from strategies import any_dicts, json_values, messages, numbers, objects, rows, steps, texts
from tables import each_of
from whileai.simulations.schema.types import AXES, CARRIED_COLUMNS, VERDICT_COLUMNS

SCHEMA = json.loads(files("whileai.simulations").joinpath("schemas/row-v1.json").read_text(encoding="utf-8"))
ENGINE_ROW = {
    "scenario_id": "s", "prompt": "p", "steps": [{"tool": "get", "arguments": {}, "result": 1}], "final_text": "x",
    "reward": 1, "judge_name": "j", "llm_reward": 1,
}  # fmt: skip
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


@given(any_dicts())
def test_any_dict_is_read_checked_and_grouped_without_an_error(row):
    wai.from_row(row)
    wai.task_key(row)
    wai.calibration_of(row)
    for kind in ("row", "training", "preference", "other"):
        assert isinstance(wai.validate(row, kind), list)


@given(any_dicts())
def test_the_second_trip_gives_the_same_row_and_the_same_objects(row):
    first = joined(row)
    assert alike(sorted_keys(joined(first)), sorted_keys(first))
    assert wire(wai.from_row(joined(first))) == wire(wai.from_row(first))


def sorted_keys(row: dict) -> list:
    return sorted(row.items(), key=lambda item: repr(item[0]))


@given(any_dicts())
def test_reading_and_joining_leave_the_source_row_as_it_was(row):
    before = copy.deepcopy(row)
    joined(row)
    assert wire(row) == wire(before)


@given(any_dicts())
def test_the_canonical_row_is_a_valid_stamped_row(row):
    problems = wai.validate(joined(row))
    assert problems == ["calibration_invalid"] if row.get("calibration") is not None and problems else problems == []


@given(rows())
def test_a_task_with_an_id_keeps_its_key(row):
    if any(row.get(name) not in (None, "") for name in ("scenario_id", "task_id")):
        assert wai.task_key(joined(row)) == wai.task_key(row)


@given(rows())
def test_no_column_of_the_source_is_lost_but_defaults_and_columns_rewritten_as_others(row):
    out = joined(row)
    for key, value in row.items():
        empty_chat = key == "messages" and (not value or value != value)  # a list-valued prompt fills it
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


@given(stamped)
def test_the_json_schema_agrees_with_validate_on_stamped_rows(row):
    if not any(value != value for value in row.values()):
        agrees("row", {**row, "calibration": None})


@given(training, numbers)
def test_the_json_schema_agrees_with_validate_on_training_rows(row, flag):
    turns = row.get("messages")
    if isinstance(turns, list) and "loss_mask" in row:
        row = {**row, "loss_mask": [flag] * len(turns)}
    elif "loss_mask" in row:
        row = {name: value for name, value in row.items() if name != "loss_mask"}
    if row:
        agrees("training", row)


@given(preference)
def test_the_json_schema_agrees_with_validate_on_preference_rows(row):
    if row:
        agrees("preference", row)


@given(rows())
def test_every_joined_row_is_valid_under_the_json_schema(row):
    out = joined({name: value for name, value in row.items() if name != "calibration"})
    assert CHECKS["row"].is_valid(out), list(CHECKS["row"].iter_errors(out))[:1]


@given(steps, messages)
def test_odd_steps_and_messages_are_read(step, message):
    _, rollout, _, _ = wai.from_row({"steps": [step], "messages": [message]})
    assert isinstance(rollout.final_text, str)


@each_of("column", ["prompt", "final_text", "steps", "messages", "reward", "scenario_id", "judge_meta"])
@each_of("value", [DEEP, {"a": DEEP}, 10**5000, {1: {2: 3}}, {None: float("nan")}], ids=lambda v: type(v).__name__)
def test_values_python_cannot_print_are_read_in_every_column(column, value):
    row = {"prompt": "p", column: value}
    wai.task_key(row)
    out = joined(row)
    assert wai.validate(out) == []
    assert set(joined(out)) == set(out)


class Odd:
    """An object that refuses to be compared, counted or asked for its truth."""

    __hash__ = None

    def _refused(self, *_):
        raise RuntimeError("no")

    __bool__ = __eq__ = __lt__ = __len__ = __iter__ = _refused


class Unprintable(Odd):
    __str__ = __repr__ = Odd._refused


ODD = [Odd(), pd.NA, pd.NaT, np.array([1, 2]), np.array(["a", "b"], object), np.array(5), pd.DataFrame({"a": [1, 2]})]
STEP_KEYS = ["tool", "arguments", "input", "result", "output", "text", "user", "logprob", "n_tokens", "truncated", "x"]
TURN_KEYS = [
    "role",
    "content",
    "tool_calls",
    "tool_call_id",
    "name",
    "type",
    "error",
    "status",
    "is_error",
    "requestor",
]
COLUMNS = sorted({
    *AXES, *CARRIED_COLUMNS, *VERDICT_COLUMNS, "schema_version", "prompt", "steps", "final_text", "scenario_id",
    "task_id", "rollout_id", "spec_id", "seed", "world_state", "faults", "rollout_index", "model_version",
    "policy_version", "markers", "calibration", "privileged", "tool_trace", "trace", "completion", "question", "answer",
    "output", "conversations", "steps_json", "messages_json", "metadata_json", "metadata", "raw_reward", "unknown",
})  # fmt: skip
BASES = [{}, {"prompt": "p"}, ENGINE_ROW, {**ENGINE_ROW, "schema_version": "1"}, {"messages": [{"role": "user"}]}]


@each_of("odd", ODD, ids=lambda odd: type(odd).__name__)
@each_of("column", COLUMNS)
def test_an_odd_object_in_any_column_is_read_and_joined_without_an_error(column, odd):
    for base in BASES:
        for value in (odd, [odd], {"mode": odd, "n": odd, "scorer_kind": odd, "version": odd, "hidden_state": odd}):
            row = {**base, column: value}
            again = wai.from_row(joined(row))
            assert wai.task_key(row) == wai.task_key({}) or again[0].task_id
            assert all(isinstance(wai.validate(row, kind), list) for kind in ("row", "training", "preference", odd))


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_an_odd_object_in_a_step_or_a_turn_is_read_and_joined_without_an_error(odd):
    for key in STEP_KEYS:
        for step in ({"tool": "get"}, {"text": "x"}, {"user": "u"}, {}):
            joined(joined({**ENGINE_ROW, "steps": [{**step, key: odd}]}))
    for key in TURN_KEYS:
        for role in ("user", "assistant", "tool", "system"):
            blocks = [
                {"type": kind, "text": "x", "name": "get", key: odd} for kind in ("text", "tool_use", "tool_result")
            ]
            turn = {"role": role, "content": blocks, "tool_calls": [{"name": "get", key: odd}]}
            joined(joined({"messages": [turn, {**turn, key: odd}, {"role": role, "content": {key: odd}}]}))


def test_an_object_that_cannot_be_printed_is_named_by_its_type():
    stamped = {"schema_version": "1", "prompt": "p", "steps": [], "final_text": "f"}
    assert wai.validate({"schema_version": Unprintable()}) == ["unknown_schema_version:<Unprintable>"]
    assert wai.validate(stamped, Unprintable()) == ["unknown_kind:<Unprintable>"]
    block = {"n": 1, "pass_rate": 1, "task_id": Unprintable()}
    assert wai.validate({**stamped, "calibration": block}) == []
    assert wai.calibration_of({"calibration": block}).task_id == "<Unprintable>"


def test_a_deep_result_of_a_step_is_joined():
    out = joined({"task_id": "t", "prompt": "p", "steps": [{"tool": "get", "arguments": {}, "result": DEEP}]})
    assert out["steps"][0]["result"] is DEEP


def test_a_dict_subclass_is_a_row_and_gains_no_keys():
    row = defaultdict(list, {"prompt": "p", "steps": [defaultdict(str, {"tool": "get"})]})
    assert wai.from_row(row)[1].steps[0].tool == "get"
    assert set(row) == {"prompt", "steps"}
    assert set(row["steps"][0]) == {"tool"}
