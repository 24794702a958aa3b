"""Turns as messages of the files trainers read: arguments as JSON text, or as dicts."""

from __future__ import annotations

import json
from typing import Any

from whileai.simulations.exports.turns import Turn
from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.values import as_text

Message = dict[str, Any]


def json_message(turn: Turn) -> Message:
    """A turn as OpenAI has it: the arguments of calls as JSON text.

    >>> json_message(Turn("assistant", "", [Call("get", {"id": 5}, "c1")]))["tool_calls"]
    [{'id': 'c1', 'type': 'function', 'function': {'name': 'get', 'arguments': '{"id": 5}'}}]
    """
    return _message(turn, arguments_text)


def dict_message(turn: Turn) -> Message:
    """A turn as chat templates read it: the arguments of calls as dicts, the tool's name on its result.

    >>> dict_message(Turn("tool", "rain", call_id="c1", name="get"))
    {'role': 'tool', 'content': 'rain', 'tool_call_id': 'c1', 'name': 'get'}
    """
    message = _message(turn, lambda call: json.loads(arguments_text(call)) if call.unreadable is None else {})
    return {**message, "name": turn.name} if turn.role == "tool" and turn.name else message


def _message(turn: Turn, arguments: Any) -> Message:
    message: Message = {"role": turn.role, "content": turn.content}
    if turn.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments(call)}}
            for call in turn.calls
        ]
    if turn.role == "tool":
        message["tool_call_id"] = turn.call_id
    return message


def arguments_text(call: Call) -> str:
    """The arguments of a call as JSON text, as it came where it could not be read.

    >>> arguments_text(Call("get", {"city": "Zürich"})), arguments_text(Call("get", unreadable="five"))
    ('{"city": "Zürich"}', 'five')
    """
    if call.unreadable is not None:
        return call.unreadable
    return json.dumps(call.arguments, ensure_ascii=False, default=as_text)


def survives(call: Call) -> bool:
    """Whether a call that is written and read again is the call that was made.

    >>> survives(Call("get", {"id": 5})), survives(Call("get", {5: "id"})), survives(Call("get", unreadable="five"))
    (True, False, False)
    """
    if not call.name or call.unreadable is not None:
        return False
    try:
        return bool(json.loads(json.dumps(call.arguments, allow_nan=False)) == _plain(call.arguments))
    except (TypeError, ValueError, RecursionError):
        return False


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
