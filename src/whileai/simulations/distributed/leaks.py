"""`leak_report`, and the rows that a selection drops as they quote their own privileged block, over parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from whileai.simulations.distributed.reduction import reduced
from whileai.simulations.distributed.source import source_of
from whileai.simulations.score.optimize.leaks import drop_privileged_leaks
from whileai.simulations.score.privileged import MOST_LISTED, LeakReport, LeakTally
from whileai.simulations.score.secrets import MIN_LEN


def leak_report(rows: Any, min_len: int = MIN_LEN) -> LeakReport:
    """`whileai.simulations.leak_report` of a dataset or paths: the same report. Counts are shuffled, and 20 hits."""
    found = LeakTally(min_len)
    whole = reduced(source_of(rows).parts(), LeakJob(found.least)).whole
    return (whole or found).report()


@dataclass(frozen=True)
class LeakJob:
    """Counts the rows that quote."""

    least: int

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Any], LeakTally]:
        """Gather one part."""
        found = LeakTally(self.least)
        found.add(rows)
        return [None] * n, found


class Leaks:
    """What `drop_privileged_leaks` reports, of parts in order."""

    def __init__(self) -> None:
        self.n_checked = self.n_dropped = 0
        self.leaked: list[dict[str, Any]] = []

    def merge(self, other: Leaks) -> None:
        """Add what was found in rows that come after."""
        self.n_checked += other.n_checked
        self.n_dropped += other.n_dropped
        self.leaked = (self.leaked + other.leaked)[:MOST_LISTED]

    def report(self) -> dict[str, Any]:
        """The report."""
        return {
            "checked": self.n_checked > 0,
            "n_checked": self.n_checked,
            "n_dropped": self.n_dropped,
            "leaked": self.leaked,
        }


def without_leaks(rows: list[Any], leaks: Leaks) -> list[int]:
    """The places of the rows that quote nothing; what was found of the others is added to `leaks`."""
    kept, found = drop_privileged_leaks(rows)
    leaks.n_checked += found["n_checked"]
    leaks.n_dropped += found["n_dropped"]
    leaks.leaked = (leaks.leaked + found["leaked"])[:MOST_LISTED]
    left = iter(kept)
    following = next(left, None)
    places = []
    for place, row in enumerate(rows):
        if row is following:
            places.append(place)
            following = next(left, None)
    return places
