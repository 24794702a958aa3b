"""How often things are present on rows (a flag, a phrase), and whether the 0/1 label goes with them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.association import fisher_above, phi
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.table import RowTable, Tasks

Flags = NDArray[np.bool_]


class Presence:
    """Counts of some named things over any number of batches made with this `index`.

    Memory grows with the tasks, not with the rows.

    >>> seen = Presence(["apology"])
    >>> rows = [{"task_id": t, "reward": r} for t, r in [("a", 1), ("b", 0), ("c", 0)]]
    >>> seen.add(RowTable(rows, seen.index), np.array([[True], [False], [False]]))
    >>> seen.n, seen.hits("apology"), seen.correlation("apology")
    (3, 1, 1.0)
    """

    def __init__(self, names: Sequence[str], index: Tasks | None = None) -> None:
        self.index = Tasks() if index is None else index
        self.n = 0
        self.n_graded = 0
        self._n_passed = 0
        self._place = {name: place for place, name in enumerate(names)}
        self._hits = np.zeros(len(names), dtype=np.int64)
        self._hits_graded = np.zeros(len(names), dtype=np.int64)
        self._hits_passed = np.zeros(len(names), dtype=np.int64)
        self._absent = [TaskSums() for _ in names]

    def add(self, table: RowTable, present: Flags) -> None:
        """Add the rows of one table; `present` has shape (len(table), len(names))."""
        passed, graded = table.labels == 1, table.binary
        self.n += len(table)
        self.n_graded += int(graded.sum())
        self._n_passed += int(passed.sum())
        self._hits += present.sum(axis=0)
        self._hits_graded += present[graded].sum(axis=0)
        self._hits_passed += present[passed].sum(axis=0)
        for place, sums in enumerate(self._absent):
            sums.add(table.tasks, (~present[:, place]).astype(np.float64))

    def merge(self, other: Presence) -> None:
        """Add the counts of other rows, of the same names."""
        codes = self.index.absorb(other.index)
        self.n += other.n
        self.n_graded += other.n_graded
        self._n_passed += other._n_passed
        self._hits += other._hits
        self._hits_graded += other._hits_graded
        self._hits_passed += other._hits_passed
        for mine, theirs in zip(self._absent, other._absent, strict=True):
            mine.merge(theirs, codes)

    def hits(self, name: str) -> int:
        """Rows on which it is present."""
        return int(self._hits[self._place[name]])

    def absent(self, name: str) -> TaskSums:
        """1 for a row without it, 0 for a row with it, summed by task."""
        return self._absent[self._place[name]]

    def correlation(self, name: str) -> float | None:
        """Pearson's correlation of its presence with the label, over labelled rows; None when it is undefined."""
        return phi(*self._table(name))

    def chance(self, name: str) -> float | None:
        """How likely presence goes with passing at least so often when it has nothing to do with it.

        Fisher's exact test, one-sided; None when the correlation is undefined. It takes rows as independent: where
        rollouts of a task share their fate it is too small.
        """
        return None if self.correlation(name) is None else fisher_above(*self._table(name))

    def _table(self, name: str) -> tuple[int, int, int, int]:
        """Labelled rows: present and passed, present and failed, absent and passed, absent and failed."""
        place = self._place[name]
        both, graded = int(self._hits_passed[place]), int(self._hits_graded[place])
        first_only, second_only = graded - both, self._n_passed - both
        return both, first_only, second_only, self.n_graded - both - first_only - second_only
