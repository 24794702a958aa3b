"""A progress bar on a terminal, nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whileai.simulations.rows.load import RowReader

_ROWS = 1024  # rows a batch: array work is paid once a batch, memory for a thousand parsed rows


def batches(reader: RowReader, label: str) -> Iterator[list[dict[str, Any]]]:
    """The reader's batches, with a bar on standard error while it is a terminal."""
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
