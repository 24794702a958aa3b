"""Files read whole, for commands that look at every row of a task at once, and warnings kept for the report."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from whileai.cli.reading import Reading


class WholeFiles:
    """Files as lists of rows; `read` is the account of each file read so far."""

    def __init__(self, *, strict: bool, source_format: str | None) -> None:
        self._options: dict[str, Any] = {"strict": strict, "source_format": source_format}
        self.read: list[dict[str, Any]] = []

    def rows(self, path: str, verb: str) -> list[dict[str, Any]]:
        """The rows of a file, `-` for standard input; a `ValueError` when there is none to `verb`."""
        reading = Reading([path], **self._options)
        rows = [row for batch, _ in reading.batches() for row in batch]
        reading.need_rows(verb)
        self.read.extend(reading.read)
        return rows


@contextmanager
def warnings_said() -> Iterator[list[str]]:
    """The texts of the warnings given meanwhile, there when it ends."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always", UserWarning)
        yield texts
    texts += [str(warning.message) for warning in given]
