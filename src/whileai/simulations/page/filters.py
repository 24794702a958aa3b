"""Which rows stand behind each number of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.web.document import Filter

Positions = NDArray[np.int64]


class _Known(NamedTuple):
    """The rows themselves."""

    label: str
    positions: Positions
    leads: bool


class _Told(NamedTuple):
    """A rule that tells them, asked of the rows that are shown only."""

    label: str
    total: int
    holds: Callable[[int], bool]


class Filters:
    """Filters by id, numbered as they are added; a number that no row stands behind has none.

    >>> filters = Filters()
    >>> filters.add("passed", [0, 2]), filters.add("failed", [])
    ('f0', None)
    >>> filters.of_sample([2])
    {'f0': {'label': 'passed', 'rollouts': [0], 'total': 2}}
    """

    def __init__(self) -> None:
        self._held: dict[str, _Known | _Told] = {}

    def add(self, label: str, positions: Iterable[int] | Positions, *, leads: bool = True) -> str | None:
        """A filter of the rows at some positions; without `leads` no place in the sample is kept for it."""
        given = positions if isinstance(positions, np.ndarray | Sequence) else list(positions)
        places = np.asarray(given, dtype=np.int64)
        return self._put(_Known(label, places, leads)) if places.size else None

    def where(self, label: str, mask: NDArray[np.bool_]) -> str | None:
        """A filter of the rows where a mask holds."""
        return self.add(label, np.flatnonzero(mask))

    def told(self, label: str, total: int, holds: Callable[[int], bool]) -> str | None:
        """A filter of `total` rows that a rule tells."""
        return self._put(_Told(label, total, holds)) if total else None

    def _put(self, entry: _Known | _Told) -> str:
        name = f"f{len(self._held)}"
        self._held[name] = entry
        return name

    def leading(self, most: int) -> Iterator[int]:
        """The first rows behind each number, at most so many of each."""
        for entry in self._held.values():
            if isinstance(entry, _Known) and entry.leads:
                yield from entry.positions[:most].tolist()

    def of_sample(self, sample: Sequence[int]) -> Mapping[str, Filter]:
        """The filters as a document holds them, for the rows at the positions that are shown (ascending)."""
        shown = np.asarray(sample, dtype=np.int64)
        return {name: self._shown(entry, shown) for name, entry in self._held.items()}

    def _shown(self, entry: _Known | _Told, shown: Positions) -> Filter:
        if isinstance(entry, _Told):
            found = [index for index, position in enumerate(shown.tolist()) if entry.holds(position)]
            return {"label": entry.label, "rollouts": found, "total": entry.total}
        at = np.searchsorted(shown, entry.positions)
        inside = at < shown.size
        places = at[inside][shown[at[inside]] == entry.positions[inside]]
        return {"label": entry.label, "rollouts": places.tolist(), "total": int(entry.positions.size)}
