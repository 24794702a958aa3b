"""Did the agent say what only the teacher was told?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.arguments import report_of, whole
from whileai.simulations.reports import Report, counted, printable
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.secrets import MIN_LEN, SEARCHED, first_quoted, needles_of
from whileai.simulations.signature import public

MOST_LISTED = 20  # hits in the report; convention
_SHOWN = 80  # characters of a hit


class LeakReport(Report):
    """What `leak_report` returns: a dict of its keys that prints itself.

    >>> leak_report([{"final_text": "Hi", "privileged": {"reference": "the seal was broken"}}])
    LeakReport(n_leaked=0, n_checked=1)
    """

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values, show=format_leak_report)

    def __repr__(self) -> str:
        return f"LeakReport(n_leaked={self.get('n_leaked')}, n_checked={self.get('n_checked')})"


@public
def leak_report(rows: Any, min_len: int = MIN_LEN) -> LeakReport:
    """Which rows quote their own `privileged` block in the agent's text.

    Searched in every assistant turn and the reply is each text of `reference`, `principle` and `hidden_state`, nested
    ones too, that has `min_len` characters; whole, case and white space aside. Give `data.trajectories`, or the object
    that holds them: the export scrubs the block, and rows without it are not checked.

    `n_rows`; `n_checked` rows with something to search, `checked` when there are any; `n_leaked` and its share `rate`
    of the checked, 0.0 without any; `leaked` lists the first 20 as `{scenario_id, rollout_index, field, needle}`, the
    first hit of a row, cut at 80 characters; `summary` is one sentence.

    >>> row = {"scenario_id": "refund-9", "rollout_index": 1, "final_text": "Refused: the seal was broken twice."}
    >>> print(leak_report([row | {"privileged": {"hidden_state": {"note": "The seal was  broken"}}}]))
    checked 1 of 1 row: 1 quotes privileged text (100% of the checked)
      refund-9 r1: hidden_state.note = 'the seal was broken'
    """
    found = LeakTally(min_len)
    found.add(_rows_of(rows))
    return found.report()


class LeakTally:
    """What `leak_report` counts, over any number of batches; `least` is the shortest text that is searched."""

    def __init__(self, min_len: int = MIN_LEN) -> None:
        self.least = max(1, whole("min_len", min_len, 0))
        self.n_rows = self.n_checked = self.n_leaked = self.n_blocks = 0
        self.may_be_exported = False
        self.leaked: list[dict[str, Any]] = []

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Look at some rows."""
        for row in rows:
            self.n_rows += 1
            block = row.get("privileged")
            needles = list(needles_of(block, self.least)) if is_mapping(block) else []
            if not needles:
                self.n_blocks += bool(is_mapping(block) and block)
                self.may_be_exported = self.may_be_exported or "scenario_id" in row
                continue
            self.n_checked += 1
            hit = first_quoted(row, needles)
            if hit is not None:
                self.n_leaked += 1
                if self.n_leaked <= MOST_LISTED:
                    self.leaked.append(listed(row, *hit))

    def merge(self, other: LeakTally) -> None:
        """Add what another counted of rows that come after."""
        self.n_rows += other.n_rows
        self.n_checked += other.n_checked
        self.n_leaked += other.n_leaked
        self.n_blocks += other.n_blocks
        self.may_be_exported |= other.may_be_exported
        self.leaked = (self.leaked + other.leaked)[:MOST_LISTED]

    def report(self) -> LeakReport:
        """The report."""
        if self.n_checked:
            summary = _summary(self.n_rows, self.n_checked, self.n_leaked)
        else:
            summary = _vacuous(self.n_rows, self.n_blocks, self.may_be_exported, self.least)
        return LeakReport(
            {
                "n_rows": self.n_rows,
                "n_checked": self.n_checked,
                "n_leaked": self.n_leaked,
                "rate": round(self.n_leaked / self.n_checked, 4) if self.n_checked else 0.0,
                "checked": self.n_checked > 0,
                "leaked": self.leaked,
                "summary": summary,
            }
        )


@public
@report_of("leak_report")
def format_leak_report(report: Mapping[str, Any]) -> str:
    """The summary, then a line for each listed hit; an empty report is empty text.

    >>> print(format_leak_report({"summary": "checked 1 of 1 row: none quotes privileged text", "leaked": []}))
    checked 1 of 1 row: none quotes privileged text
    """
    lines = [printable(report["summary"])] if report.get("summary") else []
    for hit in report.get("leaked") or ():
        task, attempt, field, needle = (
            printable(as_text(hit.get(name))) or "-" for name in ("scenario_id", "rollout_index", "field", "needle")
        )
        lines.append(f"  {task} r{attempt}: {field} = '{needle}'")
    return "\n".join(lines)


def _rows_of(rows: Any) -> Iterator[Mapping[str, Any]]:
    held = None if isinstance(rows, list) else getattr(rows, "trajectories", None)
    items = rows if held is None else held
    if isinstance(items, Mapping | str | bytes) or not isinstance(items, Iterable):
        raise TypeError(f"leak_report needs rows, or an object with trajectories, got a {type(items).__name__}")
    return filter(is_mapping, items)


def listed(row: Mapping[str, Any], field: str, needle: str) -> dict[str, Any]:
    """A hit as `leak_report` lists it.

    >>> listed({"scenario_id": "a"}, "reference", "the seal was broken")["rollout_index"] is None
    True
    """
    return {
        "scenario_id": row.get("scenario_id"),
        "rollout_index": row.get("rollout_index"),
        "field": field,
        "needle": needle[:_SHOWN],
    }


def _summary(n_rows: int, n_checked: int, n_leaked: int) -> str:
    found = "none quotes privileged text"
    if n_leaked:
        verb = "quotes" if n_leaked == 1 else "quote"
        found = f"{n_leaked} {verb} privileged text ({n_leaked / n_checked:.0%} of the checked)"
    return f"checked {n_checked} of {counted(n_rows, 'row')}: {found}"


def _vacuous(n_rows: int, n_blocks: int, may_be_exported: bool, least: int) -> str:
    start = f"checked 0 of {counted(n_rows, 'row')}, which says nothing about leaks"
    if n_blocks:
        return f"{start}: the privileged blocks hold no {', '.join(SEARCHED)} of {least} characters or more"
    if may_be_exported:
        return f"{start}: no row carries a privileged block, which the export scrubs; pass data.trajectories"
    return f"{start}: no row carries a privileged block" if n_rows else start
