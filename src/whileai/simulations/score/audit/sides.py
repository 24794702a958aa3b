"""What a verifier failed or passed, what of it a judge was asked, and how often the judge disagreed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from whileai.simulations.defaults import CI_LEVEL, PASS_THRESHOLD
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.reports import interval_text
from whileai.simulations.rows.values import as_text

NO_REASON = "(no reason)"
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*+")
_REASON_END = re.compile(r"[:(]")
_PLACES = 4
Row = dict[str, Any]


class Side(NamedTuple):
    """Rows of one verifier verdict: how many there are, those drawn, and the drawn ones as the judge scored them."""

    n: int
    sampled: list[Mapping[str, Any]]
    judged: list[Row]

    @property
    def checked(self) -> list[tuple[Mapping[str, Any], Row]]:
        """The rows the judge answered, each with its judged copy."""
        return [pair for pair in zip(self.sampled, self.judged, strict=True) if pair[1]["judge_status"] == "ok"]

    @property
    def errors(self) -> int:
        """Rows drawn that the judge gave no verdict on."""
        return len(self.sampled) - len(self.checked)


class Rate(NamedTuple):
    """How many of the rows checked were overturned.

    >>> str(Rate(6, 30)), Rate(3, 30).over(0.1)
    ('6 of 30 (20%, [0.10, 0.37])', False)
    """

    hits: int
    n: int

    @property
    def share(self) -> float | None:
        """The share at 4 decimals; None when nothing was checked."""
        return round(self.hits / self.n, _PLACES) if self.n else None

    @property
    def ci95(self) -> tuple[float, float] | None:
        """Wilson's interval; None when nothing was checked."""
        if not self.n:
            return None
        low, high = wilson(self.hits, self.n, CI_LEVEL)
        return low, high

    def over(self, limit: float) -> bool:
        """Whether the share is above a limit."""
        return self.n > 0 and self.hits / self.n > limit

    def __str__(self) -> str:
        return f"{self.hits} of {self.n} ({self.hits / self.n:.0%}, {interval_text(self.ci95, 2)})"


def passed(judged: Row) -> bool:
    """Whether the judge's reward counts as a pass."""
    reward = judged["reward"]
    return reward is not None and reward >= PASS_THRESHOLD


def overturned_kinds(fails: Side, verifier: str | None) -> dict[str, dict[str, int]]:
    """The verifier's kinds of failure among the rows checked, most overturned first."""
    kinds: dict[str, dict[str, int]] = {}
    for row, judged in fails.checked:
        entry = kinds.setdefault(reason_kind(as_text(row.get("reason")), verifier), {"n": 0, "fn": 0})
        entry["n"] += 1
        entry["fn"] += passed(judged)
    return dict(sorted(kinds.items(), key=lambda item: (-item[1]["fn"], -item[1]["n"], item[0])))


def reason_kind(reason: str, verifier: str | None) -> str:
    """A verifier's reason without what varies: its own name in front, what follows a colon or bracket, the numbers.

    >>> reason_kind("exec: Mismatch (3 vs 4)", "exec"), reason_kind("got 11.5 rows", None), reason_kind(" ", None)
    ('mismatch', 'got # rows', '(no reason)')
    """
    text = reason.strip()
    if verifier and text.lower().startswith(f"{verifier.lower()}:"):
        text = text[len(verifier) + 1 :]
    return _NUMBER.sub("#", _REASON_END.split(text, maxsplit=1)[0]).strip().lower() or NO_REASON
