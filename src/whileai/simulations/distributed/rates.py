"""Pass rates, summaries and comparisons: sums by task on the workers, intervals where they are merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from whileai.simulations.arguments import between, whole
from whileai.simulations.defaults import BOOTSTRAP_DRAWS, CI_LEVEL, MIN_PAIRED_TASKS, ROLLOUTS_PER_TASK
from whileai.simulations.distributed.reduction import reduced
from whileai.simulations.distributed.source import source_of
from whileai.simulations.distributed.tables import TaskTable, cut, joined
from whileai.simulations.distributed.wholes import Rates
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.passat import PassAt
from whileai.simulations.score.stats.compare import compare_sums
from whileai.simulations.score.stats.summary import MARKER, PASS, MarkerTally, metric_column, metric_sums, summarise
from whileai.simulations.score.stats.text import format_comparison, format_summaries, format_summary


def pass_at(rows: Any, k: int | None = None, min_k: int = ROLLOUTS_PER_TASK, unanimous_short: bool = False) -> PassAt:
    """`whileai.simulations.pass_at` of a `ray.data.Dataset` or of paths; the same numbers to the last digit.

    Two numbers a task are shuffled. `per_task` has an entry a task, so that the tasks must fit the driver.
    """
    found = reduced(source_of(rows).parts(), PassJob())
    tally = (found.whole or Rates()).tally
    sums = joined(found.shards, tally.index)
    tally.sums = sums.get(PASS, TaskSums())
    return tally.result(k, min_k, unanimous_short)


def metric_summary(rows: Any, metric: str = PASS, n_boot: int = BOOTSTRAP_DRAWS, seed: int = 0) -> Report:
    """`whileai.simulations.metric_summary` of a dataset or paths; the same numbers to the last digit."""
    return Report(summarise(metric, _metric(rows, metric, Tasks())), show=format_summary)


def marker_summary(
    rows: Any, names: Sequence[str] | None = None, n_boot: int = BOOTSTRAP_DRAWS, seed: int = 0
) -> Report:
    """`whileai.simulations.marker_summary` of a dataset or paths; the same numbers to the last digit."""
    tally = MarkerTally()
    found = reduced(source_of(rows).parts(), MarkersJob())
    for name, sums in joined(found.shards, tally.index).items():
        tally.sums[name.removeprefix(MARKER)] = sums
    return Report(tally.result(names), show=format_summaries)


def compare_runs(
    a: Any,
    b: Any,
    metric: str = PASS,
    n_boot: int = BOOTSTRAP_DRAWS,
    seed: int = 0,
    min_paired: int = MIN_PAIRED_TASKS,
    level: float = CI_LEVEL,
) -> Report:
    """`whileai.simulations.compare_runs` of two datasets, or paths; the same numbers to the last digit."""
    level = between("level", level, 0, 1, ends=False)
    draws, seed, min_paired = whole("n_boot", n_boot, 1), whole("seed", seed, 0), whole("min_paired", min_paired)
    index = Tasks()
    sums = [_metric(rows, metric, index, argument) for argument, rows in (("a", a), ("b", b))]
    found = compare_sums(metric, sums[0], sums[1], level=level, draws=draws, seed=seed, min_paired=min_paired)
    return Report(found, show=format_comparison)


def _metric(rows: Any, metric: str, index: Tasks, argument: str = "rows") -> TaskSums:
    metric_sums(RowTable(()), metric)  # refuses an unknown one before anything is read
    found = reduced(source_of(rows, argument).parts(), MetricJob(metric))
    return joined(found.shards, index).get(metric, TaskSums())


@dataclass(frozen=True)
class PassJob:
    """Labels by task, and what `PassTally` knows of all rows."""

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[TaskTable], Rates]:
        """Gather one part."""
        table, said = RowTable(rows), Rates()
        said.add(table)
        return cut(table, at, {PASS: metric_column(table, PASS)}, n), said


@dataclass(frozen=True)
class MetricJob:
    """One metric by task."""

    metric: str

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[TaskTable], None]:
        """Gather one part."""
        table = RowTable(rows)
        return cut(table, at, {self.metric: metric_column(table, self.metric)}, n), None


@dataclass(frozen=True)
class MarkersJob:
    """Every marker by task."""

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[TaskTable], None]:
        """Gather one part."""
        table = RowTable(rows)
        return cut(table, at, {MARKER + name: column for name, column in table.markers.items()}, n), None
