"""The steps of `select_for_rl` over lean records, shard by shard: what `Flow` does with rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.distributed.leaks import Leaks, without_leaks
from whileai.simulations.distributed.repeats import trajectory
from whileai.simulations.distributed.tables import TaskTable, cut, home_of
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.endings import is_truncated
from whileai.simulations.rows.grade import label
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.task import task_key
from whileai.simulations.score.optimize.cautions import eval_sourced
from whileai.simulations.score.optimize.cut import Truncated, marked_cut
from whileai.simulations.score.optimize.faults import fault_kind
from whileai.simulations.score.optimize.flow import Settings
from whileai.simulations.score.optimize.gates import drop_reason, is_verified_failure
from whileai.simulations.score.optimize.order import Group
from whileai.simulations.score.optimize.rates import MIN_K, Rate
from whileai.simulations.score.optimize.reasons import (
    COLLAPSED,
    CUT,
    GATES,
    LEAK,
    REPEAT,
    TOO_EASY,
    TOO_HARD,
    UNUSABLE,
)
from whileai.simulations.score.optimize.rewards import unusable_rewards
from whileai.simulations.score.optimize.spoken import replies
from whileai.simulations.score.optimize.trims import out_of_band, unanimous_tasks
from whileai.simulations.score.stats.summary import PASS, metric_column

_NONE = -1  # no label
_REASONS = (None, *GATES)  # by the number in a record
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
            label_ = _NONE if own is None else own
            records[home].append((code, kind, at + place, ask + b".", key + b".", *gates, is_cut, label_))
        lean = (np.array(part, dtype=_RECORD) for part in records)
        return [LeanRows(shard, part, list(kinds)) for shard, part in zip(shards, lean, strict=True)], steps

    def _gate(self, row: Any, text_gates: bool) -> int:
        reason = drop_reason(row, self.settings.has_tools, text_gates)
        if reason is not None and reason is not UNUSABLE and is_verified_failure(row):
            reason = None
        return _REASONS.index(reason)


class Trimmed(NamedTuple):
    """The records of a shard that are left, which of them vote, and how the tasks of the shard went."""

    records: Records
    votes: NDArray[np.bool_]
    rates: dict[int, Rate]
    gone: dict[int, str]


@dataclass
class Flowed:
    """What the steps made of a shard, or of all."""

    account: Counter[str] = field(default_factory=Counter)
    gates: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GATES, 0))
    n_after_gates: int = 0
    n_repeats: int = 0
    n_affected: int = 0
    n_conflicts: int = 0
    compared: bool = False
    truncated_dropped: int = 0
    n_after_trim: int = 0
    n_unanimous: int = 0
    n_collapsed: int = 0
    band: Counter[str] = field(default_factory=Counter)
    groups: list[Group] = field(default_factory=list)
    rates: dict[str, Rate] = field(default_factory=dict)

    @staticmethod
    def of(settings: Settings, text_gates: bool) -> Callable[[LeanRows], Flowed]:
        """What makes it of a shard."""
        return _Flow(settings, text_gates)

    def duplicates(self) -> dict[str, Any]:
        """The report of the repeats."""
        if not self.compared:
            return {"n_dropped": 0, "groups_affected": 0, "conflicting_rewards": 0}
        return {
            "n": self.n_after_gates,
            "n_kept": self.n_after_gates - self.n_repeats,
            "n_dropped": self.n_repeats,
            "groups_affected": self.n_affected,
            "duplicate_rate": self.n_repeats / self.n_after_gates if self.n_after_gates else 0.0,
            "conflicting_rewards": self.n_conflicts,
        }

    def trim_counts(self, settings: Settings) -> dict[str, Any]:
        """The keys of the trims."""
        return {
            "unanimous_groups_dropped": self.n_unanimous + self.n_collapsed,
            "collapsed_groups_dropped": self.n_collapsed,
            "band": [settings.low, settings.high],
            "enforce_band": settings.enforce_band,
            "band_groups_dropped": self.band.total(),
            "band_dropped": {TOO_EASY: self.band[TOO_EASY], TOO_HARD: self.band[TOO_HARD]},
        }

    def kinds(self) -> Counter[str]:
        """The groups by fault kind."""
        return Counter(group.kind for group in self.groups)


def summed(parts: list[Flowed]) -> Flowed:
    """The shards as one."""
    found = Flowed()
    for part in parts:
        found.account.update(part.account)
        found.gates = {reason: n + part.gates[reason] for reason, n in found.gates.items()}
        for name in _COUNTS:
            setattr(found, name, getattr(found, name) + getattr(part, name))
        found.compared |= part.compared
        found.band.update(part.band)
        found.groups += part.groups
        found.rates |= part.rates
    return found


_COUNTS = (
    "n_after_gates", "n_repeats", "n_affected", "n_conflicts", "truncated_dropped", "n_after_trim", "n_unanimous",
    "n_collapsed",
)  # fmt: skip


@dataclass(frozen=True)
class _Flow:
    """Runs the steps over a shard."""

    settings: Settings
    text_gates: bool

    def __call__(self, shard: LeanRows) -> Flowed:
        """What came of it, with its groups."""
        found = Flowed()
        trimmed = self.trimmed(shard, found)
        names = shard.tasks.index.names
        found.groups = list(self._groups(trimmed, names, shard.kinds))
        found.rates = {names[code]: rate for code, rate in _rates(shard.tasks.sums[PASS]).items()}
        return found

    def trimmed(self, shard: LeanRows, found: Flowed) -> Trimmed:
        """The records left after gates, repeats, cuts and trims; what went is counted in `found`."""
        records = self._gated(shard.records(), found)
        n_gated = np.bincount(records["task"], minlength=len(shard.tasks.index))
        records = self._uncut(self._first(records, found), found)
        riders = records["cut"] if self.settings.truncated is Truncated.KEEP else np.zeros(records.size, dtype=bool)
        voters = records[~riders]
        sums = TaskSums()
        voting = voters[voters["label"] != _NONE]
        sums.add(voting["task"].astype(np.int64), voting["label"].astype(np.float64))
        rates, low, high = _rates(sums), self.settings.low, self.settings.high
        unanimous = unanimous_tasks(rates, MIN_K)
        collapsed = {code: COLLAPSED for code, rate in rates.items() if rate.n == 1 and n_gated[code] >= MIN_K}
        band = out_of_band(rates, low, high) if self.settings.enforce_band else {}
        gone = {**unanimous, **collapsed, **band}
        alone = set(records["task"][riders].tolist()) - set(voters["task"].tolist())
        gone |= dict.fromkeys(alone, CUT)
        left = ~np.isin(records["task"], list(gone))
        found.account.update(gone[code] for code in records["task"][~left].tolist())
        found.n_after_trim = int(left.sum())
        found.n_unanimous, found.n_collapsed = len(unanimous), len(collapsed)
        found.band.update(band.values())
        return Trimmed(records[left], ~riders[left], rates, gone)

    def _gated(self, records: Records, found: Flowed) -> Records:
        gates = records["gate" if self.text_gates else "bare"]
        for number, reason in enumerate(_REASONS):
            if reason is not None:
                found.gates[reason] = n = int((gates == number).sum())
                found.account[reason] += n
        kept: Records = records[gates == 0]
        found.n_after_gates = kept.size
        return kept

    def _first(self, records: Records, found: Flowed) -> Records:
        """The first record of each trajectory, one that is not cut before one that is."""
        if not (self.settings.dedupe and self.text_gates):
            return records
        found.compared = True
        order = np.lexsort((records["at"], records["cut"]))
        _, first, place = np.unique(records["key"][order], return_index=True, return_inverse=True)
        stays = np.zeros(records.size, dtype=bool)
        stays[order[first]] = True
        kept_of = np.empty(records.size, dtype=np.int64)
        kept_of[order] = order[first][place]
        gone = np.flatnonzero(~stays)
        labels, of_kept = records["label"][gone], records["label"][kept_of[gone]]
        found.n_repeats = gone.size
        found.n_affected = np.unique(records["ask"][gone]).size
        found.n_conflicts = int(((labels != _NONE) & (of_kept != _NONE) & (labels != of_kept)).sum())
        found.account[REPEAT] += gone.size
        left: Records = records[stays]
        return left

    def _uncut(self, records: Records, found: Flowed) -> Records:
        if self.settings.truncated is not Truncated.DROP:
            return records
        found.truncated_dropped = n = int(records["cut"].sum())
        found.account[CUT] += n
        left: Records = records[~records["cut"]]
        return left

    def _groups(self, trimmed: Trimmed, names: list[str], kinds: list[str]) -> Iterator[Group]:
        voters = trimmed.records[trimmed.votes]
        order = np.argsort(voters["task"], kind="stable")
        codes, starts = np.unique(voters["task"][order], return_index=True)
        of_task = np.split(voters["kind"][order], starts[1:]) if codes.size else []
        for code, held in zip(codes.tolist(), of_task, strict=True):
            rate = trimmed.rates[code].value
            counts = Counter(kinds[kind] for kind in held.tolist())
            kind = min(counts, key=lambda kind: (-counts[kind], kind))
            rows = cast("list[Any]", range(held.size))  # their number is all that is asked of them
            yield Group(names[code], rows, rate, kind, self.settings.low <= rate <= self.settings.high)


@dataclass(frozen=True)
class Positions:
    """The positions of the rows left of some tasks, in order, by task."""

    settings: Settings
    text_gates: bool
    tasks: frozenset[str]

    def __call__(self, shard: LeanRows) -> dict[str, list[int]]:
        """Those of a shard."""
        records = _Flow(self.settings, self.text_gates).trimmed(shard, Flowed()).records
        wanted = {code: name for name in self.tasks if (code := shard.tasks.index.code(name)) is not None}
        found: dict[str, list[int]] = {name: [] for name in wanted.values()}
        for record in records[np.isin(records["task"], list(wanted))]:
            found[wanted[int(record["task"])]].append(int(record["at"]))
        return found


def _rates(sums: TaskSums) -> dict[int, Rate]:
    found = zip(sums.codes().tolist(), sums.means().tolist(), sums.counts().tolist(), strict=True)
    return {code: Rate(mean, count) for code, mean, count in found}
