"""Words said twice and calls made twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.content import filled
from whileai.simulations.rows.effects import succeeded_change
from whileai.simulations.rows.text import AGENT, USER, Event, reply
from whileai.simulations.rows.values import as_text

_SHORTEST = 24  # characters of an utterance whose repetition counts
_LOOP = 3  # identical calls that are a loop whatever they returned
_ASKED = re.compile(
    r"\b(?:twice|thrice|(?:two|three|four|five|six|seven|eight|nine|ten|several|\d+) times|(?:each|every) time"
    r"|repeat(?!edly \w*(?:fail|crash|break|error|tim))\w*|step [2-9]"
    r"|again and again|keep (?:checking|trying|polling|retrying))\b"
)
_ASKED_WORDS = ("ice", " time", "repeat", "step ", "again", "keep ")
_SORTED = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS


def asks_for_repetition(ask: str) -> bool:
    """Whether a person asked for the same thing several times.

    >>> asks_for_repetition("List src twice"), asks_for_repetition("List src")
    (True, False)
    """
    low = ask.lower()
    return any(map(low.__contains__, _ASKED_WORDS)) and _ASKED.search(low) is not None


def repeats_utterance(row: Mapping[str, Any], happened: Sequence[Event]) -> bool:
    """Whether the agent says something of 24 or more characters twice; words that go with a call do not count.

    In steps a reply after the person's last turn is an utterance of its own; a chat holds it already.
    """
    said = [event.text.strip() for event in happened if event.kind is AGENT]
    if not said:
        return False
    last = next((event for event in reversed(happened) if event.kind in (AGENT, USER)), None)
    told = (reply(row) or "").strip()
    if not said or said[-1] != told or (not filled(row.get("messages")) and last is not None and last.kind is USER):
        said.append(told)
    return len(said) > 1 and any(times > 1 and len(text) >= _SHORTEST for text, times in Counter(said).items())


def repeated_call(calls: Iterable[Call]) -> tuple[str, bool]:
    """The tool of the first call repeated for nothing, and whether three times; `("", False)` when there is none.

    Twice counts with the same result that is no failure, three times whatever came back. After a change by another
    call it is a new question: reading a file again once it was edited repeats nothing.
    """
    calls = list(calls)
    if len({call.name for call in calls}) == len(calls):
        return "", False
    first = ""
    seen: dict[str, list[str]] = {}
    for call in calls:
        key = f"{call.name} {_canonical(call.arguments)}"
        outcomes = seen.setdefault(key, [])
        outcome = _canonical(call.result) if call.answered and not call.failed else ""
        if outcome and outcome in outcomes:
            first = first or call.name
        outcomes.append(outcome)
        if len(outcomes) == _LOOP:
            return call.name, True
        if succeeded_change(call):
            seen = {key: outcomes}
    return first, False


def _canonical(value: object) -> str:
    try:
        return orjson.dumps(value, default=as_text, option=_SORTED).decode()
    except (TypeError, ValueError, RecursionError):
        return as_text(value)
