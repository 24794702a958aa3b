"""The steps of `select_for_rl` over lean records, shard by shard: what `Flow` does with rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.distributed.lean import NO_LABEL, REASONS, LeanRows, Records
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.score.optimize.cut import Truncated
from whileai.simulations.score.optimize.flow import Settings
from whileai.simulations.score.optimize.order import Group
from whileai.simulations.score.optimize.rates import MIN_K, Rate, rates_of
from whileai.simulations.score.optimize.reasons import (
    COLLAPSED,
    CUT,
    GATES,
    REPEAT,
    TOO_EASY,
    TOO_HARD,
)
from whileai.simulations.score.optimize.trims import out_of_band, unanimous_tasks
from whileai.simulations.score.stats.summary import PASS


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
        found.rates = {names[code]: rate for code, rate in rates_of(shard.tasks.sums[PASS]).items()}
        return found

    def trimmed(self, shard: LeanRows, found: Flowed) -> Trimmed:
        """The records left after gates, repeats, cuts and trims; what went is counted in `found`."""
        records = self._gated(shard.records(), found)
        n_gated = np.bincount(records["task"], minlength=len(shard.tasks.index))
        records = self._uncut(self._first(records, found), found)
        riders = records["cut"] if self.settings.truncated is Truncated.KEEP else np.zeros(records.size, dtype=bool)
        voters = records[~riders]
        sums = TaskSums()
        voting = voters[voters["label"] != NO_LABEL]
        sums.add(voting["task"].astype(np.int64), voting["label"].astype(np.float64))
        rates, low, high = rates_of(sums), self.settings.low, self.settings.high
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
        for number, reason in enumerate(REASONS):
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
        found.n_conflicts = int(((labels != NO_LABEL) & (of_kept != NO_LABEL) & (labels != of_kept)).sum())
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
