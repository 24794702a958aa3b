"""`eval_variance`: how far runs of one model lie apart, from sums by run and task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from whileai.simulations.distributed.reduction import reduced
from whileai.simulations.distributed.source import source_of
from whileai.simulations.distributed.tables import Tables, cut, joined
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.stats.summary import MARKER, PASS, metric_column, metric_sums
from whileai.simulations.score.stats.variance import EvalVarianceReport, split, variance_of


def eval_variance(*runs: Any, metric: str = PASS, by: str | None = None) -> EvalVarianceReport:
    """`whileai.simulations.eval_variance` of datasets or paths, one a run, or of one whose rows name their run.

    The same numbers to the last digit. Two numbers a metric, task and run are shuffled.
    """
    if not runs:
        raise ValueError("eval_variance needs rows: one dataset a run, or one dataset whose rows name their run")
    metric_sums(RowTable(()), metric)
    index = Tasks()
    held: dict[str, dict[str, TaskSums]] = {}
    n_left_out = 0
    for number, rows in enumerate(runs, 1):
        label = f"run_{number}" if len(runs) > 1 else None
        found = reduced(source_of(rows, f"argument {number}").parts(), RunsJob(label, by))
        met = found.whole or _Runs([], 0)
        for name in met.labels:
            sums = joined((shard[name] for shard in found.shards if name in shard), index)
            held[name] = {PASS: TaskSums(), **sums}
        n_left_out += met.n_left_out
    return variance_of(held, metric, n_left_out)


class _Runs:
    """The runs met, in order, and the rows that name none."""

    def __init__(self, labels: Iterable[str], n_left_out: int) -> None:
        self.labels = dict.fromkeys(labels)
        self.n_left_out = n_left_out

    def merge(self, other: _Runs) -> None:
        """Add those of rows that come after."""
        self.labels |= other.labels
        self.n_left_out += other.n_left_out


@dataclass(frozen=True)
class RunsJob:
    """pass@1 and every marker by run and task; the run is `label`, else the one that a row names."""

    label: str | None
    by: str | None

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Tables], _Runs]:
        """Gather one part."""
        runs, n_left_out = ({self.label: rows}, 0) if self.label is not None else split(rows, self.by)
        shards = [Tables() for _ in range(n)]
        for label, held in runs.items():
            table = RowTable(held)
            columns = {PASS: metric_column(table, PASS)}
            columns |= {MARKER + name: column for name, column in table.markers.items()}
            for shard, part in zip(shards, cut(table, at, columns, n), strict=True):
                shard[label] = part
        return shards, _Runs(runs, n_left_out)
