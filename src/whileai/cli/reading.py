"""Files as batches of rows, and the account of what was read."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from whileai.cli.progress import batches

Row = dict[str, Any]


class Gathers(Protocol):
    """What takes rows a batch at a time."""

    def add(self, rows: list[Row], file: str | None = None, /) -> None:
        """Take one batch, all of one file."""


class Reading:
    """The rows of some files (`-` is standard input) in batches; a file named twice is read once.

    `read` is the account of each file read so far: `source`, `formats`, `rows`, `bad`, `first_bad`, `notes`. With
    `counts_only` the rows come without their conversations, which no count reads.
    """

    def __init__(
        self,
        files: Sequence[str],
        *,
        strict: bool,
        source_format: str | None,
        errors: str = "null",
        counts_only: bool = False,
    ) -> None:
        self._files = list(dict.fromkeys(file if file == "-" else os.path.normpath(file) for file in files))
        self._options: dict[str, Any] = {"strict": strict, "format": source_format, "errors": errors}
        self._counts_only = counts_only
        self.read: list[dict[str, Any]] = []

    def batches(self) -> Iterator[tuple[list[Row], str | None]]:
        """Each batch with the file it is of, None when there is but one."""
        for file in self._files:
            yield from self._batches_of(file)

    def _batches_of(self, file: str) -> Iterator[tuple[list[Row], str | None]]:
        from whileai.simulations.rows.load import load_rows

        source: Any = sys.stdin.buffer if file == "-" else file
        label = "standard input" if file == "-" else file
        reader = load_rows(source, **self._options)
        several = len(self._files) > 1
        reader.several = several
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # bad records are printed in the report itself
            for batch, number in batches(reader, label, counts_only=self._counts_only):
                yield batch, f"{label}:{number}" if several or reader.n_files > 1 else None
        bad = reader.bad[0] if reader.bad else None
        self.read.append(
            {
                "source": label,
                "formats": dict(reader.formats),
                "rows": sum(reader.formats.values()),
                "bad": reader.n_bad,
                "first_bad": None
                if bad is None
                else {"source": bad.source, "record": bad.record, "reason": bad.reason},
                "notes": list(reader.notes),
            }
        )

    def need_rows(self, verb: str) -> None:
        """A `ValueError` when the files held no row."""
        if not any(entry["rows"] for entry in self.read):
            raise ValueError(f"{', '.join(entry['source'] for entry in self.read)}: no rows to {verb}")


def read_into(
    files: Sequence[str], gathered: Gathers, *, strict: bool, source_format: str | None, errors: str = "null"
) -> list[dict[str, Any]]:
    """Give the rows of files, without their conversations, to `gathered`; returns what was read of each."""
    reading = Reading(files, strict=strict, source_format=source_format, errors=errors, counts_only=True)
    for batch, file in reading.batches():
        gathered.add(batch, file)
    return reading.read
