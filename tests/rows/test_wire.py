from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies as s
from whileai.simulations.rows.wire import wire_messages


def call(name: str, call_id: str | None = None, arguments: Any = None) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": [{"id": call_id, "function": {"name": name, "arguments": arguments}}]}


def test_a_plain_chat_is_sent_as_it_is() -> None:
    chat = [
        {"role": "user", "content": "Refund A1"},
        {"role": "assistant", "content": "Looking.", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"id": "A1"}'}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "found"},
        {"role": "assistant", "content": "Done."},
    ]  # fmt: skip
    held = copy.deepcopy(chat)
    assert wire_messages(chat) == held
    assert chat == held


def test_a_given_system_prompt_takes_the_place_of_the_chats_own() -> None:
    chat = [{"role": "system", "content": "old"}, {"role": "user", "content": "Hi"}]
    assert [m["content"] for m in wire_messages(chat, "new")] == ["new", "Hi"]
    assert [m["content"] for m in wire_messages(chat)] == ["old", "Hi"]
    assert [m["content"] for m in wire_messages(chat[1:], "new")] == ["new", "Hi"]


def test_calls_and_results_without_ids_are_linked_in_order() -> None:
    chat = [call("a"), call("b", "own"), call("c"), *[{"role": "tool", "content": str(n)} for n in range(4)]]
    sent = wire_messages(chat)
    assert [m["tool_calls"][0]["id"] for m in sent[:3]] == ["call_0000", "own", "call_0001"]
    assert [m["tool_call_id"] for m in sent[3:]] == ["call_0000", "own", "call_0001", "call_0002"]


def test_a_result_with_an_id_closes_its_call() -> None:
    sent = wire_messages([call("a", "1"), call("b", "2"), {"role": "tool", "tool_call_id": "2", "content": ""},
                          {"role": "tool", "content": ""}])  # fmt: skip
    assert [m["tool_call_id"] for m in sent[2:]] == ["2", "1"]


@pytest.mark.parametrize(("arguments", "text"), [
    ({"id": 5}, '{"id": 5}'), ('{"id":5}', '{"id": 5}'), (None, "{}"), ("five", "five"), ({"ü": 1}, '{"ü": 1}'),
])  # fmt: skip
def test_arguments_travel_as_json_text(arguments: Any, text: str) -> None:
    assert wire_messages([call("a", "1", arguments)])[0]["tool_calls"][0]["function"]["arguments"] == text


def test_other_roles_and_empty_turns_are_left_out() -> None:
    chat = [{"role": "critic", "content": "x"}, {"role": "assistant", "content": ""}, {"role": 5}, None,
            {"role": "assistant", "content": "<think>hm</think>"}, {"role": "user", "content": "Hi"}]  # fmt: skip
    assert wire_messages(chat) == [{"role": "user", "content": "Hi"}]


def test_blocks_of_a_user_stay_and_those_of_the_agent_become_text() -> None:
    image = [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {"url": "data:"}}]
    sent = wire_messages(
        [{"role": "user", "content": image}, {"role": "assistant", "content": [{"type": "text", "text": "A cat."}]}]
    )
    assert [m["content"] for m in sent] == [image, "A cat."]


@pytest.mark.parametrize("text", ["<think>a</think>\n\nb", "a</think>b", "b<think>never closed"])
def test_thoughts_of_the_agent_are_taken_out_and_those_a_user_types_stay(text: str) -> None:
    chat = [{"role": role, "content": text} for role in ("user", "assistant")]
    assert [m["content"] for m in wire_messages(chat)] == [text, "b"]


@given(st.lists(s.messages | s.json_values, max_size=5), s.texts)
def test_anything_is_written_in_the_form_servers_take_and_stays_as_it_was(chat: list[Any], prompt: str) -> None:
    held = repr(chat)
    for message in wire_messages(chat, prompt):
        assert message["role"] in ("system", "user", "assistant", "tool")
        assert isinstance(message["content"], str | list)
        if message["role"] == "tool":
            assert isinstance(message["tool_call_id"], str)
        for sent in message.get("tool_calls", ()):
            assert isinstance(sent["id"], str)
            assert isinstance(sent["function"]["arguments"], str)
    assert repr(chat) == held
    assert json.dumps(wire_messages([m for m in chat if isinstance(m, dict) and m.get("role") == "assistant"]))
