"""Tasks by what they teach: signal, curriculum and trims, from sums by task; rows are filtered where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import DIFFICULTY_BAND
from whileai.simulations.distributed.cluster import Broadcast
from whileai.simulations.distributed.reduction import reduced
from whileai.simulations.distributed.source import Source, source_of
from whileai.simulations.distributed.tables import ROWS, TaskTable, cut, every_row, joined
from whileai.simulations.distributed.wholes import Labels
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.rows.task import task_key
from whileai.simulations.score.curriculum import (
    FLOOR,
    MIN_ROLLOUTS,
    SOLVED,
    TIERS,
    curriculum_of,
    first_prompts,
    limits_of,
)
from whileai.simulations.score.optimize.arguments import checked_band
from whileai.simulations.score.optimize.rates import MIN_K, rates_of, task_rates
from whileai.simulations.score.optimize.reasons import TOO_EASY, TOO_HARD
from whileai.simulations.score.optimize.signal import HIGH, LOW, signal_of, signal_report
from whileai.simulations.score.optimize.trims import band_report, out_of_band, unanimous_report, unanimous_tasks
from whileai.simulations.score.passat import PassTally
from whileai.simulations.score.stats.summary import PASS, metric_column


def group_signal(rows: Any, lo: float = LOW, hi: float = HIGH) -> Report:
    """`whileai.simulations.group_signal` of a `ray.data.Dataset` or of paths; the same numbers to the last digit."""
    low, high = checked_band(lo, hi)
    found = _gathered(source_of(rows))
    return signal_report(_signal(found.labels, found.tasks, low, high), found.said.notes())


def curriculum(
    rows: Any,
    solved: float = SOLVED,
    floor: float = FLOOR,
    band: tuple[float, float] = DIFFICULTY_BAND,
    tiers: int = TIERS,
    min_rollouts: int = MIN_ROLLOUTS,
) -> Report:
    """`whileai.simulations.curriculum` of a dataset or paths; the same numbers to the last digit.

    Two numbers and the first prompt of each task are shuffled; the report lists every task, which must fit the driver.
    """
    limits = limits_of(solved, floor, band, tiers, min_rollouts)
    found = _gathered(source_of(rows), texts="prompts")
    prompts = {code: text for name, text in found.texts.items() if (code := found.tasks.code(name)) is not None}
    return curriculum_of(found.labels, found.tasks.names, prompts, limits)


def retire_solved(rows: Any, solved: float = SOLVED, min_rollouts: int = MIN_ROLLOUTS) -> Any:
    """A dataset of the rows that `whileai.simulations.retire_solved` keeps, in order; two passes."""
    solved, min_rollouts = between("solved", solved, 0, 1), whole("min_rollouts", min_rollouts, 0)
    source = source_of(rows)
    found = _gathered(source)
    sums = found.labels
    gone = sums.codes()[(sums.counts() >= min_rollouts) & (sums.means() > solved)]
    return _without(source, dict.fromkeys(gone.tolist(), "solved"), found.tasks)


def trim_unanimous_groups(rows: Any, min_k: int = MIN_K) -> tuple[Any, Report]:
    """A dataset of the rows that `whileai.simulations.trim_unanimous_groups` keeps, in order, and the same report.

    Two passes: sums by task, then a filter by the keys of the tasks dropped, which every worker is given once.
    """
    source, least = source_of(rows), max(MIN_K, whole("min_k", min_k))
    found = _gathered(source)
    gone = unanimous_tasks(rates_of(found.labels), least)
    left = TaskSums()
    codes = found.labels.codes()
    kept = ~np.isin(codes, list(gone))
    for value, n in ((1.0, found.labels.sums()), (0.0, found.labels.counts() - found.labels.sums())):
        times = n[kept].astype(np.int64)
        left.add(np.repeat(codes[kept], times), np.full(int(times.sum()), value))
    n_dropped = sum(found.rows_of(gone))
    values = {
        "n": found.said.n,
        "n_kept": found.said.n - n_dropped,
        "n_dropped": n_dropped,
        "n_groups_dropped": len(gone),
        "signal": _signal(left, found.tasks, LOW, HIGH),
    }
    return _without(source, gone, found.tasks), unanimous_report(values, found.said.notes())


def trim_out_of_band(rows: Any, lo: float = LOW, hi: float = HIGH, min_k: int = MIN_K) -> tuple[Any, Report]:
    """A dataset of the rows that `whileai.simulations.trim_out_of_band` keeps, in order, and the same report.

    Two passes, as for `trim_unanimous_groups`.
    """
    low, high = checked_band(lo, hi)
    source, least = source_of(rows), max(MIN_K, whole("min_k", min_k))
    found = _gathered(source, texts="carried")
    rates = rates_of(found.labels)
    for name, rate in found.texts.items():
        rates.setdefault(found.code(name), rate)
    gone = out_of_band(rates, low, high, least)
    dropped: dict[str, int] = dict.fromkeys(gone.values(), 0)
    for reason, n in zip(gone.values(), found.rows_of(gone), strict=True):
        dropped[reason] += n
    n_dropped = sum(dropped.values())
    values = {
        "n": found.said.n,
        "n_kept": found.said.n - n_dropped,
        "n_dropped": n_dropped,
        "n_groups_dropped": len(gone),
        TOO_EASY: sum(reason == TOO_EASY for reason in gone.values()),
        TOO_HARD: sum(reason == TOO_HARD for reason in gone.values()),
        "from_rates": sum(rate.carried for rate in rates.values()),
        "band": [low, high],
    }
    return _without(source, gone, found.tasks), band_report(values, dropped, found.said.notes())


@dataclass(frozen=True)
class TaskJob:
    """Labels and rows by task, and what was asked for of each: its first prompt, or the rate that a row carries."""

    texts: str = ""

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[TaskTable], Labels]:
        """Gather one part."""
        table, said = RowTable(rows), Labels()
        said.add(table)
        shards = cut(table, at, {PASS: metric_column(table, PASS), ROWS: every_row(table)}, n)
        found = self._texts(table)
        for shard in shards:
            shard.texts = {name: (at, found[name]) for name in shard.index.names if name in found}
        return shards, said

    def _texts(self, table: RowTable) -> dict[str, Any]:
        if not self.texts:
            return {}
        if self.texts == "prompts":
            held: dict[int, Any] = dict(first_prompts(table))
        else:
            held = {code: rate for code, rate in task_rates(table).items() if rate.carried}
        names = table.index.names
        return {names[code]: value for code, value in held.items()}


class _Found(NamedTuple):
    """What `TaskJob` gathered: sums with codes of `tasks`, texts by task, and the counts of all rows."""

    tasks: Tasks
    labels: TaskSums
    n_rows: TaskSums
    texts: dict[str, Any]
    said: Labels

    def code(self, name: str) -> int:
        """The code of a task that was met."""
        found = self.tasks.code(name)
        return -1 if found is None else found

    def rows_of(self, gone: Mapping[int, str]) -> list[int]:
        """The rows of each of some tasks."""
        counts = dict(zip(self.n_rows.codes().tolist(), self.n_rows.counts().tolist(), strict=True))
        return [counts[code] for code in gone]


def _gathered(source: Source, texts: str = "") -> _Found:
    found = reduced(source.parts(), TaskJob(texts))
    index = Tasks()
    sums = joined(found.shards, index)
    held = {name: value for shard in found.shards for name, (_, value) in shard.texts.items()}
    return _Found(index, sums.get(PASS) or TaskSums(), sums.get(ROWS) or TaskSums(), held, found.whole or Labels())


def _signal(sums: TaskSums, index: Tasks, low: float, high: float) -> dict[str, Any]:
    tally = PassTally()
    tally.index, tally.sums = index, sums
    return signal_of(sums, tally.result(), low, high)


def _without(source: Source, gone: Mapping[int, str], index: Tasks) -> Any:
    """The rows of a source less those of some tasks."""
    names = index.names
    held = Broadcast(frozenset(names[code] for code in gone))

    def change(rows: list[Any], at: int) -> list[Any]:
        dropped = held.value
        return [row for row in rows if task_key(row) not in dropped]

    return source.changed(change)
