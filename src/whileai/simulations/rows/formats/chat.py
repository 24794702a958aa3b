"""What formats that are conversations share: reading turns, splitting a turn that acts and speaks, added columns."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.rows.content import content_text, first_of, parse_json
from whileai.simulations.rows.formats.common import chat_turn, message, reward_of

_SPOKEN = ("content", "value", "tool_calls", "function_call", "refusal", "audio")
Piece = tuple[str, dict[str, Any]]


def is_row_of_ours(record: Mapping[str, Any]) -> bool:
    """Whether a record holds an episode in our own columns, whatever else it looks like.

    >>> is_row_of_ours({"steps": []}), is_row_of_ours({"messages": []})
    (True, False)
    """
    return any(name in record for name in ("schema_version", "scenario_id", "steps", "final_text"))


def is_chat(value: Any) -> bool:
    """Whether a value is a conversation: a list of messages, each with a role and something said or called.

    >>> is_chat([{"role": "user", "content": "Hi"}]), is_chat([{"role": "user"}]), is_chat([])
    (True, False, False)
    """
    return isinstance(value, list) and bool(value) and all(_is_turn(turn) for turn in value)


def _is_turn(turn: Any) -> bool:
    return (
        isinstance(turn, Mapping)
        and isinstance(first_of(turn, ("role", "from")), str)
        and any(name in turn for name in _SPOKEN)
    )


def is_said(value: Any) -> bool:
    """Whether a value is one side of an exchange: text, or a conversation.

    >>> is_said("Hi"), is_said([{"role": "user", "content": "Hi"}]), is_said(None)
    (True, True, False)
    """
    return isinstance(value, str) or is_chat(value)


def turns_of(value: Any, field: str, role: str = "assistant") -> list[dict[str, Any]]:
    """The messages of a conversation, in the form rows hold; a plain text is one turn of `role`.

    `field` names the value in the error that anything else gives.

    >>> turns_of("Hi", "prompt", "user")
    [{'role': 'user', 'content': 'Hi'}]
    """
    if isinstance(value, str):
        return [message(role, value)]
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list | tuple):
        raise ValueError(f"`{field}` must be a text or a list of messages, found {keys_found(value)}")
    return [turn_of(turn, field) for turn in value]


def turn_of(turn: Any, field: str) -> dict[str, Any]:
    """One message in the form rows hold, from `role`/`content` or `from`/`value`.

    >>> turn_of({"from": "gpt", "value": "Hi"}, "conversations")
    {'role': 'assistant', 'content': 'Hi'}
    """
    if not isinstance(turn, Mapping) or not isinstance(first_of(turn, ("role", "from")), str):
        raise ValueError(f"`{field}` holds a message without a role: found {keys_found(turn)}")
    if "from" in turn and "role" not in turn:
        rest = {name: value for name, value in turn.items() if name not in ("from", "value")}
        turn = {"role": turn["from"], "content": turn.get("value"), **rest}
    return chat_turn(turn)


def agent_turns(pieces: Iterable[Piece], **fields: Any) -> Iterator[dict[str, Any]]:
    """The messages of one assistant turn that holds blocks, calls and results of calls run on the server, in order.

    Each piece is `("block", ...)`, `("call", ...)` or `("result", ...)`. What follows a result was said after the
    call, so it begins a message of its own: it can be the reply. `fields` go to the first message.

    >>> [m["role"] for m in agent_turns([("call", {"name": "f"}), ("result", message("tool", "1")), ("block", {})])]
    ['assistant', 'tool', 'assistant']
    """
    blocks: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for kind, piece in pieces:
        if results and kind != "result":
            yield from (_assistant(blocks, calls, fields), *results)
            blocks, calls, results, fields = [], [], [], {}
        {"block": blocks, "call": calls, "result": results}[kind].append(piece)
    yield from (_assistant(blocks, calls, fields), *results)


def _assistant(blocks: list[dict[str, Any]], calls: list[dict[str, Any]], fields: Mapping[str, Any]) -> dict[str, Any]:
    return {**message("assistant", simple_content(blocks), calls), **fields}


def simple_content(blocks: list[dict[str, Any]]) -> Any:
    """The content of a message: the text itself when text is all there is, None when there is nothing.

    >>> simple_content([{"type": "text", "text": "Hi"}]), simple_content([])
    ('Hi', None)
    """
    if len(blocks) == 1 and set(blocks[0]) == {"type", "text"}:
        return content_text(blocks)
    return blocks or None


def rest_of(value: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The fields of an object that are not `known` and say something.

    >>> rest_of({"id": 1, "index": 0, "extra": None}, ("id",))
    {'index': 0}
    """
    return {name: entry for name, entry in value.items() if name not in known and entry is not None}


def as_text(value: Any) -> Any:
    """A tool's result as content of a message: text and blocks as they are, anything else as JSON text.

    >>> as_text("rain"), as_text({"ok": True})
    ('rain', '{"ok": true}')
    """
    if value is None or isinstance(value, str) or _is_blocks(value):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "(a value nested too deeply)"


def _is_blocks(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(block, Mapping) and "type" in block for block in value)


def tool_schemas(value: Any) -> Any:
    """The `tools` of a record: a list written as JSON text is read, anything else stays as it is.

    >>> tool_schemas('[{"name": "get"}]'), tool_schemas("none")
    ([{'name': 'get'}], 'none')
    """
    parsed = parse_json(value)
    return parsed if isinstance(parsed, list) else value


def scored(record: Mapping[str, Any], *columns: str) -> dict[str, Any]:
    """The verdict fields of a row from the first of the reward `columns` that the record has, by default `reward`.

    A score that is no number is no verdict: unscored, `judge_status: invalid_result`, the value in `judge_meta`.

    >>> scored({"reward": True}), scored({"reward": None}), scored({})
    ({'reward': 1}, {'reward': None}, {'reward': None})
    >>> scored({"reward": "good"})
    {'reward': None, 'judge_status': 'invalid_result', 'judge_meta': {'raw_reward': 'good'}}
    """
    column = next((name for name in columns or ("reward",) if name in record), None)
    raw = None if column is None else record[column]
    reward = reward_of(raw)
    if reward is not None or raw is None or isinstance(raw, float):
        return {"reward": reward}
    meta = record.get("judge_meta")
    known = meta if isinstance(meta, Mapping) else {}
    return {"reward": None, "judge_status": "invalid_result", "judge_meta": {**known, "raw_reward": raw}}
