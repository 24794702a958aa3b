"""The option `--workers`, the same for every command that has it."""

from __future__ import annotations

from typing import Annotated

import typer

Workers = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Processes that read; by default one for small files, else one for each core. They share JSON lines and "
        "Parquet; compressed files and other formats are read by one.",
    ),
]
