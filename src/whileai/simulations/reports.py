"""`Report`: a dict that prints itself, in a terminal, a notebook and a page; how rates and foreign text are printed."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.unseen import unseen_class
from whileai.simulations.width import columns, cut

_CONTROL = unseen_class()
_WORD = re.compile("[A-Z][^A-Z]*")
_ESCAPES = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}


class Shown:
    """What prints itself, and so shows itself in a notebook and as a page, with the intervals of its numbers."""

    def _estimated(self) -> Any:
        """The plain values whose estimates are drawn; a subclass that has any gives them."""
        return None

    def _repr_html_(self) -> str:
        from whileai.simulations.web.estimates import interval_blocks
        from whileai.simulations.web.inline import inline

        return inline(str(self), interval_blocks(self._estimated()))

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """One self-contained page: the printed block, and its intervals as charts and tables.

        With a `path` it is also written there, whole or not at all. Without jinja2 a `MissingExtraError`.
        """
        from whileai.simulations.web.estimates import interval_blocks
        from whileai.simulations.web.page import render
        from whileai.simulations.web.printed import printed_document

        blocks = interval_blocks(self._estimated())
        page = render(printed_document(_worded(type(self).__name__), str(self), blocks))
        if path is not None:
            from whileai.simulations.rows.write import write_text

            write_text(page, path)
        return page


class Report(Shown, dict[str, Any]):
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

    def _estimated(self) -> Any:
        return self


def _worded(name: str) -> str:
    """The name of a class as a title: `Judge trust report`."""
    return " ".join(_WORD.findall(name)).capitalize()


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
    if point < 256:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


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


def bad_records_text(entry: Mapping[str, Any]) -> str:
    """How many records of a source were left out, and why the first of them was.

    >>> bad_records_text({"source": "a.jsonl", "bad": 1, "first_bad": {"record": 7, "reason": "no JSON"}})
    'a.jsonl: 1 bad record left out; first: record 7: no JSON'
    """
    records = "record" if entry["bad"] == 1 else "records"
    first = f"record {entry['first_bad']['record']}: {entry['first_bad']['reason']}"
    return f"{printable(entry['source'])}: {entry['bad']} bad {records} left out; first: {printable(first)}"


def read_lines(read: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What was read of each source: its formats and rows, bad records, notes.

    >>> list(read_lines([{"source": "a.jsonl", "formats": {"row": 2}, "rows": 2, "bad": 0, "notes": []}]))
    ['a.jsonl: row, 2 rows']
    """
    for entry in read:
        several = len(entry["formats"]) > 1
        formats = ", ".join(f"{name} ({n})" if several else name for name, n in entry["formats"].items())
        yield f"{printable(entry['source'], 60)}: {formats or 'no rows'}, {counted(entry['rows'], 'row')}"
        if entry["bad"]:
            yield from wrapped(f"! {bad_records_text(entry)}")
        for note in entry["notes"]:
            yield from wrapped(f"  - {printable(note)}", "    ")


def counted(n: int, noun: str) -> str:
    """A number of things, in words a person would write.

    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


_ALONE = {"are": "is", "have": "has", "were": "was", "carry": "carries"}


def out_of(n: int, of: int, noun: str, verb: str = "") -> str:
    """A part of a number of things, and a verb for the part, given as it follows several.

    >>> out_of(1, 1, "row", "are"), out_of(1, 60, "row", "call"), out_of(5, 1200, "row", "have")
    ('1 of 1 row is', '1 of 60 rows calls', '5 of 1,200 rows have')
    """
    said = f"{n:,} of {counted(of, noun)}"
    return f"{said} {_ALONE.get(verb, f'{verb}s') if n == 1 else verb}" if verb else said


def figure(value: float | None, decimals: int = 3) -> str:
    """A number of any size in few characters: its decimals, or as many digits as it needs; `-` for none.

    >>> [figure(v) for v in (0.5, 12.5, 0.0000051, 563728413.2, 0.0, None)]
    ['0.500', '12.500', '5.1e-06', '5.637e+08', '0.000', '-']
    """
    if value is None:
        return "-"
    size = abs(value)
    if size >= 10_000:
        return f"{value:.4g}"
    return f"{value:.2g}" if 0 < size < 0.5 / 10**decimals else f"{value:.{decimals}f}"


def fitted(text: str, most: int) -> str:
    """Foreign text safe to print, cut in the middle or padded to so many terminal columns (wide scripts take two).

    >>> fitted("a long name with an end", 12), fitted("退款", 6)
    ('a long…n end', '退款  ')
    """
    shown = cut(printable(text), most)
    return shown + " " * (most - columns(shown))
