"""Does the judge pass long replies that the labels do not? Among rows of one gold label, its pass rate by length."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import ALPHA
from whileai.simulations.kernels.proportions import clustered_two_proportion_p
from whileai.simulations.rows.table import Floats, Ints, Row, RowTable
from whileai.simulations.rows.text import agent_texts

Bools = NDArray[np.bool_]
LENGTH_MIN_ROWS_PER_LABEL = 6  # rows; convention
_LEVEL = ALPHA / 2  # two labels are tested (Bonferroni)
_PLACES = 4


class _Rows(NamedTuple):
    """The compared rows as columns, shape (n,): the two labels, the length in characters, the task code."""

    passed: Bools
    gold: Bools
    lengths: Ints
    tasks: Ints


def length_sensitivity(labelled: list[Row], test: Floats, gold: Floats, flag: float) -> dict[str, Any]:
    """The judge's pass rate on short and on long replies of either gold label, and whether they differ.

    `test` and `gold` are the judge's and the gold label of each row, shape (n,). A length is in characters of all
    the agent said; short is under the (upper) median of its label. A gap of `flag` or more that is beyond noise
    (`p_value` under 0.025: two proportions, rows of a task being alike) is `flagged`, or, where wrong labels would give
    it just as well, `labels_may_explain`. An unbiased judge is flagged in 1 of 20 reports at most, also when some of
    the labels are wrong.
    """
    rows = _Rows(test == 1, gold == 1, _lengths(labelled), _tasks(labelled))
    by_label = {label: _by_length(rows, label) for label in (1, 0)}
    gaps = {label: entry for label, entry in by_label.items() if "p_value" in entry}
    for label, entry in gaps.items():
        beyond = abs(entry["gap_long_minus_short"]) >= flag and entry["p_value"] < _LEVEL
        entry["labels_may_explain"] = beyond and _labels_may_explain(rows, label, entry)
        entry["flagged"] = beyond and not entry["labels_may_explain"]
    flagged = any(entry["flagged"] for entry in gaps.values())
    return {
        **{f"gold_{label}": entry for label, entry in by_label.items()},
        "max_gap": max((abs(entry["gap_long_minus_short"]) for entry in gaps.values()), default=0.0),
        "flagged": flagged,
        "labels_may_explain": not flagged and any(entry["labels_may_explain"] for entry in gaps.values()),
    }


def _labels_may_explain(rows: _Rows, label: int, entry: dict[str, Any]) -> bool:
    """Whether a gap is what a judge without a bias gives where some labels are wrong.

    Were it the labels alone, gold passes and fails would differ in length the way the gap goes, and a row in dispute
    would be as long as those that both call what the judge calls it: to the judge's eye it is one of them.
    """
    sign = 1 if entry["gap_long_minus_short"] > 0 else -1
    alike = rows.passed != bool(label)  # by the judge: the rows in dispute, and those it rightly calls so
    disputed = rows.gold[alike] == bool(label)
    if disputed.all() or rows.gold.all() or not rows.gold.any():
        return False
    middle = int(np.partition(rows.lengths, rows.lengths.size // 2)[rows.lengths.size // 2])
    if _p_of_more(rows.lengths >= middle, rows.gold, rows.tasks, sign) >= ALPHA:
        return False
    long = rows.lengths[alike] >= entry["median_chars"]
    return _p_of_more(long, disputed, rows.tasks[alike], -sign if label else sign) >= ALPHA


def _p_of_more(hits: Bools, of_b: Bools, clusters: Ints, sign: int) -> float:
    """One-sided p that side b has no larger share of hits than the other side (no smaller one for a sign of -1)."""
    p = clustered_two_proportion_p(hits, of_b, clusters)
    return p / 2 if sign * (hits[of_b].mean() - hits[~of_b].mean()) > 0 else 1 - p / 2


def _lengths(rows: list[Row]) -> Ints:
    return np.array([sum(map(len, agent_texts(row))) for row in rows], dtype=np.int64)


def _tasks(rows: list[Row]) -> Ints:
    """The task code of each row; a row that names no task has one of its own."""
    table = RowTable(rows)
    codes, nameless = table.tasks, table.index.code("")
    if nameless is None:
        return codes
    return np.where(codes == nameless, len(table.index) + np.arange(codes.size), codes)


def _by_length(rows: _Rows, label: int) -> dict[str, Any]:
    among = rows.gold == bool(label)
    passed, lengths, n = rows.passed[among], rows.lengths[among], int(among.sum())
    if n < LENGTH_MIN_ROWS_PER_LABEL:
        return {"n": n, "note": f"under {LENGTH_MIN_ROWS_PER_LABEL} rows of this label, too few to split by length"}
    median = int(np.partition(lengths, n // 2)[n // 2])
    short = lengths < median
    n_short = int(short.sum())
    if not n_short:
        return {"n": n, "median_chars": median, "note": "no reply is shorter than the median: nothing to compare"}
    rates = passed[short].mean(), passed[~short].mean()
    return {
        "n": n,
        "n_short": n_short,
        "n_long": n - n_short,
        "median_chars": median,
        "judge_pass_short": round(float(rates[0]), _PLACES),
        "judge_pass_long": round(float(rates[1]), _PLACES),
        "gap_long_minus_short": round(float(rates[1] - rates[0]), _PLACES),
        "p_value": round(clustered_two_proportion_p(passed, ~short, rows.tasks[among]), 6),
    }
