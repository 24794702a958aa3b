"""A printed block and its interval plots as HTML that stands within another page, such as a notebook.

No script, no style sheet, no identifier: nothing of it reaches beyond itself. Lines and words have the colour of the
text around them, so that they are read on light and on dark.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

from whileai.simulations.web.document import IntervalRow, Intervals
from whileai.simulations.web.text import interval, number, visible

_WIDTH, _HEIGHT = 240, 18  # of one plot, in pixels
_MARGIN = 8  # on either side of the axis, so that a point at its end is whole
_SPARE = 0.05  # of an axis without ends of its own, beyond the numbers
_CELL = "padding:1px 10px 1px 0;text-align:left;white-space:nowrap"
_NUMBER = "padding:1px 10px 1px 0;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums"


def inline(text: str, blocks: Sequence[Intervals]) -> str:
    """The block, then each chart as a table with a plot a row.

    >>> inline("2 < 3", [])
    '<pre>2 &lt; 3</pre>'
    """
    return "".join([f"<pre>{_escaped(text)}</pre>", *map(_chart, blocks)])


def _escaped(text: str) -> str:
    return html.escape(visible(text))


def _chart(block: Intervals) -> str:
    scale = _Scale(block)
    counted = any(row["n"] is not None for row in block["rows"])
    heads = ["", "", "difference" if block["unit"] == "delta" else "value", "interval"] + ["n"] * counted
    head = "".join(f'<th scope="col" style="{_CELL if i < 2 else _NUMBER}">{name}</th>' for i, name in enumerate(heads))
    rows = "".join(_line(row, block, scale, counted=counted) for row in block["rows"])
    axis = f'<tr aria-hidden="true"><td></td><td style="{_CELL}">{scale.axis()}</td></tr>'
    return (
        '<table style="border-collapse:collapse;color:inherit;background:none;margin:0.6em 0">'
        f'<caption style="text-align:left;font-weight:600;color:inherit">{_escaped(block["title"])}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}{axis}</tbody></table>"
    )


def _line(row: IntervalRow, block: Intervals, scale: _Scale, *, counted: bool) -> str:
    unit = block["unit"]
    value, ends = number(row["value"], unit), interval(row["low"], row["high"], unit)
    said = [f"{row['label']} {value}", f"interval {ends}" if ends else "no interval"]
    said += [f"n {row['n']}"] if row["n"] is not None else []
    plot = scale.plot(row, _escaped(", ".join(said)))
    cells = [value, ends or "–"] + [number(row["n"])] * counted
    return (
        f'<tr><th scope="row" style="{_CELL};font-weight:400">{_escaped(row["label"])}</th>'
        f'<td style="{_CELL}">{plot}</td>' + "".join(f'<td style="{_NUMBER}">{cell}</td>' for cell in cells) + "</tr>"
    )


class _Scale:
    """Where the numbers of a chart lie on its axis."""

    def __init__(self, block: Intervals) -> None:
        self._unit, self._reference = block["unit"], block["reference"]
        if block["domain"] is not None:
            self._low, self._high = block["domain"]
            return
        numbers = [x for row in block["rows"] for x in (row["value"], row["low"], row["high"]) if x is not None]
        numbers += [] if self._reference is None else [self._reference]
        spare = _SPARE * (max(numbers) - min(numbers)) or 1.0
        self._low, self._high = min(numbers) - spare, max(numbers) + spare
        if self._unit == "correlation":
            self._low, self._high = max(self._low, -1.0), min(self._high, 1.0)

    def _at(self, value: float) -> float:
        inside = min(max(value, self._low), self._high)
        return round(_MARGIN + (_WIDTH - 2 * _MARGIN) * (inside - self._low) / (self._high - self._low), 1)

    def plot(self, row: IntervalRow, said: str) -> str:
        """One estimate with its whiskers, `said` in words for those who do not see it."""
        middle = _HEIGHT / 2
        parts = [_stroke(self._at(self._low), self._at(self._high), middle, 'stroke-width="1" opacity="0.25"')]
        if self._reference is not None:
            x = self._at(self._reference)
            parts.append(f'<path d="M{x} 0V{_HEIGHT}" stroke-dasharray="2 2" opacity="0.6"/>')
        if row["low"] is not None and row["high"] is not None:
            low, high = self._at(row["low"]), self._at(row["high"])
            parts += [_stroke(low, high, middle, 'stroke-width="2"')]
            parts += [f'<path d="M{x} {middle - 4}V{middle + 4}"/>' for x in (low, high)]
        if row["value"] is not None:
            parts.append(f'<circle cx="{self._at(row["value"])}" cy="{middle}" r="4" fill="currentColor"/>')
        return f'<svg role="img" aria-label="{said}" {_FRAME}>{"".join(parts)}</svg>'

    def axis(self) -> str:
        """The ends of the axis and its reference, in numbers."""
        marks = [(self._low, "start"), (self._high, "end")]
        if self._reference is not None and self._low < self._reference < self._high:
            x = self._at(self._reference)
            marks = [(self._reference, "middle")] + [mark for mark in marks if abs(self._at(mark[0]) - x) > _WIDTH / 4]
        words = "".join(
            f'<text x="{self._at(value)}" y="12" text-anchor="{anchor}" font-size="11" fill="currentColor" '
            f'stroke="none">{number(value, self._unit)}</text>'
            for value, anchor in marks
        )
        return f"<svg {_FRAME}>{words}</svg>"


_FRAME = (
    f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" stroke="currentColor" fill="none" '
    'style="vertical-align:middle;overflow:visible"'
)


def _stroke(low: float, high: float, y: float, more: str) -> str:
    return f'<path d="M{low} {y}H{high}" {more}/>'
