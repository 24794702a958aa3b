"""What the note of a pass rate says: too few tasks, rewards that are all one, a judge that failed."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import MIN_CI_TASKS
from whileai.simulations.kernels.tally import Seen
from whileai.simulations.reports import counted
from whileai.simulations.rows.table import RowTable

Floats = NDArray[np.float64]
_REASON_CHARS = 120


def interval_note(n_tasks: int) -> str:
    """Why there is no interval; "" where there is one."""
    if n_tasks >= MIN_CI_TASKS:
        return ""
    return (
        f"no interval on pass@1: {counted(n_tasks, 'task')}, {MIN_CI_TASKS} needed: add tasks, "
        "or give each row its own task_id when the rows are separate items"
    )


def one_value_note(n: int, least: float, most: float) -> str:
    """That all of `n` rewards are one value; "" where they are not, or there is but one.

    >>> one_value_note(8, 1.0, 1.0)
    'every graded row has reward 1 (8 of 8): check the judge first'
    """
    if n < 2 or least != most:
        return ""
    return f"every graded row has reward {_exact(least)} ({n} of {n}): check the judge first"


def _exact(value: float) -> str:
    """A number in as few digits as say no other: 0.004 is not 0.00."""
    forms = (f"{value:g}",) if value.is_integer() else (f"{value:.2f}", f"{value:g}")
    return next((form for form in forms if float(form) == value), repr(value))


class OneValue:
    """Whether all graded rows carry one value."""

    def __init__(self) -> None:
        self.n = 0
        self._seen = Seen()

    def add(self, grades: Floats) -> None:
        """Add some grades."""
        if grades.size:
            self.n += grades.size
            self._seen.add(grades)

    def merge(self, other: OneValue) -> None:
        """Add those that another has."""
        self.n += other.n
        self._seen.merge(other._seen)

    def note(self) -> str:
        """That they do."""
        return one_value_note(self.n, self._seen.least, self._seen.most)


class FailedJudge:
    """The verdict statuses of rows, kept while no row has a label: they say why."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.reason = ""

    def add(self, table: RowTable) -> None:
        """Add the rows of one table."""
        for row in table.rows:
            status = row.get("judge_status")
            if status is None:
                continue
            self.statuses[str(status)] += 1
            if not self.reason and isinstance(row.get("reason"), str) and status != "ok":
                self.reason = row["reason"][:_REASON_CHARS]

    def merge(self, other: FailedJudge) -> None:
        """Add those of rows that come after."""
        self.statuses.update(other.statuses)
        self.reason = self.reason or other.reason

    def note(self) -> str:
        """That no row got a verdict, and why the first did not."""
        if not self.statuses or "ok" in self.statuses:
            return ""
        said = f" ({self.reason})" if self.reason else ""
        n = self.statuses.total()
        rows = "the one row" if n == 1 else f"all {counted(n, 'row')}"
        return f"the judge failed on {rows}: {'/'.join(sorted(self.statuses))}{said}: run the judge again"
