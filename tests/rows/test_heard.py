from __future__ import annotations

import pytest
from hypothesis import given

import strategies
from whileai.simulations.rows.heard import Heard, heard
from whileai.simulations.rows.text import Kind, message_events


def test_steps_give_results_as_they_came_and_user_turns() -> None:
    row = {
        "system_prompt": "Be brief.",
        "prompt": "Hi",
        "steps": [
            {"text": "Which?"},
            {"user": "Order 5"},
            {"tool": "get", "input": '{"id": 5}', "output": '{"a": 1.50}'},
            {"tool": "end", "arguments": "no dict"},
        ],
        "messages": [{"role": "user", "content": "Hi"}, {"role": "user", "content": "Order 5, please"}],
        "final_text": "Done.",
    }
    told = ["Be brief.", "Hi", "Order 5, please", "Order 5", '{"a": 1.50}', None]
    assert heard(row) == Heard(told, [(4, "get", {"id": 5}), (5, "end", {})])


def test_messages_give_results_as_they_came() -> None:
    chat = [
        {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
        {"role": "assistant", "content": "Yes", "tool_calls": [{"id": "a", "name": "get", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "a", "content": '{"a": 1.50}'},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "b", "name": "end", "input": {"x": 1}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "ok"}]},
    ]
    assert heard({"messages": chat}) == Heard(["Hi", '{"a": 1.50}', "ok"], [(1, "get", {}), (2, "end", {"x": 1})])
    results = [event for event in message_events(chat) if event.kind is Kind.RESULT]
    assert [(event.text, event.call and event.call.result) for event in results] == [
        ('{"a": 1.50}', {"a": 1.5}),
        ("ok", "ok"),
    ]


@pytest.mark.parametrize("place", ["final_text", "messages"])
def test_written_calls_are_read_where_there_are_no_others(place: str) -> None:
    text = '<tool_call>{"name": "find", "arguments": {"city": "Ghent"}}</tool_call>'
    chat = [{"role": "user", "content": "Weather"}]
    row = {"messages": chat, "final_text": text}
    if place == "messages":
        row = {"messages": [*chat, {"role": "assistant", "content": text}, {"role": "user", "content": "Thanks"}]}
    assert heard(row).calls == [(1, "find", {"city": "Ghent"})]


@given(strategies.any_dicts())
def test_any_dict_can_be_heard(row: dict) -> None:
    found = heard(row)
    assert all(0 <= before <= len(found.told) for before, _, _ in found.calls)
