"""Per-task sums that add up over batches of a stream."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_MOST_WAITING = 4096  # values of a batch or several that wait to be sorted into their tasks


class TaskSums:
    """Count and sum of values by task code, for any number of batches; memory grows with the tasks, not the rows.

    >>> sums = TaskSums()
    >>> sums.add(np.array([0, 1, 0]), np.array([1.0, 0.0, 0.0]))
    >>> sums.add(np.array([2]), np.array([1.0]))
    >>> sums.counts().tolist(), sums.means().tolist()
    ([2, 1, 1], [0.5, 0.0, 1.0])
    """

    def __init__(self) -> None:
        self._codes: Ints = np.zeros(0, dtype=np.int64)
        self._counts: Ints = np.zeros(0, dtype=np.int64)
        self._sums: Floats = np.zeros(0, dtype=np.float64)
        self._waiting: list[tuple[Ints, Floats]] = []
        self._n_waiting = 0
        self.n = 0
        self.n_at_1 = 0
        self.n_at_0 = 0
        self.least = np.inf
        self.most = -np.inf

    def add(self, codes: Ints, values: Floats) -> None:
        """Add the values of one batch, each to its task."""
        if not values.size:
            return
        self._waiting.append((codes, values))
        self._n_waiting += values.size
        if self._n_waiting > max(_MOST_WAITING, self._codes.size):
            self._settle()
        self.n += values.size
        self.n_at_1 += int(np.count_nonzero(values == 1))
        self.n_at_0 += int(np.count_nonzero(values == 0))
        self.least = min(self.least, float(values.min()))
        self.most = max(self.most, float(values.max()))

    def _settle(self) -> None:
        """Add what waits to the sums; done once there is as much as there are tasks, so that each value is sorted
        a few times at most.
        """
        if not self._waiting:
            return
        codes = np.concatenate([self._codes, *(codes for codes, _ in self._waiting)])
        values = np.concatenate([self._sums, *(values for _, values in self._waiting)])
        counts = np.ones(codes.size)
        counts[: self._counts.size] = self._counts
        self._codes, place = np.unique(codes, return_inverse=True)
        self._counts = np.bincount(place, weights=counts).astype(np.int64)
        self._sums = np.bincount(place, weights=values).astype(np.float64)
        self._waiting, self._n_waiting = [], 0

    def codes(self) -> Ints:
        """Codes of the tasks that have a value, ascending."""
        self._settle()
        return self._codes

    def counts(self) -> Ints:
        """Values of each such task."""
        self._settle()
        return self._counts

    def sums(self) -> Floats:
        """Sum of each such task's values."""
        self._settle()
        return self._sums

    def means(self) -> Floats:
        """Mean of each such task's values."""
        return self.sums() / self.counts()

    def within_unit(self) -> bool:
        """Whether every value lies in [0, 1]."""
        return self.least >= 0 and self.most <= 1

    def all_binary(self) -> bool:
        """Whether every value is 0 or 1."""
        return self.n_at_1 + self.n_at_0 == self.n
