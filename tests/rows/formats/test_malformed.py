"""Whatever stands where a conversation format expects something else gives rows or one line that says so."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from tables import each_of
from whileai.simulations.rows.formats import Format, named
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import calls

JUNK: list[Any] = [None, 3, True, "x", "", [], {}, [3], [[]], [{}], {"type": 5}, float("nan"), '{"a":']
USER = {"role": "user", "content": "Hi"}
CALL = {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "get", "arguments": "{}"}}]}
TEXT = "<|im_start|>user\nHi<|im_end|><|im_start|>assistant\n"
RECORDS: dict[str, dict[str, Any]] = {
    "openai-chat": {"messages": [USER, CALL, {"role": "tool", "tool_call_id": "a", "content": "1"}], "reward": 1},
    "openai-preference": {"input": {"messages": [USER]}, "preferred_output": [CALL], "non_preferred_output": [USER]},
    "openai-batch": {
        "id": "r",
        "custom_id": "c",
        "response": {
            "status_code": 200,
            "body": {
                "model": "m",
                "choices": [{"message": CALL, "logprobs": {"content": [{"logprob": -1.0}]}, "finish_reason": "stop"}],
            },
        },
        "error": None,
    },
    "openai-responses": {
        "object": "response",
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
        "input": [USER, {"type": "function_call", "call_id": "a", "name": "get", "arguments": "{}"}],
        "output": [
            {"type": "function_call_output", "call_id": "a", "output": "1"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x", "logprobs": []}]},
        ],
    },
    "anthropic-messages": {
        "system": "s",
        "messages": [
            USER,
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "get", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]},
        ],
        "response": {"type": "message", "content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn"},
    },
    "gemini": {
        "key": "k",
        "request": {
            "systemInstruction": {"parts": [{"text": "s"}]},
            "contents": [
                {"role": "model", "parts": [{"functionCall": {"name": "get", "args": {}}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "get", "response": {"a": 1}}}]},
            ],
        },
        "response": {"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "STOP"}]},
    },
    "sharegpt": {
        "conversations": [{"from": "human", "value": "Hi"}, {"from": "function_call", "value": '{"name": "get"}'}],
        "system": "s",
        "tools": "[]",
    },
    "trl": {"prompt": TEXT, "completion": "Hello.", "label": True, "reward": 1.0},
    "trl-completions": {"step": 1, "prompt": TEXT, "completion": [USER], "a": 1.0, "advantage": 0.0},
    "trl-preference": {"prompt": [USER], "chosen": [USER, CALL], "rejected": [USER, USER], "score_chosen": 1},
    "verl": {"input": "Hi", "output": "<tool_call>{}</tool_call>", "gts": None, "score": 1.0, "step": 1, "acc": 1},
    "skyrl": {"input_prompt": TEXT, "output_response": "x", "score": [0.5], "stop_reason": "stop"},
    "openrlhf": {"input": "Hi", "output": "x", "reward": 1},
}


def broken(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in paths(record):
        for junk in JUNK:
            yield replaced(record, path, junk)


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ()):
        yield from paths(inner, (*path, key))


def replaced(record: dict[str, Any], path: tuple[Any, ...], junk: Any) -> dict[str, Any]:
    copied = copy.deepcopy(record)
    holder: Any = copied
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = junk
    return copied


def read(module: Format, record: dict[str, Any]) -> tuple[list[dict[str, Any]], str]:
    try:
        return module.to_rows(record, Source("x.jsonl")), ""
    except ValueError as refused:
        return [], str(refused)


@each_of("name", RECORDS)
def test_junk_anywhere_gives_rows_or_one_line(name):
    module = named(name)
    for record in broken(RECORDS[name]):
        before = json.dumps(record)
        rows, refusal = read(module, record)
        assert "\n" not in refusal
        assert all(isinstance(row["task_id"], str) and isinstance(calls(row), list) for row in rows)
        assert json.dumps(record) == before, "a record must not be changed"


@each_of("name", RECORDS)
def test_the_record_itself_is_of_the_format_and_read(name):
    assert named(name).sniff(RECORDS[name])
    assert named(name).to_rows(RECORDS[name], Source("x.jsonl"))
