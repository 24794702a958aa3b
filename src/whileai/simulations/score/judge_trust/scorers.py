"""Whose rewards are on the rows: a judge's trust is not measured on another scorer's verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from whileai.simulations.reports import out_of, printable
from whileai.simulations.rows.table import Row
from whileai.simulations.score.labels.identity import written

_SHOWN = 3  # scorers named in the warning
_CHARS = 60


class Foreign(NamedTuple):
    """Graded rows that name another scorer than the judge: the counts by name, and of how many graded rows."""

    judge: str
    scorers: dict[str, int]
    n_graded: int

    def text(self) -> str:
        """The warning, with both names and the counts."""
        judge = printable(self.judge, _CHARS)
        names = ", ".join(f"{printable(name, _CHARS)} ({n})" for name, n in list(self.scorers.items())[:_SHOWN])
        more = f" and {len(self.scorers) - _SHOWN} more" if len(self.scorers) > _SHOWN else ""
        others = out_of(sum(self.scorers.values()), self.n_graded, "graded row", "carry")
        return (
            f"{others} the rewards of {names}{more}, not of "
            f"{judge}: agreement, halves and length are that scorer's; grade the rows with run_judge(rows, judge) "
            "first, or pass judge_name= with the name they carry when it is the same judge"
        )


def foreign_scorers(graded: Iterable[Row], judge: str) -> Foreign | None:
    """The other scorers that graded rows name in `judge_name`, most rows first; None without any.

    >>> foreign_scorers([{"judge_name": "a"}, {"judge_name": "b"}, {}], "a")
    Foreign(judge='a', scorers={'b': 1}, n_graded=3)
    """
    names = [written(row.get("judge_name")) for row in graded]
    counts = Counter(name for name in names if name and name != judge)
    return Foreign(judge, dict(counts.most_common()), len(names)) if counts else None
