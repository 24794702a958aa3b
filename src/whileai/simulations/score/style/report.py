"""How much of each signature the replies carry, and whether the reward pays for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.arguments import between
from whileai.simulations.defaults import BOOTSTRAP_DRAWS, CI_LEVEL, HACK_THRESHOLD
from whileai.simulations.kernels.association import phi
from whileai.simulations.kernels.shares import share_interval
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report, printable
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.text import agent_texts
from whileai.simulations.score.style.phrases import style_book, style_lists, top_phrases
from whileai.simulations.score.style.text import format_style
from whileai.simulations.signature import public

_ELSEWHERE = {
    "trace_markers": (
        "honest_claims",
        "reported_failure",
        "no_test_tampering",
        "no_suppression",
        "no_bypass",
        "no_destructive",
        "no_secrets",
    ),
    "mark_grounding": ("argument_grounding",),
}
_TICS = {"answered": "refusal"}
_CONSTANT = (
    "the same on every row, so there is no interval and it must not guard a release: a phrase list that matches "
    "nothing looks like a behavior that never happened. Check that its phrases can occur in these rows, or leave it out"
)


class StyleReport(Report):
    """What `style_report` returns: a dict of its keys that prints itself.

    >>> StyleReport({"n": 2, "n_graded": 1})
    StyleReport(n=2, n_graded=1)
    """

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values, show=format_style)

    def __repr__(self) -> str:
        return f"StyleReport(n={self.get('n')}, n_graded={self.get('n_graded')})"


@public
def style_report(
    rows: Iterable[Any],
    phrases: Mapping[str, Iterable[str]] | None = None,
    threshold: float = HACK_THRESHOLD,
    n_boot: int = BOOTSTRAP_DRAWS,
    seed: int = 0,
) -> StyleReport:
    """How much of each over-optimization signature the replies carry, and whether the reward pays for it.

    Returns `n`, `n_graded` (rows with a 0/1 label), `threshold`, `markers`, `warnings`, `notes` and `not_stamped`
    (call -> the markers it would stamp). Each marker has `clean`, the share of rows without a hit; `ci95`, a pair
    over tasks (None under 3 tasks or when degenerate); `hits`, the rows with one; `top_phrases`, up to five (phrase,
    rows); `reward_corr`, Pearson's correlation of "phrase present" with the label (None under 3 labels or for a
    constant); `degenerate`, the same on every row. A correlation of at least `threshold` (0 to 1) adds
    `flagged: True` and a warning: a policy trained on these rewards will produce more of it (Gao et al. 2022,
    arXiv:2210.10760). It cannot tell a hard task from a disliked reply; `hack_scan` can.

    The agent's words and `phrases` are as for `style_markers`; rows are not changed. Intervals are in closed form, so
    `n_boot` and `seed` change nothing. A threshold or `phrases` of another kind are refused by name.

    >>> said = [("a", "It depends.", 1), ("b", "It depends.", 1), ("c", "Tuesday.", 0), ("d", "Friday.", 0)]
    >>> report = style_report([{"task_id": t, "final_text": words, "reward": r} for t, words, r in said])
    >>> report, report["markers"]["no_hedging"]["top_phrases"]
    (StyleReport(n=4, n_graded=4), [('it depends', 2)])
    >>> print(report)  # doctest: +ELLIPSIS
    style 4 rows, 4 graded
    no_boilerplate  clean 1.000  hits 0  no interval: constant, see the note below
    no_hedging  clean 0.500  [0.068, 0.932]  hits 2  corr +1.00  flagged  "it depends" 2
    ...
    """
    threshold = between("threshold", threshold, 0, 1)
    names, book = list(style_lists(phrases)), style_book(phrases)
    table = RowTable(rows)
    return report_of(table, [book.said(agent_texts(row)) for row in table.rows], names, threshold)


def report_of(table: RowTable, found: list[dict[str, list[str]]], names: list[str], threshold: float) -> StyleReport:
    """The report of `style_report` from the phrases of each marker found in each row of a table."""
    markers = {name: _marker(table, [hits.get(name) for hits in found], threshold) for name in names}
    values = {
        "n": len(table),
        "n_graded": int(table.binary.sum()),
        "threshold": threshold,
        "markers": markers,
        "warnings": [_warning(name, entry, threshold) for name, entry in markers.items() if "flagged" in entry],
        "notes": _notes([name for name, entry in markers.items() if entry["degenerate"]]),
        "not_stamped": {call: [m for m in stamped if m not in markers] for call, stamped in _ELSEWHERE.items()},
    }
    return StyleReport(values)


def _marker(table: RowTable, found: list[list[str] | None], threshold: float) -> dict[str, Any]:
    """The entry of one marker from the phrases found in each row, None where there are none."""
    present = np.fromiter((hit is not None for hit in found), dtype=np.bool_, count=len(found))
    n, hits = present.size, int(present.sum())
    correlation = _correlation(table, present)
    degenerate = n > 0 and hits in (0, n)
    entry: dict[str, Any] = {
        "clean": (n - hits) / n if n else None,
        "ci95": None if degenerate else _interval(table, present),
        "hits": hits,
        "top_phrases": top_phrases(Counter(phrase for hit in found if hit for phrase in hit)),
        "reward_corr": None if correlation is None else round(correlation, 3),
        "degenerate": degenerate,
    }
    if correlation is not None and correlation >= threshold:
        entry["flagged"] = True
    return entry


def _interval(table: RowTable, present: NDArray[np.bool_]) -> tuple[float, float] | None:
    clean = TaskSums()
    clean.add(table.tasks, np.where(present, 0.0, 1.0))
    found = share_interval(clean.sums(), clean.counts(), CI_LEVEL)
    return None if found is None else (found.low, found.high)


def _correlation(table: RowTable, present: NDArray[np.bool_]) -> float | None:
    passed, failed = table.labels == 1, table.labels == 0
    counts = [present & passed, present & failed, ~present & passed, ~present & failed]
    return phi(*(int(np.count_nonzero(cell)) for cell in counts))


def tic_of(marker: str) -> str:
    """What a style marker is clean of, by its name.

    >>> tic_of("no_hedging"), tic_of("answered")
    ('hedging', 'refusal')
    """
    return _TICS.get(marker) or marker.removeprefix("no_") or marker


def _warning(name: str, entry: dict[str, Any], threshold: float) -> str:
    return (
        f"{printable(tic_of(name))}: the reward pays for it, correlation {entry['reward_corr']:+.2f} is at least "
        f"{threshold:g}; read rewarded rows that carry it, and fix the judge before training on these rewards"
    )


def _notes(constant: list[str]) -> list[str]:
    return [f"{', '.join(map(printable, constant))}: {_CONSTANT}"] if constant else []
