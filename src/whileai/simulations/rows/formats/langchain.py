"""LangChain messages as its two serialisers write them: `messages_to_dict` (type, data) and `dumpd` (lc, id, kwargs).

A record is an object with such `messages` (or a whole dumped prompt or result); the rest of it is the caller's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.rows.content import first_of
from whileai.simulations.rows.formats.common import ROLES, as_mapping, make_row, mappings, message, reward_of, tool_call
from whileai.simulations.rows.formats.generation import (
    finish_of,
    joined_logprobs,
    sampling_of,
    summed,
    token_logprobs_of,
)
from whileai.simulations.rows.formats.identity import id_text
from whileai.simulations.rows.source import Source

NAME = "langchain"
LOOKS_FOR = "messages, type, data, lc, kwargs"

_KINDS = {"human", "ai", "system", "tool", "function", "chat", "developer"}
_READ = (
    "role", "content", "type", "tool_calls", "invalid_tool_calls", "tool_call_id", "name", "status", "function_call",
    "additional_kwargs", "example",
)  # fmt: skip
_RAW_CALLS = ("tool_calls", "function_call", "refusal")
_ROW_FIELDS = ("reward", "markers")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record holds serialised LangChain messages.

    >>> sniff({"messages": [{"type": "human", "data": {"content": "Hi"}}]})
    True
    """
    return bool(_stored(record)) and all(is_message(entry) for entry in _stored(record))


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a conversation.

    >>> said = [{"type": "human", "data": {"content": "Hi"}}, {"type": "ai", "data": {"content": "Hello."}}]
    >>> row = to_rows({"messages": said, "reward": True}, Source("chats.jsonl"))[0]
    >>> row["prompt"], row["final_text"], row["reward"]
    ('Hi', 'Hello.', 1)
    """
    consumed = ("messages", "lc", "type", "id", "kwargs") if "lc" in record else ("messages", *_ROW_FIELDS)
    stored = _stored(record)
    for at, entry in enumerate(stored):
        if not is_message(entry):
            raise ValueError(f"messages[{at}] must be a serialised LangChain message, found {keys_found(entry)}")
    messages = [chat_message(entry) for entry in stored]
    markers = {
        name: v for name, value in as_mapping(record.get("markers")).items() if (v := reward_of(value)) is not None
    }
    return [
        make_row(
            record,
            source,
            form=NAME,
            consumed=consumed,
            messages=messages,
            reward=reward_of(record.get("reward")),
            markers=markers or None,
            **generation_facts(messages),
        )
    ]


def is_message(entry: Any) -> bool:
    """Whether a value is one serialised message, in either form.

    >>> is_message({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "AIMessage"], "kwargs": {}})
    True
    """
    if not isinstance(entry, Mapping):
        return False
    if isinstance(entry.get("data"), Mapping):
        return _kind(entry.get("type")) in _KINDS
    return isinstance(entry.get("kwargs"), Mapping) and "lc" in entry and _kind(_class_name(entry)) in _KINDS


def chat_message(entry: Mapping[str, Any]) -> dict[str, Any]:
    """One serialised message as a chat turn; calls that LangChain could not parse keep their text.

    >>> failed = {"content": "no such order", "tool_call_id": "c1", "status": "error"}
    >>> chat_message({"type": "tool", "data": failed})
    {'role': 'tool', 'content': 'no such order', 'tool_call_id': 'c1', 'is_error': True}
    """
    data = as_mapping(entry.get("data") if "data" in entry else entry.get("kwargs"))
    kind = _kind(entry.get("type") if "data" in entry else _class_name(entry))
    role = str(data.get("role")) if kind == "chat" else kind
    calls = _calls(data)
    other = as_mapping(data.get("additional_kwargs"))
    turn = message(
        ROLES.get(role, role),
        _content(data.get("content"), calls),
        calls,
        tool_call_id=id_text(data.get("tool_call_id")),
        name=data.get("name"),
        is_error=True if data.get("status") == "error" else None,
        refusal=other.get("refusal"),
    )
    rest = {name: value for name, value in data.items() if name not in _READ}
    rest["additional_kwargs"] = {name: value for name, value in other.items() if name not in _RAW_CALLS}
    return {**turn, **{name: value for name, value in rest.items() if name not in turn and value not in (None, {}, [])}}


def generation_facts(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """What the agent's turns say of their generation, as row fields: finish reason, model, usage, log-probabilities.

    >>> turn = {"role": "assistant", "content": "Hi", "response_metadata": {"finish_reason": "length"}}
    >>> generation_facts([turn])["finish_reason"]
    'length'
    """
    made = [turn for turn in messages if turn["role"] == "assistant"]
    metadata = [as_mapping(turn.get("response_metadata")) for turn in made]
    last = metadata[-1] if metadata else {}
    return {
        "finish_reason": finish_of(first_of(last, ("finish_reason", "stop_reason"))),
        "model_version": first_of(last, ("model_name", "model")),
        "usage": summed([turn.get("usage_metadata") for turn in made]),
        "sampling": sampling_of(last, first_of(last, ("model_name", "model"))),
        "token_logprobs": joined_logprobs([token_logprobs_of(entry.get("logprobs")) for entry in metadata]),
    }


def _stored(record: Mapping[str, Any]) -> list[Any]:
    for holder in (record, as_mapping(record.get("kwargs"))):
        if isinstance(holder.get("messages"), list):
            return list(holder["messages"])
    return []


def _class_name(entry: Mapping[str, Any]) -> Any:
    path = entry.get("id")
    return path[-1] if isinstance(path, list) and path else None


def _kind(name: Any) -> str:
    return name.removesuffix("Chunk").removesuffix("Message").lower() if isinstance(name, str) else ""


def _calls(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = [
        tool_call(
            call.get("name"),
            call.get("args"),
            call.get("id"),
            **({"error": call["error"]} if call.get("error") else {}),
        )
        for name in ("tool_calls", "invalid_tool_calls")
        for call in mappings(data.get(name))
    ]
    if calls:
        return calls
    raw = as_mapping(data.get("additional_kwargs"))
    entries = [*mappings(raw.get("tool_calls")), *mappings([raw.get("function_call")])]
    bodies = [(as_mapping(entry.get("function")) or entry, entry.get("id")) for entry in entries]
    return [tool_call(body.get("name"), body.get("arguments"), call_id) for body, call_id in bodies]


def _content(content: Any, calls: list[dict[str, Any]]) -> Any:
    """The content without the blocks that repeat the calls."""
    if not calls or not isinstance(content, list):
        return content
    repeats = ("tool_use", "function_call", "tool_call", "input_json_delta")
    return [block for block in content if not (isinstance(block, Mapping) and block.get("type") in repeats)]
