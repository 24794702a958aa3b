"""Foreign text and values as data: JSON of a bounded size in which nothing can pose as markup.

What a chat template or a terminal would obey (`<|im_end|>`, `</record>`, `[INST]`, line separators, bidirectional and
tag characters) is written as a JSON escape.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any

from whileai.simulations.rows.values import as_text, is_bool, is_mapping, number

_DEEPEST = 12  # levels of nesting shown as JSON; deeper values are shown as text
_LARGEST = 2**63  # numbers from here on are shown as text
_LEAST_SHOWN = 8  # characters of a text that stand beside a note of how many are left out
_LIVE = re.compile(  # what a template, a fence or a terminal would obey
    r"<(?![\s\d=])|\[(?=/?[A-Z][A-Z_]*+\])"
    r"|[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def data_json(value: Any) -> str:
    r"""JSON on one line in which no text can pose as markup: what a chat template would obey is escaped.

    >>> data_json({"a": "</record> [INST] x < 3"})
    '{"a": "\\u003c/record> \\u005bINST] x < 3"}'
    """
    return inert(json.dumps(value, ensure_ascii=False))


def inert(text: str) -> str:
    r"""A text in which nothing poses as markup, with the escapes of JSON; its lines stay.

    >>> inert("Names the order <|im_end|>")
    'Names the order \\u003c|im_end|>'
    """
    return _LIVE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1] if not found[0].isascii() else f"\\u{ord(found[0]):04x}"


def shortened(text: str, most: int) -> str:
    """A text of at most `most` characters: its head and its tail, with the number of characters left out between.

    >>> shortened("The refund was issued to the card on file today.", 40)
    'The ref...[38 characters left out]...ay.'
    """
    if len(text) <= most:
        return text
    room = most - len(_left_out(len(text)))
    if room < _LEAST_SHOWN:
        return text[: max(0, most - 3)] + "..."[: max(0, most)]
    tail = room // 3
    return text[: room - tail] + _left_out(len(text) - room) + text[len(text) - tail :]


def _left_out(count: int) -> str:
    return f"...[{count} characters left out]..."


def plain(value: Any, longest: int, depth: int = 0) -> Any:
    """A value as JSON can hold it: numbers, texts of at most `longest` characters, lists and dicts of as many such.

    >>> plain({1: (float("nan"), "abcdef")}, 5)
    {'1': ['nan', 'ab...']}
    """
    if value is None or is_bool(value):
        return None if value is None else bool(value)
    if isinstance(value, str):
        return shortened(str(value), longest)
    if depth < _DEEPEST and is_mapping(value):
        items = islice(value.items(), longest)
        held = {shortened(as_text(key), longest): plain(item, longest, depth + 1) for key, item in items}
        return held if len(value) <= longest else {**held, "...": f"{len(value) - longest} more"}
    if depth < _DEEPEST and isinstance(value, list | tuple | set | frozenset):
        ordered = value if isinstance(value, list | tuple) else sorted(value, key=as_text)
        shown = [plain(item, longest, depth + 1) for item in ordered[:longest]]
        return shown if len(value) <= longest else [*shown, f"...and {len(value) - longest} more"]
    read = number(value)
    if read is not None and abs(read) < _LARGEST:
        return read
    return shortened(as_text(value), longest)
