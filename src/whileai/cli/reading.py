"""Files as batches of rows, read by one process or several, and the account of what was read."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from whileai.cli.opened import Batches, Key, Opened, Row, Rows, Value, Work
from whileai.cli.progress import batches

if TYPE_CHECKING:
    from whileai.simulations.parallel.reading import CrewOf
    from whileai.simulations.rows.parts import Part

Gatherer = TypeVar("Gatherer", bound="Gathers")
_BATCHES_AT_ONCE = 16


class Adds(Protocol):
    """What takes rows a batch at a time."""

    def add(self, rows: Rows, file: str | None = None, /) -> None:
        """Take one batch, all of one file."""


class Gathers(Adds, Protocol):
    """What takes rows, and what was gathered elsewhere of rows that come after."""

    def merge(self, other: Any, /) -> None:
        """Take what another gathered."""


class Reading:
    """The rows of some files (`-` is standard input) in batches; a file named twice is read once.

    `read` is the account of each file read so far: `source`, `formats`, `rows`, `bad`, `first_bad`, `notes`. Once a
    file was read `located` says where a row of it stands, and `passed` holds its parts, where workers read those, each
    with the rows up to its end. With `counts_only` the rows come without their conversations, which no count reads.
    `workers` are the processes that read, None for as many as are of use; with the address `ray` of a cluster they are
    its. Only `gathered` and `worked` have more than one.
    """

    def __init__(
        self,
        files: Sequence[str],
        *,
        strict: bool,
        source_format: str | None,
        errors: str = "null",
        counts_only: bool = False,
        workers: int | None = 1,
        ray: str | None = None,
    ) -> None:
        from whileai.simulations.rows.folder import without_labels

        kept = without_labels(files)
        self._left_out = [file for file in files if file not in kept]
        self._files = list(dict.fromkeys(file if file == "-" else os.path.normpath(file) for file in kept))
        self._options: dict[str, Any] = {"strict": strict, "format": source_format, "errors": errors}
        self._counts_only = counts_only
        self._workers = workers
        self._ray = ray is not None
        if ray is not None:
            from whileai.cli.ray import connected

            self._workers = connected(ray)
            self._files = [file if file == "-" else os.path.abspath(file) for file in self._files]
        self._reset()

    def _reset(self) -> None:
        self._names: dict[Key, str] = {}
        self._records: dict[Key, list[tuple[int, int]]] = {}
        self.passed: list[tuple[Part, int]] = []
        self.read: list[dict[str, Any]] = []

    def batches(self) -> Batches:
        """Each batch with the key of the file it is of, None when there is but one."""
        for file in self._files:
            yield from self._batches_of(self._opened(file))

    def gathered(self, make: Callable[[], Gatherer]) -> Gatherer:
        """What `make` makes, with all rows added; each part of the rows by one that a worker made."""
        return self.as_one(lambda: self._gathered(make))

    def _gathered(self, make: Callable[[], Gatherer]) -> Gatherer:
        whole = make()
        for file in self._files:
            opened = self._opened(file)
            if (parts := self._parts(opened, _Gathering(make))) is None:
                for batch, key in self._batches_of(opened):
                    whole.add(batch, key)
            else:
                for part in parts:
                    whole.merge(part)
        return whole

    def as_one(self, call: Callable[[], Value]) -> Value:
        """What a call that reads gives; once more, by one process, where several cannot read these files."""
        if self._workers == 1:
            return call()
        from whileai.simulations.parallel import ForeignRowsError

        try:
            return call()
        except ForeignRowsError:
            self._workers = 1
            self._reset()
            return call()

    def worked(self, work: Work[Value]) -> Iterator[Value]:
        """What `work` makes of the rows, some at a time and in order; part for part by workers, where there are any.

        Within `as_one`; `work` must be such that another process can have it.
        """
        for file in self._files:
            opened = self._opened(file)
            if (parts := self._parts(opened, work)) is None:
                rows = self._batches_of(opened)
                yield from (work(chain((batch,), islice(rows, _BATCHES_AT_ONCE - 1))) for batch in rows)
            else:
                yield from parts

    def rows_at(self, wanted: Iterable[int]) -> dict[int, Row]:
        """The rows of some numbers, from 0, of the one file whose parts are `passed`; workers read those again."""
        from whileai.simulations.parallel import rows_at

        opened = self._opened(self._files[0])
        workers = self._workers or opened.workers()
        return rows_at(self.passed, opened.reader.options, wanted, workers, self._crew_of())

    def _parts(self, opened: Opened, work: Work[Value]) -> Iterator[Value] | None:
        """What workers make of each part of a file; None where one process reads it."""
        workers = self._workers or opened.workers()
        if workers < 2 or (parts := self._parts_of(opened, work, workers)) is None:
            return None
        return chain(parts, self._accounted(opened))

    def _parts_of(self, opened: Opened, work: Work[Value], workers: int) -> Iterator[Value] | None:
        return opened.parts(work, workers, self.passed, crew_of=self._crew_of())

    def _crew_of(self) -> CrewOf:
        """What makes the workers: processes here, or tasks on the cluster."""
        if self._ray:
            from whileai.simulations.distributed.crew import RayCrew

            return RayCrew
        from whileai.simulations.parallel import Crew

        return Crew

    def _accounted(self, opened: Opened) -> Iterator[Any]:
        self._account(opened)
        yield from ()

    def _opened(self, file: str) -> Opened:
        from whileai.simulations.rows.load import load_rows

        reader = load_rows(sys.stdin.buffer if file == "-" else file, **self._options)
        reader.several = len(self._files) > 1
        reader.lean = self._counts_only
        return Opened(reader, "standard input" if file == "-" else file, reader.several or reader.n_files > 1)

    def _batches_of(self, opened: Opened) -> Batches:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # bad records are printed in the report itself
            for batch, number in batches(opened.reader, opened.label):
                yield batch, opened.key(number)
        self._account(opened)

    def _account(self, opened: Opened) -> None:
        reader, label = opened.reader, opened.label
        for number, name in enumerate(reader.names):
            self._names[opened.key(number)] = label if label == "standard input" else name
        self._records |= opened.offsets()
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
                "notes": [*reader.notes, *([] if self.read else self._skipped())],
            }
        )

    def _skipped(self) -> list[str]:
        return [f"{file} holds labels, not rollouts: left out" for file in self._left_out]

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


@dataclass(frozen=True, slots=True)
class _Gathering:
    """Work: everything added to one that `make` makes."""

    make: Callable[[], Any]

    def __call__(self, rows: Batches) -> Any:
        gathered = self.make()
        for batch, file in rows:
            gathered.add(batch, file)
        return gathered


def read_into(
    files: Sequence[str], gathered: Adds, *, strict: bool, source_format: str | None, errors: str = "null"
) -> list[dict[str, Any]]:
    """Give the rows of files, without their conversations, to `gathered`; returns what was read of each."""
    reading = Reading(files, strict=strict, source_format=source_format, errors=errors, counts_only=True)
    for batch, file in reading.batches():
        gathered.add(batch, file)
    return reading.read
