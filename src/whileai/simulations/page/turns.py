"""A rollout as a conversation: what was said, called and returned, cut to what a page can hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.text import Event, Kind, events, message_events
from whileai.simulations.rows.thoughts import opening_thought
from whileai.simulations.rows.values import as_text
from whileai.simulations.web.document import Turn

MOST_TURNS = 300  # of a rollout; the middle of a longer one is left out
MOST_CHARS = 100_000  # of the texts of a rollout together, about
LEAST_CHARS = 400  # of one text that is cut
_ONE_LINE = 80  # characters of arguments that are written on one line


def turns_of(row: Mapping[str, Any]) -> tuple[list[Turn], bool]:
    """The turns of a row, and whether any turn or part of a text was left out.

    >>> row = {"prompt": "Hi", "steps": [{"tool": "get", "arguments": {"id": 5}, "result": "no"}], "final_text": "No."}
    >>> [(turn["who"], turn["text"]) for turn in turns_of(row)[0]]
    [('user', 'Hi'), ('call', '{"id": 5}'), ('result', 'no'), ('agent', 'No.')]
    """
    turns = list(_turns(_episode(row)))
    for turn in turns:
        turn["text"] = turn["text"].replace("\r\n", "\n")
    left_out = len(turns) - MOST_TURNS
    if left_out > 0:
        note: Turn = {"who": "note", "text": f"{left_out:,} turns left out"}
        turns = [*turns[: MOST_TURNS // 2], note, *turns[len(turns) - MOST_TURNS // 2 :]]
    return turns, _fit(turns) or left_out > 0


def _episode(row: Mapping[str, Any]) -> list[Event]:
    """The events of a row; one read from steps has the system's words of its messages before them."""
    found = events(row)
    if any(event.kind is Kind.SYSTEM for event in found):
        return found
    return [event for event in message_events(row.get("messages")) if event.kind is Kind.SYSTEM] + found


def _turns(found: Iterable[Event]) -> Iterator[Turn]:
    numbers: dict[int, str] = {}
    for event in found:
        call = event.call
        if call is None:
            yield from _words(event)
            continue
        name = numbers.setdefault(id(call), f"c{len(numbers) + 1}")
        if event.kind is Kind.CALL:
            if call.speech.strip():
                yield from _words(Event(Kind.AGENT, call.speech))
            yield {"who": "call", "text": _arguments(call), "name": call.name, "id": name, "failed": call.failed}
        else:
            text = event.text or _written(call.result)
            yield {"who": "result", "text": text, "name": call.name, "id": name, "failed": call.failed}


def _words(event: Event) -> Iterator[Turn]:
    text = event.text
    if event.kind is Kind.AGENT:
        thought, text = opening_thought(text)
        if thought:
            yield {"who": "thought", "text": thought}
            if not text.strip():
                return
    who: Any = event.kind.value
    yield {"who": who, "text": text}


def _arguments(call: Call) -> str:
    if call.unreadable is not None:
        return call.unreadable
    return _written(call.arguments) if call.arguments else ""


def _written(value: Any) -> str:
    """A value as JSON, short ones on one line; text as it is, and what JSON cannot hold as text."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        text = json.dumps(value, ensure_ascii=False)
        return text if len(text) <= _ONE_LINE else json.dumps(value, ensure_ascii=False, indent=2)
    except (TypeError, ValueError, RecursionError):
        return as_text(value)


def _fit(turns: list[Turn]) -> bool:
    """Cut the longest texts, each to the same length, until all of them fit; returns whether any was cut."""
    sizes = sorted(len(turn["text"]) for turn in turns)
    room, most = MOST_CHARS, MOST_CHARS
    for place, size in enumerate(sizes):
        most = max(LEAST_CHARS, room // (len(sizes) - place))
        if size > most:
            break
        room -= size
    cut = False
    for turn in turns:
        if len(turn["text"]) > most:
            turn["text"], cut = middle_out(turn["text"], most), True
    return cut


def middle_out(text: str, most: int) -> str:
    """A text of about `most` characters: its ends, and between them how much was left out.

    >>> middle_out("a" * 30 + "b" * 30, 20)
    'aaaaaaaaaa\\n… 40 characters left out …\\nbbbbbbbbbb'
    """
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n… {len(text) - 2 * half:,} characters left out …\n{text[len(text) - half :]}"
