"""The rows of one run and their verdicts, as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from whileai.simulations.rows.collector import collector_off
from whileai.simulations.score.judging.checkpoint import Checkpoint, row_keys
from whileai.simulations.score.judging.crew import Crew, Judging, Verdict, judge_here
from whileai.simulations.score.judging.stamp import Row, Stamp
from whileai.simulations.score.judging.verdict import Scale

CONCURRENCY = 8  # judge calls in flight; convention

Judge = Callable[[Row], Any]


def rows_of(rows: Any) -> list[Row]:
    """The dicts of a list of rows, or of an object's `trajectories`; TypeError when it is neither."""
    given = getattr(rows, "trajectories", rows)
    if isinstance(given, dict | str | bytes) or not isinstance(given, Iterable):
        raise TypeError(f"rows must be a list of dicts or a run with trajectories, got {type(rows).__name__}")
    return [row for row in given if isinstance(row, dict)]


class Results:
    """The verdicts of one run, in the order of its rows."""

    def __init__(self, rows: list[Row], show: Callable[[int], None]) -> None:
        self._rows, self._show = rows, show
        self._verdicts: list[Verdict | None] = [None] * len(rows)
        self.resumed = 0
        self._kept: Checkpoint | None = None
        self._keys: list[str] = []

    def keep_in(self, checkpoint: Checkpoint, identity: list[Any]) -> None:
        """Take the good verdicts a checkpoint has, and write all further ones to it."""
        self._kept, self._keys = checkpoint, list(row_keys(self._rows, identity))
        self._verdicts = [checkpoint.known.get(key) for key in self._keys]
        self.resumed = len(self._rows) - self._verdicts.count(None)

    def judge(self, judge: Judge, scale: Scale | None, concurrency: int, timeout: float | None) -> None:
        """Judge the rows that have no verdict."""
        judging = Judging(judge, self._rows, scale)
        missing = [place for place, verdict in enumerate(self._verdicts) if verdict is None]
        if timeout is None and (concurrency <= 1 or len(missing) == 1):
            judge_here(judging, missing, self._settle, self._look)
        else:
            Crew(judging, self._settle, timeout).run(missing, max(1, concurrency), self._look)

    def _settle(self, place: int, verdict: Verdict) -> None:
        if self._kept is not None:
            verdict = self._kept.add(self._keys[place], verdict)
        self._verdicts[place] = verdict

    def _look(self, left: int) -> None:
        """What is done now and then, beside the judging: the disk is waited for here, which holds up no judge."""
        self._show(len(self._rows) - left)
        if self._kept is not None:
            self._kept.sync_when_due()

    def scored(self, stamp: Stamp) -> list[Row]:
        """The scored copies of the rows."""
        pairs = enumerate(zip(self._rows, self._verdicts, strict=True))
        with collector_off():
            return [stamp.scored(row, verdict, place) for place, (row, verdict) in pairs if verdict is not None]
