"""Tool calls: how one is read from what a message holds, and which result answers which call."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from whileai.simulations.rows.content import (
    TEXT_BLOCKS,
    content_text,
    filled,
    first_of,
    one_of,
    parse_arguments,
    parse_json,
)
from whileai.simulations.rows.failure import call_failed
from whileai.simulations.rows.values import as_text, is_mapping

ARGUMENT_FIELDS = ("arguments", "input", "args", "parameters")
RESULT_FIELDS = ("result", "output", "response")
_CALL_BLOCKS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_ANSWERED_BLOCKS = frozenset({"tool_use"})
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"\s*")


@dataclass(slots=True)
class Call:
    """One tool call of the agent, with its result once it has come back.

    `speech` is what the agent said in the same breath. `answered` tells a call without a result from one whose
    result is None. `failed` is the one predicate of `rows/failure.py`. `unreadable` keeps arguments that are no dict.
    `step` is the step it was read from, when it was.
    """

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    id: str | None = None
    speech: str = ""
    result: Any = None
    answered: bool = False
    unreadable: str | None = None
    step: Mapping[str, Any] | None = None
    _failed: bool | None = None

    @property
    def failed(self) -> bool:
        """Whether the call failed; found when first asked for, as most readers of calls never ask."""
        if self._failed is None:
            self._failed = call_failed(self.result, tool=self.name, arguments=self.arguments, step=self.step)
        return self._failed

    def answer(self, content: Any, is_error: bool) -> None:
        """Take the result that came back, and forget what was known of its failing."""
        self.result = _result_value(content, is_error)
        self.answered = True
        self._failed = True if is_error else None


def message_calls(message: Mapping[str, Any]) -> list[Call]:
    """The tool calls one assistant message makes: `tool_calls` in either form, an old `function_call`, call blocks.

    >>> message_calls({"tool_calls": [{"function": {"name": "get", "arguments": '{"id": 5}'}}]})[0].arguments
    {'id': 5}
    """
    calls: list[Call] = []
    entries = message.get("tool_calls")
    if isinstance(entries, list | tuple):
        calls.extend(call for entry in entries if (call := call_of(parse_json(entry))) is not None)
    legacy = message.get("function_call")
    if is_mapping(legacy) and (call := call_of(legacy)) is not None:
        calls.append(call)
    content = message.get("content")
    if isinstance(content, list | tuple):
        calls.extend(
            call
            for block in content
            if is_mapping(block) and one_of(block.get("type"), _CALL_BLOCKS) and (call := call_of(block)) is not None
        )
    return calls


def call_of(entry: Any) -> Call | None:
    """The call an entry describes: enveloped in `function`, flat, or a call block; None when it names none.

    >>> call_of({"name": "get", "input": {"id": 5}}).arguments, call_of("get")
    ({'id': 5}, None)
    """
    if not is_mapping(entry):
        return None
    function = entry.get("function")
    body: Mapping[str, Any] = function if is_mapping(function) else entry
    name = body.get("name")
    if name is None and isinstance(function, str):
        name = function
    if not isinstance(name, str):
        return None
    arguments, unreadable = parse_arguments(first_of(body, ARGUMENT_FIELDS))
    if unreadable is None and isinstance(body.get("arguments_text"), str):
        unreadable = body["arguments_text"]
    call = Call(name, arguments, text_or_none(entry.get("id")), unreadable=unreadable)
    if one_of(entry.get("type"), _ANSWERED_BLOCKS) and entry.get("result") is not None:
        call.answer(entry["result"], filled(entry.get("error")))
    return call


def _result_value(content: Any, is_error: bool) -> Any:
    if isinstance(content, list | tuple) and any(
        is_mapping(block) and one_of(block.get("type"), TEXT_BLOCKS) for block in content
    ):
        content = content_text(content)
    value = parse_json(content)
    if not is_error:
        return value
    if is_mapping(value):
        return {"error": content if isinstance(content, str) else True, "status": "error", **value}
    return {"error": value if isinstance(value, str) else content_text(content) or value, "status": "error"}


class Binder:
    """Finds the call a result answers: by id, else the first open call of that tool, else the first open call.

    Ordered dicts, as the first entry of a plain one is searched for past all that were taken out before it.
    """

    def __init__(self) -> None:
        self._by_id: dict[str, Call] = {}
        self._by_name: dict[str, OrderedDict[int, Call]] = {}
        self._open: OrderedDict[int, Call] = OrderedDict()

    def add(self, call: Call) -> None:
        """Open a call, unless it came with its answer."""
        if call.answered:
            return
        key = id(call)
        self._open[key] = call
        self._by_name.setdefault(call.name, OrderedDict())[key] = call
        if call.id is not None:
            self._by_id[call.id] = call

    def take(self, call_id: str | None, name: str | None) -> Call | None:
        """The call a result of this id and tool name answers, no longer open; None when none is open."""
        call = self._by_id.get(call_id) if call_id is not None else None
        if call is None and name is not None:
            call = next(iter(self._by_name.get(name, {}).values()), None)
        if call is None:
            call = next(iter(self._open.values()), None)
        if call is not None:
            self._open.pop(id(call), None)
            self._by_name[call.name].pop(id(call), None)
            if call.id is not None and self._by_id.get(call.id) is call:
                del self._by_id[call.id]
        return call


def written_calls(text: Any) -> list[Call]:
    """Calls written out as `<tool_call>{"name": ..., "arguments": {...}}</tool_call>` blocks in a text.

    A block may hold several calls, one JSON object after another or as a list.

    >>> written_calls('<tool_call>{"name": "get", "arguments": {"id": 5}}</tool_call>')[0].arguments
    {'id': 5}
    """
    if not isinstance(text, str) or "<tool_call>" not in text:
        return []
    entries = (entry for body in _bodies(text, "<tool_call>", "</tool_call>") for entry in _json_values(body))
    return [call for entry in entries if (call := call_of(entry)) is not None]


def unwritten(text: str) -> str:
    """A text without the calls written out in it.

    >>> unwritten('One moment. <tool_call>{"name": "get"}</tool_call>')
    'One moment.'
    """
    kept, end = [], 0
    while (start := text.find("<tool_call>", end)) >= 0 and (stop := text.find("</tool_call>", start)) >= 0:
        kept.append(text[end:start])
        end = stop + len("</tool_call>")
    return "".join([*kept, text[end:]]).strip()


def _bodies(text: str, opening: str, closing: str) -> Iterator[str]:
    """What stands between each opening tag and the next closing one; a search, as a lazy regex is quadratic here."""
    end = 0
    while (start := text.find(opening, end)) >= 0 and (end := text.find(closing, start)) >= 0:
        yield text[start + len(opening) : end]


def _json_values(text: str) -> list[Any]:
    values: list[Any] = []
    at = _past_space(text, 0)
    try:
        while at < len(text):
            value, at = _DECODER.raw_decode(text, at)
            values += value if isinstance(value, list) else [value]
            at = _past_space(text, at)
    except (ValueError, RecursionError):
        return []
    return values


def _past_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def text_or_none(value: Any) -> str | None:
    """An id as text, None as it is."""
    return None if value is None else as_text(value)
