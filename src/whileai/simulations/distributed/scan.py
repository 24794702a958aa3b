"""`hack_scan` of whole asks: of all rows where they fit one worker, else of a share of the asks drawn by a hash."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.arguments import whole
from whileai.simulations.defaults import SCAN_MOST_ROWS
from whileai.simulations.distributed.reduction import finished, left_there, reduced
from whileai.simulations.distributed.source import source_of
from whileai.simulations.rows.grade import score_of
from whileai.simulations.score.hack_scan import HackScanReport
from whileai.simulations.score.hack_scan import hack_scan as scanned
from whileai.simulations.score.hygiene.ask import ask_key

_BUCKETS = 2**14  # into which asks are hashed: whole buckets are scanned


def hack_scan(
    rows: Any,
    endorsed: Sequence[str] = (),
    features: Mapping[str, Callable[[Any], Any]] | None = None,
    *,
    max_rows: int = SCAN_MOST_ROWS,
    reward: str = "reward",
    **options: Any,
) -> HackScanReport:
    """`whileai.simulations.hack_scan` of at most about `max_rows` graded rows; `options` are its further arguments.

    With at most `max_rows` graded rows it is the same report. Of more, whole asks are drawn by a hash of the ask, as
    the floor shuffles rewards within asks over one matrix of all rows and features, which no worker holds: the report
    then is that of the sample, exact for it (`n_rows` counts all), and its first warning says how large it was; asks of
    more than `max_rows` rows are never drawn. Correlations of a sample differ from those of all rows by about one over
    the square root of its rows.
    """
    scanned([], endorsed=endorsed, features=features, reward=reward, **options)
    most = whole("max_rows", max_rows, 1)
    source = source_of(rows)
    draw = drawn(reduced(source.parts(), CountJob(reward)).whole or AskCounts(), most)
    scan = partial(_scan, endorsed=endorsed, features=features, reward=reward, **options)
    held = left_there(source.parts(), AskJob(reward, draw.buckets), n_shards=1).shards
    found: HackScanReport | None = next(iter(finished(held, scan)), None)
    if found is None:
        return scanned([], endorsed=endorsed, features=features, reward=reward, **options)
    found["n_rows"] = draw.n_rows
    found["warnings"][:0] = draw.said()
    return found


@dataclass(frozen=True)
class Draw:
    """Which asks are scanned, by their buckets, all where there are no more than `most` graded rows; None means all."""

    buckets: frozenset[int] | None
    n_rows: int
    n_graded: int
    n_drawn: int
    most: int

    def said(self) -> list[str]:
        """A warning where the scan is of a sample."""
        if self.buckets is None:
            return []
        return [
            f"scanned {self.n_drawn:,} of {self.n_graded:,} graded rows, those of {len(self.buckets) / _BUCKETS:.2%} "
            f"of the asks, drawn by a hash: the floor needs all rows of a scan in one process. It takes at most "
            f"{self.most:,} (max_rows)"
        ]


def drawn(counts: AskCounts, most: int) -> Draw:
    """All asks where they fit, else the first buckets that together do; those that alone have more are passed over."""
    n = int(counts.n.sum())
    if n <= most:
        return Draw(None, counts.n_rows, n, n, most)
    fitting = np.flatnonzero(counts.n <= most)
    total = np.cumsum(counts.n[fitting])
    n_fitting = int(np.searchsorted(total, most, side="right"))
    n_drawn = int(total[n_fitting - 1]) if n_fitting else 0
    return Draw(frozenset(fitting[:n_fitting].tolist()), counts.n_rows, n, n_drawn, most)


def _scan(held: AskRows, **options: Any) -> HackScanReport:
    return scanned(held.rows, **options)


def bucket_of(row: Any) -> int:
    """The bucket of a row's ask: the same in every process."""
    digest = hashlib.blake2b(ask_key(row).encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big") % _BUCKETS


class AskCounts:
    """Graded rows by bucket, and all rows."""

    def __init__(self) -> None:
        self.n: NDArray[np.int64] = np.zeros(_BUCKETS, dtype=np.int64)
        self.n_rows = 0

    def merge(self, other: AskCounts) -> None:
        """Add those of other rows."""
        self.n = self.n + other.n
        self.n_rows += other.n_rows


@dataclass(frozen=True)
class CountJob:
    """Counts graded rows by the bucket of their ask."""

    reward: str

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Any], AskCounts]:
        """Gather one part."""
        found = AskCounts()
        buckets = [bucket_of(row) for row in rows if score_of(row.get(self.reward)) is not None]
        found.n = np.bincount(np.array(buckets, dtype=np.int64), minlength=_BUCKETS)
        found.n_rows = len(rows)
        return [None] * n, found


class AskRows:
    """Rows in their order."""

    def __init__(self, rows: Iterator[Any]) -> None:
        self.rows = list(rows)

    def merge(self, other: AskRows) -> None:
        """Add later ones."""
        self.rows += other.rows


@dataclass(frozen=True)
class AskJob:
    """The graded rows of the asks in some buckets; None means of all."""

    reward: str
    buckets: frozenset[int] | None

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[AskRows], None]:
        """Gather one part."""
        graded = (row for row in rows if score_of(row.get(self.reward)) is not None)
        return [AskRows(row for row in graded if self.buckets is None or bucket_of(row) in self.buckets)], None
