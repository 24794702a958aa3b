"""Rows of a dataset in files, written where the rows are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from whileai.simulations.distributed.reduction import reduced
from whileai.simulations.distributed.source import source_of


def write_rows(rows: Any, folder: str | os.PathLike[str]) -> int:
    """Write the rows of a dataset as `part-00000.jsonl` and so on in a folder that every machine sees; how many.

    A file is written whole or not at all, by its own worker. The folder must be new or empty: a `FileExistsError`.
    """
    target = Path(folder).resolve()
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise FileExistsError(f"{os.fspath(folder)} holds files: name a new folder, so that no old part stays in it")
    whole = reduced(source_of(rows).parts(), WriteJob(str(target))).whole
    return 0 if whole is None else int(whole.n)


class Written:
    """How many rows were written."""

    def __init__(self, n: int) -> None:
        self.n = n

    def merge(self, other: Written) -> None:
        """Add those of other parts."""
        self.n += other.n


class WriteJob:
    """Writes a part to its file."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Any], Written]:
        """Write one part; a second time the same file is replaced by its like."""
        from whileai.simulations.distributed.source import part_of
        from whileai.simulations.rows.write import write_rows as written

        if not rows:
            return [None] * n, Written(0)
        return [None] * n, Written(written(rows, Path(self._folder, f"part-{part_of(at):05d}.jsonl")))
