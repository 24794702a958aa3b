from __future__ import annotations

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.openai_chat import sniff, to_rows
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.task import prompt_hash
from whileai.simulations.rows.text import calls

USER = {"role": "user", "content": "Status of order 9?"}
REPLY = {"role": "assistant", "content": "Order 9 is lost."}


def read(*messages, **record):
    (row,) = to_rows({"messages": list(messages), **record}, Source("sft.jsonl"))
    return row


def test_a_plain_chat_gives_prompt_reply_and_task():
    row = read({"role": "developer", "content": "Be brief."}, USER, REPLY)
    assert (row["prompt"], row["final_text"]) == ("Status of order 9?", "Order 9 is lost.")
    assert row["task_id"] == prompt_hash("Status of order 9?")
    assert row["messages"][0] == {"role": "system", "content": "Be brief."}
    assert row["reward"] is None
    assert row["lineage"] == {"source": "sft.jsonl", "format": "openai-chat"}


def test_calls_keep_their_ids_and_results_bind_by_them():
    calling = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": i, "type": "function", "function": {"name": "get", "arguments": f'{{"n": "{i}"}}'}} for i in "ab"
        ],
    }
    results = [{"role": "tool", "tool_call_id": i, "content": f"order {i}"} for i in "ba"]
    row = read(USER, calling, *results, REPLY)
    assert [(c.id, c.arguments, c.result) for c in calls(row)] == [
        ("a", {"n": "a"}, "order a"),
        ("b", {"n": "b"}, "order b"),
    ]


def test_arguments_that_are_no_object_are_empty_and_their_text_is_kept():
    calling = {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "get", "arguments": "{broken"}}]}
    row = read(USER, calling)
    assert row["messages"][1]["tool_calls"] == [
        {"id": "a", "name": "get", "arguments": {}, "arguments_text": "{broken"}
    ]
    assert calls(row)[0].unreadable == "{broken"


def test_a_custom_tool_call_is_a_call():
    calling = {
        "role": "assistant",
        "tool_calls": [{"id": "a", "type": "custom", "custom": {"name": "sql", "input": "x"}}],
    }
    (call,) = calls(read(USER, calling))
    assert (call.name, call.unreadable) == ("sql", "x")


def test_old_function_calls_bind_by_name():
    row = read(
        USER,
        {"role": "assistant", "content": None, "function_call": {"name": "get", "arguments": '{"id": "9"}'}},
        {"role": "function", "name": "get", "content": '{"status": "lost"}'},
        REPLY,
        functions=[{"name": "get"}],
    )
    (call,) = calls(row)
    assert (call.name, call.arguments, call.result) == ("get", {"id": "9"}, {"status": "lost"})
    assert row["messages"][2]["role"] == "tool"
    assert row["functions"] == [{"name": "get"}]


def test_a_loss_weight_stays_on_its_message():
    row = read(USER, {**REPLY, "weight": 0}, USER, {**REPLY, "weight": 1})
    assert [turn.get("weight") for turn in row["messages"]] == [None, 0, None, 1]


@pytest.mark.parametrize(
    "reply",
    [
        {"content": None, "refusal": "I cannot help."},
        {"content": [{"type": "refusal", "refusal": "I cannot help."}]},
        {"content": [{"type": "text", "text": "I cannot help."}]},
    ],
)
def test_a_refusal_is_the_reply(reply):
    assert read(USER, {"role": "assistant", **reply})["final_text"] == "I cannot help."


def test_parts_stay_and_their_text_is_the_prompt():
    parts = [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    row = read({"role": "user", "content": parts}, REPLY)
    assert row["prompt"] == "What is this?"
    assert row["messages"][0]["content"] == parts


def test_an_added_reward_or_score_counts_and_every_other_field_stays():
    row = read(USER, REPLY, score=0.5, task_id=3, sample_index="2", metadata={"task": "x"}, extra=[1])
    assert (row["reward"], row["task_id"], row["rollout_index"]) == (0.5, "3", 2)
    assert (row["metadata"], row["extra"]) == ({"task": "x"}, [1])
    assert read(USER, REPLY, reward=True, score=0.5)["reward"] == 1


def test_a_prompt_column_is_the_prompt():
    assert read(USER, REPLY, prompt="Order 9")["prompt"] == "Order 9"


def test_words_said_with_a_call_are_not_the_reply():
    calling = {"role": "assistant", "content": "Let me look.", "tool_calls": [{"function": {"name": "get"}}]}
    assert read(USER, calling)["final_text"] == ""


@pytest.mark.parametrize("own", ["steps", "final_text", "schema_version", "scenario_id"])
def test_a_row_of_ours_is_not_claimed(own):
    assert not sniff({"messages": [USER], own: "x"})


def test_a_row_read_once_is_a_row_when_read_again():
    row = read(USER, REPLY)
    assert recognise(row) is None
