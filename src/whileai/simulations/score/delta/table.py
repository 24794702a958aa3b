"""Metrics and groups of a comparison as lines, in columns that all lines share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.reports import printable
from whileai.simulations.score.delta.figures import interval, number
from whileai.simulations.score.delta.lines import WIDTH
from whileai.simulations.width import columns, cut

_NAME_COLUMNS = 28
_LEAST_NAME = 14
Report = Mapping[str, Any]


def table_lines(rows: list[tuple[str, Report, list[str]]]) -> Iterator[str]:
    """A line each, in columns that all lines share.

    Too wide, all lose space, then the words "lower is better" (they have a line of their own), then of their names,
    and a line that is still too wide its last parts.
    """
    name = min(max((columns(printable(name)) for name, _, _ in rows), default=0), _NAME_COLUMNS)
    for gap, spelled in ((2, True), (1, True), (1, False)):
        cells = [_cells(entry, ends, spelled=spelled) for _, entry, ends in rows]
        lines = [_joined(row, _widths(cells), gap) for row in cells]
        if max(map(len, lines), default=0) <= WIDTH - name:
            break
    else:
        lines = [_fitted(row, _widths(cells)) for row in cells]
        name = min(name, WIDTH - max(map(len, lines)))
    labels = _labels([name for name, _, _ in rows], name)
    name = max(map(columns, labels), default=0)
    for label, line in zip(labels, lines, strict=True):
        yield f"{label}{' ' * (name - columns(label))}{line}"


def _widths(cells: list[list[str]]) -> list[int]:
    """Width of each column; a line's last part is not padded, so it widens none."""
    most = max(map(len, cells), default=0)
    return [max((len(row[i]) for row in cells if len(row) > i + 1), default=0) for i in range(most)]


def _joined(row: list[str], wide: list[int], gap: int) -> str:
    *padded, last = [*(cell.ljust(space) for cell, space in zip(row[:-1], wide, strict=False)), row[-1]]
    return "".join(" " * gap + cell for cell in [*padded, last])


def _fitted(row: list[str], wide: list[int]) -> str:
    kept = list(row)
    while len(line := _joined(kept, wide, 1)) > WIDTH - _LEAST_NAME:
        kept.pop()
    return line


def _labels(names: list[str], most: int) -> list[str]:
    """Names in at most so many columns; one that would print like another gets a number."""
    labels: list[str] = []
    met: Counter[str] = Counter()
    for name in names:
        shown = label = cut(printable(name), most)
        while label in met:
            met[shown] += 1
            mark = f"~{met[shown]}"
            label = cut(printable(name), max(1, most - len(mark))) + mark
        met[label] = 1
        labels.append(label)
    return labels


def _cells(entry: Report, ends: list[str], *, spelled: bool) -> list[str]:
    if entry["delta"] is None:
        return ["insufficient data"]
    cells = [
        f"{number(entry['mean_a'])} -> {number(entry['mean_b'])}",
        number(entry["delta"], sign=True),
        interval(entry["ci95"]),
        _tag(entry) + (" lower is better" if spelled and entry["lower_is_better"] else ""),
        f"({used(entry)})",
        *ends,
    ]
    return cells if cells[-1] else cells[:-1]


def used(entry: Report) -> str:
    """How many tasks a metric rests on, and how they were compared."""
    return f"{entry['n_used']} {'paired' if entry['paired'] else 'unpaired'}"


def _tag(entry: Report) -> str:
    """`up`, `DOWN`, `flat`, `noise` or `n/a`; where lower is better a win is `down` and a slip `UP`."""
    if entry["verdict"] == "insufficient_data":
        return "n/a"
    if entry.get("within_noise"):
        return "noise"
    lower = entry["lower_is_better"]
    return {"b_better": "UP" if lower else "up", "a_better": "down" if lower else "DOWN"}.get(entry["verdict"], "flat")
