"""What a rollout was given: the words of its people and what its tools returned, searched without regard to case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import orjson

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.text import CALL, SYSTEM, USER, Event, events, message_events, prompt_text, told_texts
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.grading.haystack import Haystack

_SEPARATOR = "\n\x00\n"
_LOOSE = re.compile(r"[-_.\s#/]+")
_NUMBER = re.compile(r"\d++(?:,\d{3}(?!\d))*+")
_SPACED_NUMBER = re.compile(r"\d++(?:[-_. #/]\d++)++")
_SAID = (USER, SYSTEM)
_OPTIONS = orjson.OPT_NON_STR_KEYS


def value_text(value: Any) -> str:
    """Any value as text to search in: text as it is, anything else as JSON.

    >>> value_text({"id": 5}), value_text("rain"), value_text(None)
    ('{"id":5}', 'rain', '')
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        return orjson.dumps(value, default=as_text, option=_OPTIONS).decode()
    except (TypeError, ValueError, RecursionError):
        return as_text(value)


class Evidence:
    """The texts of a rollout in lower case: what people said first, then each result in order.

    `before[i]` is how much of it had been seen when call i was made.
    """

    def __init__(self, row: Mapping[str, Any], happened: Iterable[Event]) -> None:
        self.calls: list[Call] = []
        self.before: list[int] = []
        self.said = _people(row)
        parts = [self.said.lower()]
        length = len(parts[0])
        for event in happened:
            if event.call is None:
                continue
            if event.kind is CALL:
                self.calls.append(event.call)
                self.before.append(length)
            else:
                parts.append(value_text(event.call.result).lower())
                length += len(parts[-1]) + len(_SEPARATOR)
        self.text = Haystack(_SEPARATOR.join(parts))

    def has(self, value: str, call: int) -> bool:
        """Whether a value was there when call number `call` was made: said by a person, or in an earlier result.

        A number is there as a whole: 0 is not in 40.
        """
        low = value.lower()
        if low.isdecimal():
            first = self._first_number.get(low)
            return (first is not None and first + len(low) <= self.before[call]) or self._loosely_numbered(low)
        return self.text.within(low, self.before[call]) or self._loosely(low)

    def supplies(self, value: str) -> bool:
        """Whether a value is anywhere in what was said, called or returned."""
        low = value.lower()
        return low in self.text or low in self.called or self._loosely(low)

    def knows_number(self, digits: str) -> bool:
        """Whether a number of three or more digits stands by itself anywhere in what was said, called or returned."""
        return len(digits) >= 3 and digits in self._numbers

    @cached_property
    def called(self) -> str:
        """The arguments of all calls, in lower case."""
        return _SEPARATOR.join(value_text(call.arguments) for call in self.calls).lower()

    @cached_property
    def _numbers(self) -> frozenset[str]:
        return frozenset(re.findall(r"\d+", self.text.text)) | frozenset(re.findall(r"\d+", self.called))

    @cached_property
    def _first_number(self) -> dict[str, int]:
        """Where each run of digits first stands; of 1,234 also its parts and the number without marks."""
        first: dict[str, int] = {}
        for found in _NUMBER.finditer(self.text.text):
            number = found[0] if found[0].isascii() else unicodedata.normalize("NFKC", found[0])
            parts = [*number.split(","), number.replace(",", "")] if "," in number else [number]
            for spelled in parts:
                first.setdefault(spelled, found.start())
        return first

    def _loosely_numbered(self, digits: str) -> bool:
        """Whether a person said a number of three or more digits in parts: "555-0100"."""
        return len(digits) >= 3 and digits in self._loose_numbers

    @cached_property
    def _loose_numbers(self) -> frozenset[str]:
        return frozenset(_LOOSE.sub("", number) for number in _SPACED_NUMBER.findall(self.said))

    @cached_property
    def _loose(self) -> str:
        return _LOOSE.sub("", self.said.lower())

    def _loosely(self, low: str) -> bool:
        """Whether a person said it in another spelling: "ord 4017" for ORD-4017."""
        squeezed = _LOOSE.sub("", low)
        return len(squeezed) >= 3 and squeezed in self._loose


def gather(row: Mapping[str, Any]) -> tuple[Evidence, list[Event]]:
    """The evidence of a row and the events it was read from."""
    happened = events(row)
    return Evidence(row, happened), happened


def _people(row: Mapping[str, Any]) -> str:
    """The ask, every user turn and every system prompt, of the steps and of the messages."""
    prompt = row.get("prompt")
    asked = (event.text for event in message_events(prompt) if event.kind in _SAID)
    said = [prompt_text(prompt), as_text(row.get("system_prompt")), *told_texts(row), *asked]
    return _SEPARATOR.join(dict.fromkeys(said))
