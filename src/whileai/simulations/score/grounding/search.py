"""All places of many values in one text, in one pass over the text."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_WINDOWS = (*range(1, 17), 32, 64, 128)  # characters of a value's end that are hashed; what they find is compared
_CHUNK = 1 << 15  # characters hashed at a time: their hashes stay in the cache
_BASE = 0x9E3779B97F4A7C15  # odd; products wrap at 64 bits
_TABLE_BITS = 18


def places(text: str, values: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each value with each place where it stands in the text; the places of one value ascend.

    The window of characters that a value ends in is looked up by a rolling hash (Karp and Rabin 1987), so the time
    grows with the text and the number of finds, not with the number of values.

    >>> list(places("banana", ["ana", "an", "x"]))
    [('an', 1), ('an', 3), ('ana', 1), ('ana', 3)]
    """
    by_hash: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for value in filter(None, values):
        size = _WINDOWS[bisect_right(_WINDOWS, len(value)) - 1]
        by_hash[size][_hash(value[-size:])].append(value)
    tables = {size: _Table(hashes) for size, hashes in by_hash.items()}
    largest = max(tables, default=0)
    for start in range(0, len(text), _CHUNK):
        for size, hashes in _window_hashes(text[start : start + _CHUNK + largest - 1], largest):
            if size in tables:
                for at, found in tables[size].find(hashes[:_CHUNK]):
                    for value in by_hash[size][found]:
                        place = start + at + size - len(value)
                        if place >= 0 and text.startswith(value, place):
                            yield value, place


def _window_hashes(text: str, largest: int) -> Iterator[tuple[int, NDArray[np.uint64]]]:
    """Window sizes up to the largest, each with the hash of every window of the text from left to right."""
    codes = hashes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    yield 1, hashes
    for size, longer in pairwise(_WINDOWS[: bisect_right(_WINDOWS, largest)]):
        more = longer - size
        tail = codes if more == 1 else hashes
        hashes = hashes[:-more] * np.uint64(pow(_BASE, more, 1 << 64)) + tail[size:]
        yield longer, hashes


class _Table:
    """The hashes to look for: a bit for the top bits of each rules out most others."""

    def __init__(self, hashes: Iterable[int]) -> None:
        self._hashes = np.array(sorted(hashes), dtype=np.uint64)
        self._shift = np.uint64(64 - _TABLE_BITS)
        self._marked = np.zeros(1 << _TABLE_BITS, dtype=bool)
        self._marked[self._hashes >> self._shift] = True

    def find(self, hashes: NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
        """Where one of them stands, and which."""
        likely = np.flatnonzero(self._marked[hashes >> self._shift])
        candidates = hashes[likely]
        known = self._hashes[np.searchsorted(self._hashes, candidates).clip(max=len(self._hashes) - 1)] == candidates
        return zip(likely[known].tolist(), candidates[known].tolist(), strict=True)


def _hash(text: str) -> int:
    value = 0
    for character in text:
        value = (value * _BASE + ord(character)) % (1 << 64)
    return value
