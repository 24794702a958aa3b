"""A source read by several processes, each a part at a time."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

from whileai.simulations.defaults import KEPT_BAD_RECORDS
from whileai.simulations.parallel.crew import Crew
from whileai.simulations.rows.batch import in_batches
from whileai.simulations.rows.collector import collector_off
from whileai.simulations.rows.load import RowReader
from whileai.simulations.rows.parts import Options, Part, PartRead, PartReader

Row = dict[str, Any]
Value = TypeVar("Value")
Rows = Sequence[Row]
Work = Callable[[Part, Iterator[Rows]], Value]  # the rows of a part in batches
CrewOf = Callable[[int, Any], Any]  # how many, and what they do

BATCH_ROWS = 512  # rows a batch: array work is paid once a batch
MOST_BYTES = 32 * 1024 * 1024  # of a part: small enough that workers end together, large enough that merging is cheap
_LEAST_BYTES = 1024 * 1024
_PARTS_A_WORKER = 4
_BIG_BYTES = 64 * 1024 * 1024  # below it one process is done before others have started; measured


class ForeignRowsError(Exception):
    """Rows of another format were met: they are numbered by those before them, so that one process must read all."""


@dataclass(frozen=True, slots=True)
class _Job(Generic[Value]):
    """What a worker does with a part."""

    work: Work[Value]
    options: Options

    def __call__(self, part: Part) -> tuple[Part, PartRead, Value]:
        reader = PartReader(part, self.options, KEPT_BAD_RECORDS)
        with collector_off():
            value = self.work(part, _batches(reader))
        return part, reader.read, value


def _batches(reader: PartReader) -> Iterator[Rows]:
    for batch in in_batches(reader, BATCH_ROWS, light=reader.options.lean):
        if reader.read.formats:
            raise ForeignRowsError
        yield batch
    if reader.read.formats:
        raise ForeignRowsError


def parts_for(reader: RowReader, workers: int, size: int | None = None) -> list[Part] | None:
    """The parts of a source for some processes, `size` bytes each by default as is good for them; None where one must.

    One process must read what can be read but once, what is no file, other formats than rows, and one part.
    """
    total = reader.bytes_total
    if workers < 2 or total is None:
        return None
    parts = reader.parts(size or min(MOST_BYTES, max(_LEAST_BYTES, total // (workers * _PARTS_A_WORKER))))
    return None if parts is None or len(parts) < 2 else parts


def in_order(
    reader: RowReader,
    parts: list[Part],
    work: Work[Value],
    workers: int,
    crew_of: CrewOf = Crew,
) -> Iterator[tuple[Part, Value]]:
    """The parts of a source in order, each with what `work` makes of it; `crew_of` makes those that do it.

    The reader's account (`rows_read`, `bad`, `notes` ...) is as if it had read the rows itself, and so are errors.
    `ForeignRowsError` on the way: read it by one process after all.
    """
    with crew_of(min(workers, len(parts)), _Job(work, reader.options)) as crew:
        yield from reader.together(crew.answers(parts))


def rows_at(
    passed: Sequence[tuple[Part, int]], options: Options, wanted: Iterable[int], workers: int, crew_of: CrewOf = Crew
) -> dict[int, Row]:
    """The rows of some numbers, from 0; `passed` holds the parts that were read, each with the rows up to its end.

    Only parts that hold one of the rows are read again.
    """
    left = sorted(set(wanted))
    jobs: list[tuple[Part, frozenset[int]]] = []
    starts: list[int] = []
    start = 0
    for part, end in passed:
        inside = left[bisect_left(left, start) : bisect_left(left, end)]
        if inside:
            jobs.append((part, frozenset(at - start for at in inside)))
            starts.append(start)
        start = end
    found: dict[int, Row] = {}
    if jobs:
        with crew_of(min(workers, len(jobs)), partial(_picked, options)) as crew:
            for before, held in zip(starts, crew.answers(jobs), strict=True):
                found.update((before + place, row) for place, row in held.items())
    return found


def _picked(options: Options, job: tuple[Part, frozenset[int]]) -> dict[int, Row]:
    """The rows of a part at some places in it."""
    part, places = job
    rows = iter(PartReader(part, options, KEPT_BAD_RECORDS))
    with collector_off():
        return {place: row for place, row in enumerate(islice(rows, max(places) + 1)) if place in places}


def cores(total: int | None) -> int:
    """The processes that a source of so many bytes is worth: one for a small one, else one for each core."""
    if total is None or total < _BIG_BYTES:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
