"""Rows in groups, and what is left of a column when each group's mean is taken away."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

_CACHED = 65_536  # bytes of packed columns counted at a time, so that their counts stay in the near cache
_LEAST_SPREAD = 0.25  # a 0/1 column that varies in some group has at least 1/2
_BITS = np.array([byte.bit_count() for byte in range(256)], dtype=np.uint8)
_ones_in: Callable[[Bytes], Bytes] = getattr(np, "bitwise_count", _BITS.take)  # the former came with NumPy 2


class Groups:
    """Rows of which the first `sizes[0]` are one group, the next `sizes[1]` another, and so on; no group is empty.

    >>> Groups(np.array([2, 3])).centred(np.array([1.0, 3.0, 5.0, 5.0, 8.0]))
    array([-1.,  1., -1., -1.,  2.])
    """

    def __init__(self, sizes: Ints) -> None:
        self.sizes = sizes
        self.starts = np.cumsum(sizes) - sizes
        self.n = int(sizes.sum())

    def first(self, n: int) -> Groups:
        """The groups that make up the first n rows."""
        return Groups(self.sizes[: int(np.searchsorted(self.starts, n))])

    def centred(self, values: Floats) -> Floats:
        """Values of shape (..., n) less their group's mean; exactly 0 in a group of equal values."""
        shifted = values - np.repeat(values[..., self.starts], self.sizes, axis=-1)
        means = np.add.reduceat(shifted, self.starts, axis=-1) / self.sizes
        return np.asarray(shifted - np.repeat(means, self.sizes, axis=-1))

    def shuffled(self, values: Floats, times: int, rng: np.random.Generator) -> Floats:
        """Values of shape (n,) in a random order within each group, so many times: shape (times, n).

        Fast when groups of one size lie together.
        """
        shuffled = np.empty((times, self.n))
        turns = np.flatnonzero(np.diff(self.sizes, prepend=-1, append=-1))
        for first, last in zip(turns[:-1].tolist(), turns[1:].tolist(), strict=True):
            size, count, start = int(self.sizes[first]), last - first, int(self.starts[first])
            block = slice(start, start + count * size)
            shape = times, count, size
            into = shuffled[:, block].reshape(shape)  # a view: what `permuted` makes itself is slow to fill
            rng.permuted(np.broadcast_to(values[block].reshape(count, size), shape), axis=2, out=into)
        return shuffled


class Tally(NamedTuple):
    """Of each packed column: its ones, and its sum of squares about the group means."""

    n: Floats
    within: Floats


class PackedFlags:
    """0/1 columns with eight rows a byte, each group on bytes of its own: the rows two of them share are one `&`.

    >>> packed = PackedFlags(np.array([[1, 1, 0], [1, 0, 1]], dtype=np.uint8), Groups(np.array([2, 1])))
    >>> packed.tally(packed.bits[:1] & packed.bits[1:])
    Tally(n=array([1.]), within=array([0.5]))
    """

    def __init__(self, flags: Bytes, groups: Groups) -> None:
        self._inverse_sizes = 1.0 / groups.sizes
        widths = (groups.sizes + 7) // 8
        self._starts = np.cumsum(widths) - widths
        self._one_byte = bool((widths == 1).all())
        if not (groups.sizes[:-1] % 8).any():  # each group fills its bytes as it lies
            self.bits = np.packbits(flags, axis=1)
            return
        place = np.repeat(8 * self._starts - groups.starts, groups.sizes) + np.arange(groups.n)
        padded = np.zeros(8 * int(widths.sum()), dtype=np.uint8)
        self.bits = np.empty((len(flags), padded.size // 8), dtype=np.uint8)
        for bits, column in zip(self.bits, flags, strict=True):
            padded[place] = column
            bits[:] = np.packbits(padded)

    def tally(self, bits: Bytes) -> Tally:
        """Counts of packed columns; `within` is exactly 0 for a column that is constant within each group."""
        n, within = np.empty((2, len(bits)))
        step = max(1, _CACHED // max(bits.shape[1], 1))
        for start in range(0, len(bits), step):
            block = slice(start, start + step)
            counts = self._ones(bits[block])
            n[block] = counts.sum(axis=1)
            # einsum, as a product this flat makes the threads of BLAS wait for each other
            within[block] = n[block] - np.einsum("ij,j->i", np.square(counts, out=counts), self._inverse_sizes)
        return Tally(n, np.where(within < _LEAST_SPREAD, 0.0, within))

    def _ones(self, bits: Bytes) -> Floats:
        """The ones of each packed column in each group."""
        counts = _ones_in(bits)
        if not self._one_byte:
            counts = np.add.reduceat(counts, self._starts, axis=1, dtype=np.uint32)
        return counts.astype(np.float64)
