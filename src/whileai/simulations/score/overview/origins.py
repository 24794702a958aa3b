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
    """Of one task: the file and the prompt of its first row, another prompt in that file, and whether it is elsewhere.

    Elsewhere all of its rows have the first row's prompt, or the task clashes.
    """

    file: str
    prompt: bytes
    other: bytes | None = None
    elsewhere: bool = False


class Origins:
    """Gathers what tells pooled rows apart, over any number of batches.

    A task id that stands for different prompts in different files is two tasks under one name: of each task the
    first file and a hash of its prompt are kept, once there is a second file.
    """

    def __init__(self) -> None:
        self._values: dict[str, dict[Any, None]] = {name: {} for name in _COLUMNS}
        self._asked: dict[int, _Asked] = {}
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
            if isinstance(prompt, str) and code not in self._clashes:
                self._ask(code, file, _hashed(prompt))

    def _ask(self, code: int, file: str, prompt: bytes) -> None:
        first = self._asked.get(code)
        if first is None:
            self._asked[code] = _Asked(file, prompt)
        elif file == first.file:
            if prompt != first.prompt:
                first.other = prompt
        elif prompt != first.prompt:
            self._clashes.add(code)
        else:
            first.elsewhere = True

    def merge(self, other: Origins, codes: Ints) -> None:
        """Add what another gathered of rows that come after, of the last file here or later ones.

        `codes` are its tasks' codes here.
        """
        for name, seen in other._values.items():
            self._values[name].update(seen)
        self.files.update(other.files)
        self._clashes.update(codes[list(other._clashes)].tolist())
        for code, theirs in zip(codes[list(other._asked)].tolist(), other._asked.values(), strict=True):
            if code not in self._asked:
                self._asked[code] = replace(theirs)
                continue
            first = self._asked[code]
            for prompt in (theirs.prompt, theirs.other):
                if prompt is not None:
                    self._ask(code, theirs.file, prompt)
            if theirs.elsewhere and theirs.file == first.file:
                self._ask(code, "", theirs.prompt)  # of whatever file it is elsewhere

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


def _hashed(prompt: str) -> bytes:
    """Eight bytes that tell prompts apart, the same in every process."""
    return hashlib.blake2b(prompt.encode("utf-8", "surrogatepass"), digest_size=8).digest()
