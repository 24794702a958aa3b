"""What the sections of a page are made of: the rows, and what is read of each of them once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.page.filters import Filters
from whileai.simulations.page.fired import Fired, fired_on
from whileai.simulations.rows.table import Floats, Ints, RowTable
from whileai.simulations.rows.text import agent_texts
from whileai.simulations.score.hack_scan.columns import agent_text
from whileai.simulations.score.hack_scan.terms import terms
from whileai.simulations.score.labels.label import GOLD, exact_labels

Bools = NDArray[np.bool_]


class Material:
    """Rows and their columns; `filters` gathers which rows stand behind which number.

    Every text is read once: `flags` are the flags of each row, `phrases` its stock phrases by style marker,
    `lengths` the characters the agent said.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self.table = RowTable(rows)
        self.rows = self.table.rows
        self.filters = Filters()
        self._terms: dict[int, str] = {}

    @cached_property
    def flags(self) -> list[dict[str, str]]:
        """`{flag: evidence}` of each row."""
        return [each.flags for each in self._fired]

    @cached_property
    def phrases(self) -> list[dict[str, list[str]]]:
        """`{style marker: phrases}` of each row."""
        return [each.phrases for each in self._fired]

    @cached_property
    def _fired(self) -> list[Fired]:
        return [fired_on(row) for row in self.rows]

    @cached_property
    def lengths(self) -> Ints:
        """Characters of all the agent said, as `length_report` counts them."""
        said = (sum(map(len, agent_texts(row))) for row in self.rows)
        return np.fromiter(said, dtype=np.int64, count=len(self.rows))

    def terms(self, position: int) -> str:
        """The tokens of the scan in the agent's text at a position, with a space before and behind each."""
        if position not in self._terms:
            row = self.rows[position]
            self._terms[position] = f" {' '.join(terms(agent_text(row, agent_texts(row))))} "
        return self._terms[position]

    @cached_property
    def cut(self) -> Bools:
        """Which rows were cut at the token cap."""
        return np.fromiter((each.cut for each in self._fired), dtype=np.bool_, count=len(self.rows))

    @cached_property
    def gold(self) -> Floats:
        """The gold label of each row, NaN where it has none."""
        return exact_labels(self.table.column(GOLD))

    @cached_property
    def by_task(self) -> list[Ints]:
        """The positions of the rows of each task, by its code."""
        codes = self.table.tasks
        order = np.argsort(codes, kind="stable")
        ends = np.cumsum(np.bincount(codes, minlength=len(self.table.index)))
        return np.split(order, ends[:-1])
