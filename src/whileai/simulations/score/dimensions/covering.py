"""Covering arrays: few rows in which every pair of values of two axes appears."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, count

Pair = tuple[int, int, int, int]  # axis, its value, a later axis, its value


def each_once(sizes: Sequence[int]) -> list[list[int]]:
    """Rows in which every value of every axis appears: as many as the longest axis has values.

    >>> each_once([3, 2])
    [[0, 0], [1, 1], [2, 0]]
    """
    return [[row % size for size in sizes] for row in range(max(sizes))]


def pairwise(sizes: Sequence[int]) -> list[list[int]]:
    """Rows in which every pair of values of two axes appears, at least as many as the two longest axes have pairs.

    Those pairs (i, j) are one row each; the k-th other axis takes (i + k j) modulo a prime, the construction of
    orthogonal Latin squares (Bose 1938), so that most pairs of the others appear on the way. What is missing fills
    the values left open, then rows of its own.

    >>> len(pairwise([5, 10, 6, 5, 5])), pairwise([2, 2])
    (60, [[0, 0], [0, 1], [1, 0], [1, 1]])
    """
    rows = _of_the_longest(sizes)
    missing = _Missing(sizes)
    for open_row in rows:
        missing.drop(open_row)
    filled = [missing.fill(open_row) for open_row in rows]
    while (pair := missing.first()) is not None:
        axis, value, other, value_of_other = pair
        row: list[int | None] = [None] * len(sizes)
        row[axis], row[other] = value, value_of_other
        filled.append(missing.fill(row))
    return filled


def _of_the_longest(sizes: Sequence[int]) -> list[list[int | None]]:
    """One row a pair of the two longest axes; None where the construction has no value for another axis."""
    first, second, *others = sorted(range(len(sizes)), key=lambda axis: -sizes[axis])
    prime = _prime(max([len(others) + 1, *(sizes[axis] for axis in others[:1])]))
    rows: list[list[int | None]] = []
    for i in range(sizes[first]):
        for j in range(sizes[second]):
            row: list[int | None] = [None] * len(sizes)
            row[first], row[second] = i, j
            for k, axis in enumerate(others, 1):
                value = (i + k * j) % prime if j < prime else i % sizes[axis]
                row[axis] = value if value < sizes[axis] else None
            rows.append(row)
    return rows


def _prime(least: int) -> int:
    """The smallest prime that is not below a number."""
    return next(n for n in count(max(2, least)) if all(n % d for d in range(2, int(n**0.5) + 1)))


class _Missing:
    """The pairs of values that no row holds yet."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._axes = list(combinations(range(len(sizes)), 2))
        every = ((u, x, v, y) for u, v in self._axes for x in range(sizes[u]) for y in range(sizes[v]))
        self._pairs: dict[Pair, None] = dict.fromkeys(every)

    def first(self) -> Pair | None:
        """A missing pair, None when there is none."""
        return next(iter(self._pairs), None)

    def drop(self, row: Sequence[int | None]) -> None:
        """Take out the pairs a row holds."""
        for pair in self._held(row):
            self._pairs.pop(pair, None)

    def fill(self, row: Sequence[int | None]) -> list[int]:
        """The row with a value on each open axis: the first that brings the most missing pairs."""
        full = list(row)
        if None in full:
            for axis, value in enumerate(row):
                if value is None:
                    full[axis] = self._best(full, axis)
            self.drop(full)
        return [value for value in full if value is not None]

    def _best(self, row: Sequence[int | None], axis: int) -> int:
        """The value on an axis that brings the most missing pairs, the first of equals."""
        sides = [(other, value) for other, value in enumerate(row) if value is not None]

        def brings(new: int) -> int:
            pairs = ((at, value, axis, new) if at < axis else (axis, new, at, value) for at, value in sides)
            return sum(pair in self._pairs for pair in pairs)

        return max(range(self._sizes[axis]), key=brings) if self._pairs else 0

    def _held(self, row: Sequence[int | None]) -> Iterator[Pair]:
        for u, v in self._axes:
            x, y = row[u], row[v]
            if x is not None and y is not None:
                yield u, x, v, y
