"""Sums by group that come out the same in whatever order, and in whatever parts, their values are added.

Floating point addition rounds at each step, so that sums of parts differ in the last digit from the sum of the whole.
Here each value is cut into whole multiples of powers of 2**24, which add up without rounding (Kulisch's accumulator,
one for each group, of which only the digits in use are held); the sum is rounded once, when it is read.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BITS = 24  # of a digit: float sums of 2**29 of them are exact, as are int sums of 2**39
_HALF = 2.0**32


class ExactSums:
    """Sums of finite values by group; groups are numbered 0 to `size`.

    >>> sums = ExactSums()
    >>> sums.add(np.array([0, 0, 0]), np.array([0.1, 1e17, -1e17]), size=1)
    >>> sums.values(1).tolist()
    [0.1]
    """

    def __init__(self) -> None:
        self._digits: dict[int, Ints] = {}

    def add(self, groups: Ints, values: Floats, size: int) -> None:
        """Add values, each to its group."""
        left = values
        while (most := float(np.abs(left).max(initial=0.0))) > 0:
            place = (math.frexp(most)[1] - 1) // _BITS
            digit = np.trunc(np.ldexp(left, -_BITS * place))
            left = left - np.ldexp(digit, _BITS * place)
            self._add_digit(place, np.bincount(groups, weights=digit, minlength=size).astype(np.int64))

    def merge(self, other: ExactSums, groups: Ints, size: int) -> None:
        """Add other sums, of which `groups` says what number each group has here."""
        for place, digits in other._digits.items():
            held = np.zeros(size, dtype=np.int64)
            held[groups[: digits.size]] = digits
            self._add_digit(place, held)

    def _add_digit(self, place: int, digits: Ints) -> None:
        held = self._digits.get(place)
        if held is None:
            self._digits[place] = digits
            return
        if held.size < digits.size:
            held = np.concatenate([held, np.zeros(digits.size - held.size, dtype=np.int64)])
        held[: digits.size] += digits
        self._digits[place] = held

    def values(self, size: int) -> Floats:
        """The sum of each group, rounded once."""
        parts: list[Floats] = []
        for place, digits in self._digits.items():
            high = np.floor(digits / _HALF)
            low = (digits - (high * _HALF).astype(np.int64)).astype(np.float64)
            for held in (np.ldexp(low, _BITS * place), np.ldexp(high, _BITS * place + 32)):
                parts.append(np.concatenate([held, np.zeros(size - held.size)]))
        return np.array([math.fsum(found) for found in zip(*parts, strict=True)] if parts else np.zeros(size))
