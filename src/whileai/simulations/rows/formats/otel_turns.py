"""The conversation of a traced run, in whichever way its spans hold it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.rows.content import first_of, parse_json
from whileai.simulations.rows.formats.chat import as_text
from whileai.simulations.rows.formats.common import ROLES, as_mapping, chat_turn, mappings, message, tool_call
from whileai.simulations.rows.formats.identity import id_text
from whileai.simulations.rows.formats.otel_spans import (
    INDEXED,
    MESSAGE_EVENT,
    MESSAGE_KEYS,
    Run,
    Span,
)
from whileai.simulations.rows.formats.otel_tools import with_results
from whileai.simulations.rows.source import Source

_CALL_KEY = re.compile(r"tool_calls\.(\d{1,6})\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)")
_BLOCK_KEY = re.compile(r"contents\.(\d{1,6})\.message_content\.(\w+)")


def conversation(run: Run, last: Span | None, source: Source) -> tuple[list[dict[str, Any]], Any]:
    """The turns of a run, and the reason its last generation gave for ending."""
    turns, reason = _turns_of(last, source) if last is not None else ([], None)
    if not turns:
        turns, reason = _turns_of(run.root, source)
    if not turns:
        turns = _plain_turns(run.root)
    return with_results(turns, [span for span in run.spans if span.kind == "tool"]), reason


def _turns_of(span: Span, source: Source) -> tuple[list[dict[str, Any]], Any]:
    """Input and output of one span, in whichever of the four ways it was written."""
    attributes = span.attributes
    asked, answered = (_stored(attributes, key, source) for key in MESSAGE_KEYS[:2])
    if asked or answered:
        system = _stored(attributes, MESSAGE_KEYS[2], source)
        opening: list[Mapping[str, Any]] = [] if not system else [{"role": "system", "parts": system}]
        if all(entry.get("role") == "assistant" for entry in answered):
            answered = answered[:1]  # several answers to choose from: the run went on with the first
        turns = [turn for entry in [*opening, *asked, *answered] for turn in _part_turns(entry)]
        return turns, answered[-1].get("finish_reason") if answered else None
    if any(MESSAGE_EVENT.fullmatch(name) for _, name, _ in span.events):
        return _event_turns(span)
    before, after = _indexed(attributes)
    reason = after[0].get("finish_reason") if after else None
    return [_flat_turn(entry) for entry in [*before, *after[:1]]], reason


def _stored(attributes: Mapping[str, Any], key: str, source: Source) -> list[Mapping[str, Any]]:
    value = parse_json(attributes.get(key))
    if isinstance(value, Mapping):
        value = [value]
    if isinstance(value, str) and value:
        if key == MESSAGE_KEYS[2]:
            return [{"type": "text", "content": value}]
        source.note(f"a span's {key} is no JSON (cut off by its writer?) and was not read")
    return mappings(value)


def _part_turns(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The turns of a message made of parts: each tool response is a turn of its own."""
    words: list[Any] = []
    reasoning: list[str] = []
    calls: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for part in mappings(entry.get("parts")):
        kind = part.get("type")
        if kind == "text":
            words.append({"type": "text", "text": str(part.get("content") or "")})
        elif kind == "reasoning":
            reasoning.append(str(part.get("content") or ""))
        elif kind == "tool_call":
            calls.append(tool_call(part.get("name"), part.get("arguments"), part.get("id")))
        elif kind == "tool_call_response":
            results.append(
                message("tool", as_text(first_of(part, ("response", "result"))), tool_call_id=id_text(part.get("id")))
            )
        else:
            words.append(dict(part))
    role = entry.get("role")
    if words or calls or reasoning or not results:
        content = (
            words[0]["text"]
            if len(words) == 1 and words[0].get("type") == "text"
            else words or as_text(entry.get("content")) or ""
        )
        yield message(
            ROLES.get(role, role) if isinstance(role, str) else "user",
            content,
            calls,
            reasoning="\n".join(reasoning) or None,
            name=entry.get("name"),
        )
    yield from results


def _event_turns(span: Span) -> tuple[list[dict[str, Any]], Any]:
    turns: list[dict[str, Any]] = []
    choice: Mapping[str, Any] | None = None
    for _, name, attributes in sorted(span.events, key=lambda event: event[0]):
        match = MESSAGE_EVENT.fullmatch(name)
        if match is None:
            continue
        if match.group(1) is None:
            choice = attributes if choice is None else choice
        else:
            turns.append(_event_turn(match.group(1), attributes))
    if choice is not None:
        said = parse_json(choice.get("message"))
        turns.append(_event_turn("assistant", as_mapping(said) or {"content": said, **choice}))
    return turns, None if choice is None else choice.get("finish_reason")


def _event_turn(role: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
    calls = parse_json(attributes.get("tool_calls"))
    read = chat_turn({"role": attributes.get("role") or role, "tool_calls": calls})
    return message(
        read["role"],
        _content(attributes.get("content")),
        read.get("tool_calls", ()),
        tool_call_id=id_text(attributes.get("id")) if read["role"] == "tool" else None,
        name=attributes.get("name"),
    )


def _content(value: Any) -> Any:
    """Content as text or blocks; writers store a list of blocks as JSON text."""
    parsed = parse_json(value) if isinstance(value, str) and value.startswith("[") else value
    if isinstance(parsed, list) and parsed and all(isinstance(block, Mapping) and "type" in block for block in parsed):
        return parsed
    return as_text(value)


def _indexed(attributes: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Input and output messages spread over numbered keys, put together again."""
    sides: tuple[dict[int, dict[str, Any]], dict[int, dict[str, Any]]] = ({}, {})
    for key, value in attributes.items():
        if match := INDEXED.fullmatch(key):
            side = sides[0] if (match.group(1) or match.group(2)) in ("prompt", "input") else sides[1]
            side.setdefault(int(match.group(3)), {})[match.group(4).removeprefix("message.")] = value
    asked, answered = ([side[at] for at in sorted(side)] for side in sides)
    return asked, answered


def _flat_turn(entry: Mapping[str, Any]) -> dict[str, Any]:
    calls, blocks = _numbered(entry, _CALL_KEY), _numbered(entry, _BLOCK_KEY)
    if not calls and entry.get("function_call_name"):
        calls = [{"name": entry["function_call_name"], "arguments": entry.get("function_call_arguments_json")}]
    role = str(entry.get("role") or "user")
    return message(
        ROLES.get(role, role),
        blocks or _content(entry.get("content")),
        [tool_call(call.get("name"), call.get("arguments"), call.get("id")) for call in calls],
        tool_call_id=id_text(entry.get("tool_call_id")),
        name=entry.get("name"),
    )


def _numbered(entry: Mapping[str, Any], pattern: re.Pattern[str]) -> list[dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for key, value in entry.items():
        if match := pattern.fullmatch(key):
            found.setdefault(int(match.group(1)), {})[match.group(2)] = value
    return [found[at] for at in sorted(found)]


def _plain_turns(root: Span) -> list[dict[str, Any]]:
    """Question and answer of a run that kept no messages (OpenInference `input.value`, `output.value`)."""
    values = (("user", root.attributes.get("input.value")), ("assistant", root.attributes.get("output.value")))
    return [message(role, value) for role, value in values if isinstance(value, str) and value]
