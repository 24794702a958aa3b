"""What a worker makes of rows of a side of a comparison: tables by task, and facts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from whileai.simulations.distributed.tables import Tables, cut
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.delta.arguments import Asked
from whileai.simulations.score.delta.groups import (
    AUTO_KEYS,
    carries_auto_key,
    groups_of,
    name_of,
)
from whileai.simulations.score.delta.labels import Labels, is_graded, labels_of
from whileai.simulations.score.delta.sides import runs_of
from whileai.simulations.score.runconfig import RunConfig
from whileai.simulations.score.stats.summary import MARKER, PASS, metric_column

ALL, RUN, _GROUP = "all", "run ", "group "  # labels of the tables: the side, a run of it, a group of it
GRADED = "graded"  # the series that counts graded rows
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
        add(ALL, table, {**_columns(table), GRADED: (graded, np.ones(graded.size))})
        labels, run_of = runs_of(table)
        facts.runs = set(labels)
        for number, label in enumerate(labels):
            part = _part(table, np.flatnonzero(run_of == number).tolist())
            add(RUN + label, part, _columns(part))
        for key, groups in self._groups(table, facts):
            places: dict[str, list[int]] = {}
            for place, name in enumerate(groups):
                if name is not None:
                    places.setdefault(name, []).append(place)
            facts.groups[key] = Counter({name: len(own) for name, own in places.items()})
            for name, own in places.items():
                part = _part(table, own)
                add(group_label(key, name), part, {head: metric_column(part, head) for head in self.heads})
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


def group_label(key: str, name: str) -> str:
    """The label of the table of a group; no two groups share one."""
    return f"{_GROUP}{len(key)} {key} {name}"


def _columns(table: RowTable) -> dict[str, Any]:
    columns = {PASS: metric_column(table, PASS)}
    return columns | {MARKER + name: column for name, column in table.markers.items()}


def _part(table: RowTable, places: list[int]) -> RowTable:
    return RowTable([table.rows[place] for place in places])


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
