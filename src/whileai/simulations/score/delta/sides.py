"""The two sides: their rows as columns, the runs they come from, and the trim that gives both equal rollouts."""

from __future__ import annotations

import operator
import zlib
from collections.abc import Set
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.rows.task import TASK_FIELDS
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.delta.labels import Labels, is_graded, labels_of
from whileai.simulations.score.runconfig import RunConfig
from whileai.simulations.score.stats.summary import PASS, metric_column

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
_TOLD_APART_BY = ("rollout_index", "final_text")  # two runs that are all right differ in the reply at the least


class Side:
    """One side of the comparison: its table, its configuration, and the evaluation runs its rows carry.

    `runs` are the run labels in natural order; `run_of` has the position in `runs` of each row, -1 without a stamp.
    """

    def __init__(self, name: str, table: RowTable) -> None:
        self.name = name
        self.table = table
        self.settings = RunConfig()
        self.settings.add(table)
        self.runs, self.run_of = runs_of(table)
        self.passes = self.sums(PASS)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.table)

    @property
    def marker_names(self) -> Set[str]:
        """The markers on the rows."""
        return self.table.markers.keys()

    def labels(self) -> Labels:
        """The rewards of the rows."""
        return labels_of(self.table)

    def graded(self) -> TaskSums:
        """The graded rows, 0/1 or not, counted by task."""
        places = np.flatnonzero(is_graded(self.table))
        sums = TaskSums()
        sums.add(self.table.tasks[places], np.ones(places.size))
        return sums

    def same_rows(self, other: Side) -> bool:
        """Whether both sides hold the same rows in the same order; empty sides do not."""
        return same_rows(self, other)

    def run_sums(self, metric: str, run: int) -> TaskSums:
        """The values of a metric in one run, summed by task."""
        return self.sums_where(metric, self.run_of == run)

    def sums_by_run(self, metric: str) -> tuple[TaskSums, int]:
        """The values of a metric summed by run and task: the codes are run * stride + task; and the stride."""
        places, values = metric_column(self.table, metric)
        run = self.run_of[places]
        stamped, stride = run >= 0, len(self.table.index) + 1
        sums = TaskSums()
        sums.add(run[stamped] * stride + self.table.tasks[places[stamped]], values[stamped])
        return sums, stride

    def sums(self, metric: str) -> TaskSums:
        """The values of a metric summed by task."""
        return self.sums_where(metric, None)

    def sums_where(self, metric: str, rows: NDArray[np.bool_] | None) -> TaskSums:
        """The same over the rows where the mask is true; None means every row."""
        places, values = metric_column(self.table, metric)
        if rows is not None:
            kept = rows[places]
            places, values = places[kept], values[kept]
        sums = TaskSums()
        sums.add(self.table.tasks[places], values)
        return sums

    def config(self) -> dict[str, Any]:
        """The `config` of this side, plain values only."""
        counts = self.passes.counts()
        repeated = counts[counts >= 2]
        k = int(repeated.min()) if repeated.size else 1
        found = self.settings.to_dict(n_tasks=int(counts.size), k=k)
        return {key: value if key == "mixed" else _plain(value) for key, value in found.items()}


def same_rows(before: Side, after: Side) -> bool:
    """Whether both sides hold the same rows in the same order, by their columns; empty sides do not."""
    a, b = before.table, after.table
    if not len(a) or len(a) != len(b):
        return False
    return all(map(operator.is_, a.rows, b.rows)) or (
        np.array_equal(a.tasks, b.tasks)
        and np.array_equal(a.grades, b.grades, equal_nan=True)
        and _same_markers(a, b)
        and all(list(map(as_text, a.column(key))) == list(map(as_text, b.column(key))) for key in _TOLD_APART_BY)
        and before.config() == after.config()
        and before.runs == after.runs
    )


def _same_markers(a: RowTable, b: RowTable) -> bool:
    return a.markers.keys() == b.markers.keys() and all(
        np.array_equal(mine, theirs)
        for name, columns in a.markers.items()
        for mine, theirs in zip(columns, b.markers[name], strict=True)
    )


def read_rows(argument: str, rows: Any, index: Tasks) -> RowTable:
    """The rows as a table; what is no iterable of rows is a `ValueError` that names the argument."""
    try:
        return RowTable(rows, index)
    except TypeError as problem:
        raise ValueError(f"{argument}: {problem}") from None


def number_by_name(tables: list[RowTable], index: Tasks) -> None:
    """Number the tasks of tables that share an index by their names, so that no draw depends on the rows' order."""
    codes = [table.tasks for table in tables]
    names = index.names
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    ordered = Tasks()
    ordered.encode([{TASK_FIELDS[0]: names[code]} for code in order])
    for table, held in zip(tables, codes, strict=True):
        table.index, table.tasks = ordered, rank[held]


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else as_text(value)


def runs_of(table: RowTable) -> tuple[list[str], Ints]:
    """The evaluation runs that rows are stamped with, in natural order, and the run of each row, -1 without one."""
    held = table.column("lineage")
    if set(map(type, held)) <= {type(None)}:
        return [], np.full(len(held), -1, dtype=np.int64)
    stamps = [as_text(lineage.get("eval_run")) if is_mapping(lineage) else "" for lineage in held]
    labels = sorted(set(stamps) - {""}, key=natural)
    place = {label: position for position, label in enumerate(labels)}
    return labels, np.fromiter((place.get(stamp, -1) for stamp in stamps), dtype=np.int64, count=len(stamps))


def natural(label: str) -> tuple[int, int, str]:
    """Order of run labels: whole numbers by size, then the others as text."""
    return (0, int(label), label) if label.isdecimal() and len(label) < 19 else (1, 0, label)


def balance(before: RowTable, after: RowTable, seed: int) -> tuple[RowTable, RowTable, dict[str, Any]]:
    """Both tables with every shared task cut to the rows both have, and what was given up.

    Which rows stay depends on the seed, the task and the side alone; they keep their order. Graded rows are drawn
    first: a row without a grade measures nothing.
    """
    codes = before.tasks, after.tasks
    counts = [np.bincount(held, minlength=len(before.index)) for held in codes]
    quota = np.where((counts[0] > 0) & (counts[1] > 0), np.minimum(*counts), np.maximum(*counts))
    tables = [_cut(table, quota, seed, name) for table, name in ((before, "before"), (after, "after"))]
    dropped = {"before": len(before) - len(tables[0]), "after": len(after) - len(tables[1])}
    trimmed = int((np.maximum(*counts) > quota).sum())
    return tables[0], tables[1], {"rows_dropped": dropped, "tasks_trimmed": trimmed}


def _cut(table: RowTable, quota: Ints, seed: int, side: str) -> RowTable:
    tasks = table.tasks
    order = np.lexsort((_lots(table, seed, side), np.isnan(table.grades), tasks))
    rank = np.empty_like(order)
    rank[order] = _ordinals(tasks[order])
    kept = np.flatnonzero(rank < quota[tasks])
    return table if kept.size == len(table) else RowTable([table.rows[i] for i in kept.tolist()], table.index)


def _lots(table: RowTable, seed: int, side: str) -> Words:
    """A lot for each row, from the seed, the side, the task's name and the row's ordinal in its task."""
    tasks = table.tasks
    order = np.argsort(tasks, kind="stable")
    ordinal = np.empty_like(order)
    ordinal[order] = _ordinals(tasks[order])
    start = f"{seed}/{side}/".encode()
    names = np.array([zlib.crc32(start + name.encode("utf-8", "replace")) for name in table.index.names] or [0])
    return _mixed(_mixed(names.astype(np.uint64))[tasks] + ordinal.astype(np.uint64))


def _ordinals(ordered: Ints) -> Ints:
    """0, 1, 2, ... within each stretch of equal values."""
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if ordered.size else ordered
    return np.arange(ordered.size) - np.repeat(first, np.diff(np.append(first, ordered.size)))


def _mixed(words: Words) -> Words:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014): neighbouring words become unrelated ones."""
    words = words * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x632BE59BD9B4E019)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
