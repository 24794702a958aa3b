"""A progress bar on a terminal, nothing anywhere else."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whileai.simulations.rows.load import RowReader

_ROWS = 128  # rows a batch; measured: fewer pay the array work too often, more leave the processor's cache


def batches(reader: RowReader, label: str) -> Iterator[list[dict[str, Any]]]:
    """The reader's batches, with a bar on standard error while it is a terminal.

    The cycle collector is off meanwhile: parsed JSON holds no cycles, and it would walk every row again and again.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield from _batches(reader, label)
    finally:
        if collecting:
            gc.enable()


def _batches(reader: RowReader, label: str) -> Iterator[list[dict[str, Any]]]:
    if not sys.stderr.isatty():
        yield from reader.batches(_ROWS)
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(label, total=reader.bytes_total)
        for batch in reader.batches(_ROWS):
            progress.update(task, completed=reader.bytes_read)
            yield batch
