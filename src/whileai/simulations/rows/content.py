"""What a message says, and JSON that travels as text."""

from __future__ import annotations

import json
import numbers
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from whileai.simulations.rows.values import as_text, is_bool, is_mapping

TEXT_BLOCKS = frozenset({"text", "input_text", "output_text"})
_SIZED = (str, list, tuple, dict, Mapping, Set)
_REFUSAL = frozenset({"refusal"})


def content_text(content: Any) -> str:
    r"""The words of a message's content: text as it is, text blocks joined by newlines, `""` for anything else.

    Reasoning is never part of it; a refusal block is (the agent said it).

    >>> content_text([{"type": "text", "text": "One."}, {"type": "thinking", "thinking": "..."}, "Two."])
    'One.\nTwo.'
    """
    if isinstance(content, str):
        return content
    if is_mapping(content):
        content = [content]
    if not isinstance(content, list | tuple):
        return ""
    return "\n".join(text for block in content if (text := _block_text(block)))


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if not is_mapping(block):
        return ""
    kind = block.get("type")
    if one_of(kind, _REFUSAL):
        text = block.get("refusal")
    elif one_of(kind, TEXT_BLOCKS) or (kind is None and not filled(block.get("thought"))):
        text = block.get("text")
    else:
        return ""
    return text if isinstance(text, str) else ""


def one_of(word: Any, known: frozenset[str]) -> bool:
    """Whether a value is one of the words; what is no text (and may not be hashable) is none.

    >>> one_of("text", TEXT_BLOCKS), one_of(["text"], TEXT_BLOCKS)
    (True, False)
    """
    return isinstance(word, str) and word in known


def filled(value: Any) -> bool:
    """Whether a value says anything: not None, False, 0, NaN, a missing cell (NA, NaT), an empty text or container.

    Told by the type: of a foreign object (an array, NA) the truth itself may be an error.

    >>> filled("no such order"), filled({}), filled(float("nan"))
    (True, False, False)
    """
    if value is None or isinstance(value, _SIZED):
        return bool(value)
    if isinstance(value, numbers.Number) or is_bool(value):
        return bool(value == value) and bool(value)
    return type(value).__name__ not in ("NAType", "NaTType")


def parse_json(value: Any) -> Any:
    """The value of a JSON text; anything that is not text, or does not parse, as it is.

    >>> parse_json('{"a": 1}'), parse_json("rain"), parse_json(None)
    ({'a': 1}, 'rain', None)
    """
    if not isinstance(value, str):
        return value
    head = value[:64].lstrip()[:1] or value.lstrip()[:1]
    if not head or head not in '{["-0123456789tfnNI':
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def parse_arguments(value: Any) -> tuple[dict[str, Any], str | None]:
    """Call arguments as a dict, and the text that could not be read as one (None when there is none).

    >>> parse_arguments('{"id": 5}'), parse_arguments("five"), parse_arguments(None)
    (({'id': 5}, None), ({}, 'five'), ({}, None))
    """
    if is_mapping(value):
        return dict(value), None
    if isinstance(value, str):
        parsed = parse_json(value)
        if isinstance(parsed, dict):
            return parsed, None
        return {}, value if value.strip() else None
    return {}, None if value is None else as_text(value)


def first_of(record: Mapping[str, Any], fields: Iterable[str]) -> Any:
    """The first field that is not None, else None.

    >>> first_of({"args": {"a": 1}, "input": None}, ("input", "args"))
    {'a': 1}
    """
    for name in fields:
        value = record.get(name)
        if value is not None:
            return value
    return None


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a value, at any depth.

    >>> list(texts_in({"a": ["b", {"c": "d"}], "e": 5}))
    ['b', 'd']
    """
    if isinstance(value, str):
        yield value
    elif is_mapping(value):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_in(item)
