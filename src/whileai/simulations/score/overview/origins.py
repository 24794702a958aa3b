"""Where rows that are pooled come from: more than one model, step or file, and tasks that only share a name."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.rows.table import RowTable

Ints = NDArray[np.int64]
_SHOWN = 3
_COLUMNS = ("model_version", "step")


@dataclass(slots=True)
class _Asked:
    """Of one task: its first file and the first prompt there, its last file, and a first prompt of the other files."""

    file: str
    prompt: bytes
    last: str
    elsewhere: bytes | None = None


class Origins:
    """Gathers what tells pooled rows apart, over any number of batches.

    A task id that stands for different prompts in different files is two tasks under one name: of each file its first
    prompt of the task counts, as a hash. What is merged in any grouping, but in the order of the rows, says the same.
    """

    def __init__(self) -> None:
        self._values: dict[str, dict[Any, None]] = {name: {} for name in _COLUMNS}
        self._asked: dict[int, _Asked] = {}
        self._clashes: set[int] = set()
        self.files: dict[str, None] = {}

    def add(self, table: RowTable, file: str | None) -> None:
        """Add the rows of one table, all of one file."""
        for name, seen in self._values.items():
            seen.update((v, None) for v in table.distinct(name) if isinstance(v, str | int | float))
        if file is None:
            return
        self.files[file] = None
        for code, prompt in zip(table.tasks.tolist(), table.column("prompt"), strict=True):
            if isinstance(prompt, str) and code not in self._clashes:
                self._ask(code, file, _hashed(prompt))

    def _ask(self, code: int, file: str, prompt: bytes) -> None:
        asked = self._asked.get(code)
        if asked is None:
            self._asked[code] = _Asked(file, prompt, file)
        elif file != asked.last:
            asked.last = file
            self._ask_elsewhere(code, asked, prompt)

    def _ask_elsewhere(self, code: int, asked: _Asked, prompt: bytes) -> None:
        if asked.elsewhere is None:
            asked.elsewhere = prompt
        elif prompt != asked.elsewhere:
            self._clashes.add(code)

    def merge(self, other: Origins, codes: Ints) -> None:
        """Add what another gathered of rows that come after, of the last file here or later ones.

        `codes` are its tasks' codes here.
        """
        for name, seen in other._values.items():
            self._values[name].update(seen)
        self.files.update(other.files)
        self._clashes.update(codes[list(other._clashes)].tolist())
        for code, theirs in zip(codes[list(other._asked)].tolist(), other._asked.values(), strict=True):
            asked = self._asked.get(code)
            if asked is None:
                self._asked[code] = replace(theirs)
                continue
            if theirs.file != asked.last:
                self._ask_elsewhere(code, asked, theirs.prompt)
            if theirs.elsewhere is not None:
                self._ask_elsewhere(code, asked, theirs.elsewhere)
            asked.last = theirs.last

    def _n_clashes(self) -> int:
        return sum(
            code in self._clashes or (asked.elsewhere is not None and asked.elsewhere != asked.prompt)
            for code, asked in self._asked.items()
        )

    def warnings(self) -> list[str]:
        """What a reader of pooled rates must know, each with what to do."""
        said = []
        if n_clashes := self._n_clashes():
            said.append(
                f"{n_clashes} task ids stand for different prompts in different files and are pooled as one "
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


def _hashed(prompt: str) -> bytes:
    """Eight bytes that tell prompts apart, the same in every process."""
    return hashlib.blake2b(prompt.encode("utf-8", "surrogatepass"), digest_size=8).digest()
