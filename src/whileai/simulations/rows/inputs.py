"""What rows can be read from: files, open files, tables and iterables, each as one input that gives its values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from whileai.simulations.rows.columns import Records
from whileai.simulations.rows.container import values_of
from whileai.simulations.rows.frames import table_readers
from whileai.simulations.rows.records import Place
from whileai.simulations.rows.stream import chunks_of

Count = Callable[[int], None]
Role = Literal["data", "maybe", "sidecar", "repeat"]


@dataclass(slots=True)
class Input:
    """One file, stream, table or iterable, which `label` names in messages.

    `role`: `data` was asked for, `maybe` was found in a folder and may hold no rows, a `sidecar` holds none, a `repeat`
    holds those of another input.
    """

    label: str
    role: Role = field(default="data", kw_only=True)

    @property
    def name(self) -> str:
        """Its name in `lineage.source`: no folder."""
        return Path(self.label).name

    @property
    def path(self) -> Path | None:
        """Where it lies, when it is a file."""
        return None

    @property
    def size(self) -> int | None:
        """Its bytes as stored; None when unknown."""
        return None

    def values(self, place: Place, count: Count) -> AbstractContextManager[Iterator[Any]]:
        """Its values while it is open; `place` keeps the number of the last, `count` is told the bytes that were read.

        It gives an iterator rather than being one: each generator that a row passes through costs a percent.
        """
        raise NotImplementedError


@dataclass(slots=True)
class FileInput(Input):
    """A file; its rows get a column `split` when it is part of a dataset of several."""

    file: Path
    split: str | None = None

    @property
    def name(self) -> str:
        """The file name without its folder."""
        return self.file.name

    @property
    def path(self) -> Path:
        """The file."""
        return self.file

    @property
    def size(self) -> int | None:
        """The bytes of the file; None for a pipe."""
        return self.file.stat().st_size if self.file.is_file() else None

    @contextmanager
    def values(self, place: Place, count: Count) -> Iterator[Iterator[Any]]:
        """The values in the file."""
        meter = _Meter(self.size or 0, count)
        path = self.file if self.file.is_file() else None
        with self.file.open("rb", buffering=0) as file:
            place.lean = place.lean and self.split is None
            values = values_of(chunks_of(meter.counted(file.read)), place, path, meter.share)
            yield with_split(values, self.split)
        meter.share(1)


def with_split(values: Iterator[Any], split: str | None) -> Iterator[Any]:
    """The values, records with the name of their split where there is one."""
    return values if split is None else _with_split(values, split)


def _with_split(values: Iterator[Any], split: str) -> Iterator[Any]:
    for value in values:
        if isinstance(value, dict):
            value.setdefault("split", split)
        yield value


class _Meter:
    """Tells a counter how far the reading of a file has come, each byte once."""

    def __init__(self, size: int, count: Count) -> None:
        self._size, self._count, self._told = size, count, 0

    def counted(self, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
        def counted_read(size: int) -> bytes:
            data = read(size)
            self._told += len(data)
            self._count(len(data))
            return data

        return counted_read

    def share(self, share: float) -> None:
        """The given share of the file has been read."""
        if (more := int(share * self._size) - self._told) > 0:
            self._told += more
            self._count(more)


@dataclass(slots=True)
class StreamInput(Input):
    """An open file or pipe, read once from where it stands."""

    stream: Any

    @contextmanager
    def values(self, place: Place, count: Count) -> Iterator[Iterator[Any]]:
        """The values in the rest of the stream."""
        read = getattr(self.stream, "read1", self.stream.read)
        yield values_of(chunks_of(_Meter(0, count).counted(read)), place, None, lambda share: None)


@dataclass(slots=True)
class RecordsInput(Input):
    """Records in memory, or made one at a time."""

    records: Callable[[], Iterable[Any]]

    @contextmanager
    def values(self, place: Place, count: Count) -> Iterator[Iterator[Any]]:
        """The records, counted."""
        yield _counted(self.records(), place)


def _counted(values: Iterable[Any], place: Place) -> Iterator[Any]:
    for place.number, value in enumerate(values, 1):
        yield value


def table_inputs(source: Any) -> list[Input] | None:
    """The inputs of a dataframe, Arrow table or dataset (a split each); None when the value is no table."""
    readers = table_readers(source)
    if readers is None:
        return None
    kind = type(source).__name__
    return [RecordsInput(split or kind, _in_split(read, split)) for split, read in readers.items()]


def _in_split(read: Callable[[], Records], split: str) -> Callable[[], Iterable[Any]]:
    return (lambda: _with_split(read(), split)) if split else read
