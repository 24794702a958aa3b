"""A side of a comparison: gathered by part, merged in order, read by task."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from whileai.simulations.distributed.reduction import reduced
from whileai.simulations.distributed.source import Source
from whileai.simulations.distributed.tables import Tables, TaskTable, cut, joined
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.delta.arguments import Asked
from whileai.simulations.score.delta.groups import (
    AUTO_KEYS,
    Grouping,
    Part,
    carries_auto_key,
    groups_of,
    name_of,
)
from whileai.simulations.score.delta.labels import Labels, is_graded, labels_of
from whileai.simulations.score.delta.metrics import Metric
from whileai.simulations.score.delta.sides import Side, natural, runs_of
from whileai.simulations.score.runconfig import RunConfig
from whileai.simulations.score.stats.summary import MARKER, PASS, metric_column

ALL, _RUN, _GROUP = "all", "run ", "group "  # labels of the tables: the side, a run of it, a group of it
_GRADED = "graded"  # the series that counts graded rows
_PRIME = 2**61 - 1
_BASE = 0x1B873593CC9E2D51 % _PRIME


@dataclass
class SideFacts:
    """What a comparison knows of all rows of a side: small, merged in the order of the rows.

    `mark` is a hash of the rows in their order, `groups` counts the rows of each group by key and name.
    """

    settings: RunConfig = field(default_factory=RunConfig)
    labels: Labels = field(default_factory=lambda: Labels(0, 0, 0, 0, 0, 0))
    mark: int = 0
    runs: set[str] = field(default_factory=set)
    groups: dict[str, Counter[str]] = field(default_factory=dict)
    has_auto_key: bool = False

    def merge(self, other: SideFacts) -> None:
        """Add those of rows that come after."""
        self.settings.merge(other.settings)
        self.mark = (self.mark * pow(_BASE, other.labels.rows, _PRIME) + other.mark) % _PRIME
        self.labels += other.labels
        self.runs |= other.runs
        self.has_auto_key |= other.has_auto_key
        for key, counts in other.groups.items():
            self.groups.setdefault(key, Counter()).update(counts)


@dataclass(frozen=True)
class SideJob:
    """Every metric of a side by task, of each of its evaluation runs too; of each group the `heads`."""

    by: Any = None
    heads: tuple[str, ...] = (PASS,)

    @classmethod
    def of(cls, asked: Asked) -> SideJob:
        """The job of a side for these arguments."""
        return cls(asked.by, tuple(dict.fromkeys([PASS, *([asked.target] if asked.target else [])])))

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Tables], SideFacts]:
        """Gather one part."""
        table = RowTable(rows)
        facts = SideFacts(labels=labels_of(table), mark=_mark(table))
        facts.settings.add(table)
        shards = [Tables() for _ in range(n)]

        def add(label: str, part: RowTable, metrics: Mapping[str, Any]) -> None:
            for shard, found in zip(shards, cut(part, at, metrics, n), strict=True):
                shard[label] = found

        graded = np.flatnonzero(is_graded(table))
        add(ALL, table, {**_columns(table), _GRADED: (graded, np.ones(graded.size))})
        labels, run_of = runs_of(table)
        facts.runs = set(labels)
        for number, label in enumerate(labels):
            part = _part(table, run_of == number)
            add(_RUN + label, part, _columns(part))
        for key, groups in self._groups(table, facts):
            names = np.array([name or "" for name in groups], dtype=object)
            facts.groups[key] = Counter(name for name in groups if name is not None)
            for name in facts.groups[key]:
                part = _part(table, names == name)
                add(_group(key, name), part, {head: metric_column(part, head) for head in self.heads})
        return shards, facts

    def _groups(self, table: RowTable, facts: SideFacts) -> Iterator[tuple[str, list[str | None]]]:
        if self.by is False:
            return
        if self.by is None or self.by is True:
            facts.has_auto_key = carries_auto_key(table)
            if facts.has_auto_key:
                yield from ((key, groups_of(key, table, markers=False)) for key in AUTO_KEYS)
        else:
            yield name_of(self.by), groups_of(self.by, table, markers=True)


def _group(key: str, name: str) -> str:
    return f"{_GROUP}{len(key)} {key} {name}"


def _columns(table: RowTable) -> dict[str, Any]:
    columns = {PASS: metric_column(table, PASS)}
    return columns | {MARKER + name: column for name, column in table.markers.items()}


def _part(table: RowTable, rows: Any) -> RowTable:
    return RowTable([table.rows[i] for i in np.flatnonzero(rows).tolist()])


def _mark(table: RowTable) -> int:
    """A hash of the rows in their order, by what tells two runs apart."""
    names, tasks = table.index.names if table.tasks.size else [], table.tasks.tolist()
    held: list[list[Any]] = [[] for _ in range(len(table))]
    for name in sorted(table.markers):
        places, values = table.markers[name]
        for place, value in zip(places.tolist(), values.tolist(), strict=True):
            held[place].append((name, value))
    indexes, texts = (map(as_text, table.column(key)) for key in ("rollout_index", "final_text"))
    mark = 0
    for cells in zip((names[task] for task in tasks), table.grades.tolist(), held, indexes, texts, strict=True):
        digest = hashlib.blake2b(repr(cells).encode("utf-8", "surrogatepass"), digest_size=8).digest()
        mark = (mark * _BASE + int.from_bytes(digest, "big")) % _PRIME
    return mark


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
        return self.found.sums(ALL, _GRADED)

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
        return self.found.sums(_RUN + self.runs[run], metric)

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
                sums.append(side.found.sums(_group(self.by, name), metric.key))
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
