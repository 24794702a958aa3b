"""Lean records of rows by task, gathered from the parts of a source for `select_for_rl`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.distributed.leaks import Leaks, without_leaks
from whileai.simulations.distributed.repeats import trajectory
from whileai.simulations.distributed.tables import TaskTable, cut, home_of
from whileai.simulations.rows.endings import is_truncated
from whileai.simulations.rows.grade import label
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.task import task_key
from whileai.simulations.score.optimize.cautions import eval_sourced
from whileai.simulations.score.optimize.cut import Truncated, marked_cut
from whileai.simulations.score.optimize.faults import fault_kind
from whileai.simulations.score.optimize.flow import Settings
from whileai.simulations.score.optimize.gates import drop_reason, is_verified_failure
from whileai.simulations.score.optimize.reasons import (
    GATES,
    LEAK,
    UNUSABLE,
)
from whileai.simulations.score.optimize.rewards import unusable_rewards
from whileai.simulations.score.optimize.spoken import replies
from whileai.simulations.score.stats.summary import PASS, metric_column

NO_LABEL = -1  # no label
REASONS = (None, *GATES)  # by the number in a record
_RECORD = np.dtype([
    ("task", "i4"), ("kind", "i2"), ("at", "i8"), ("ask", "S17"), ("key", "S17"),
    ("gate", "i1"), ("bare", "i1"), ("cut", "?"), ("label", "i1"),
])  # fmt: skip
Records = NDArray[np.void]


class Steps:
    """What the steps count over all rows, whatever their task."""

    def __init__(self) -> None:
        self.n = self.n_cut = self.eval_sourced = 0
        self.has_replies = False
        self.leaks = Leaks()
        self.unusable: Counter[str] = Counter()

    @property
    def account(self) -> dict[str, int]:
        """Rows dropped here."""
        return {LEAK: self.leaks.n_dropped}

    def merge(self, other: Steps) -> None:
        """Add those of rows that come after."""
        self.n += other.n
        self.n_cut += other.n_cut
        self.eval_sourced += other.eval_sourced
        self.has_replies |= other.has_replies
        self.leaks.merge(other.leaks)
        self.unusable.update(other.unusable)


class LeanRows:
    """Records of rows by task, and the labels of the tasks as the rows arrived."""

    def __init__(self, tasks: TaskTable, records: Records, kinds: list[str]) -> None:
        self.tasks, self.kinds = tasks, kinds
        self._held = [records]

    def moved(self, by: int) -> LeanRows:
        """The same, at positions so much later."""
        for records in self._held:
            records["at"] += by
        self.tasks.first = self.tasks.first + by
        return self

    def merge(self, other: LeanRows) -> None:
        """Add those of other rows."""
        codes = self.tasks.index.absorb(other.tasks.index)
        self.tasks.merge(other.tasks)
        number = {kind: place for place, kind in enumerate(self.kinds)}
        kinds = np.array([number.setdefault(kind, len(number)) for kind in other.kinds], dtype=np.int64)
        self.kinds = list(number)
        for records in other._held:
            moved = records.copy()
            if moved.size:
                moved["task"], moved["kind"] = codes[records["task"]], kinds[records["kind"]]
            self._held.append(moved)

    def records(self) -> Records:
        """All records, in order of the rows."""
        found = np.concatenate(self._held)
        return found[np.argsort(found["at"])]


@dataclass(frozen=True)
class FlowJob:
    """Leaks, marks and gates of the rows of a part, and a record of each row that no leak drops."""

    settings: Settings

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[LeanRows], Steps]:
        """Gather one part."""
        table, steps = RowTable(rows), Steps()
        steps.n, steps.eval_sourced = len(rows), eval_sourced(rows)
        steps.unusable.update(unusable_rewards(table))
        shards = cut(table, at, {PASS: metric_column(table, PASS)}, n)
        places = without_leaks(rows, steps.leaks)
        held = [rows[place] for place in places]
        marked: set[int] = set()
        if self.settings.truncated is not Truncated.DROP:
            held, marked = marked_cut(held, self.settings.truncated)
        steps.n_cut = len(marked)
        steps.has_replies = any(map(replies, held))
        records: list[list[tuple[Any, ...]]] = [[] for _ in range(n)]
        kinds: dict[str, int] = {}
        for place, row in zip(places, held, strict=True):
            home = home_of(task := task_key(row), n)
            kind = kinds.setdefault(fault_kind(row), len(kinds))
            is_cut = id(row) in marked if marked or self.settings.truncated is not Truncated.DROP else is_truncated(row)
            ask, key = trajectory(row)
            own, gates = label(row), [self._gate(row, text_gates) for text_gates in (True, False)]
            code = cast(int, shards[home].index.code(task))
            label_ = NO_LABEL if own is None else own
            records[home].append((code, kind, at + place, ask + b".", key + b".", *gates, is_cut, label_))
        lean = (np.array(part, dtype=_RECORD) for part in records)
        return [LeanRows(shard, part, list(kinds)) for shard, part in zip(shards, lean, strict=True)], steps

    def _gate(self, row: Any, text_gates: bool) -> int:
        reason = drop_reason(row, self.settings.has_tools, text_gates)
        if reason is not None and reason is not UNUSABLE and is_verified_failure(row):
            reason = None
        return REASONS.index(reason)
