from __future__ import annotations

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.openai_responses import NAME, to_rows
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import calls

ASK = {"role": "user", "content": "Status of order 9?"}


def said(text, **more):
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": text, **more}],
    }


def called(call_id, name="get", arguments="{}"):
    return {"id": f"fc_{call_id}", "type": "function_call", "call_id": call_id, "name": name, "arguments": arguments}


def output(call_id, value):
    return {"type": "function_call_output", "call_id": call_id, "output": value}


def read(**record):
    record = {"object": "response", "status": "completed", "output": [], **record}
    assert recognise(record).NAME == NAME
    (row,) = to_rows(record, Source("responses.jsonl"))
    return row


def test_instructions_input_and_output_are_one_conversation():
    row = read(
        instructions="Be brief.",
        input="Status?",
        output=[said("Lost.")],
        model="shop-7b",
        temperature=0.5,
        max_output_tokens=64,
    )
    assert [turn["role"] for turn in row["messages"]] == ["system", "user", "assistant"]
    assert (row["prompt"], row["final_text"], row["finish_reason"]) == ("Status?", "Lost.", "stop")
    assert row["sampling"] == {"temperature": 0.5, "max_tokens": 64, "model": "shop-7b"}


def test_results_bind_by_call_id_never_by_item_id():
    row = read(input=[ASK, called("a", "get"), called("b", "ask"), output("b", "B"), output("a", "A")])
    assert [(c.id, c.name, c.result) for c in calls(row)] == [("a", "get", "A"), ("b", "ask", "B")]
    assert row["messages"][1]["tool_calls"][0]["item_id"] == "fc_a"


def test_a_message_right_before_a_call_was_said_with_it():
    row = read(input=[ASK], output=[said("Let me look."), called("a")])
    assert len(row["messages"]) == 2
    assert (calls(row)[0].speech, row["final_text"], row["finish_reason"]) == ("Let me look.", "", "tool")


def test_a_message_of_the_input_was_not_said_with_a_call_of_the_output():
    row = read(input=[ASK, said("It is lost.")], output=[called("a")])
    assert (calls(row)[0].speech, row["final_text"]) == ("", "It is lost.")


def test_reasoning_is_kept_and_never_the_reply():
    thought = {"id": "rs", "type": "reasoning", "summary": [{"text": "Hm."}], "encrypted_content": "gAAA"}
    row = read(input=[ASK], output=[thought, said("Lost.")])
    assert row["final_text"] == "Lost."
    assert row["messages"][1]["items"] == [thought]
    assert read(input=[ASK], output=[thought])["final_text"] == ""


def test_output_parts_are_the_text_of_a_result():
    row = read(input=[ASK, called("a"), output("a", [{"type": "input_text", "text": '{"status": "lost"}'}])])
    assert calls(row)[0].result == {"status": "lost"}


def test_built_in_calls_are_calls():
    row = read(
        input=[ASK],
        output=[
            {"id": "ws", "type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "9"}},
            {"id": "ci", "type": "code_interpreter_call", "code": "1+1", "outputs": [{"type": "logs", "logs": "2"}]},
            {
                "id": "mc",
                "type": "mcp_call",
                "name": "roll",
                "arguments": '{"n": 2}',
                "output": None,
                "error": "no dice",
            },
            {"id": "ct", "type": "custom_tool_call", "call_id": "x", "name": "sql", "input": "select"},
            {"type": "custom_tool_call_output", "call_id": "x", "output": "none"},
            said("Found."),
        ],
    )
    found = calls(row)
    assert [call.name for call in found] == ["web_search", "code_interpreter", "roll", "sql"]
    assert found[0].arguments == {"action": {"type": "search", "query": "9"}}
    assert [call.answered for call in found] == [False, True, True, True]
    assert [call.failed for call in found] == [False, False, True, False]
    assert (found[3].unreadable, row["final_text"]) == ("select", "Found.")


@pytest.mark.parametrize(
    ("state", "finish"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "length"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "content_filter"),
        ({"status": "cancelled"}, "cancelled"),
    ],
)
def test_how_a_response_ended_is_ours_or_carried(state, finish):
    row = read(input="Hi", output=[said("He")], **state)
    assert (row["finish_reason"], row["status"]) == (finish, state["status"])


def test_a_failed_response_is_a_failed_run():
    error = {"code": "server_error", "message": "no answer"}
    row = read(input="Hi", status="failed", error=error, reward=0.0)
    assert (row["finish_reason"], row["reward"], row["judge_status"]) == ("error", None, "error")
    assert (row["error"], row["source_error"], row["judge_meta"]) == ("no answer", error, {"raw_reward": 0.0})


def test_log_probabilities_are_those_of_the_output():
    row = read(input=[ASK, said("Hm", logprobs=[{"logprob": -9.0}])], output=[said("Hi", logprobs=[{"logprob": -0.5}])])
    assert row["token_logprobs"] == [-0.5]


def test_metadata_holds_task_and_attempt_as_text():
    row = read(input="Hi", output=[said("Hello.")], metadata={"task_id": "t", "trial": "3"}, reward=True)
    assert (row["task_id"], row["rollout_index"], row["reward"]) == ("t", 3, 1)


def test_a_refusal_is_the_reply():
    refused = {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}
    assert read(input="Hi", output=[refused])["final_text"] == "No."


def test_plain_items_are_a_conversation():
    record = {
        "items": [{"role": "developer", "content": "Be brief."}, ASK, called("a"), output("a", "lost"), said("Lost.")]
    }
    assert recognise(record).NAME == NAME
    (row,) = to_rows(record, Source("items.jsonl"))
    assert [turn["role"] for turn in row["messages"]] == ["system", "user", "assistant", "tool", "assistant"]
    assert (row["final_text"], row["reward"]) == ("Lost.", None)


def test_items_of_something_else_are_not_claimed():
    with pytest.raises(ValueError, match="no known format"):
        recognise({"items": [{"sku": "A1"}]})
