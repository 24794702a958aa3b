"""Per-task sums that add up over batches of a stream, and over parts of it that were summed apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.exact import ExactSums

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_MOST_WAITING = 4096  # values of a batch or several that wait to be sorted into their tasks
_SPARSE = 4  # codes up to the largest for each value, beyond which sorting the values is cheaper; convention
_EXACT = 2.0**53  # up to here floats hold every whole number, so that sums of them do not round
SAME = 1e-9  # values closer than this are one value


@dataclass(slots=True)
class Seen:
    """The range of some values, and how many are 1 and 0.

    >>> seen = Seen()
    >>> seen.add(np.array([1.0, 0.5]))
    >>> seen
    Seen(least=0.5, most=1.0, n_at_1=1, n_at_0=0)
    """

    least: float = np.inf
    most: float = -np.inf
    n_at_1: int = 0
    n_at_0: int = 0

    def add(self, values: Floats) -> None:
        """Add some values, one at the least."""
        self.merge(
            Seen(
                float(values.min()),
                float(values.max()),
                int(np.count_nonzero(values == 1)),
                int(np.count_nonzero(values == 0)),
            )
        )

    def merge(self, other: Seen) -> None:
        """Add the values that another saw."""
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)
        self.n_at_1 += other.n_at_1
        self.n_at_0 += other.n_at_0


class TaskSums:
    """Count and sum of values by task code, for any number of batches; memory grows with the tasks, not the rows.

    The sums are those of the exact values, rounded once: they do not depend on how the values were cut into batches,
    or on the order in which parts were merged.

    >>> sums = TaskSums()
    >>> sums.add(np.array([0, 1, 0]), np.array([1.0, 0.0, 0.0]))
    >>> sums.add(np.array([2]), np.array([1.0]))
    >>> sums.counts().tolist(), sums.means().tolist()
    ([2, 1, 1], [0.5, 0.0, 1.0])
    """

    def __init__(self) -> None:
        self._held = _Sums(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
        self._waiting: list[_Sums] = []
        self._n_waiting = 0
        self.n = 0
        self._seen = Seen()

    def add(self, codes: Ints, values: Floats) -> None:
        """Add the values of one batch, each to its task."""
        if values.size:
            self.n += values.size
            self._wait(_Sums(codes, None, values))

    def merge(self, other: TaskSums, codes: Ints) -> None:
        """Add what another tally gathered; `codes` says which code each of its codes is here.

        >>> one, two = TaskSums(), TaskSums()
        >>> one.add(np.array([0]), np.array([0.5]))
        >>> two.add(np.array([0, 1]), np.array([1.0, 0.25]))
        >>> one.merge(two, codes=np.array([1, 0]))
        >>> one.sums().tolist()
        [0.75, 1.0]
        """
        held = other._settled()
        if not held.codes.size:
            return
        self.n += other.n
        self._seen.merge(other._seen)
        self._wait(_Sums(codes[held.codes], held.counts, held.sums, held.exact))

    def _wait(self, sums: _Sums) -> None:
        """Keep sums until there are as many as tasks, so that each is sorted into its task a few times at most."""
        self._waiting.append(sums)
        self._n_waiting += sums.codes.size
        if self._n_waiting > max(_MOST_WAITING, self._held.codes.size):
            self._settled()

    def _settled(self) -> _Sums:
        """All sums, each task once, by ascending codes."""
        if self._waiting:
            if added := [part.sums for part in self._waiting if part.counts is None and part.sums is not None]:
                self._seen.add(np.concatenate(added))
            self._held = _joined([self._held, *self._waiting])
            self._waiting, self._n_waiting = [], 0
        return self._held

    @property
    def seen(self) -> Seen:
        """What is known of the values whatever their task."""
        self._settled()
        return self._seen

    def codes(self) -> Ints:
        """Codes of the tasks that have a value, ascending."""
        return self._settled().codes

    def counts(self) -> Ints:
        """Values of each such task."""
        counts = self._settled().counts
        assert counts is not None
        return counts

    def sums(self) -> Floats:
        """Sum of each such task's values."""
        held = self._settled()
        if held.sums is None:
            assert held.exact is not None
            held.sums = held.exact.values(held.codes.size)
        return held.sums

    def means(self) -> Floats:
        """Mean of each such task's values."""
        return self.sums() / self.counts()

    def within_unit(self) -> bool:
        """Whether every value lies in [0, 1]."""
        return self.seen.least >= 0 and self.seen.most <= 1

    def all_binary(self) -> bool:
        """Whether every value is 0 or 1."""
        return self.seen.n_at_1 + self.seen.n_at_0 == self.n

    def all_equal(self) -> bool:
        """Whether there are values, and all are one value."""
        return self.n > 0 and self.seen.most - self.seen.least <= SAME


@dataclass(slots=True)
class _Sums:
    """Sums by code: how many values each has, None for one, and the sums; `exact` where they are no whole numbers."""

    codes: Ints
    counts: Ints | None
    sums: Floats | None
    exact: ExactSums | None = None


def _places(codes: Ints) -> tuple[Ints, Ints]:
    """Each code once, ascending, and which of those each is: `np.unique`, without a sort where codes lie close."""
    size = int(codes.max()) + 1
    if size > _SPARSE * codes.size:
        return np.unique(codes, return_inverse=True)
    met = np.zeros(size, dtype=np.bool_)
    met[codes] = True
    return np.flatnonzero(met), (np.cumsum(met) - 1)[codes]


def _joined(parts: list[_Sums]) -> _Sums:
    """The sums of all parts, each code once; in a part without `exact` sums a code may come more than once."""
    codes, place = _places(np.concatenate([part.codes for part in parts]))
    counts = [np.ones(part.codes.size) if part.counts is None else part.counts.astype(np.float64) for part in parts]
    n = np.bincount(place, weights=np.concatenate(counts), minlength=codes.size).astype(np.int64)
    plain = [part.sums for part in parts if part.exact is None and part.sums is not None]
    if len(plain) == len(parts) and _add_up_exactly(plain):
        return _Sums(codes, n, np.bincount(place, weights=np.concatenate(plain), minlength=codes.size).astype(float))
    exact = ExactSums()
    start = 0
    for part in parts:
        own = place[start : start + part.codes.size]
        start += part.codes.size
        if part.exact is not None:
            exact.merge(part.exact, own, codes.size)
        elif part.sums is not None:
            exact.add(own, part.sums, codes.size)
    return _Sums(codes, n, None, exact)


def _add_up_exactly(parts: list[Floats]) -> bool:
    """Whether floats are whole numbers that add up without rounding."""
    most = sum(float(np.abs(part).sum()) for part in parts)
    return most < _EXACT and all(bool((part == np.rint(part)).all()) for part in parts)
