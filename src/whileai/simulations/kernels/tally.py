"""Per-task sums that add up over batches of a stream."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class TaskSums:
    """Count and sum of values by task code, for any number of batches; memory grows with the tasks, not the rows.

    >>> sums = TaskSums()
    >>> sums.add(np.array([0, 1, 0]), np.array([1.0, 0.0, 0.0]))
    >>> sums.add(np.array([2]), np.array([1.0]))
    >>> sums.counts().tolist(), sums.means().tolist()
    ([2, 1, 1], [0.5, 0.0, 1.0])
    """

    def __init__(self) -> None:
        self._counts: Ints = np.zeros(0, dtype=np.int64)
        self._sums: Floats = np.zeros(0, dtype=np.float64)
        self.n = 0
        self.n_at_1 = 0
        self.n_at_0 = 0
        self.least = np.inf
        self.most = -np.inf

    def add(self, codes: Ints, values: Floats) -> None:
        """Add the values of one batch, each to its task."""
        if not values.size:
            return
        self._grow(int(codes.max()) + 1)
        np.add.at(self._counts, codes, 1)
        np.add.at(self._sums, codes, values)
        self.n += values.size
        self.n_at_1 += int(np.count_nonzero(values == 1))
        self.n_at_0 += int(np.count_nonzero(values == 0))
        self.least = min(self.least, float(values.min()))
        self.most = max(self.most, float(values.max()))

    def _grow(self, size: int) -> None:
        if size > self._counts.size:
            room = max(size, 2 * self._counts.size) - self._counts.size
            self._counts = np.concatenate([self._counts, np.zeros(room, dtype=np.int64)])
            self._sums = np.concatenate([self._sums, np.zeros(room, dtype=np.float64)])

    def codes(self) -> Ints:
        """Codes of the tasks that have a value, ascending."""
        return np.flatnonzero(self._counts)

    def counts(self) -> Ints:
        """Values of each such task."""
        return self._counts[self.codes()]

    def sums(self) -> Floats:
        """Sum of each such task's values."""
        return self._sums[self.codes()]

    def means(self) -> Floats:
        """Mean of each such task's values."""
        return self.sums() / self.counts()

    def within_unit(self) -> bool:
        """Whether every value lies in [0, 1]."""
        return self.least >= 0 and self.most <= 1

    def all_binary(self) -> bool:
        """Whether every value is 0 or 1."""
        return self.n_at_1 + self.n_at_0 == self.n
