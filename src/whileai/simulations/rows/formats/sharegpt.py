"""ShareGPT: `conversations` of `{from, value}`, with calls as turns of their own or as tags in the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.rows.content import first_of, parse_json
from whileai.simulations.rows.formats.chat import is_chat, is_row_of_ours, scored, tool_schemas, turn_of, turns_of
from whileai.simulations.rows.formats.chatml import turns
from whileai.simulations.rows.formats.common import make_row, message, tool_call
from whileai.simulations.rows.formats.pair import pair_row
from whileai.simulations.rows.source import Source

NAME = "sharegpt"
LOOKS_FOR = "`conversations` (or `conversation`) of `from` and `value`"
_FIELDS = ("conversations", "conversation")
_CONSUMED = (*_FIELDS, "system", "tools", "reward")
_READ = ("system", "user", "assistant", "tool")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a ShareGPT conversation.

    >>> sniff({"conversations": [{"from": "human", "value": "Hi"}]}), sniff({"conversations": "Hi"})
    (True, False)
    """
    return is_chat(first_of(record, _FIELDS)) and not is_row_of_ours(record)


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a conversation; with `chosen` and `rejected` beside it, the pair of its two replies.

    >>> chat = [{"from": "gpt", "value": "Hi, what is up?"}, {"from": "human", "value": "Hello."}]
    >>> row = to_rows({"id": "a", "conversations": chat}, Source("chats.json"))[0]
    >>> row["rollout_id"], row["prompt"], row["final_text"]
    ('a', 'Hello.', 'Hi, what is up?')
    """
    messages = list(_messages(record, source))
    tools = tool_schemas(record.get("tools"))
    if record.get("chosen") is not None and record.get("rejected") is not None:
        sides = {side: turns_of(record[side], side) for side in ("chosen", "rejected")}
        consumed = (*_CONSUMED, *sides)
        return [pair_row(record, source, form=NAME, prompt=messages, consumed=consumed, tools=tools, **sides)]
    return [
        make_row(
            record, source, form=NAME, consumed=_CONSUMED, messages=messages, tools=tools or None, **scored(record)
        )
    ]


def _messages(record: Mapping[str, Any], source: Source) -> Iterator[dict[str, Any]]:
    listed = first_of(record, _FIELDS)
    if not isinstance(listed, list):
        raise ValueError(f"`conversations` must be a list of turns: found {keys_found(dict(record))}")
    if record.get("system"):
        yield message("system", record["system"])
    for turn in listed:
        called = _calls(turn)
        read = [message("assistant", None, called)] if called else _turn(turn_of(turn, "conversations"))
        for role in {entry["role"] for entry in read} - set(_READ):
            source.note(f"turns from {role!r} are kept but are of no known speaker")
        yield from read


def _calls(turn: Any) -> list[dict[str, Any]]:
    """The calls of a `function_call` turn: one `{name, arguments}` or a list of them."""
    if not isinstance(turn, Mapping) or first_of(turn, ("from", "role")) != "function_call":
        return []
    value = parse_json(first_of(turn, ("value", "content")))
    entries = value if isinstance(value, list) else [value]
    return [
        tool_call(entry["name"], entry.get("arguments"), entry.get("id"))
        for entry in entries
        if isinstance(entry, Mapping) and "name" in entry
    ]


def _turn(turn: dict[str, Any]) -> list[dict[str, Any]]:
    """A turn whose text may hold tags, as messages; fields beside the text stay on the first of them."""
    content = turn["content"]
    if not isinstance(content, str) or "tool_calls" in turn:
        return [turn]
    first, *others = turns(turn["role"], content)
    return [{**turn, **first}, *others]
