"""Files into whatever gathers their rows, and the account of what was read."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Protocol

from whileai.cli.progress import batches


class Gathers(Protocol):
    """What takes rows a batch at a time."""

    def add(self, rows: list[dict[str, Any]], file: str | None = None, /) -> None:
        """Take one batch, all of one file."""


def read_into(
    files: Sequence[str], gathered: Gathers, *, strict: bool, source_format: str | None, errors: str = "null"
) -> list[dict[str, Any]]:
    """Give the rows of files (`-` is standard input) to `gathered`; returns what was read of each, and left out.

    A file named twice is read once.
    """
    named = list(dict.fromkeys(file if file == "-" else os.path.normpath(file) for file in files))
    options = {"strict": strict, "format": source_format, "errors": errors}
    return [_read(file, gathered, several=len(named) > 1, options=options) for file in named]


def _read(file: str, gathered: Gathers, *, several: bool, options: dict[str, Any]) -> dict[str, Any]:
    from whileai.simulations.rows.load import load_rows

    source: Any = sys.stdin.buffer if file == "-" else file
    label = "standard input" if file == "-" else file
    reader = load_rows(source, **options)
    reader.several = several
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # bad records are printed in the report itself
        for batch, number in batches(reader, label):
            gathered.add(batch, f"{label}:{number}" if several or reader.n_files > 1 else None)
    bad = reader.bad[0] if reader.bad else None
    return {
        "source": label,
        "formats": dict(reader.formats),
        "rows": sum(reader.formats.values()),
        "bad": reader.n_bad,
        "first_bad": None if bad is None else {"source": bad.source, "record": bad.record, "reason": bad.reason},
        "notes": list(reader.notes),
    }
