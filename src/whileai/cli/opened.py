"""One file a command reads, its rows named by file, its parts read by workers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from whileai.cli.progress import bar

if TYPE_CHECKING:
    from whileai.simulations.parallel.reading import CrewOf
    from whileai.simulations.rows.load import RowReader
    from whileai.simulations.rows.parts import Part

Row = dict[str, Any]
Key = str | None  # of a file; None when there is but one
Rows = Sequence[Row]
Batches = Iterator[tuple[Rows, Key]]
Value = TypeVar("Value")
Work = Callable[[Batches], Value]


@dataclass(frozen=True, slots=True)
class Opened:
    """A file and its reader; `keyed` where rows must say which file they are of."""

    reader: RowReader
    label: str
    keyed: bool

    def key(self, number: int) -> Key:
        """How the rows of a file within it are named."""
        return f"{self.label}:{number}" if self.keyed else None

    def workers(self) -> int:
        """The processes that are of use, by default."""
        total = self.reader.bytes_total
        if not total:
            return 1
        from whileai.simulations.parallel import cores

        return cores(total)

    def parts(
        self, work: Work[Value], workers: int, passed: list[tuple[Part, int]], *, crew_of: CrewOf
    ) -> Iterator[Value] | None:
        """What workers make of each part, which is then `passed`; None where one process must read the file."""
        from whileai.simulations.parallel import in_order, parts_for

        found = parts_for(self.reader, workers)
        if found is None:
            return None
        keyed = _Keyed(work, self.label, self.keyed)

        def drawn() -> Iterator[Value]:
            with warnings.catch_warnings(), bar(self.label, self.reader.bytes_total) as more:
                warnings.simplefilter("ignore", UserWarning)
                for part, value in in_order(self.reader, found, keyed, workers, crew_of):
                    more(part.size)
                    passed.append((part, self.reader.rows_read))
                    yield value

        return drawn()

    def offsets(self) -> dict[Key, list[tuple[int, int]]]:
        """Where records are counted otherwise than rows, by file: after how many rows, and by how much.

        Where records are not rows one by one the shift does not fit the bad records and is not kept.
        """
        reader = self.reader
        found: dict[Key, dict[int, int]] = {}
        n_bad: dict[int, int] = {}
        for bad, (number, rows) in zip(reader.bad, reader.bad_after, strict=True):
            n_bad[number] = n_bad.get(number, 0) + 1
            shift = bad.record - rows
            if shift >= n_bad[number]:
                found.setdefault(self.key(number), {})[rows] = shift
        return {key: list(shifts.items()) for key, shifts in found.items()}


@dataclass(frozen=True, slots=True)
class _Keyed:
    """Work on the batches of a part as if they came from the whole file."""

    work: Callable[[Batches], Any]
    label: str
    keyed: bool

    def __call__(self, part: Part, rows: Iterator[Rows]) -> Any:
        key = f"{self.label}:{part.number}" if self.keyed else None
        return self.work((batch, key) for batch in rows)
