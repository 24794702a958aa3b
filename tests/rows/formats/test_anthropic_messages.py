from __future__ import annotations

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.anthropic_messages import NAME, to_rows
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import calls

USER = {"role": "user", "content": "Status of order 9?"}


def text(words, **more):
    return {"type": "text", "text": words, **more}


def use(call_id, name="get", **more):
    return {"type": "tool_use", "id": call_id, "name": name, "input": {"n": call_id}, **more}


def result(call_id, content, **more):
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def read(*messages, **record):
    record = {"messages": list(messages), **record}
    assert recognise(record).NAME == NAME
    (row,) = to_rows(record, Source("log.jsonl"))
    return row


def test_system_stands_before_the_messages():
    row = read(USER, {"role": "assistant", "content": "Lost."}, system=[text("Be brief.", cache_control={"type": "x"})])
    assert row["messages"][0]["role"] == "system"
    assert row["messages"][0]["content"][0]["cache_control"] == {"type": "x"}
    assert (row["prompt"], row["final_text"]) == ("Status of order 9?", "Lost.")


def test_results_in_any_order_bind_by_id_and_are_no_user_turn():
    row = read(
        USER,
        {"role": "assistant", "content": [text("Looking."), use("a"), use("b", "ask")]},
        {"role": "user", "content": [result("b", "B"), result("a", [text("A")]), text("Be quick.")]},
        {"role": "assistant", "content": [text("Lost.")]},
    )
    assert [turn["role"] for turn in row["messages"]] == ["user", "assistant", "tool", "tool", "user", "assistant"]
    assert [(c.name, c.arguments, c.result) for c in calls(row)] == [("get", {"n": "a"}, "A"), ("ask", {"n": "b"}, "B")]
    assert row["messages"][4]["content"] == [text("Be quick.")]
    assert row["final_text"] == "Lost."


def test_an_error_result_is_a_failed_call():
    row = read(
        USER,
        {"role": "assistant", "content": [use("a")]},
        {"role": "user", "content": [result("a", "late by 30 s", is_error=True)]},
    )
    assert row["messages"][2]["is_error"] is True
    assert calls(row)[0].failed
    assert row["final_text"] == ""


def test_thinking_is_kept_and_never_the_reply():
    blocks = [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, {"type": "redacted_thinking", "data": "xx"}]
    row = read(USER, {"role": "assistant", "content": [*blocks, text("Lost.")]})
    assert row["messages"][1]["content"] == [*blocks, text("Lost.")]
    assert row["final_text"] == "Lost."


def test_a_server_side_tool_answers_in_the_same_turn_and_the_reply_follows():
    found = [{"type": "web_search_result", "title": "Shop", "url": "u"}]
    row = read(
        USER,
        {
            "role": "assistant",
            "content": [
                text("I will search."),
                {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "9"}},
                {"type": "web_search_tool_result", "tool_use_id": "s", "content": found},
                text("Order 9 is lost."),
            ],
        },
    )
    (call,) = calls(row)
    assert (call.name, call.speech, call.result) == ("web_search", "I will search.", found)
    assert row["final_text"] == "Order 9 is lost."


def test_a_server_side_error_is_a_failed_call():
    block = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    row = read(
        USER,
        {
            "role": "assistant",
            "content": [
                {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
                {"type": "web_search_tool_result", "tool_use_id": "s", "content": block},
            ],
        },
    )
    assert calls(row)[0].failed


def test_a_response_beside_the_messages_is_the_last_turn():
    response = {
        "id": "msg", "type": "message", "role": "assistant", "model": "shop-8b", "content": [text("Lost.")],
        "stop_reason": "max_tokens", "stop_sequence": None, "usage": {"output_tokens": 2},
    }  # fmt: skip
    row = read(USER, response=response, model="shop-7b", max_tokens=64, temperature=1.0, id="x", reward=0.5)
    assert (row["final_text"], row["finish_reason"], row["stop_reason"]) == ("Lost.", "length", "max_tokens")
    assert (row["usage"], row["model_version"], row["rollout_id"]) == ({"output_tokens": 2}, "shop-8b", "x")
    assert row["sampling"] == {"temperature": 1.0, "max_tokens": 64, "model": "shop-8b"}
    assert row["source_response"]["id"] == "msg"
    assert row["reward"] == 0.5


@pytest.mark.parametrize(
    ("word", "ours"),
    [
        ("end_turn", "stop"), ("stop_sequence", "stop"), ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"), ("tool_use", "tool"), ("refusal", "refusal"),
        ("pause_turn", "pause_turn"),
    ],
)  # fmt: skip
def test_every_stop_reason_is_ours_or_carried(word, ours):
    row = read(USER, {"role": "assistant", "content": "Hm."}, stop_reason=word)
    assert (row["finish_reason"], row["stop_reason"]) == (ours, word)


def test_an_error_for_a_response_is_a_failed_run():
    row = read(
        USER, system="x", response={"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    )
    assert (row["finish_reason"], row["error"], row["reward"]) == ("error", "Overloaded", None)


@pytest.mark.parametrize(
    "mark",
    [
        {"system": "Be brief."},
        {"stop_reason": "end_turn"},
        {"tools": [{"name": "get", "input_schema": {}}]},
        {"response": {"type": "message", "content": []}},
    ],
)
def test_a_plain_chat_is_told_by_what_stands_beside_it(mark):
    assert recognise({"messages": [USER], **mark}).NAME == NAME
    assert recognise({"messages": [USER], "tools": [{"type": "function"}]}).NAME == "openai-chat"


def test_a_block_that_is_none_is_named():
    with pytest.raises(ValueError, match="an int, which is no block"):
        read(USER, {"role": "assistant", "content": [use("a"), 3]})
