"""OpenAI batch output: one answered (or failed) request a line, without the question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.rows.formats.chat import rest_of, scored, turn_of
from whileai.simulations.rows.formats.common import error_text, failed_run, make_row, message
from whileai.simulations.rows.formats.generation import finish_of, token_logprobs_of
from whileai.simulations.rows.formats.openai_responses import ending, item_messages, output_logprobs
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.values import finite

NAME = "openai-batch"
LOOKS_FOR = "`custom_id`, `response`, `error`"
_FAILED_FROM = 400
_CONSUMED = ("response", "error", "reward")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a line of a batch's output or error file.

    >>> sniff({"custom_id": "a", "response": None, "error": {"message": "expired"}})
    True
    """
    response = record.get("response")
    if "custom_id" not in record or "response" not in record:
        return False
    return "error" in record if response is None else isinstance(response, Mapping) and "body" in response


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The rows of a line, one a choice; the task is the `custom_id`, for the line holds no prompt.

    >>> body = {"choices": [{"message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}]}
    >>> line = {"custom_id": "a", "response": {"status_code": 200, "body": body}, "error": None}
    >>> row = to_rows(line, Source("out.jsonl"))[0]
    >>> row["task_id"], row["final_text"], row["finish_reason"]
    ('a', 'Done.', 'stop')
    """
    response = record.get("response")
    response = response if isinstance(response, Mapping) else {}
    body = response.get("body")
    body = body if isinstance(body, Mapping) else {}
    error = _error(record, response, body)
    if error is not None:
        row = _row(record, source, response, body, {"messages": [], "error": error})
        return [failed_run(row, error, source, raw_reward=record.get("reward"))]
    if isinstance(body.get("output"), list):
        return [_row(record, source, response, body, _reply(body))]
    choices = body.get("choices")
    if not isinstance(choices, list) or not all(isinstance(choice, Mapping) for choice in choices):
        raise ValueError(f"a batch line's response.body has no list `choices`: found {keys_found(body)}")
    return [
        _row(record, source, response, body, _choice(choice, at, record, choices)) for at, choice in enumerate(choices)
    ]


def _error(record: Mapping[str, Any], response: Mapping[str, Any], body: Mapping[str, Any]) -> str | None:
    status = finite(response.get("status_code"))
    found = record.get("error") or body.get("error")
    if not found and (status is None or status < _FAILED_FROM) and response:
        return None
    return error_text(found) or (f"status {response.get('status_code')}" if response else "no response")


def _row(
    record: Mapping[str, Any],
    source: Source,
    response: Mapping[str, Any],
    body: Mapping[str, Any],
    fields: Mapping[str, Any],
) -> dict[str, Any]:
    left = {**rest_of(response, ("body",)), **rest_of(body, ("choices", "output", "usage", "model"))}
    usage = body.get("usage")
    several = isinstance(body.get("choices"), list) and len(body["choices"]) > 1
    if several and usage is not None:
        left["usage"] = usage
    return make_row(
        record,
        source,
        form=NAME,
        consumed=_CONSUMED if not record.get("error") else ("response", "reward"),
        task_id=record.get("custom_id"),
        model_version=body.get("model"),
        usage=None if several else usage,
        source_response=left or None,
        **{**scored(record), **fields},
    )


def _choice(choice: Mapping[str, Any], at: int, record: Mapping[str, Any], choices: list[Any]) -> dict[str, Any]:
    said = choice.get("message")
    if isinstance(said, Mapping):
        messages = [turn_of({"role": "assistant", **said}, "message")]
    else:
        messages = [message("assistant", choice.get("text"))]
    several = len(choices) > 1 and record.get("id") is not None
    return {
        "messages": messages,
        "rollout_id": f"{record['id']}:{at}" if several else None,
        "finish_reason": finish_of(choice.get("finish_reason")),
        "token_logprobs": token_logprobs_of(choice.get("logprobs")),
        "choice": rest_of(choice, ("message", "text")),
    }


def _reply(body: Mapping[str, Any]) -> dict[str, Any]:
    output = body["output"]
    return {
        "messages": item_messages(output, "output"),
        "finish_reason": ending(body),
        "token_logprobs": output_logprobs(output),
    }
