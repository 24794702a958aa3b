"""`behavior_signature`: what a rollout did, without what it said or which values it used."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.rows.content import parse_arguments, parse_json
from whileai.simulations.rows.shapes import USER_ROLES
from whileai.simulations.rows.single import need_row
from whileai.simulations.rows.text import (
    CALL,
    USER,
    ask_text,
    events,
    reply,
    step_arguments,
    step_kind,
    step_result,
    steps_of,
    words_of,
)
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.grading.evidence import value_text
from whileai.simulations.score.grading.haystack import Haystack
from whileai.simulations.score.grading.references import leaves
from whileai.simulations.signature import public

_SEPARATOR = "\n\x00\n"
_REFUSAL = re.compile(r"\b(?:can'?t|cannot|unable|won't)\b")
_CONTAINERS = (Mapping, list, tuple)
_LISTS = (list, tuple)
_BUCKET = 12  # words of a reply that make a length bucket
_LAST_BUCKET = 12
_MANY_CALLS = 64  # from here on the ask is indexed too

_Made = tuple[str, Mapping[str, Any], Any]  # tool, arguments, result of a call


@public
def behavior_signature(trajectory: dict[str, Any]) -> str:
    """Twelve hexadecimal digits that are equal for rollouts that did the same.

    The same is: the tools in order, each with its argument names, where each value came from (the ask, an earlier
    result, nowhere, or blank) and the `status` of its result; whether the reply refuses; and its length in twelves of
    words. Values, wording, argument order and rewards do not count. Stable across processes and Python versions.

    >>> told = {"prompt": "Refund ORD-5", "steps": [{"tool": "refund", "arguments": {"id": "ORD-5"}, "result": "ok"}]}
    >>> other = {"prompt": "Refund ORD-9", "steps": [{"tool": "refund", "arguments": {"id": "ORD-9"}, "result": "ok"}]}
    >>> behavior_signature(told) == behavior_signature(other)
    True
    >>> behavior_signature(told) == behavior_signature({**other, "prompt": "Refund it"})
    False
    """
    need_row("behavior_signature", trajectory)
    shape = behavior(trajectory, ask_text(trajectory), reply(trajectory))
    return hashlib.sha256(shape.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def behavior(row: Mapping[str, Any], ask: str, said: str | None) -> str:
    """What the signature is the hash of, given the row's ask and its reply; two rows did the same when theirs is equal.

    >>> behavior({"steps": [{"tool": "refund", "arguments": {"id": "ORD-5"}}]}, "Refund ORD-5", "Done.")
    '00\\nrefund(id=user)'
    """
    shape = _reply_shape(said or "")
    made, turns = _steps_read(steps_of(row))
    made = made or [(e.call.name, e.call.arguments, e.call.result) for e in events(row) if e.kind is CALL and e.call]
    if not made:
        return shape
    if isinstance(messages := row.get("messages"), _LISTS):
        turns += words_of(messages, USER_ROLES)
    said_to = ask if turns == [ask] else _SEPARATOR.join(dict.fromkeys([ask, *turns]))
    return shape + _path(made, said_to.lower())


def _steps_read(steps: Iterable[Any]) -> tuple[list[_Made], list[str]]:
    """The calls and the user's turns among some steps, read without building events."""
    made: list[_Made] = []
    turns: list[str] = []
    for step in steps:
        if type(step) is not dict and not isinstance(step, Mapping):
            continue
        tool = step.get("tool")
        kind = CALL if type(tool) is str and tool else step_kind(step)
        if kind is CALL:
            arguments = step.get("arguments")
            if type(arguments) is not dict:
                arguments = parse_arguments(step_arguments(step))[0]
            result = step.get("result")
            made.append((step["tool"], arguments, step_result(step) if result is None else result))
        elif kind is USER:
            turns.append(step["user"])
    return made, turns


def _reply_shape(text: str) -> str:
    bucket = min(len(text.split(None, _BUCKET * (_LAST_BUCKET + 1))) // _BUCKET, _LAST_BUCKET)
    low = text.lower().replace("’", "'")
    may = ("'" in low and "n't" in low) or "cannot" in low or "unable" in low or "cant" in low
    return f"{1 if may and _REFUSAL.search(low) else 0}{bucket}\n"


def _path(made: list[_Made], said: str) -> str:
    """One line a call: the tool, its arguments with where their values came from, the status."""
    lines = []
    ask = said if len(made) < _MANY_CALLS else Haystack(said)
    returned = _Returned(made)
    for place, (tool, arguments, result) in enumerate(made):
        sources = []
        for name, value in arguments.items():
            if type(value) is str:
                text = value.strip().lower()
                source = "user" if text and text in ask else _source(text, returned, place)
                sources.append(f"{name}={source}")
            else:
                sources += _nested(name, value, ask, returned, place)
        if len(sources) > 1:
            sources.sort()
        status = result.get("status", "") if type(result) is dict else _status(result)
        lines.append(f"{tool}({','.join(sources)}){status if type(status) is str else as_text(status)}")
    return "\n".join(lines)


def _nested(name: Any, value: Any, ask: str | Haystack, returned: _Returned, place: int) -> set[str]:
    """The sources of a value that is no text, each path once."""
    inner = leaves({name: value}) if isinstance(value, _CONTAINERS) and len(value) else [(as_text(name), "", value)]
    found = set()
    for path, _, leaf in inner:
        text = value_text(leaf).strip().lower()
        found.add(f"{path}={'user' if text and text in ask else _source(text, returned, place)}")
    return found


def _source(text: str, returned: _Returned, place: int) -> str:
    """Where a text that is not in the ask came from."""
    if not text:
        return "absent"
    return "derived" if place and returned.before(place, text) else "invented"


class _Returned:
    """The results of the calls in lower case, joined when first searched, and searched up to a call."""

    __slots__ = ("_ends", "_made", "_text")

    def __init__(self, made: list[_Made]) -> None:
        self._made = made
        self._ends = [0]
        self._text: Haystack | None = None

    def before(self, place: int, text: str) -> bool:
        """Whether a text stands in a result that came before call number `place`."""
        if self._text is None:
            self._text = self._joined()
        return self._text.within(text, self._ends[place])

    def _joined(self) -> Haystack:
        texts, end = [], 0
        for _, _, result in self._made[:-1]:
            told = value_text(result).lower()
            texts.append(told)
            end += len(told) + len(_SEPARATOR)
            self._ends.append(end)
        return Haystack(_SEPARATOR.join(texts))


def _status(result: Any) -> Any:
    if isinstance(result, str) and result.lstrip()[:1] == "{":
        result = parse_json(result)
    return result.get("status") if isinstance(result, Mapping) else ""
