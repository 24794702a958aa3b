"""Rows of a reader in light batches, with a progress bar on a terminal and nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whileai.simulations.rows.load import RowReader

_ROWS = 2048  # rows a batch: array work is paid once a batch
_STEP_BYTES = 1024 * 1024  # that the bar goes on by at once


def batches(reader: RowReader, label: str) -> Iterator[tuple[Sequence[dict[str, Any]], int]]:
    """The reader's rows, each batch with the number of the input it comes from.

    There is a bar on standard error while it is a terminal.

    The cycle collector is off meanwhile: parsed JSON holds no cycles.
    """
    from whileai.simulations.rows.batch import in_batches
    from whileai.simulations.rows.collector import collector_off

    with collector_off():
        rows = _drawn(reader, label) if sys.stderr.isatty() else iter(reader)
        several = len(reader.names) > 1
        by_file = groupby(rows, key=lambda _: reader.at) if several else iter(((0, rows),))
        for number, of_file in by_file:
            for batch in in_batches(of_file, _ROWS, light=reader.lean):
                yield batch, number


@contextmanager
def bar(label: str, total: int | None) -> Iterator[Callable[[int], object]]:
    """A bar on a terminal; what it gives is told how many more bytes are done."""
    if not sys.stderr.isatty():
        yield lambda size: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(label, total=total)
        yield lambda size: progress.advance(task, size)


def _drawn(reader: RowReader, label: str) -> Iterator[Any]:
    told = 0
    with bar(label, reader.bytes_total) as more:
        for row in reader:
            if reader.bytes_read - told >= _STEP_BYTES:
                more(reader.bytes_read - told)
                told = reader.bytes_read
            yield row
