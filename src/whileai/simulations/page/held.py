"""The rows of a page, held in memory, and where each of them stands."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

Row = dict[str, Any]
Place = dict[str, Any]  # `row`, from 1, and `file` where there are several, as `wai` gives them


class Held:
    """Rows added batch by batch, each with the key of its file (None where there is but one) and its number in it.

    >>> held = Held()
    >>> held.add([{"task_id": "a"}, {"task_id": "b"}], "one"); held.add([{"task_id": "a"}], "two")
    >>> len(held.rows), held.place(1), held.place(2)
    (3, {'file': 'one', 'row': 2}, {'file': 'two', 'row': 1})
    """

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._starts: list[int] = []  # of each batch
        self._batches: list[tuple[str | None, int]] = []  # its file, and the rows of the file before it
        self._counts: Counter[str | None] = Counter()

    def add(self, rows: Sequence[Row], file: str | None = None, /) -> None:
        """Take one batch, all of one file."""
        self._starts.append(len(self.rows))
        self._batches.append((file, self._counts[file]))
        self._counts[file] += len(rows)
        self.rows.extend(rows)

    def files(self, located: Callable[..., Place] | None = None) -> dict[str, list[range]]:
        """The positions of each file's rows by its name; empty where there is but one."""
        found: dict[str, list[range]] = {}
        for start, end in pairwise([*self._starts, len(self.rows)]):
            name = self.place(start, located).get("file") if end > start else None
            if name is not None:
                found.setdefault(name, []).append(range(start, end))
        return found if len(found) > 1 else {}

    def place(self, position: int, located: Callable[..., Place] | None = None) -> Place:
        """Where the row at a position stands; `located` turns its number and the key of its file into that."""
        batch = bisect_right(self._starts, position) - 1
        file, before = self._batches[batch]
        number = before + position - self._starts[batch] + 1
        if located is not None:
            return located(number, file)
        return {"row": number} if file is None else {"file": file, "row": number}
