from __future__ import annotations

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.sharegpt import NAME, to_rows
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import calls

ASK = ("human", "Status of order 9?")


def read(*turns, source=None, **record):
    record = {"conversations": [{"from": who, "value": said} for who, said in turns], **record}
    assert recognise(record).NAME == NAME
    (row,) = to_rows(record, source or Source("chats.json"))
    return row


@pytest.mark.parametrize("who", ["gpt", "assistant", "chatgpt", "bard"])
def test_the_last_word_of_the_model_is_the_reply(who):
    row = read(ASK, (who, "Lost."), ("user", "Thanks."), id="identity_0")
    assert (row["prompt"], row["final_text"], row["rollout_id"]) == ("Status of order 9?", "Lost.", "identity_0")
    assert row["task_id"].startswith("task_")
    assert row["reward"] is None


def test_a_conversation_may_start_with_the_model():
    row = read(("gpt", "Hello!"), ASK, ("gpt", "Lost."))
    assert (row["prompt"], row["final_text"], len(row["messages"])) == ("Status of order 9?", "Lost.", 3)


def test_role_and_content_inside_and_the_singular_name():
    record = {
        "conversation": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}],
        "model": "m",
    }
    assert recognise(record).NAME == NAME
    (row,) = to_rows(record, Source("chats.json"))
    assert (row["prompt"], row["final_text"], row["model"]) == ("Hi", "Hello.", "m")


def test_calls_and_observations_are_turns():
    call = '{"name": "get", "arguments": {"id": "9"}}'
    row = read(ASK, ("function_call", call), ("observation", '{"status": "lost"}'), ("gpt", "Lost."))
    assert [(c.name, c.arguments, c.result) for c in calls(row)] == [("get", {"id": "9"}, {"status": "lost"})]
    assert [turn["role"] for turn in row["messages"]] == ["user", "assistant", "tool", "assistant"]


def test_several_calls_in_one_turn():
    call = '[{"name": "get", "arguments": {"id": "8"}}, {"name": "get", "arguments": "{\\"id\\": \\"9\\"}"}]'
    row = read(ASK, ("function_call", call), ("observation", "a"), ("observation", "b"))
    assert [(c.arguments["id"], c.result) for c in calls(row)] == [("8", "a"), ("9", "b")]


def test_a_call_that_cannot_be_read_stays_as_words():
    row = read(ASK, ("function_call", "get order 9"), ("gpt", "Lost."))
    assert row["messages"][1] == {"role": "assistant", "content": "get order 9"}


def test_tags_hold_calls_and_several_results_of_one_turn():
    said = (
        'Checking.\n<tool_call>\n{"name": "get", "arguments": {"id": "8"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "ask", "arguments": {}}\n</tool_call>'
    )
    results = (
        '<tool_response>\n{"name": "ask", "content": "yes"}\n</tool_response>\n'
        '<tool_response>\n{"name": "get", "content": {"status": "lost"}}\n</tool_response>'
    )
    row = read(ASK, ("gpt", said), ("tool", results), ("gpt", "Lost."))
    assert [(c.name, c.result) for c in calls(row)] == [("get", {"status": "lost"}), ("ask", "yes")]
    assert calls(row)[0].speech == "Checking."
    assert row["final_text"] == "Lost."


def test_system_and_tools_stand_beside_the_turns():
    row = read(ASK, ("gpt", "Lost."), system="Be brief.", tools='[{"name": "get"}]', category="shop")
    assert row["messages"][0] == {"role": "system", "content": "Be brief."}
    assert (row["tools"], row["category"]) == ([{"name": "get"}], "shop")


def test_a_speaker_nobody_knows_is_kept_and_noted():
    source = Source("chats.json")
    row = read(ASK, ("critic", "Weak."), ("gpt", "Lost."), source=source)
    assert row["messages"][1] == {"role": "critic", "content": "Weak."}
    assert source.notes == ["turns from 'critic' are kept but are of no known speaker"]


def test_two_replies_beside_the_turns_are_a_pair():
    row = read(ASK, chosen={"from": "gpt", "value": "Lost."}, rejected={"from": "gpt", "value": "No idea."})
    assert row["prompt"] == [{"role": "user", "content": "Status of order 9?"}]
    assert row["chosen"] == [{"role": "assistant", "content": "Lost."}]
    assert row["reward"] is None


def test_a_turn_without_a_speaker_is_named():
    with pytest.raises(ValueError, match="`conversations` holds a message without a role: found keys 'value'"):
        to_rows({"conversations": [{"value": "Hi"}]}, Source("chats.json"))
