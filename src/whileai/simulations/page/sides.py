"""Two runs in one material: the rows before a change, then those after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.page.material import Bools, Material
from whileai.simulations.rows.table import Floats, Ints

NAMES = ("before", "after")


class Sides(Material):
    """Rows of both sides; `is_side` has the rows of each."""

    def __init__(self, before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> None:
        super().__init__([*before, *after])
        first = np.arange(len(self.rows)) < len(before)
        self.is_side: tuple[Bools, Bools] = (first, ~first)

    def passes(self) -> tuple[TaskSums, TaskSums]:
        """The 0/1 grades of each side, summed by task."""
        return self.sums(self.table.labels, self.table.binary)

    def sums(self, values: Floats, where: Bools) -> tuple[TaskSums, TaskSums]:
        """A value of some rows of each side, summed by task."""
        made = TaskSums(), TaskSums()
        for sums, side in zip(made, self.is_side, strict=True):
            kept = side & where
            sums.add(self.table.tasks[kept], values[kept])
        return made

    def sized(self, label: str, positions: Ints) -> str:
        """A label with how many of some rows are of each side.

        >>> Sides([{"task_id": "a"}], [{"task_id": "a"}, {"task_id": "b"}]).sized("task a", np.array([0, 1]))
        'task a: 1 before, 1 after'
        """
        n_before = int(self.is_side[0][positions].sum())
        return f"{label}: {n_before:,} {NAMES[0]}, {positions.size - n_before:,} {NAMES[1]}"

    def groups(self) -> list[Ints]:
        """The rows of each task, before and after apart."""
        first = int(self.is_side[0].sum())
        return [part for task in self.by_task for part in (task[task < first], task[task >= first]) if part.size]
