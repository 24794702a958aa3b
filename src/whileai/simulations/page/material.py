"""What the sections of a page are made of: the rows, and what is read of each of them once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.page.filters import Filters
from whileai.simulations.rows.endings import is_truncated
from whileai.simulations.rows.table import Floats, Ints, RowTable
from whileai.simulations.rows.text import agent_texts
from whileai.simulations.score.hack_scan.columns import agent_text
from whileai.simulations.score.hack_scan.terms import terms
from whileai.simulations.score.labels.label import GOLD, exact_labels
from whileai.simulations.score.style.phrases import style_book
from whileai.simulations.score.trace.flags import flags_of

Bools = NDArray[np.bool_]


class Material:
    """Rows and their columns; `filters` gathers which rows stand behind which number.

    Every text is read once: `flags` are the trace flags of each row, `phrases` its stock phrases by style marker,
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
        return [flags_of(row, None) for row in self.rows]

    @property
    def phrases(self) -> list[dict[str, list[str]]]:
        """`{style marker: phrases}` of each row."""
        return self._said[0]

    @property
    def lengths(self) -> Ints:
        """Characters of all the agent said, as `length_report` counts them."""
        return self._said[1]

    @cached_property
    def _said(self) -> tuple[list[dict[str, list[str]]], Ints]:
        book = style_book(None)
        phrases, lengths = [], np.zeros(len(self.rows), dtype=np.int64)
        for position, row in enumerate(self.rows):
            said = agent_texts(row)
            phrases.append(book.said(said))
            lengths[position] = sum(map(len, said))
        return phrases, lengths

    def terms(self, position: int) -> str:
        """The tokens of the scan in the agent's text at a position, with a space before and behind each."""
        if position not in self._terms:
            row = self.rows[position]
            self._terms[position] = f" {' '.join(terms(agent_text(row, agent_texts(row))))} "
        return self._terms[position]

    @cached_property
    def cut(self) -> Bools:
        """Which rows were cut at the token cap."""
        return np.fromiter(map(is_truncated, self.rows), dtype=np.bool_, count=len(self.rows))

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
