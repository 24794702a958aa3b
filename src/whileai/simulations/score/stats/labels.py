"""The 0/1 labels of one run by task, and the graded rows that have none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import counted, out_of
from whileai.simulations.rows.table import RowTable, Tasks


class LabelSums(TaskSums):
    """The 0/1 labels by task, and how many graded rows have none: their reward is another number."""

    def __init__(self) -> None:
        super().__init__()
        self.n_other = 0
        self.n_minus_one = 0

    @property
    def fix(self) -> str:
        """What makes 0/1 labels of the other rewards."""
        return "write 0 for -1" if self.n_other == self.n_minus_one else "grade 0/1, or set a threshold yourself"

    def spread(self) -> float | None:
        """Standard deviation of the tasks' pass rates, 4 decimals; None below 2 tasks."""
        return round(float(self.means().std(ddof=1)), 4) if self.codes().size > 1 else None


class LabelTally:
    """The 0/1 labels of rows summed by task, over any number of batches."""

    def __init__(self, index: Tasks) -> None:
        self.index = index
        self.sums = LabelSums()

    def add(self, rows: Iterable[Any], file: str | None = None) -> None:
        """Add the rows of one batch; which file they come from changes nothing."""
        table = RowTable(rows, self.index)
        self.sums.add(table.tasks[table.binary], table.labels[table.binary])
        others = table.grades[~np.isnan(table.grades) & ~table.binary]
        self.sums.n_other += others.size
        self.sums.n_minus_one += int((others == -1).sum())


def labels_of(rows: Iterable[Any], index: Tasks) -> LabelSums:
    """The labels of some rows by task."""
    tally = LabelTally(index)
    tally.add(rows)
    return tally.sums


def check_labels(name: str, side: LabelSums, *, ungraded_too: bool) -> None:
    """A `ValueError` for a run whose rewards are all others; with `ungraded_too` also for one without any."""
    if side.n_other and not side.n:
        rows = counted(side.n_other, "graded row")
        raise ValueError(
            f"{name}: no reward is exactly 0 or 1 ({rows}), and a pass rate is made of 0/1 rewards: {side.fix}"
        )
    if ungraded_too and not side.n:
        raise ValueError(f"{name} has no row with a 0/1 reward: grade the rows first")


def lost_labels(sides: Mapping[str, LabelSums]) -> Iterator[str]:
    """What to know of graded rows that are in no pass rate."""
    for name, side in sides.items():
        if side.n_other:
            yield (
                f"{out_of(side.n_other, side.n + side.n_other, 'graded row')} of {name} with a reward that is not 0/1, "
                f"so in no pass rate: {side.fix}"
            )
