"""Summaries of one metric over tasks.

A metric is `"pass_at_1"` (the 0/1 label of a row) or `"marker:NAME"`. Every headline is the mean of task means, and
every interval is over tasks (Miller 2024, arXiv:2411.00640, sections 2 and 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import (
    BOOTSTRAP_DRAWS,
    CI_LEVEL,
    MIN_CI_TASKS,
    SKEWED_MEAN_MIN_TASKS,
    SKEWED_MEAN_SKEWNESS,
)
from whileai.simulations.kernels.intervals import skewed_mean_interval, skewness, unit_mean_interval
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report, counted
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.stats.text import format_summaries, format_summary
from whileai.simulations.signature import public

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
PASS = "pass_at_1"
MARKER = "marker:"


@public
def marker_names(rows: Iterable[Any]) -> list[str]:
    """The sorted names of every marker on the rows, as text; a null value still names its marker.

    >>> marker_names([{"markers": {"polite": 1, "brief": None}}, {"markers": None}])
    ['brief', 'polite']
    """
    return sorted(RowTable(rows).markers)


@public
def metric_summary(rows: Iterable[Any], metric: str = PASS, n_boot: int = BOOTSTRAP_DRAWS, seed: int = 0) -> Report:
    """Mean of one metric over tasks, with its 95% interval over tasks.

    Returns `metric`, `n_tasks`, `n_rows`, `n_rows_at_1`, `n_rows_at_0`, `mean` (None without rows), `ci95` (a pair,
    None under 3 tasks or when degenerate), `degenerate` (every row that applies has one value: the metric has not
    been shown to be able to come out any other way) and then `warning`. The interval is in closed form
    (`kernels.intervals`), so `n_boot` and `seed` change nothing. An unknown metric is a `ValueError`.

    >>> rows = [{"task_id": t, "reward": r} for t, r in [("a", 1), ("a", 0), ("b", 1), ("c", 0)]]
    >>> summary = metric_summary(rows)
    >>> summary["mean"], summary["n_tasks"], [round(end, 2) for end in summary["ci95"]]
    (0.5, 3, [0.01, 0.99])
    """
    return Report(summarise(metric, metric_sums(RowTable(rows), metric)), show=format_summary)


def metric_sums(table: RowTable, metric: str) -> TaskSums:
    """The values of one metric summed by task; an unknown metric is a `ValueError`."""
    places, values = metric_column(table, metric)
    sums = TaskSums()
    sums.add(table.tasks[places], values)
    return sums


def metric_column(table: RowTable, metric: str) -> tuple[Ints, Floats]:
    """Positions of the rows that have a value of the metric, and the values; an unknown metric is a `ValueError`."""
    marker = _marker_of(metric)
    if marker is None:
        places = np.flatnonzero(table.binary)
        return places, table.labels[places]
    return table.markers.get(marker, _NO_VALUES)


_NO_VALUES: tuple[Ints, Floats] = (np.zeros(0, dtype=np.int64), np.zeros(0))


def _marker_of(metric: str) -> str | None:
    if metric == PASS:
        return None
    if isinstance(metric, str) and metric.startswith(MARKER):
        return metric[len(MARKER) :]
    raise ValueError(f"metric {metric!r} is not known: use {PASS!r} or 'marker:NAME'")


@public
def marker_summary(
    rows: Iterable[Any], names: Sequence[str] | None = None, n_boot: int = BOOTSTRAP_DRAWS, seed: int = 0
) -> Report:
    """`metric_summary` of every marker on the rows, by name, or of the given `names`.

    Each adds a `note` when there is no interval for want of tasks: how many tasks it has, and how many it needs. A
    name that no row has is reported with 0 tasks.

    >>> rows = [{"task_id": t, "markers": {"polite": v}} for t, v in [("a", 1), ("b", 0), ("c", 1)]]
    >>> round(marker_summary(rows)["polite"]["mean"], 3)
    0.667
    """
    tally = MarkerTally()
    tally.add(RowTable(rows, tally.index))
    return Report(tally.result(names), show=format_summaries)


class MarkerTally:
    """What marker summaries need to know of rows, gathered over any number of batches made with this `index`."""

    def __init__(self, index: Tasks | None = None) -> None:
        self.index = Tasks() if index is None else index
        self.sums: dict[str, TaskSums] = {}

    def add(self, table: RowTable) -> None:
        """Add the rows of one table."""
        for name, (places, values) in table.markers.items():
            if name not in self.sums:
                self.sums[name] = TaskSums()
            self.sums[name].add(table.tasks[places], values)

    def merge(self, other: MarkerTally, codes: Ints) -> None:
        """Add what another tally gathered; `codes` are its tasks' codes in this `index`."""
        for name, sums in other.sums.items():
            self.sums.setdefault(name, TaskSums()).merge(sums, codes)

    def result(self, names: Sequence[str] | None = None) -> dict[str, dict[str, Any]]:
        """The summary of each marker added, sorted by name, or of the given names in their order."""
        if isinstance(names, str):
            raise TypeError(f"names must be a list of marker names, got the text {names!r}: use [{names!r}]")
        return {str(name): self._summary(str(name)) for name in names or sorted(self.sums)}

    def _summary(self, name: str) -> dict[str, Any]:
        summary = summarise(MARKER + name, self.sums.get(name) or TaskSums())
        if summary["ci95"] is None and not summary["degenerate"]:
            n = summary["n_tasks"]
            summary["note"] = f"no interval on {name}: it has {counted(n, 'task')}, an interval needs {MIN_CI_TASKS}"
        return summary


def summarise(metric: str, sums: TaskSums) -> dict[str, Any]:
    """The summary of one metric from its per-task sums; keys as for `metric_summary`."""
    summary: dict[str, Any] = {
        "metric": metric,
        "n_tasks": sums.codes().size,
        "n_rows": sums.n,
        "n_rows_at_1": sums.seen.n_at_1,
        "n_rows_at_0": sums.seen.n_at_0,
        "mean": float(sums.means().mean()) if sums.n else None,
        "ci95": None,
        "degenerate": sums.all_equal(),
    }
    if summary["degenerate"]:
        name = metric.removeprefix(MARKER)
        rows = "the one row that applies" if sums.n == 1 else f"all {sums.n} rows that apply"
        summary["warning"] = (
            f"{rows} scored {sums.seen.least:g} on {name}: it has not been shown to be able to come out "
            "any other way, so it must not guard a release"
        )
        return summary
    ends, note = mean_interval(sums)
    summary["ci95"] = ends
    if note:
        summary["note"] = f"{metric.removeprefix(MARKER)}: {note}"
    return summary


def mean_interval(sums: TaskSums, level: float = CI_LEVEL) -> tuple[tuple[float, float] | None, str]:
    """`(interval, note)` for the mean of task means: None under 3 tasks; the note says where coverage is short."""
    means, counts = sums.means(), sums.counts()
    if means.size < MIN_CI_TASKS:
        return None, ""
    if sums.within_unit():
        found = unit_mean_interval(means, means.size / float((1 / counts).sum()), level)
        return (None if found is None else (found.low, found.high)), ""
    found = skewed_mean_interval(means, level)
    few = means.size < SKEWED_MEAN_MIN_TASKS and abs(skewness(means)) > SKEWED_MEAN_SKEWNESS
    note = f"skewed over {means.size} tasks: the interval covers less than it says" if few else ""
    return (None if found is None else (found.low, found.high)), note
