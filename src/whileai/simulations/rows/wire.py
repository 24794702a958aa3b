"""A conversation in the form that OpenAI-compatible servers take: what a model is sent to see what an agent saw."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.calls import Call, message_calls, text_or_none
from whileai.simulations.rows.content import content_text
from whileai.simulations.rows.thoughts import without_thoughts
from whileai.simulations.rows.values import as_text, is_mapping

_ROLES = frozenset({"system", "user", "assistant", "tool"})


def wire_messages(messages: Iterable[Any], system_prompt: str = "") -> list[dict[str, Any]]:
    """Chat messages as new dicts of `role`, `content`, `tool_calls` (arguments as JSON text) and `tool_call_id`.

    A system prompt that is given stands first, in place of one that opens the chat. Thoughts (`<think>...</think>`)
    are taken out of what the agent said; a turn with neither words nor a call is left out, and so are messages of
    other roles. A call without an id gets `call_0000` and so on; a result without one that of the oldest open call.

    >>> wire_messages([{"role": "assistant", "tool_calls": [{"name": "get", "arguments": {"id": 5}}]}])[0]["tool_calls"]
    [{'id': 'call_0000', 'type': 'function', 'function': {'name': 'get', 'arguments': '{"id": 5}'}}]
    """
    kept = [m for m in messages if is_mapping(m) and isinstance(m.get("role"), str) and m["role"] in _ROLES]
    if system_prompt:
        own = bool(kept) and kept[0]["role"] == "system"
        kept = [{"role": "system", "content": system_prompt}, *kept[own:]]
    return list(_written(kept))


def _written(messages: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    names = _names()
    opened: deque[str] = deque()
    for message in messages:
        role, content = message["role"], message.get("content")
        if role == "assistant":
            written = _assistant(content, message_calls(message), names)
            opened.extend(call["id"] for call in written.get("tool_calls", ()))
            if written["content"] or "tool_calls" in written:
                yield written
        elif role == "tool":
            call_id = text_or_none(message.get("tool_call_id"))
            if call_id is None:
                call_id = opened.popleft() if opened else next(names)
            elif call_id in opened:
                opened.remove(call_id)
            yield {"role": role, "tool_call_id": call_id, "content": _text(content)}
        else:
            yield {"role": role, "content": content if isinstance(content, str | list) else _text(content)}


def _names() -> Iterator[str]:
    number = 0
    while True:
        yield f"call_{number:04d}"
        number += 1


def _assistant(content: Any, calls: list[Call], names: Iterator[str]) -> dict[str, Any]:
    written: dict[str, Any] = {"role": "assistant", "content": without_thoughts(content_text(content))}
    if calls:
        written["tool_calls"] = [
            {"id": call.id or next(names), "type": "function", "function": _function(call)} for call in calls
        ]
    return written


def _function(call: Call) -> dict[str, str]:
    return {"name": call.name, "arguments": _text(call.arguments) if call.unreadable is None else call.unreadable}


def _text(content: Any) -> str:
    """A content as text: text as it is, the words of text blocks, `""` for None, anything else as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list) and (words := content_text(content)):
        return words
    try:
        return json.dumps(content, ensure_ascii=False, default=as_text)
    except (TypeError, ValueError, RecursionError):
        return as_text(content)
