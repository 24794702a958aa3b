"""Whether what is exported quotes what only the teacher was told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.reports import counted, printable
from whileai.simulations.rows.task import task_key
from whileai.simulations.score.optimize.leaks import drop_privileged_leaks
from whileai.simulations.score.privileged import MOST_LISTED

_NAMED = 5  # rows that a refusal names


class Leaks:
    """Counts rows whose agent quotes its own `privileged` block, in words or calls, untold."""

    def __init__(self) -> None:
        self.n_rows = self.n_checked = self.n_leaked = 0
        self._leaked: list[dict[str, Any]] = []
        self._named: list[str] = []

    def look(self, row: Mapping[str, Any], place: str) -> None:
        """Check one row, which messages call by its `place`, by the rule of `optimize`: what it keeps may leave."""
        self.n_rows += 1
        _, found = drop_privileged_leaks([row])
        self.n_checked += found["n_checked"]
        if not found["n_dropped"]:
            return
        self.n_leaked += 1
        if self.n_leaked <= MOST_LISTED:
            self._leaked += found["leaked"]
        if self.n_leaked <= _NAMED:
            field = found["leaked"][0]["field"]
            self._named.append(f"{place} ({printable(task_key(row), 40)}): {printable(field, 40)}")

    def report(self) -> dict[str, Any]:
        """`checked`, `n_checked`, `n_leaked`, `leaked` (the first 20, as `leak_report` lists them), `summary`."""
        return {
            "checked": self.n_checked > 0,
            "n_checked": self.n_checked,
            "n_leaked": self.n_leaked,
            "leaked": self._leaked,
            "summary": self._summary(),
        }

    def refusal(self) -> str | None:
        """Why the rows may not leave, naming them but not what they quote; None when they may."""
        if not self.n_leaked:
            return None
        verb = "quotes" if self.n_leaked == 1 else "quote"
        more = ", ..." if self.n_leaked > _NAMED else ""
        return (
            f"{counted(self.n_leaked, 'row')} {verb} the privileged block in what the agent says or calls: "
            f"{', '.join(self._named)}{more}; leave them out (optimize and select do), "
            "or write them all the same with validate=False"
        )

    def _summary(self) -> str:
        if not self.n_checked:
            return f"checked 0 of {counted(self.n_rows, 'row')}: no row carries a privileged block"
        found = f"{self.n_leaked} quote privileged text" if self.n_leaked else "none quotes privileged text"
        return f"checked {self.n_checked} of {counted(self.n_rows, 'row')}: {found}"
