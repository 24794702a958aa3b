"""Whether the reward goes with cheap features that a judge tends to reward by accident."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from whileai.simulations.arguments import between
from whileai.simulations.defaults import HACK_THRESHOLD
from whileai.simulations.kernels.association import pearson
from whileai.simulations.listing import listed
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.hygiene.acts import Acts, acts_of
from whileai.simulations.score.style.phrases import FAMILIES, families_in
from whileai.simulations.score.trace.flags import FLAGS
from whileai.simulations.signature import public

_COUNTS = ("reply_length", "tool_calls", "assistant_turns")


@public
def reward_correlations(rows: Iterable[Any], threshold: float = HACK_THRESHOLD) -> Report:
    """Correlation of the 0/1 reward with reply length, tool calls, turns, stock phrases and trace flags.

    Over rows with a 0/1 label, pooled over asks: it cannot tell a hard ask from a disliked reply, `hack_scan` can.
    `reply_length` is in characters of all the agent said; `boilerplate`, `hedging`, `sycophancy` and `refusal` are 1
    when the agent uses a phrase of that family (Lambert 2025, chapter Over-optimization); every trace flag that fired
    is a column of its own name.

    Keys: `n_graded`, `threshold`, `correlations` (name -> 3 decimals; None under three rows or for a constant
    column), `flagged`, those whose size is at least `threshold` before rounding. A negative one for `tool_calls` says
    the reward pays for doing less; a positive one for a phrase or flag, that it pays for the tic or the fake.

    >>> texts = ["Yes.", "No.", "Generally speaking, yes.", "In most cases, no."]
    >>> rows = [{"prompt": "Ok?", "final_text": text, "reward": i // 2} for i, text in enumerate(texts)]
    >>> reward_correlations(rows)["flagged"]
    {'reply_length': 0.971, 'hedging': 1.0}
    """
    between("threshold", threshold, 0, float("inf"))
    return correlations_of(RowTable(rows), threshold)


def correlations_of(
    table: RowTable, threshold: float = HACK_THRESHOLD, acts: Callable[[Any], Acts] = acts_of
) -> Report:
    """The report on a table; `acts` reads what the agent of a row did."""
    labelled = np.flatnonzero(table.binary)
    columns = _Columns()
    for place in labelled.tolist():
        columns.add(acts(table.rows[place]))
    found = {name: pearson(column, table.labels[labelled]) for name, column in columns.named()}
    values = {
        "n_graded": labelled.size,
        "threshold": threshold,
        "correlations": {name: _rounded(value) for name, value in found.items()},
        "flagged": {
            name: _rounded(value) for name, value in found.items() if value is not None and _reaches(value, threshold)
        },
    }
    return Report(values, show=listed)


class _Columns:
    """The columns of rows added one after another."""

    def __init__(self) -> None:
        self._counts = {name: array("d") for name in _COUNTS}
        self._present: dict[str, list[int]] = {name: [] for name in FAMILIES}
        self._n = 0

    def add(self, acts: Acts) -> None:
        self._counts["reply_length"].append(sum(map(len, acts.said)))
        self._counts["tool_calls"].append(len(acts.tools))
        self._counts["assistant_turns"].append(acts.turns)
        for name in families_in(acts.said):
            self._present[name].append(self._n)
        for name in acts.flags:
            self._present.setdefault(name, []).append(self._n)
        self._n += 1

    def named(self) -> Iterable[tuple[str, np.ndarray]]:
        """Counts and families always, and the flags that fired, in the order of `FLAGS`."""
        for name, counts in self._counts.items():
            yield name, np.array(counts)
        for name in (*FAMILIES, *FLAGS):
            if name in self._present:
                column = np.zeros(self._n)
                column[self._present[name]] = 1.0
                yield name, column


def _reaches(value: float, threshold: float) -> bool:
    return abs(value) >= threshold or round(abs(value), 12) >= threshold  # 0.5 may come out as 0.49999999999999994


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3) + 0.0
