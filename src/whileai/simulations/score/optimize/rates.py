"""How often each task is solved: measured on its rows, or carried by one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.grade import score_of
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.score.stats.summary import PASS, metric_sums

MIN_K = 2  # labels below which a task shows no contrast


class Rate(NamedTuple):
    """A task's pass rate, over how many rollouts (None when nobody said), and whether a row only carried it."""

    value: float
    n: int | float | None
    carried: bool = False

    @property
    def unanimous(self) -> bool:
        """Whether all rollouts agree."""
        return self.value in (0.0, 1.0)


def measured_rates(table: RowTable) -> dict[int, Rate]:
    """The rate of every task with a 0/1 label, by task code.

    >>> measured_rates(RowTable([{"task_id": "a", "reward": r} for r in (1, 0, 0.9)]))
    {0: Rate(value=0.5, n=2, carried=False)}
    """
    return rates_of(metric_sums(table, PASS))


def rates_of(sums: TaskSums) -> dict[int, Rate]:
    """The rates behind labels that are summed by task."""
    found = zip(sums.codes().tolist(), sums.means().tolist(), sums.counts().tolist(), strict=True)
    return {code: Rate(mean, count) for code, mean, count in found}


def task_rates(table: RowTable) -> dict[int, Rate]:
    """The rate of every task by task code: of its labels, else the first that one of its rows carries.

    A row carries one as `pass_rate` and `n`, or under `calibration`: a trainer's table of tasks.

    >>> task_rates(RowTable([{"task_id": "a", "pass_rate": 0.25}]))
    {0: Rate(value=0.25, n=None, carried=True)}
    """
    rates = measured_rates(table)
    unmeasured = ~np.isin(table.tasks, list(rates))
    for place in np.flatnonzero(unmeasured).tolist():
        code = int(table.tasks[place])
        if code not in rates and (carried := _carried(table.rows[place])) is not None:
            rates[code] = carried
    return rates


def _carried(row: Mapping[str, Any]) -> Rate | None:
    for cell in (row, row.get("calibration")):
        if is_mapping(cell):
            value = score_of(cell.get("pass_rate"))
            if value is not None and 0 <= value <= 1:
                return Rate(value, _count(cell.get("n")), carried=True)
    return None


def _count(value: Any) -> int | float | None:
    n = score_of(value)
    if n is None or n <= 0:
        return None
    return int(n) if n == int(n) else n
