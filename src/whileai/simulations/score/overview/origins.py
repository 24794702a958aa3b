"""Where rows that are pooled come from: more than one model, step or file, and tasks that only share a name."""

from __future__ import annotations

from typing import Any

from whileai.simulations.rows.table import RowTable

_SHOWN = 3
_COLUMNS = ("model_version", "step")


class Origins:
    """Gathers what tells pooled rows apart, over any number of batches.

    A task id that stands for different prompts in different files is two tasks under one name: of each task the
    first file and a hash of its prompt are kept, once there is a second file.
    """

    def __init__(self) -> None:
        self._values: dict[str, dict[Any, None]] = {name: {} for name in _COLUMNS}
        self._first: dict[int, tuple[str | None, int]] = {}
        self._clashes: set[int] = set()
        self.files: dict[str, None] = {}

    def add(self, table: RowTable, file: str | None) -> None:
        """Add the rows of one table, all of one file."""
        for name, seen in self._values.items():
            seen.update(dict.fromkeys(v for v in table.column(name) if isinstance(v, str | int | float)))
        if file is None:
            return
        self.files[file] = None
        for code, prompt in zip(table.tasks.tolist(), table.column("prompt"), strict=True):
            if not isinstance(prompt, str):
                continue
            first_file, asked = self._first.setdefault(code, (file, hash(prompt)))
            if first_file != file and asked != hash(prompt):
                self._clashes.add(code)

    def warnings(self) -> list[str]:
        """What a reader of pooled rates must know, each with what to do."""
        said = []
        if self._clashes:
            said.append(
                f"{len(self._clashes)} task ids stand for different prompts in different files and are pooled as one "
                "task: report each file by itself, or give the tasks ids of their own"
            )
        for name, seen in self._values.items():
            if len(seen) > 1:
                shown = ", ".join(str(value) for value in list(seen)[:_SHOWN])
                more = ", ..." if len(seen) > _SHOWN else ""
                said.append(
                    f"rates pool {len(seen)} values of {name} ({shown}{more}): report each by itself to compare"
                )
        if len(self.files) > 1:
            said.append(f"rates pool {len(self.files)} files: rollouts of a task in all of them count together")
        return said
