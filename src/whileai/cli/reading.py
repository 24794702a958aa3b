"""Files into whatever gathers their rows, and the account of what was read."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Protocol


class Gathers(Protocol):
    """What takes rows a batch at a time."""

    def add(self, rows: list[dict[str, Any]], /) -> None:
        """Take one batch."""


def read_into(file: str, gathered: Gathers, *, strict: bool, source_format: str | None) -> dict[str, Any]:
    """Give the rows of a file (`-` is standard input) to `gathered`; returns what was read and what was left out."""
    from whileai.cli.progress import batches
    from whileai.simulations.rows.load import load_rows

    source: Any = sys.stdin.buffer if file == "-" else file
    label = "standard input" if file == "-" else file
    reader = load_rows(source, strict=strict, format=source_format)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # bad records are printed in the report itself
        for batch in batches(reader, label):
            gathered.add(batch)
    return {
        "source": label,
        "formats": dict(reader.formats),
        "rows": sum(reader.formats.values()),
        "bad": reader.n_bad,
        "first_bad": str(reader.bad[0]) if reader.bad else None,
        "notes": list(reader.notes),
    }
