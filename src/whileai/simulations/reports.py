"""`Report`: a dict that prints itself, in a terminal and in a notebook; and how rates and foreign text are printed."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable
from typing import Any

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_ESCAPES = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}


class Report(dict[str, Any]):
    """A dict of plain Python values whose `str` is the block a person reads.

    >>> report = Report({"n": 3}, show=lambda r: f"{r['n']} rows")
    >>> print(report), dict(report)
    3 rows
    (None, {'n': 3})
    """

    def __init__(self, values: dict[str, Any], *, show: Callable[[Report], str]) -> None:
        super().__init__(values)
        self._show = show

    def __str__(self) -> str:
        return self._show(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def printable(text: Any, most: int | None = None) -> str:
    r"""Foreign text as one line that a terminal shows and does not obey: control and bidi characters are escaped.

    `most` cuts it to that many characters, the last one an ellipsis.

    >>> printable("red\x1b[31m\nnext", most=12)
    'red\\x1b[31m…'
    """
    shown = _CONTROL.sub(lambda found: _ESCAPES.get(found[0], _code(found[0])), str(text))
    return shown if most is None or len(shown) <= most else shown[: most - 1] + "…"


def _code(character: str) -> str:
    point = ord(character)
    return f"\\x{point:02x}" if point < 256 else f"\\u{point:04x}"


def interval_text(ends: Any, decimals: int = 3) -> str:
    """An interval as `[low, high]`, `-` when there is none.

    >>> interval_text((0.25, 0.5)), interval_text(None)
    ('[0.250, 0.500]', '-')
    """
    return "-" if ends is None else f"[{ends[0]:.{decimals}f}, {ends[1]:.{decimals}f}]"


def number_text(value: float | None, decimals: int = 3) -> str:
    """A number with its decimals, `-` when there is none.

    >>> number_text(0.42), number_text(None)
    ('0.420', '-')
    """
    return "-" if value is None else f"{value:.{decimals}f}"


def wrapped(text: str, indent: str = "  ", width: int = 100) -> list[str]:
    """Text as lines of at most `width` columns, those after the first indented.

    >>> wrapped("- one two three", width=10)
    ['- one two', '  three']
    """
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)
