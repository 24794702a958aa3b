"""The graded rows of a scan, ask by ask, and what the rewards of the asks are like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.groups import Groups
from whileai.simulations.rows.grade import score_of
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.task import keyless_note
from whileai.simulations.score.hygiene.ask import ask_key

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_MOST_VARIANCE = 0.25  # of a 0/1 reward, at a pass rate of one half


class Asks:
    """Graded rows in order of their asks: asks whose rewards differ first, those of one size together.

    `rows` and `rewards` are in that order, `groups` are the asks, and the first `live` rows are those of asks whose
    rewards differ.
    """

    def __init__(self, table: RowTable, reward: str) -> None:
        scored = [(row, score) for row in table.rows if (score := score_of(row.get(reward))) is not None]
        codes, keyless = _codes([row for row, _ in scored])
        scores = np.array([score for _, score in scored], dtype=np.float64)
        sizes, differ = _sizes_and_differ(codes, scores)
        place = np.empty(sizes.size, dtype=np.int64)
        place[np.lexsort((sizes, ~differ))] = np.arange(sizes.size)
        order = np.argsort(place[codes], kind="stable")
        self.rows: list[Mapping[str, Any]] = [scored[at][0] for at in order.tolist()]
        self.rewards: Floats = scores[order]
        self.groups = Groups(sizes[np.argsort(place)])
        self.live = int(sizes[differ].sum())
        self.n_live_asks = int(differ.sum())
        self._keyless = [scored[at][0] for at in np.flatnonzero(codes == keyless).tolist()]

    @property
    def multi(self) -> NDArray[np.bool_]:
        """Which asks have two graded rows or more."""
        return self.groups.sizes > 1

    def counts(self) -> dict[str, int]:
        """The counters of the report."""
        multi = self.groups.sizes[self.multi]
        return {
            "n_graded": self.groups.n,
            "n_groups": self.groups.sizes.size,
            "n_groups_multi": multi.size,
            "rollouts_per_group": upper_median(multi) if multi.size else int(self.groups.n > 0),
            "effective_rollouts": self.live,
        }

    def warnings(self) -> list[str]:
        """What to know of rows that name no ask."""
        found = self._keyless
        return [keyless_note(len(found), self.groups.n, found[0].keys())] if found else []

    def support(self) -> dict[str, float]:
        """Shares of the asks that all pass, all fail or are mixed, and the variance within asks over its most."""
        n = self.groups.sizes.size
        if not n:
            return {"sat": 0.0, "dead": 0.0, "mixed": 0.0, "capacity": 0.0}
        first = self.rewards[self.groups.starts[self.n_live_asks :]]
        squares = np.add.reduceat(np.square(self.groups.centred(self.rewards)), self.groups.starts)
        return {
            "sat": int((first >= 1).sum()) / n,
            "dead": int((first <= 0).sum()) / n,
            "mixed": self.n_live_asks / n,
            "capacity": float((squares / self.groups.sizes).mean()) / _MOST_VARIANCE,
        }

    def distinct(self, profiles: list[int]) -> int:
        """The median number of different `profiles` (one a row) in an ask of two rows or more; 1 without any."""
        if not self.groups.n:
            return 0
        starts, sizes = self.groups.starts[self.multi].tolist(), self.groups.sizes[self.multi].tolist()
        found = [len(set(profiles[start : start + size])) for start, size in zip(starts, sizes, strict=True)]
        return upper_median(np.array(found, dtype=np.int64)) if found else 1


def upper_median(values: Ints) -> int:
    """The middle value, the upper of the middle two.

    >>> upper_median(np.array([4, 1, 3, 2]))
    3
    """
    return int(np.sort(values)[values.size // 2])


def _codes(rows: list[Mapping[str, Any]]) -> tuple[Ints, int]:
    """A number for the ask of each row, and that of rows without one, -1 where all have one."""
    numbers: dict[str, int] = {}
    codes = np.array([numbers.setdefault(ask_key(row), len(numbers)) for row in rows], dtype=np.int64)
    return codes, numbers.get("", -1)


def _sizes_and_differ(codes: Ints, scores: Floats) -> tuple[Ints, NDArray[np.bool_]]:
    """The rows of each ask, and whether their rewards differ."""
    sizes = np.bincount(codes)
    low, high = np.full(sizes.size, np.inf), np.full(sizes.size, -np.inf)
    np.minimum.at(low, codes, scores)
    np.maximum.at(high, codes, scores)
    return sizes, low < high
