"""A source in parts that can be read apart, in any process, and what was read of them put together again.

A part is a file, or of a large file a stretch of whole lines (JSON lines as they lie on the disk) or some row groups
(Parquet). Every other container is read from its beginning: it is one part. Only rows of ours are read in parts: those
of other formats are numbered by what came before them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from whileai.simulations.errors import ReadError
from whileai.simulations.rows.batch import Batch
from whileai.simulations.rows.columns import parquet_records, row_groups
from whileai.simulations.rows.container import guarded
from whileai.simulations.rows.convert import converted
from whileai.simulations.rows.inputs import FileInput, Input, with_split
from whileai.simulations.rows.jsontext import is_object, json_lines, parse
from whileai.simulations.rows.records import BadRecord, Place
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.stream import chunks_of, line_blocks

_LONGEST_HEAD = 16 * 1024 * 1024  # bytes of a first line that is looked at
_BLOCK = 64 * 1024
_PARQUET = b"PAR1"


@dataclass(frozen=True, slots=True)
class Options:
    """How the records of a source are read; as for `load_rows`."""

    format: str | None
    strict: bool
    errors: str
    rewards: tuple[str, ...] | None
    lean: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the input of that `number`: all of it, or from `start` to `stop`, in bytes or in row groups.

    `head` is the first line of a file of JSON lines, which says for all of it how its records are read; `before` are
    the records before this part where that is known, and `n_records` how many it holds; `size` its bytes.
    """

    number: int
    input: FileInput
    size: int
    start: int = 0
    stop: int = 0
    head: bytes = b""
    before: int = 0
    n_records: int | None = None

    @contextmanager
    def values(self, place: Place) -> Iterator[Iterator[Any]]:
        """The values in this part."""
        if not self.stop:
            with self.input.values(place, lambda size: None) as values:
                yield values
        elif self.head:
            with self.input.file.open("rb", buffering=0) as file:
                blocks = line_blocks(chunks_of(_reader(file, self.start, self.stop)))
                yield with_split(json_lines(blocks, place), self.input.split)
        else:
            groups = range(self.start, self.stop)
            records = guarded(parquet_records(self.input.file, lambda share: None, groups), place)
            yield with_split(records, self.input.split)

    def first(self) -> Any:
        """The first record of the file, where this part does not begin with it; None where it does."""
        if not self.start:
            return None
        return parse(self.head) if self.head else next(parquet_records(self.input.file, lambda share: None, [0]))


def _reader(file: BinaryIO, start: int, stop: int) -> Any:
    file.seek(start)
    left = stop - start

    def read(size: int) -> bytes:
        nonlocal left
        data = file.read(min(size, left))
        left -= len(data)
        return data

    return read


def parts_of(inputs: Sequence[Input], size: int) -> list[Part] | None:
    """The inputs cut into parts of about `size` bytes, in order; None where one is no file that can be read anew."""
    found: list[Part] = []
    for number, part in enumerate(inputs):
        if part.role in ("sidecar", "repeat"):
            continue
        if not isinstance(part, FileInput) or part.size is None:
            return None
        found += _file_parts(part, number, part.size, size)
    return found


def _file_parts(part: FileInput, number: int, total: int, size: int) -> list[Part]:
    whole = [Part(number, part, total)]
    if total < 2 * size:
        return whole
    with part.file.open("rb") as file:
        if file.read(len(_PARQUET)) == _PARQUET:
            return _group_parts(part, number, size) or whole
        head = _first_line(file)
        if not (head.endswith(b"\n") and is_object(head)):
            return whole
        cuts = _line_ends(file, total, size)
    return [
        Part(number, part, stop - start, start, stop, head)
        for start, stop in zip([0, *cuts], [*cuts, total], strict=True)
    ]


def _first_line(file: BinaryIO) -> bytes:
    file.seek(0)
    line = b"\n"
    while line.isspace():
        line = file.readline(_LONGEST_HEAD)
    return line


def _line_ends(file: BinaryIO, total: int, size: int) -> list[int]:
    """Where lines end, about `size` bytes apart; neither the beginning nor the end of the file."""
    cuts: list[int] = []
    at = size
    while at < total:
        file.seek(at - 1)
        while (data := file.read(_BLOCK)) and (found := data.find(b"\n")) < 0:
            at += len(data)
        if not data:
            break
        at += found
        if at < total:
            cuts.append(at)
        at += size
    return cuts


def _group_parts(part: FileInput, number: int, size: int) -> list[Part]:
    """Parts of whole row groups; none where the file cannot be opened, which is told when it is read."""
    try:
        groups = row_groups(part.file)
    except (ImportError, OSError, ValueError):
        return []
    found: list[Part] = []
    start = before = n_bytes = n_rows = 0
    for stop, (rows, held) in enumerate(groups, 1):
        n_bytes, n_rows = n_bytes + held, n_rows + rows
        if n_bytes >= size or stop == len(groups):
            found.append(Part(number, part, n_bytes, start, stop, b"", before, n_rows))
            start, before, n_bytes, n_rows = stop, before + n_rows, 0, 0
    return found


@dataclass(slots=True)
class PartRead:
    """What was read of a part: its rows, records and bad records (by their number in the part) and what to know of it.

    `bad` has the first of `n_bad`, each with the rows before it; `error` is why the rest of the file was not read,
    which `ended` says. `formats` counts the rows of other formats.
    """

    rows: int = 0
    records: int = 0
    n_bad: int = 0
    bad: list[tuple[BadRecord, int]] = field(default_factory=list)
    formats: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    error: ReadError | None = None
    ended: bool = False


class PartReader:
    """The rows of one part when iterated over, lean ones in batches too; `read` says afterwards what was read."""

    def __init__(self, part: Part, options: Options, kept_bad: int) -> None:
        self.part, self.options, self._kept_bad = part, options, kept_bad
        self.read = PartRead()

    def __iter__(self) -> Iterator[Any]:
        part, read, options = self.part, self.read, self.options
        place = Place(part.input.label, self._tell, part.before, lean=options.lean)
        source = Source(part.input.name, part.input.path, options.errors, options.rewards)
        read.formats = place.formats
        n_values = 0

        def counted(values: Iterator[Any]) -> Iterator[Any]:
            nonlocal n_values
            for value in values:
                n_values += 1
                yield value

        try:
            with part.values(place) as values:
                held = values if part.n_records is None else counted(values)
                for row in converted(held, source, place, options.format, head=part.first()):
                    read.rows += len(row) if type(row) is Batch else 1
                    yield row
            read.ended = part.n_records is not None and n_values < part.n_records
        except _StoppedError:
            read.ended = True
        except ReadError as error:
            read.error, read.ended = error, True
        finally:
            read.records = place.number - part.before
            read.notes = source.notes

    def _tell(self, bad: BadRecord) -> None:
        self.read.n_bad += 1
        if len(self.read.bad) < self._kept_bad:
            number = bad.record - self.part.before
            self.read.bad.append((BadRecord(bad.source, number, bad.reason, bad.text), self.read.rows))
        if self.options.strict:
            raise _StoppedError


class _StoppedError(Exception):
    """A strict reader met a bad record."""
