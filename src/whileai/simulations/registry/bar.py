"""The bar that shows how much is sent, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def sending_bar(total: int) -> Iterator[Callable[[int], None]]:
    """Draw a bar on standard error while that is a terminal, and give what moves it on by so many bytes."""
    if not total or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("pushing"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("pushing", total=total)
        yield lambda done: progress.update(task, advance=done)
