"""A side of a comparison: gathered by part, merged in order, read by task."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

import numpy as np

from whileai.simulations.distributed.reduction import reduced
from whileai.simulations.distributed.sidejob import ALL, GRADED, RUN, SideFacts, SideJob, group_label
from whileai.simulations.distributed.source import Source
from whileai.simulations.distributed.tables import Tables, TaskTable, joined
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.table import Tasks
from whileai.simulations.score.delta.arguments import Asked
from whileai.simulations.score.delta.groups import (
    AUTO_KEYS,
    Grouping,
    Part,
    name_of,
)
from whileai.simulations.score.delta.labels import Labels
from whileai.simulations.score.delta.metrics import Metric
from whileai.simulations.score.delta.sides import Side, natural
from whileai.simulations.score.stats.summary import MARKER, PASS


class Gathered:
    """The tables of a side, by label, and its facts."""

    def __init__(self, shards: list[Tables], facts: SideFacts) -> None:
        self.facts = facts
        self._tables: dict[str, list[TaskTable]] = {}
        for shard in shards:
            for label, table in shard.items():
                self._tables.setdefault(label, []).append(table)
        self._sums: dict[str, dict[str, TaskSums]] = {}
        self.index = Tasks()

    def names(self) -> Iterator[str]:
        """The tasks met."""
        return (name for table in self._tables.get(ALL, ()) for name in table.index.names)

    def number(self, index: Tasks) -> None:
        """Number the tasks by an index that has them all."""
        self.index = index
        self._sums = {label: joined(tables, index) for label, tables in self._tables.items()}
        self._tables = {}

    def sums(self, label: str, metric: str) -> TaskSums:
        """The values of a metric summed by task, of the side or one of its runs or groups."""
        return self._sums.get(label, {}).get(metric) or TaskSums()

    def marker_names(self) -> Set[str]:
        """The markers on the rows."""
        return {key.removeprefix(MARKER) for key in self._sums.get(ALL, {}) if key.startswith(MARKER)}


def gathered(source: Source, job: SideJob) -> Gathered:
    """A side of a source, gathered by the workers."""
    found = reduced(source.parts(), job)
    return Gathered(found.shards, found.whole or SideFacts())


class GatheredSide(Side):
    """A side without its rows: what was gathered of them answers what a comparison asks."""

    def __init__(self, name: str, found: Gathered) -> None:
        self.name = name
        self.found = found
        self.settings = found.facts.settings
        self.runs = sorted(found.facts.runs, key=natural)
        self.passes = self.sums(PASS)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.found.facts.labels.rows

    @property
    def marker_names(self) -> Set[str]:
        """The markers on the rows."""
        return self.found.marker_names()

    def labels(self) -> Labels:
        """The rewards of the rows."""
        return self.found.facts.labels

    def graded(self) -> TaskSums:
        """The graded rows, 0/1 or not, counted by task."""
        return self.found.sums(ALL, GRADED)

    def same_rows(self, other: Side) -> bool:
        """Whether both sides hold the same rows in the same order, by a hash of 61 bits."""
        if not isinstance(other, GatheredSide) or not self.n_rows or self.n_rows != other.n_rows:
            return False
        same = self.found.facts.mark == other.found.facts.mark and self.runs == other.runs
        return same and self.config() == other.config()

    def sums(self, metric: str) -> TaskSums:
        """The values of a metric summed by task."""
        return self.found.sums(ALL, metric)

    def run_sums(self, metric: str, run: int) -> TaskSums:
        """The values of a metric in one run, summed by task."""
        return self.found.sums(RUN + self.runs[run], metric)

    def sums_by_run(self, metric: str) -> tuple[TaskSums, int]:
        """The values of a metric summed by run and task: the codes are run * stride + task; and the stride."""
        sums, stride = TaskSums(), len(self.found.index) + 1
        for run in range(len(self.runs)):
            sums.merge(self.run_sums(metric, run), run * stride + np.arange(stride, dtype=np.int64))
        return sums, stride


@dataclass(frozen=True)
class GatheredGrouping(Grouping):
    """The groups that both sides have; their sums were gathered."""

    def parts(self, metric: Metric, sides: tuple[Side, Side]) -> Iterator[Part]:
        """Each group's metric and row counts."""
        for name in self.names:
            sums, rows = [], []
            for side in sides:
                assert isinstance(side, GatheredSide)
                sums.append(side.found.sums(group_label(self.by, name), metric.key))
                rows.append(side.found.facts.groups[self.by][name])
            yield name, Metric(metric.key, sums[0], sums[1], metric.lower), (rows[0], rows[1])


def grouping(asked: Asked, before: GatheredSide, after: GatheredSide) -> Grouping | None:
    """How both sides are split; None where nothing is asked and no row carries a key for it."""
    sides = before.found.facts, after.found.facts
    nothing = np.zeros(0, dtype=np.int64)

    def split(key: str, source: str) -> Grouping:
        shared = sorted(set(sides[0].groups.get(key, ())) & set(sides[1].groups.get(key, ())))
        return GatheredGrouping(key, source, shared, (nothing, nothing))

    if asked.by is False:
        return None
    if asked.by is None or asked.by is True:
        if not all(side.has_auto_key for side in sides):
            return None
        found = (split(key, "auto") for key in AUTO_KEYS)
        return next((each for each in found if len(each.names) >= 2), None)
    return split(name_of(asked.by), "given")
