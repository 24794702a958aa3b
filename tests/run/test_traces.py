"""Recorded rollouts as rows."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
import whileai.simulations as wai
from samples import sample
from tables import each_of
from whileai.simulations.schema import from_row

CALL = {"tool": "get", "arguments": {"id": 5}, "result": {"status": "paid"}}


@each_of("name", ["prompt", "question", "input", "task", "ask"])
@each_of("reply", ["final_text", "final", "output", "response", "answer"])
@each_of("steps", ["steps", "tool_trace", "trace"])
def test_each_name_of_the_ask_the_steps_and_the_reply_is_read(name: str, reply: str, steps: str) -> None:
    (row,) = wai.load_traces([{name: "Order 5?", steps: [CALL], reply: "Paid."}])
    assert (row["prompt"], row["steps"], row["final_text"]) == ("Order 5?", [CALL], "Paid.")


@each_of("arguments", ["arguments", "input", "args", "parameters"])
@each_of("result", ["result", "output", "response"])
def test_each_name_within_a_step_is_read(arguments: str, result: str) -> None:
    (row,) = wai.load_traces([{"ask": "Order 5?", "trace": [{"tool": "get", arguments: {"id": 5}, result: "paid"}]}])
    assert row["steps"] == [{"tool": "get", "arguments": {"id": 5}, "result": "paid"}]


@each_of(
    ("given", "kept"),
    [(True, 1), (False, 0), ("0.5", 0.5), ("1", 1), (0.25, 0.25), (-3, -3), (7.5, 7.5), (None, None), (0, 0)],
)
@each_of("known", [{}, {"scenario_id": "s"}, {"task_id": "t"}, {"schema_version": "1", "steps": []}])
def test_a_reward_is_kept_on_every_shape(given: Any, kept: float | None, known: dict[str, Any]) -> None:
    (row,) = wai.load_traces([{**known, "prompt": "Hi", "final_text": "Hello.", "reward": given}])
    assert (row["reward"], type(row["reward"])) == (kept, type(kept))


def test_a_reward_that_is_no_number_stays_beside_a_row_that_is_ungraded() -> None:
    (row,) = wai.load_traces([{"prompt": "Hi", "reward": "good"}])
    assert (row["reward"], row["judge_status"], row["judge_meta"]) == (None, "invalid_result", {"raw_reward": "good"})


def test_results_go_to_their_calls_by_id_then_name_then_order() -> None:
    calls = [
        {"id": n, "function": {"name": name, "arguments": "{}"}} for n, name in (("a", "f"), ("b", "g"), ("c", "h"))
    ]
    answers = [
        {"role": "tool", "tool_call_id": "b", "content": "1"}, {"role": "tool", "name": "h", "content": "2"},
        {"role": "tool", "content": "3"},
    ]  # fmt: skip
    chat = [{"role": "user", "content": "Go"}, {"role": "assistant", "content": "", "tool_calls": calls}, *answers]
    (row,) = wai.load_traces([{"messages": chat, "reward": 0.5}])
    assert {step["tool"]: step["result"] for step in row["steps"] if "tool" in step} == {"g": 1, "h": 2, "f": 3}
    assert (row["prompt"], row["reward"]) == ("Go", 0.5)


def test_rows_with_neither_an_ask_nor_steps_are_left_out_and_sources_stay() -> None:
    source = [{"reward": 1}, {"steps": [None]}, {"question": "Hi"}, {"trace": [{"tool": "get"}]}]
    before = copy.deepcopy(source)
    found = wai.load_traces(iter(source))
    assert [bool(row["prompt"]) for row in found] == [True, False]
    assert source == before
    assert all(row is not given for row, given in zip(found, source[2:], strict=True))


def test_files_of_loose_records_are_read_and_files_of_none_are_refused(tmp_path: Path) -> None:
    loose, none = tmp_path / "loose.jsonl", tmp_path / "none.jsonl"
    loose.write_text('{"question": "Hi", "answer": "Hello."}\n{"question": "Bye", "answer": "Bye."}\n')
    none.write_text('{"weather": "rain"}\n')
    assert [row["prompt"] for row in wai.load_traces(loose)] == ["Hi", "Bye"]
    with pytest.raises(wai.ReadError, match="weather"):
        wai.load_traces(none)
    with pytest.raises(FileNotFoundError):
        wai.load_traces(tmp_path / "nothing.jsonl")
    with pytest.raises(TypeError, match="put it in a list"):
        wai.load_traces({"prompt": "Hi"})
    assert wai.load_traces([]) == []


def test_what_load_rows_reads_of_another_tool_is_a_trace_too() -> None:
    path = sample("tau-bench-gpt-4o-airline.json")
    rows, traces = list(wai.load_rows(path)), wai.load_traces(path)
    assert [row["reward"] for row in traces] == [row["reward"] for row in rows]
    assert all(row["prompt"] and row["steps"] for row in traces)
    of_records = wai.load_traces(json.loads(path.read_text())[:3])
    assert [row["steps"] for row in of_records] == [row["steps"] for row in traces[:3]]


def test_records_of_tools_beside_loose_ones_lose_nothing() -> None:
    chat = {"prompt": [{"role": "user", "content": "Hi"}], "completion": [{"role": "assistant", "content": "Hello."}]}
    found = wai.load_traces([{**chat, "reward": 1.0}, {"question": "Bye", "answer": "Bye.", "reward": 0.0}])
    assert [(row["prompt"], row["final_text"], row["reward"]) for row in found] == [
        ("Hi", "Hello.", 1),
        ("Bye", "Bye.", 0),
    ]


@settings(max_examples=15)
@given(st.lists(strategies.rows(), max_size=3))
def test_no_row_with_an_ask_is_lost_whatever_it_holds(rows: list[Any]) -> None:
    told = [row for row in rows if (task := from_row(row))[0].prompt or task[1].steps]
    found = wai.load_traces(rows)
    assert len(found) == len(told)


def test_a_conversation_is_built_from_the_prompt_and_the_steps() -> None:
    row = {
        "prompt": "Order 5?", "final_text": "Paid.", "messages": [{"role": "user", "content": "other"}],
        "steps": [CALL, {"text": "One moment."}, {"user": "And 6?"}, {"text": "Paid."}],
    }  # fmt: skip
    assert wai.conversation(row) == [
        {"role": "user", "content": "Order 5?"},
        {"role": "assistant", "content": "", "tool_calls": [{"name": "get", "arguments": {"id": 5}}]},
        {"role": "tool", "name": "get", "content": '{"status": "paid"}'},
        {"role": "assistant", "content": "One moment."},
        {"role": "user", "content": "And 6?"},
        {"role": "assistant", "content": "Paid."},
    ]
    chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    assert wai.conversation({"messages": chat}) == chat
    assert wai.conversation({"prompt": "Hi", "final_text": "Hello."}) == chat
    with pytest.raises(TypeError, match="must be a dict"):
        wai.conversation([row])  # type: ignore[arg-type]


def test_mining_counts_what_the_rows_show() -> None:
    rows = [
        {"prompt": "Order 5?", "steps": [CALL], "reward": 1, "world_state": "entity exists"},
        {"prompt": "Order 6?", "steps": [{"tool": "get", "result": {"status": "not_found"}}], "reward": 1},
        {
            "prompt": "Order 5?",
            "steps": [CALL, {"tool": "pay", "result": "Error: timeout"}],
            "world_state": "entity exists",
        },
        {"question": "Hello?", "reward": 0},
        "no row",
    ]
    found = wai.mine_traces(rows)
    assert dict(found) == {
        "n": 4,
        "tools": {"get": {"n": 3, "fault_n": 1}, "pay": {"n": 1, "fault_n": 1}},
        "faults": {"not_found": 1, "timeout": 1},
        "world_states": ["entity exists"],
        "unique_behaviors": 4,
        "flaw_rows": [1, 2, 3],
        "asks": ["Order 5?", "Order 6?", "Hello?"],
    }
    assert "get 3 (1 failed)" in str(found)
    with pytest.raises(TypeError, match="rows must be"):
        wai.mine_traces("rows.jsonl")


def test_hostile_text_prints_on_one_line() -> None:
    assert "\x1b" not in str(wai.mine_traces([{"prompt": "\x1b[31m", "steps": [{"tool": "a\nb\x1b", "result": 1}]}]))


def test_arguments_as_json_text_are_read() -> None:
    steps = [{"tool": "get", "arguments": '{"id": 5}', "result": "paid"}, {"tool": "get", "input": "five"}]
    first, second = wai.load_traces([{"prompt": "Order 5?", "steps": steps}])[0]["steps"]
    assert first["arguments"] == {"id": 5}
    assert (second["arguments"], second["arguments_text"]) == ({}, "five")


def test_the_name_of_a_tool_is_kept_where_its_call_was_cut_from_the_log() -> None:
    rows = wai.load_traces(sample("inspect/log_tool_call_error.json"))
    assert {step["tool"] for row in rows for step in row["steps"] if "tool" in step} == {"bash"}


def test_what_holds_no_row_is_not_mined() -> None:
    with pytest.raises(TypeError, match="the first entry is int"):
        wai.mine_traces([5])
    assert wai.mine_traces([])["n"] == 0
