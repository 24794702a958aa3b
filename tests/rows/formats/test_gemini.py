from __future__ import annotations

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.gemini import NAME, to_rows
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import calls

ASK = {"role": "user", "parts": [{"text": "Status of order 9?"}]}


def call(name="get", **more):
    return {"functionCall": {"name": name, "args": {"n": "9"}, **more}}


def answer(response, name="get", **more):
    return {"functionResponse": {"name": name, "response": response, **more}}


def model(*parts):
    return {"role": "model", "parts": list(parts)}


def candidate(*parts, finish="STOP", **more):
    return {"content": model(*parts), "finishReason": finish, **more}


def read(record):
    assert recognise(record).NAME == NAME
    return to_rows(record, Source("contents.jsonl"))


def contents(*turns, **more):
    (row,) = read({"contents": [ASK, *turns], **more})
    return row


def test_a_conversation_with_its_settings():
    row = contents(
        model({"text": "Lost."}),
        systemInstruction={"parts": [{"text": "Be brief."}]},
        generationConfig={"temperature": 0.5, "maxOutputTokens": 64, "topK": 3},
        model="shop-7b",
        reward=1.0,
    )
    assert [turn["role"] for turn in row["messages"]] == ["system", "user", "assistant"]
    assert (row["prompt"], row["final_text"], row["reward"]) == ("Status of order 9?", "Lost.", 1.0)
    assert row["sampling"] == {"temperature": 0.5, "max_tokens": 64, "model": "shop-7b"}
    assert row["generationConfig"]["topK"] == 3


def test_snake_case_is_read_alike():
    row = contents(
        model({"function_call": {"name": "get", "args": {"n": "9"}}}),
        {"role": "user", "parts": [{"function_response": {"name": "get", "response": {"status": "lost"}}}]},
        system_instruction={"parts": [{"text": "Be brief."}]},
        generation_config={"max_output_tokens": 64},
        candidates=[{"content": model({"text": "Lost."}), "finish_reason": "MAX_TOKENS"}],
        usage_metadata={"total_token_count": 9},
        model_version="shop-7b",
    )
    assert [(c.name, c.result) for c in calls(row)] == [("get", {"status": "lost"})]
    assert (row["final_text"], row["finish_reason"]) == ("Lost.", "length")
    assert (row["usage"], row["model_version"]) == ({"total_token_count": 9}, "shop-7b")
    assert row["sampling"] == {"max_tokens": 64, "model": "shop-7b"}
    assert row["messages"][0]["role"] == "system"


def test_results_without_ids_bind_by_name_in_order():
    row = contents(
        model({"text": "Looking."}, call("get"), call("ask"), call("get")),
        {"role": "function", "parts": [answer({"x": 1}, "ask"), answer({"x": 2}), answer({"x": 3})]},
    )
    assert [(c.name, c.result) for c in calls(row)] == [("get", {"x": 2}), ("ask", {"x": 1}), ("get", {"x": 3})]
    assert row["final_text"] == ""


def test_results_with_ids_bind_by_them():
    row = contents(
        model(call(id="a"), call(id="b")),
        {"role": "user", "parts": [answer({"x": "b"}, id="b"), answer({"x": "a"}, id="a")]},
    )
    assert [(c.id, c.result) for c in calls(row)] == [("a", {"x": "a"}), ("b", {"x": "b"})]
    assert [turn["role"] for turn in row["messages"]] == ["user", "assistant", "tool", "tool"]


def test_an_error_response_is_a_failed_call():
    row = contents(model(call()), {"role": "user", "parts": [answer({"error": "late"})]})
    assert row["messages"][2]["is_error"] is True
    assert calls(row)[0].failed


def test_thoughts_are_kept_and_never_the_reply():
    row = contents(model({"text": "Hm.", "thought": True, "thoughtSignature": "xx"}, {"text": "Lost."}))
    assert row["final_text"] == "Lost."
    assert row["messages"][1]["content"][0] == {"type": "thinking", "thinking": "Hm.", "thoughtSignature": "xx"}


def test_code_that_was_run_is_a_call_and_the_reply_follows_it():
    code, output = {"language": "PYTHON", "code": "1+1"}, {"outcome": "OUTCOME_OK", "output": "2"}
    row = contents(model({"executableCode": code}, {"codeExecutionResult": output}, {"text": "Two."}))
    assert [(c.name, c.arguments, c.result) for c in calls(row)] == [("code_execution", code, 2)]
    assert row["final_text"] == "Two."


def test_other_parts_stay_as_they_are():
    image = {"inlineData": {"mimeType": "image/png", "data": "xx"}}
    (row,) = read({"contents": [{"parts": [image, {"text": "What is this?"}]}]})
    assert row["prompt"] == "What is this?"
    assert row["messages"][0]["content"][0] == image


def test_a_batch_line_holds_request_and_response():
    logprobs = {"chosenCandidates": [{"token": "L", "logProbability": -0.5}, {"token": "ost", "logProbability": -0.25}]}
    response = {
        "candidates": [candidate({"text": "Lost."}, avgLogprobs=-0.375, logprobsResult=logprobs)],
        "usageMetadata": {"totalTokenCount": 9},
        "modelVersion": "shop-7b",
    }
    (row,) = read({"key": "refund-17", "request": {"contents": [ASK], "safetySettings": []}, "response": response})
    assert (row["final_text"], row["finish_reason"], row["token_logprobs"]) == ("Lost.", "stop", [-0.5, -0.25])
    assert (row["rollout_id"], row["usage"], row["safetySettings"]) == ("refund-17", {"totalTokenCount": 9}, [])
    assert row["candidate"]["avgLogprobs"] == -0.375
    assert row["task_id"].startswith("task_")


def test_several_candidates_are_one_row_each():
    response = {"candidates": [candidate({"text": "A"}), candidate({"text": "B"}, finish="MAX_TOKENS")]}
    rows = read({"key": "k", "request": {"contents": [ASK]}, "response": response})
    assert [(r["final_text"], r["finish_reason"], r["rollout_index"]) for r in rows] == [
        ("A", "stop", 0),
        ("B", "length", 1),
    ]
    assert len({r["task_id"] for r in rows}) == 1
    assert [r["rollout_id"] for r in rows] == ["k:0", "k:1"]


@pytest.mark.parametrize("word", ["SAFETY", "RECITATION", "OTHER"])
def test_a_blocked_candidate_has_no_reply_and_carries_its_word(word):
    (row,) = read({"request": {"contents": [ASK]}, "response": {"candidates": [{"finishReason": word, "content": {}}]}})
    assert (row["finish_reason"], row["final_text"], row["reward"]) == (word, "", None)


def test_a_blocked_prompt_is_one_row_without_a_reply():
    (row,) = read({"request": {"contents": [ASK]}, "response": {"promptFeedback": {"blockReason": "SAFETY"}}})
    assert (row["finish_reason"], row["final_text"]) == ("SAFETY", "")


def test_an_error_for_a_response_is_a_failed_run():
    (row,) = to_rows({"key": "k", "error": {"code": 503, "message": "busy"}}, Source("out.jsonl"))
    assert (row["finish_reason"], row["error"], row["task_id"]) == ("error", "busy", "k")


def test_a_line_without_a_request_is_known_by_its_key():
    (row,) = read({"key": "k", "response": {"candidates": [candidate({"text": "A"})]}})
    assert (row["task_id"], row["final_text"]) == ("k", "A")


def test_a_record_without_contents_is_named():
    with pytest.raises(ValueError, match="needs `contents` or `candidates`: found keys 'key'"):
        to_rows({"key": "k"}, Source("out.jsonl"))
