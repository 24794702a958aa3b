from __future__ import annotations

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.openai_batch import NAME, to_rows
from whileai.simulations.rows.source import Source


def choice(text, finish="stop", **more):
    return {
        "index": 0,
        "message": {"role": "assistant", "content": text, "refusal": None},
        "finish_reason": finish,
        **more,
    }


def line(*choices, status=200, error=None, **body):
    response = {
        "status_code": status,
        "request_id": "q",
        "body": {"model": "shop-7b", "choices": list(choices), **body},
    }
    return {"id": "r1", "custom_id": "refund-17", "response": response, "error": error}


def read(record, errors="null"):
    assert recognise(record).NAME == NAME
    return to_rows(record, Source("out.jsonl", errors=errors))


def test_a_line_is_one_reply_whose_task_is_the_custom_id():
    logprobs = {"content": [{"token": "A", "logprob": -0.5}, {"token": "b", "logprob": -0.25}]}
    (row,) = read(line(choice("Refunded.", logprobs=logprobs), usage={"completion_tokens": 2}))
    assert (row["task_id"], row["rollout_id"], row["prompt"], row["final_text"]) == ("refund-17", "r1", "", "Refunded.")
    assert (row["token_logprobs"], row["usage"]) == ([-0.5, -0.25], {"completion_tokens": 2})
    assert (row["model_version"], row["finish_reason"], row["reward"]) == ("shop-7b", "stop", None)


@pytest.mark.parametrize(
    ("word", "ours"), [("length", "length"), ("tool_calls", "tool"), ("content_filter", "content_filter")]
)
def test_finish_reasons_are_ours_or_carried(word, ours):
    (row,) = read(line(choice("Re", word)))
    assert row["finish_reason"] == ours
    assert row["choice"]["finish_reason"] == word


def test_several_choices_are_one_row_each():
    rows = read(line(choice("A"), choice("B"), choice("C", "length"), usage={"completion_tokens": 9}))
    assert [(r["final_text"], r["rollout_index"]) for r in rows] == [("A", 0), ("B", 1), ("C", 2)]
    assert len({r["rollout_id"] for r in rows}) == 3
    assert all("usage" not in r and r["source_response"]["usage"] == {"completion_tokens": 9} for r in rows)


def test_a_status_of_400_or_more_is_a_failed_run():
    body = {"error": {"message": "server error", "type": "server_error"}}
    record = {"custom_id": "a", "response": {"status_code": 500, "body": body}, "error": None}
    (row,) = read(record)
    assert (row["finish_reason"], row["judge_status"], row["error"]) == ("error", "error", "server error")
    assert (row["reward"], row["final_text"], row["task_id"]) == (None, "", "a")
    assert read(record, errors="zero")[0]["reward"] == 0


def test_an_expired_request_is_a_failed_run_that_keeps_its_error():
    error = {"code": "batch_expired", "message": "not answered in time"}
    (row,) = read({"custom_id": "a", "response": None, "error": error})
    assert (row["error"], row["source_error"]) == ("not answered in time", error)


def test_a_response_body_of_the_responses_endpoint_is_read():
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
    body = {"object": "response", "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    (row,) = read(
        {"custom_id": "a", "response": {"status_code": 200, "body": {**body, "output": [said]}}, "error": None}
    )
    assert (row["final_text"], row["finish_reason"]) == ("Done.", "length")


def test_a_body_without_choices_is_named():
    with pytest.raises(ValueError, match="no list `choices`: found keys 'object'"):
        to_rows({"custom_id": "a", "response": {"status_code": 200, "body": {"object": "list"}}}, Source("out.jsonl"))
