"""Sums by task that know in which order their tasks were first met, however the rows were cut into parts."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.rows.task import TASK_FIELDS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Columns = Mapping[str, tuple[Ints, Floats]]  # places of rows, and their values
ROWS = "rows"  # the series that counts the rows of each task
_NEVER = np.iinfo(np.int64).max


def home_of(name: str, n: int) -> int:
    """The shard, of `n`, that a name belongs to: the same in every process.

    >>> home_of("refund-17", 4)
    1
    """
    return zlib.crc32(name.encode("utf-8", "surrogatepass")) % n


class TaskTable:
    """Tasks, the position of the first row of each, and sums of some series by task; merged in any order.

    `texts` holds a text for some of the tasks, with the position it was met at: the earliest stays.
    """

    def __init__(self) -> None:
        self.index = Tasks()
        self.first: Ints = np.zeros(0, dtype=np.int64)
        self.sums: dict[str, TaskSums] = {}
        self.texts: dict[str, tuple[int, Any]] = {}

    def merge(self, other: TaskTable) -> None:
        """Add what another gathered of other rows."""
        codes = self.index.absorb(other.index)
        first = np.full(len(self.index), _NEVER)
        first[: self.first.size] = self.first
        first[codes] = np.minimum(first[codes], other.first)
        self.first = first
        for name, sums in other.sums.items():
            self.sums.setdefault(name, TaskSums()).merge(sums, codes)
        for name, found in other.texts.items():
            if name not in self.texts or found[0] < self.texts[name][0]:
                self.texts[name] = found


class Tables(dict[str, TaskTable]):
    """Task tables by label: one a side, a run or a group."""

    def merge(self, other: Tables) -> None:
        """Add what another gathered of other rows."""
        for label, table in other.items():
            if label in self:
                self[label].merge(table)
            else:
                self[label] = table


def cut(table: RowTable, at: int, columns: Columns, n: int) -> list[TaskTable]:
    """The columns of a table summed by task, in `n` shards by a hash of the task; its first row is at position `at`.

    The table must have its tasks numbered by itself.
    """
    names = table.index.names if len(table) and table.tasks.size else []
    first = np.unique(table.tasks, return_index=True)[1] if names else np.zeros(0, dtype=np.int64)
    home = np.fromiter((home_of(name, n) for name in names), dtype=np.int64, count=len(names))
    place = np.zeros(len(names), dtype=np.int64)
    shards = []
    for number in range(n):
        members = np.flatnonzero(home == number)
        place[members] = np.arange(members.size)
        shard = TaskTable()
        shard.index = tasks_named(names[i] for i in members.tolist())
        shard.first = at + first[members].astype(np.int64)
        shards.append(shard)
    for series, (places, values) in columns.items():
        tasks = table.tasks[places] if len(table) else places
        for number, shard in enumerate(shards):
            mine = home[tasks] == number if tasks.size else np.zeros(0, dtype=bool)
            shard.sums[series] = sums = TaskSums()
            sums.add(place[tasks[mine]] if tasks.size else tasks, values[mine])
    return shards


def every_row(table: RowTable) -> tuple[Ints, Floats]:
    """The column that counts rows."""
    return np.arange(len(table), dtype=np.int64), np.ones(len(table))


def tasks_named(names: Iterable[str]) -> Tasks:
    """An index of tasks in this order."""
    index = Tasks()
    index.encode([{TASK_FIELDS[0]: name} for name in names])
    return index


def ordered_names(shards: Iterable[TaskTable]) -> list[str]:
    """The tasks of all shards in order of their first rows."""
    held = list(shards)
    names = [name for shard in held for name in shard.index.names]
    order = np.argsort(np.concatenate([shard.first for shard in held])) if names else np.zeros(0, dtype=np.int64)
    return [names[i] for i in order.tolist()]


def joined(shards: Iterable[TaskTable], index: Tasks) -> dict[str, TaskSums]:
    """The sums of all shards by series, with tasks numbered in `index`, where new ones come in order."""
    held = list(shards)
    index.absorb(tasks_named(ordered_names(held)))
    sums: dict[str, TaskSums] = {}
    for shard in held:
        codes = index.absorb(shard.index)
        for name, found in shard.sums.items():
            sums.setdefault(name, TaskSums()).merge(found, codes)
    return sums
