from __future__ import annotations

import copy
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
import whileai.simulations as wai
from examples import few
from tables import each_of
from whileai.simulations.score.grounding.context import Context
from whileai.simulations.score.grounding.normal import normal


def step(arguments: Any, tool: str = "get", result: Any = None) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments, "result": result}


def keys(row: dict[str, Any], **options: Any) -> list[str]:
    return [item["key"] for item in wai.ungrounded_arguments(row, **options)]


def test_a_result_counts_for_later_calls_only() -> None:
    row = {"prompt": "Refund it", "steps": [step({"id": "K-1"}, result={"id": "K-1"}), step({"id": "K-1"})]}
    assert wai.ungrounded_arguments(row) == [{"tool": "get", "key": "id", "value": "K-1"}]


def test_calls_of_one_turn_do_not_see_each_others_results() -> None:
    calls = [{"id": i, "function": {"name": "get", "arguments": {"id": v}}} for i, v in (("a", "K-1"), ("b", "K-2"))]
    chat = [
        {"role": "user", "content": "Get K-1"},
        {"role": "assistant", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "a", "content": "see K-2"},
        {"role": "tool", "tool_call_id": "b", "content": "ok"},
        {"role": "assistant", "tool_calls": [calls[1]]},
    ]
    assert wai.ungrounded_arguments({"messages": chat}) == [{"tool": "get", "key": "id", "value": "K-2"}]


def test_amounts_in_a_json_result_keep_their_decimals() -> None:
    chat = [
        {"role": "assistant", "tool_calls": [{"id": "a", "name": "get", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "a", "content": '{"total": 54.20}'},
        {"role": "assistant", "tool_calls": [{"id": "b", "name": "refund", "arguments": {"amount": "54.20"}}]},
    ]
    assert keys({"messages": chat}) == []


def test_a_prompt_that_is_a_conversation_counts_but_for_the_agents_turns() -> None:
    prompt = [
        {"role": "system", "content": "The store is Leeds."},
        {"role": "user", "content": "Book for Ada Byron"},
        {"role": "assistant", "content": "On ORD-5?"},
        {"role": "user", "content": "yes"},
    ]
    row = {"prompt": prompt, "steps": [step({"store": "Leeds", "name": "Ada Byron", "order": "ORD-5"})]}
    assert keys(row) == ["order"]


def test_user_and_system_turns_beside_the_steps_count_and_the_agents_do_not() -> None:
    chat = [
        {"role": "system", "content": "The store is Leeds."},
        {"role": "assistant", "content": "On ORD-5?"},
        {"from": "human", "value": "Book for Ada Byron"},
    ]
    assert keys({"messages": chat, "steps": [step({"s": "Leeds", "n": "Ada Byron", "o": "ORD-5"})]}) == ["o"]


def test_what_a_simulated_user_was_told_by_its_own_tools_does_not_count() -> None:
    chat = [
        {"role": "user", "tool_calls": [{"id": "u", "name": "phone", "arguments": {}}]},
        {"role": "tool", "requestor": "user", "tool_call_id": "u", "content": "IMEI-991"},
        {"role": "assistant", "tool_calls": [{"id": "a", "name": "get", "arguments": {"imei": "IMEI-991"}}]},
    ]
    assert keys({"messages": chat}) == ["imei"]


def test_written_calls_see_what_stands_before_them() -> None:
    chat = [
        {"role": "user", "content": "Weather in Ghent"},
        {
            "role": "assistant",
            "content": '<tool_call>{"name": "find", "arguments": {"a": "Ghent", "b": "Lille"}}</tool_call>',
        },
        {"role": "user", "content": "And Lille"},
    ]
    assert keys({"messages": chat}) == ["b"]


def test_what_was_derived_is_listed() -> None:
    row = {"prompt": "Fly from New York on May 20th", "steps": [step({"origin": "JFK", "date": "2024-05-20"})]}
    assert keys(row) == ["origin", "date"]
    assert keys(row, allow=[" jfk "], ignore_keys=["DATE"]) == []


def test_key_paths_are_dotted_and_items_numbered() -> None:
    arguments = {"p": {"seats": ["12A", {"note": "n/a?", "row": ["xyz"]}], "n": 2}, "q": ["abc"]}
    row = {"steps": [step(arguments)]}
    assert keys(row) == ["p.seats.0", "p.seats.1.note", "p.seats.1.row.0", "q.0"]
    assert keys(row, ignore_keys=["seats", "row", "q"]) == ["p.seats.1.note"]


def test_arguments_nested_deeply_are_no_trouble() -> None:
    deep: Any = "abc"
    for _ in range(3000):
        deep = [deep]
    assert [len(key) for key in keys({"steps": [step({"a": deep}, result=deep)]})] == [1 + 2 * 3000]


@each_of("function", [wai.ungrounded_arguments, wai.argument_grounding])
@each_of(
    ("options", "error", "says"),
    [
        ({"ignore_keys": "body"}, TypeError, "ignore_keys must be a list of texts, got 'body'"),
        ({"allow": 5}, TypeError, "allow must be a list of texts, got 5"),
        ({"min_len": -1}, ValueError, "min_len must be a whole number of at least 0, got -1"),
        ({"nope": 1}, TypeError, "nope"),
    ],
)
def test_options_that_say_nothing_are_refused(function: Any, options: dict, error: type, says: str) -> None:
    with pytest.raises(error, match=says.replace("(", r"\(")):
        function({}, **options)


@few
@given(strategies.rows())
def test_any_row_can_be_read_and_stays_as_it_is(row: dict) -> None:
    before = copy.deepcopy(row)
    offenders = wai.ungrounded_arguments(row, min_len=0)
    assert wai.argument_grounding(row, min_len=0) == (0.0 if offenders else 1.0)
    assert str(row) == str(before)


def test_marks_are_stamped_on_copies() -> None:
    rows = [None, {"markers": "odd"}, {"prompt": "x", "markers": {"a": 0.5}, "steps": [step({"id": "K-1"})]}]
    before = copy.deepcopy(rows)
    marked = wai.mark_grounding(iter(rows))
    assert marked[0] is None
    assert [row["markers"] for row in marked[1:]] == [
        {"argument_grounding": 1.0},
        {"a": 0.5, "argument_grounding": 0.0},
    ]
    assert rows == before


def test_the_time_grows_with_the_rollout_and_not_with_its_square() -> None:
    def seconds(calls: int) -> float:
        text = " ".join(f"ORD-{i * 7919 % 10**6}" for i in range(200))
        row = {"steps": [step({"id": f"NEW-{i}"}, result={"text": text}) for i in range(calls)]}
        start = time.process_time()
        assert len(wai.ungrounded_arguments(row)) == calls
        return time.process_time() - start

    seconds(400)
    assert min(seconds(3200) for _ in range(2)) < 24 * max(seconds(400) for _ in range(2))  # linear 8, square 64


_NEAR = st.text("aA 40-_\n１²é", max_size=6)


@given(_NEAR, _NEAR, _NEAR)
def test_a_value_is_grounded_in_a_prompt_as_in_its_context(before: str, value: str, after: str) -> None:
    prompt = f"{before}{value[:4]}{after}"
    row = {"prompt": prompt, "steps": [{"tool": "get", "arguments": {"id": value}}]}
    assert (wai.ungrounded_arguments(row, min_len=0) == []) == Context([prompt]).holds(normal(value), 1)
