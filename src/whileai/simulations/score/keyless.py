"""Rows that name no task, and so count as one task together."""

from __future__ import annotations

import numpy as np

from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.task import keyless_note


class Keyless:
    """How many rows name no task, of how many, and the keys of the first; over any number of batches.

    >>> found = Keyless()
    >>> found.add(RowTable([{"task": "a", "reward": 1}, {"task_id": "b", "reward": 0}]))
    >>> found.n, found.notes()[0][-26:]
    (1, "rename 'task' to 'task_id'")
    """

    def __init__(self) -> None:
        self.n = self.of = 0
        self.keys: list[str] = []

    def add(self, table: RowTable) -> None:
        """Add the rows of one table."""
        tasks = table.tasks
        self.of += len(tasks)
        code = table.index.code("")
        if code is None:
            return
        without = np.flatnonzero(tasks == code).tolist()
        self.n += len(without)
        if without and not self.keys:
            self.keys = [str(key) for key in table.rows[without[0]]]

    def merge(self, other: Keyless) -> None:
        """Add what another found in rows that come after."""
        self.n += other.n
        self.of += other.of
        self.keys = self.keys or other.keys

    def notes(self) -> list[str]:
        """What to know of them, and what to do; `[]` without any."""
        return [keyless_note(self.n, self.of, self.keys)] if self.n else []


def keyless_notes(table: RowTable) -> list[str]:
    """The note on the rows of one table that name no task; `[]` without any."""
    found = Keyless()
    found.add(table)
    return found.notes()
