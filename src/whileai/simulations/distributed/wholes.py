"""What reports know of all rows whatever their task: small, and merged in the order of the rows."""

from __future__ import annotations

from collections import Counter

import numpy as np

from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.optimize.rewards import unusable_rewards
from whileai.simulations.score.passat import PassTally

_NO_CODES = np.zeros(0, dtype=np.int64)


class Rates:
    """A `PassTally` without its tasks: those are in the shards."""

    def __init__(self) -> None:
        self.tally = PassTally()

    def add(self, table: RowTable) -> None:
        """Add the rows of one table."""
        self.tally.add(table)
        self.tally.sums, self.tally.index = TaskSums(), Tasks()

    def merge(self, other: Rates) -> None:
        """Add what another gathered of rows that come after."""
        self.tally.merge(other.tally, _NO_CODES)


class Labels:
    """How many rows there are, and how many have no 0/1 label, by what stands in its place."""

    def __init__(self) -> None:
        self.n = 0
        self.unusable: Counter[str] = Counter()

    def add(self, table: RowTable) -> None:
        """Add the rows of one table."""
        self.n += len(table)
        self.unusable.update(unusable_rewards(table))

    def merge(self, other: Labels) -> None:
        """Add what another counted."""
        self.n += other.n
        self.unusable.update(other.unusable)
