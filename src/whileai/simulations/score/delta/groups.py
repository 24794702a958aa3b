"""The headline metric within each group of rows: a headline that moved may hide a group that fell."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import CEILING_PASS_RATE
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.delta.arguments import By, Thresholds
from whileai.simulations.score.delta.metrics import Entry, Metric, gain
from whileai.simulations.score.delta.sides import Side
from whileai.simulations.score.stats.summary import MARKER, metric_column

Ints = NDArray[np.int64]
Part = tuple[str, Metric, tuple[int, int]]
AUTO_KEYS = ("category", "slice")
LOW_RATE = 0.5  # after rate below which a group is weak: it fails more often than it passes
_SHOWN = (
    "delta", "ci95", "p_value", "verdict", "gain_verdict", "lower_is_better",
    "mean_a", "mean_b", "n_used", "n_paired", "paired",
)  # fmt: skip


@dataclass(frozen=True)
class Grouping:
    """The groups that both sides have, sorted as text, and the group of each row (-1: none that is shared)."""

    by: str
    source: str
    names: list[str]
    codes: tuple[Ints, Ints]

    def parts(self, metric: Metric, sides: tuple[Side, Side]) -> Iterator[Part]:
        """Each group's metric, with tasks numbered anew so that the cost is that of its rows, and its row counts."""
        return _parts(self, metric, sides)


def grouping_of(by: By, before: Side, after: Side) -> Grouping | None:
    """The grouping asked for; left out, the one the rows carry, if any; `by=False` is none."""
    if by is False:
        return None
    if by is None or by is True:
        if not all(carries_auto_key(side.table) for side in (before, after)):
            return None
        found = (_grouping(key, key, "auto", before, after, markers=False) for key in AUTO_KEYS)
        return next((grouping for grouping in found if len(grouping.names) >= 2), None)
    return _grouping(by, name_of(by), "given", before, after, markers=True)


def carries_auto_key(table: RowTable) -> bool:
    """Whether a row has a key that rows are grouped by unasked."""
    return any(map(table.has, AUTO_KEYS))


def name_of(by: Any) -> str:
    """The name of what rows are grouped by."""
    name = by if isinstance(by, str) else getattr(by, "__name__", None)
    return name if isinstance(name, str) else "callable"


def _grouping(by: Any, name: str, source: str, before: Side, after: Side, *, markers: bool) -> Grouping:
    found = [groups_of(by, side.table, markers=markers) for side in (before, after)]
    shared = sorted(set(found[0]) & set(found[1]) - {None})  # type: ignore[type-var]
    place = {group: code for code, group in enumerate(shared)}
    codes = [np.fromiter((place.get(g, -1) for g in held), dtype=np.int64, count=len(held)) for held in found]
    return Grouping(name, source, [str(group) for group in shared], (codes[0], codes[1]))


def groups_of(by: Any, table: RowTable, *, markers: bool) -> list[str | None]:
    """The group of each row as text, None where it has none."""
    if not isinstance(by, str):
        return [_text(by(row)) for row in table.rows]
    groups = [_text(value) for value in table.column(by)]
    if markers and None in groups:
        places, values = metric_column(table, MARKER + by.removeprefix(MARKER))
        for place, value in zip(places.tolist(), values.tolist(), strict=True):
            if groups[place] is None:
                groups[place] = str(value)
    return groups


def _text(value: Any) -> str | None:
    return None if value is None else as_text(value) or None


def group_keys(
    grouping: Grouping | None, metric: Metric, sides: tuple[Side, Side], asked: Thresholds
) -> dict[str, Any]:
    """The report keys of the groups."""
    if grouping is None:
        nothing = dict.fromkeys(("by", "by_source", "groups", "slice_min_tasks"))
        return {**nothing, "groups_down": [], "groups_weak": []}
    least = math.ceil(math.log2(2 / asked.alpha) - 1e-12)
    groups: dict[str, Entry] = {}
    for name, part, rows in grouping.parts(metric, sides):
        groups[name] = _entry(part, rows, least, asked)
    return {
        "by": grouping.by,
        "by_source": grouping.source,
        "groups": groups,
        "groups_down": [name for name, entry in groups.items() if entry["gain_verdict"] == "a_better"],
        "groups_weak": [name for name in weakest_first(groups) if groups[name]["weak"]],
        "slice_min_tasks": least,
    }


def weakest_first(groups: Mapping[str, Entry]) -> list[str]:
    """Group names, the weak before the others: by the after rate, worst first, then by the smallest gain."""
    return sorted(groups, key=lambda name: _strength(groups[name]))


def _strength(entry: Mapping[str, Any]) -> tuple[bool, bool, float, float]:
    after, gained = entry["mean_b"], gain(entry)
    level = math.inf if after is None else -after if entry["lower_is_better"] else after
    return not entry["weak"], after is None, level, math.inf if gained is None else gained


def _parts(grouping: Grouping, metric: Metric, sides: tuple[Side, Side]) -> Iterator[Part]:
    split = [
        _split(side, codes, metric.key, len(grouping.names)) for side, codes in zip(sides, grouping.codes, strict=True)
    ]
    rows = [np.bincount(codes[codes >= 0], minlength=len(grouping.names)) for codes in grouping.codes]
    for code, name in enumerate(grouping.names):
        (tasks_a, values_a), (tasks_b, values_b) = split[0][code], split[1][code]
        _, renumbered = np.unique(np.concatenate([tasks_a, tasks_b]), return_inverse=True)
        sums = []
        for tasks, values in ((renumbered[: tasks_a.size], values_a), (renumbered[tasks_a.size :], values_b)):
            sums.append(TaskSums())
            sums[-1].add(tasks, values)
        yield name, Metric(metric.key, sums[0], sums[1], metric.lower), (int(rows[0][code]), int(rows[1][code]))


def _split(side: Side, codes: Ints, metric: str, n: int) -> list[tuple[Ints, NDArray[np.float64]]]:
    places, values = metric_column(side.table, metric)
    group = codes[places]
    order = np.argsort(group, kind="stable")
    ends = np.searchsorted(group[order], np.arange(n + 1))
    tasks = side.table.tasks[places]
    cuts = [order[start:end] for start, end in itertools.pairwise(ends)]
    return [(tasks[cut], values[cut]) for cut in cuts]


def _entry(metric: Metric, rows: tuple[int, int], least: int, asked: Thresholds) -> Entry:
    compared = metric.compared(asked)
    low_n = compared["n_paired"] < least
    reasons = _weak_reasons(metric, compared, low_n=low_n)
    return {
        **{key: compared[key] for key in _SHOWN},
        "rows_a": rows[0],
        "rows_b": rows[1],
        "low_n": low_n,
        "weak_reasons": reasons,
        "weak": bool(reasons),
    }


def _weak_reasons(metric: Metric, entry: Entry, *, low_n: bool) -> list[str]:
    after = entry["mean_b"] if metric.is_rate() else None
    good = None if after is None else 1 - after if metric.lower else after
    low = good is not None and good < LOW_RATE
    full = good is not None and good >= CEILING_PASS_RATE
    no_gain = entry["gain_verdict"] != "b_better" and not full and not low_n
    return [reason for reason, holds in (("low", low), ("no_gain", no_gain)) if holds]
