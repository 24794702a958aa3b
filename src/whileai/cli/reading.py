"""Files as batches of rows, and the account of what was read."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from whileai.cli.progress import batches

if TYPE_CHECKING:
    from whileai.simulations.rows.load import RowReader

Row = dict[str, Any]
Key = str | None  # of a file; None when there is but one


class Gathers(Protocol):
    """What takes rows a batch at a time."""

    def add(self, rows: list[Row], file: str | None = None, /) -> None:
        """Take one batch, all of one file."""


class Reading:
    """The rows of some files (`-` is standard input) in batches; a file named twice is read once.

    `read` is the account of each file read so far: `source`, `formats`, `rows`, `bad`, `first_bad`, `notes`. Once a
    file was read `located` says where a row of it stands. With `counts_only` the rows come without their
    conversations, which no count reads.
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
        self._names: dict[Key, str] = {}
        self._records: dict[Key, list[tuple[int, int]]] = {}
        self.read: list[dict[str, Any]] = []

    def batches(self) -> Iterator[tuple[list[Row], Key]]:
        """Each batch with the key of the file it is of, None when there is but one."""
        for file in self._files:
            yield from self._batches_of(file)

    def _batches_of(self, file: str) -> Iterator[tuple[list[Row], Key]]:
        from whileai.simulations.rows.load import load_rows

        source: Any = sys.stdin.buffer if file == "-" else file
        label = "standard input" if file == "-" else file
        reader = load_rows(source, **self._options)
        several = len(self._files) > 1
        reader.several = several
        keyed = several or reader.n_files > 1
        watched = _Watched(reader)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # bad records are printed in the report itself
            for batch, number in batches(watched, label, counts_only=self._counts_only):  # type: ignore[arg-type]
                yield batch, f"{label}:{number}" if keyed else None
        for number, name in enumerate(reader.files):
            self._names[f"{label}:{number}"] = label if file == "-" else name
        for number, offsets in watched.offsets.items():
            self._records[f"{label}:{number}" if keyed else None] = offsets
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

    def located(self, row: int, key: Key = None) -> dict[str, Any]:
        """Where a row stands, by its number (from 1) in its file: `row`, the `record` where bad ones came before it,
        and its `file` when there are several.
        """
        found: dict[str, Any] = {} if key is None else {"file": self._names.get(key, key)}
        offset = next((shift for after, shift in reversed(self._records.get(key, [])) if after < row), 0)
        return {**found, "row": row, **({"record": row + offset} if offset else {})}

    def need_rows(self, verb: str) -> None:
        """A `ValueError` when the files held no row."""
        if not any(entry["rows"] for entry in self.read):
            raise ValueError(f"{', '.join(entry['source'] for entry in self.read)}: no rows to {verb}")


class _Watched:
    """A reader whose bad records are noted as they come: by file, after how many rows, and how far that shifts.

    Where records are not rows one by one the shift does not fit the bad records and is not kept.
    """

    def __init__(self, reader: RowReader) -> None:
        self._reader = reader
        self.offsets: dict[int, list[tuple[int, int]]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    def __iter__(self) -> Iterator[Row]:
        reader = self._reader
        file = n_before = n_bad = n_bad_before = 0
        for number, row in enumerate(reader):
            if len(reader.files) != file:
                file, n_before, n_bad_before = len(reader.files), number, n_bad
            if reader.n_bad != n_bad:
                n_bad = reader.n_bad
                shift = reader.bad[-1].record - (number - n_before)
                if n_bad <= len(reader.bad) and shift >= n_bad - n_bad_before:
                    self.offsets.setdefault(file, []).append((number - n_before, shift))
            yield row


def read_into(
    files: Sequence[str], gathered: Gathers, *, strict: bool, source_format: str | None, errors: str = "null"
) -> list[dict[str, Any]]:
    """Give the rows of files, without their conversations, to `gathered`; returns what was read of each."""
    reading = Reading(files, strict=strict, source_format=source_format, errors=errors, counts_only=True)
    for batch, file in reading.batches():
        gathered.add(batch, file)
    return reading.read
