"""What a distributed report gathers of a part, gathered from a stream on one machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from whileai.simulations.distributed.cluster import merged
from whileai.simulations.rows.batch import Batch

_ROWS = 8192  # rows that are gathered at once: sums of few are mostly overhead


class Job(Protocol):
    """What is gathered of some rows, as `whileai.simulations.distributed` has it: shards by task, and a whole."""

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Any], Any]:
        """`n` shards and the whole; the number of the first row is `at`."""


class JobTally:
    """What a job gathers of any number of batches: one shard, the whole, and how many rows; no rows are kept."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._rows: Any = []  # a list, or a `Batch`
        self._shard: Any = None
        self._whole: Any = None
        self._n = 0

    def add(self, rows: Sequence[dict[str, Any]], file: str | None = None, /) -> None:
        """Take some rows."""
        if isinstance(rows, Batch) and not isinstance(self._rows, Batch):
            self._settle()  # by column, rows cost a fraction
            self._rows = rows
        elif not (isinstance(rows, Batch) and isinstance(self._rows, Batch) and self._rows.took(rows)):
            if isinstance(self._rows, Batch):
                self._rows = [*self._rows]
            self._rows += rows
        if len(self._rows) >= _ROWS:
            self._settle()

    def merge(self, other: JobTally) -> None:
        """Take what another gathered of rows that come after."""
        self._settle()
        other._settle()
        if other._n:
            moved = getattr(other._shard, "moved", None)  # where rows are known by their numbers
            self._join(other._shard if moved is None else moved(self._n), other._whole, other._n)

    def found(self) -> tuple[Any, Any]:
        """The shard and the whole; None where there were no rows."""
        self._settle()
        return self._shard, self._whole

    def _settle(self) -> None:
        if self._rows:
            rows, self._rows = self._rows, []
            shards, whole = self._job(rows, self._n, 1)
            self._join(shards[0], whole, len(rows))

    def _join(self, shard: Any, whole: Any, n: int) -> None:
        self._shard, self._whole = merged(self._shard, shard), merged(self._whole, whole)
        self._n += n

    def __getstate__(self) -> dict[str, Any]:
        self._settle()
        return self.__dict__
