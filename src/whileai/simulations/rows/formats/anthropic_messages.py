"""Anthropic Messages: a request's `messages` (with `system`, `tools`) and the reply, as last turn or as `response`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.rows.formats.chat import Piece, agent_turns, is_chat, is_row_of_ours, rest_of, scored, turn_of
from whileai.simulations.rows.formats.common import error_text, failed_run, make_row, message, tool_call
from whileai.simulations.rows.formats.generation import finish_of, sampling_of
from whileai.simulations.rows.source import Source

NAME = "anthropic-messages"
LOOKS_FOR = "`messages` with tool_use blocks, or beside `system` or `stop_reason`"
_CONSUMED = ("messages", "system", "response", "model", "max_tokens", "temperature", "reward")
_CALL, _RESULT = "tool_use", "tool_result"
_HOISTED = ("stop_reason", "usage")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a chat with the marks of Anthropic's: its blocks, its tools, its fields.

    >>> chat = [{"role": "user", "content": "Hi"}]
    >>> sniff({"messages": chat, "system": "Be brief."}), sniff({"messages": chat})
    (True, False)
    """
    messages = record.get("messages")
    if not isinstance(messages, list) or is_row_of_ours(record) or not is_chat(messages):
        return False
    tools, response = record.get("tools"), record.get("response")
    return (
        any(name in record for name in ("system", "stop_reason"))
        or (isinstance(response, Mapping) and response.get("type") == "message")
        or (isinstance(tools, list) and any(isinstance(tool, Mapping) and "input_schema" in tool for tool in tools))
        or any(_is_block(block) for turn in messages for block in _blocks(turn.get("content")))
    )


def _blocks(content: Any) -> list[Any]:
    return content if isinstance(content, list) else []


def _is_block(block: Any) -> bool:
    kind = block.get("type") if isinstance(block, Mapping) else None
    return isinstance(kind, str) and (kind.endswith((_CALL, _RESULT)) or kind in ("thinking", "redacted_thinking"))


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a record; results that stand in a user message become `tool` messages before its words.

    >>> reply = {"type": "message", "content": [{"type": "text", "text": "Hello."}], "stop_reason": "end_turn"}
    >>> row = to_rows({"messages": [{"role": "user", "content": "Hi"}], "response": reply}, Source("log.jsonl"))[0]
    >>> row["final_text"], row["finish_reason"]
    ('Hello.', 'stop')
    """
    response = _response(record.get("response"))
    if not isinstance(record.get("messages"), list):
        raise ValueError(f"`messages` must be a list of messages: found {keys_found(dict(record))}")
    hoisted = {name: response[name] for name in _HOISTED if response.get(name) is not None}
    model = response.get("model") or record.get("model")
    error = error_text(response.get("error")) or None
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=_CONSUMED,
        messages=[*_system(record.get("system")), *_conversation(record["messages"], response)],
        model_version=model,
        sampling=sampling_of(record, model),
        finish_reason=finish_of(hoisted.get("stop_reason", record.get("stop_reason"))),
        source_response=rest_of(response, ("content", "model", *_HOISTED)) or None,
        error=error,
        **hoisted,
        **scored(record),
    )
    if error is not None:
        failed_run(row, error, source, raw_reward=record.get("reward"))
    return [row]


def _response(value: Any) -> Mapping[str, Any]:
    if value is None or isinstance(value, str):
        return {"content": value} if value else {}
    if isinstance(value, Mapping) and ("content" in value or "error" in value):
        return value
    raise ValueError(f"`response` must be a message with `content`, found {keys_found(value)}")


def _system(system: Any) -> list[dict[str, Any]]:
    return [message("system", system)] if system else []


def _conversation(messages: list[Any], response: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    reply = [{"role": "assistant", "content": response["content"]}] if response.get("content") is not None else []
    for turn in [*messages, *reply]:
        content = turn.get("content") if isinstance(turn, Mapping) else None
        if not isinstance(content, list) or not any(_is_block(block) for block in content):
            yield turn_of(turn, "messages")
        elif turn.get("role") == "assistant":
            yield from agent_turns(map(_piece, content), **rest_of(turn, ("role", "content")))
        else:
            yield from _given(turn, content)


def _given(turn: Mapping[str, Any], content: list[Any]) -> Iterator[dict[str, Any]]:
    pieces = [_piece(block) for block in content]
    yield from (piece for kind, piece in pieces if kind == "result")
    words = [piece for kind, piece in pieces if kind != "result"]
    if words:
        yield turn_of({**turn, "content": words}, "messages")


def _piece(block: Any) -> Piece:
    if isinstance(block, str):
        return "block", {"type": "text", "text": block}
    if not isinstance(block, Mapping):
        raise ValueError(f"a message's content holds {keys_found(block)}, which is no block")
    kind = str(block.get("type"))
    if kind.endswith(_CALL):
        call = tool_call(block.get("name"), block.get("input"), block.get("id"))
        call.update(rest_of(block, ("id", "name", "input", *(("type",) if kind == _CALL else ()))))
        return "call", call
    if kind.endswith(_RESULT):
        return "result", _result(block, kind)
    return "block", dict(block)


def _result(block: Mapping[str, Any], kind: str) -> dict[str, Any]:
    content = block.get("content")
    failed = block.get("is_error") is True
    if isinstance(content, Mapping):
        failed = failed or str(content.get("type")).endswith("_error")
        content = [content]
    turn = message("tool", content, tool_call_id=block.get("tool_use_id"), is_error=True if failed else None)
    known = ("tool_use_id", "content", "is_error", *(("type",) if kind == _RESULT else ()))
    return {**turn, **rest_of(block, known)}
