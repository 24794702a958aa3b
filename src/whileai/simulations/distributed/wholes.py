"""What reports know of all rows whatever their task: small, and merged in the order of the rows."""

from __future__ import annotations

from collections import Counter

import numpy as np

from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.keyless import Keyless
from whileai.simulations.score.optimize.rewards import reward_notes, unusable_rewards
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
    """How many rows there are, how many have no 0/1 label, by what stands in its place, and how many no task."""

    def __init__(self) -> None:
        self.n = 0
        self.unusable: Counter[str] = Counter()
        self.keyless = Keyless()

    def add(self, table: RowTable) -> None:
        """Add the rows of one table."""
        self.n += len(table)
        self.unusable.update(unusable_rewards(table))
        self.keyless.add(table)

    def merge(self, other: Labels) -> None:
        """Add what another counted."""
        self.n += other.n
        self.unusable.update(other.unusable)
        self.keyless.merge(other.keyless)

    def notes(self) -> list[str]:
        """The notes of `vote_notes`."""
        return [*reward_notes({**self.unusable, "missing": 0}, self.n), *self.keyless.notes()]
