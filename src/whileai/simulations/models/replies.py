"""The JSON in a model's reply, whatever it is wrapped in: prose, fences, thinking. What is not certain is None.

Nothing is guessed. An object that ends early, that is broken, that gives one key two values, or that is one of several
different ones is not taken, nor is a part of it, nor another one beside it: that may be a quotation, and the broken one
what was meant. A broken escape and a raw line break in a string are put right, since they can be read in one way only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from whileai.simulations.rows.thoughts import spoken, tag_pattern, thought_end

_TAG = tag_pattern("think(?:ing)?|thoughts?|reasoning|reflection|scratchpad")
_TAGS = re.compile(_TAG, re.IGNORECASE)
_OBJECT = r"""\{(?=\s*+(?:["'}]|[\w-]++\s*+:))"""
_OBJECT_OR_TAG = re.compile(rf"{_OBJECT}|{_TAG}", re.IGNORECASE)
_LIST_OR_TAG = re.compile(rf"""\[(?=\s*+[{{\["'\]])|{_OBJECT}|{_TAG}""", re.IGNORECASE)
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]]|"', re.DOTALL)
_ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})?')
_TOKEN = re.compile(r'\s*+("(?:[^"\\]|\\.)*+"|[-+.\w]++|[{}\[\]:,])', re.DOTALL)
_MOST_VALUES = 2000  # objects of one reply that are looked at; one with more holds no certain answer
_CUT = object()
_BROKEN = object()


def json_object(text: Any, having: Collection[str] = ()) -> dict[str, Any] | None:
    r"""The one JSON object that a reply holds; None when there is none, or when it is not certain which one is meant.

    Objects inside an object belong to it. Thinking (`<think>...</think>` and its like) is left out, as is all before
    a closing tag alone, and all after an opening tag alone. Several objects that say the same are one; several that
    differ are None, and so is one beside a broken one; an empty one beside others is prose. With `having`, objects that
    hold none of these keys are passed over, such as a quoted tool call.

    >>> json_object('<think>{"reward": 1}?</think> Sure:\n```json\n{"reward": 0, "reason": "``` in \\d"}\n```')
    {'reward': 0, 'reason': '``` in \\d'}
    >>> json_object('{"reward": 1, "parts": {"a": 1}, "reason": "cut o'), json_object('{"reward": 1} {"reward": 0}')
    (None, None)
    """
    found = _values(text, _OBJECT_OR_TAG, having)
    only: dict[str, Any] | None = _only([value for value in found if not having or any(key in value for key in having)])
    return only


def json_array(text: Any, having: Collection[str] = ()) -> list[Any] | None:
    """The one JSON list that a reply holds, bare or as the only list of an object; else None, by the same rules.

    In prose, a list of numbers is a citation and no answer. With `having`, lists without an object that holds one of
    these keys are passed over, such as one of a quoted request.

    >>> json_array('As in [1]: {"criteria": [{"title": "Polite"}]}')
    [{'title': 'Polite'}]
    >>> json_array("[1, 2]")
    [1, 2]
    """
    if isinstance(text, str) and text.lstrip().startswith("[") and isinstance(whole := _parsed(text), list):
        return whole
    lists: list[Any] = []
    for value in _values(text, _LIST_OR_TAG, having or "["):
        lists += [value] if isinstance(value, list) else [part for part in value.values() if isinstance(part, list)]
    only: list[Any] | None = _only([found for found in lists if not having or _holds(found, having)])
    return only


def _holds(values: list[Any], keys: Collection[str]) -> bool:
    return any(isinstance(value, dict) and any(key in value for key in keys) for value in values)


def without_thinking(text: str) -> str:
    """A reply in prose without its thinking.

    >>> without_thinking("<think>A or B?</think> A")
    'A'
    """
    return spoken(text, _TAGS)[0].strip()


def cut_off_fields(text: str) -> dict[str, str]:
    r"""The texts that a reply cut off in the middle of its object still gives, by key: only its whole fields.

    Empty when the object is not the first one of the reply or does not begin a line, is closed, is no JSON up to the
    cut, or gives a key two texts.

    >>> cut_off_fields('{"winner": "A", "parts": {"winner": "B"}, "reason": "it said \\"winner\\": \\"B\\" and')
    {'winner': 'A'}
    """
    said = without_thinking(text)
    begun = said.find("{")
    begins_line = begun >= 0 and not said[:begun].rpartition("\n")[2].strip()
    return _fields(said, begun + 1) if begins_line else {}


def _fields(text: str, at: int) -> dict[str, str]:
    found: dict[str, str] = {}
    depth, key, expected = 1, "", "key"
    while (token := _TOKEN.match(text, at)) is not None:
        at, mark = token.end(), token[1]
        if depth > 1 or (mark in ("{", "[") and expected == "value"):
            depth += (mark in ("{", "[")) - (mark in ("}", "]"))
            expected = "comma"
        elif expected == "key" and mark[0] == '"':
            key, expected = _string(mark), "colon"
        elif expected == "colon" and mark == ":":
            expected = "value"
        elif expected == "value" and mark not in (":", ",", "}", "]"):
            if mark[0] == '"' and found.setdefault(key, _string(mark)) != _string(mark):
                return {}
            expected = "comma"
        elif expected == "comma" and mark == ",":
            expected = "key"
        else:
            return {}
    rest = text[at:].lstrip()
    return found if not rest or (rest[0] == '"' and expected in ("key", "value")) or depth > 1 else {}


def _string(mark: str) -> str:
    value = _parsed(mark)
    return value if isinstance(value, str) else mark


def _only(values: list[Any]) -> Any:
    """The value that all of these are; None for none, and when two differ (1 and true do). Empty ones count alone."""
    values = [value for value in values if value] or values
    texts = {json.dumps(value, sort_keys=True) for value in values}
    return values[0] if len(texts) == 1 else None


def _values(text: Any, start: re.Pattern[str], wanted: Collection[str]) -> list[Any]:
    """The outermost values of a reply; none when one that may be meant, having one of `wanted` in it, is cut or broken.

    What is `wanted` is found in the text of a broken value; without any, every broken value may be meant.
    """
    if not isinstance(text, str):
        return []
    if text.lstrip().startswith('"') and isinstance(inner := _parsed(text), str):
        text = inner
    found: list[Any] = []
    broken = False
    for count, (value, begun, end) in enumerate(_outermost(text, start)):
        if value is _CUT or count == _MOST_VALUES:
            return []
        if value is None:
            found, broken = [], False
        elif value is _BROKEN:
            broken = broken or not wanted or any(key in text[begun:end] for key in wanted)
        else:
            found.append(value)
    return [] if broken else found


def _outermost(text: str, start: re.Pattern[str]) -> Iterator[tuple[Any, int, int]]:
    """Each outermost value and where it stands.

    None where a thought ends that had no beginning, `_CUT` for a value that has no end, `_BROKEN` for one that is no
    JSON.
    """
    at = 0
    while (begun := start.search(text, at)) is not None:
        if begun["tag"]:
            if begun["close"]:
                yield None, begun.start(), begun.end()
                at = begun.end()
            else:
                at = thought_end(begun) or len(text)
            continue
        value, at = _decoded(text, begun.start())
        yield value, begun.start(), at


def _decoded(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at a place and where it ends; `_CUT` when it has no end, `_BROKEN` when it is no JSON."""
    end = _end_of(text, start)
    if end is None:
        return _CUT, len(text)
    value = _parsed(text[start:end])
    if value is _BROKEN:
        value = _parsed(_ESCAPE.sub(lambda escape: escape[0] if escape[1] else r"\\", text[start:end]))
    return value, end


def _parsed(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return _BROKEN


def _end_of(text: str, start: int) -> int | None:
    """Where the bracket that begins at a place is closed; None when it is not."""
    depth = 0
    for mark in _BRACKET.finditer(text, start):
        if mark[0] == '"':
            return None
        depth += (mark[0] in "{[") - (mark[0] in "}]")
        if depth <= 0:
            return mark.end()
    return None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of these pairs; a `ValueError` when one key has two values."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made and json.dumps(made[key]) != json.dumps(value):
            raise ValueError(f"two values of {key!r}")
        made[key] = value
    return made


_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_without_doubles)
