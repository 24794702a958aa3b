"""Does the judge pass long replies that the labels do not? Among rows of one gold label, its pass rate by length."""

from __future__ import annotations

from typing import Any

import numpy as np

from whileai.simulations.defaults import ALPHA
from whileai.simulations.kernels.proportions import clustered_two_proportion_p
from whileai.simulations.rows.table import Floats, Ints, Row, RowTable
from whileai.simulations.rows.text import agent_texts

LENGTH_MIN_ROWS_PER_LABEL = 6  # rows; convention
_LEVEL = ALPHA / 2  # two labels are tested (Bonferroni)
_PLACES = 4


def length_sensitivity(labelled: list[Row], test: Floats, gold: Floats, flag: float) -> dict[str, Any]:
    """The judge's pass rate on short and on long replies of either gold label, and whether they differ.

    `test` and `gold` are the judge's and the gold label of each row, shape (n,). A length is in characters of all
    the agent said; short is under the (upper) median of its label. `flagged` when a gap of `flag` or more is beyond
    noise: `p_value` under 0.025 (two proportions, rows of a task being alike), so that an unbiased judge is flagged in
    1 of 20 reports at most.
    """
    lengths = np.array([sum(map(len, agent_texts(row))) for row in labelled], dtype=np.int64)
    tasks = _tasks(labelled)
    by_label = {
        f"gold_{label}": _by_length(test[among] == 1, lengths[among], tasks[among])
        for label in (1, 0)
        for among in [gold == label]
    }
    gaps = [entry for entry in by_label.values() if "p_value" in entry]
    return {
        **by_label,
        "max_gap": max((abs(entry["gap_long_minus_short"]) for entry in gaps), default=0.0),
        "flagged": any(abs(e["gap_long_minus_short"]) >= flag and e["p_value"] < _LEVEL for e in gaps),
    }


def _tasks(rows: list[Row]) -> Ints:
    """The task code of each row; a row that names no task has one of its own."""
    table = RowTable(rows)
    codes, nameless = table.tasks, table.index.code("")
    if nameless is None:
        return codes
    return np.where(codes == nameless, len(table.index) + np.arange(codes.size), codes)


def _by_length(passed: Any, lengths: Any, tasks: Ints) -> dict[str, Any]:
    n = int(passed.size)
    if n < LENGTH_MIN_ROWS_PER_LABEL:
        return {"n": n, "note": f"under {LENGTH_MIN_ROWS_PER_LABEL} rows of this label, too few to split by length"}
    median = int(np.partition(lengths, n // 2)[n // 2])
    short = lengths < median
    n_short = int(short.sum())
    if not n_short:
        return {"n": n, "median_chars": median, "note": "no reply is shorter than the median: nothing to compare"}
    hits, n_long = (int(passed[short].sum()), int(passed[~short].sum())), n - n_short
    rates = hits[0] / n_short, hits[1] / n_long
    return {
        "n": n,
        "median_chars": median,
        "judge_pass_short": round(rates[0], _PLACES),
        "judge_pass_long": round(rates[1], _PLACES),
        "gap_long_minus_short": round(rates[1] - rates[0], _PLACES),
        "p_value": round(clustered_two_proportion_p(passed, ~short, tasks), 6),
    }
