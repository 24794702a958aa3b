"""Rows of a reader in light batches, with a progress bar on a terminal and nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whileai.simulations.rows.load import RowReader

_ROWS = 2048  # rows a batch: array work is paid once a batch
_ROWS_A_STEP = 500  # rows between two looks at how far the reader has come


def batches(reader: RowReader, label: str, *, counts_only: bool) -> Iterator[tuple[list[dict[str, Any]], int]]:
    """The reader's rows, each batch with the number of the input it comes from; `counts_only` drops conversations.

    There is a bar on standard error while it is a terminal.

    The cycle collector is off meanwhile: parsed JSON holds no cycles.
    """
    from whileai.simulations.rows.collector import collector_off

    with collector_off():
        rows = _drawn(reader, label) if sys.stderr.isatty() else iter(reader)
        several = len(reader.names) > 1
        by_file = groupby(rows, key=lambda _: reader.at) if several else iter(((0, rows),))
        for number, of_file in by_file:
            while batch := _taken(islice(of_file, _ROWS), counts_only):
                yield batch, number


def _taken(rows: Iterator[dict[str, Any]], counts_only: bool) -> list[dict[str, Any]]:
    return lightened(rows) if counts_only else list(rows)


def lightened(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows, fresh ones of a file, without what no count reads; the reply is read from messages without one.

    Each is made light before the next is parsed, so that what it drops is dropped while the processor has it at hand.
    """
    light = []
    for row in rows:
        if "steps" in row:
            del row["steps"]
        if "messages" in row:
            final = row.get("final_text")
            if type(final) is str and final and not final.isspace():
                del row["messages"]
        light.append(row)
    return light


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


def _drawn(reader: RowReader, label: str) -> Iterator[dict[str, Any]]:
    told = 0
    with bar(label, reader.bytes_total) as more:
        for number, row in enumerate(reader):
            if number % _ROWS_A_STEP == 0:
                more(reader.bytes_read - told)
                told = reader.bytes_read
            yield row
