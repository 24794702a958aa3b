"""`load_rows`: rows of any known format from a path, glob, open file, table or iterable, one at a time."""

from __future__ import annotations

import errno
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any, TypeVar

from whileai.simulations import defaults
from whileai.simulations.errors import BadRecordError, ReadError, keys_found, meant
from whileai.simulations.rows import formats
from whileai.simulations.rows.batch import Batch
from whileai.simulations.rows.convert import converted, records_of
from whileai.simulations.rows.folder import glob_inputs, is_glob, paths_inputs
from whileai.simulations.rows.formats import Format, UnknownShapeError
from whileai.simulations.rows.frames import read_once
from whileai.simulations.rows.inputs import Input, RecordsInput, StreamInput, table_inputs
from whileai.simulations.rows.layout import OtherLayoutError
from whileai.simulations.rows.parts import Options, Part, PartRead, parts_of
from whileai.simulations.rows.records import BadRecord, Place
from whileai.simulations.rows.source import Source
from whileai.simulations.signature import public

__all__ = ["BadRecord", "RowReader", "load_rows"]

Found = TypeVar("Found")
_ACCEPTED = (
    "a path, a glob, an open file, a list or iterable of dicts, a pandas, polars or pyarrow table or a datasets.Dataset"
)


@public
def load_rows(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002
    strict: bool = False,
    errors: str = "null",
    rewards: str | Iterable[str] | None = None,
) -> RowReader:
    """Read rows from a file of any known format, or from what is in memory; the format is found by content.

    `source` is a path (also to a folder), a glob, an open file, a list or iterable of dicts, a pandas, polars or
    pyarrow table, or a `datasets.Dataset`. Files are JSON lines or one JSON document, Parquet, Arrow, CSV or an Inspect
    `.eval`, text forms also as gzip or zstd. Rows come one at a time: a large file is never held whole.

    `format` names a format instead of finding it (`"row"`: rows as they stand). A record that cannot be read is
    left out, counted and kept in `.bad`, and a warning says so at the end; `strict=True` raises at the first one.
    `errors="zero"` counts a failed run as the tool that wrote it does. `rewards` names the columns that are rewards
    where a file does not say.

    >>> rows = load_rows([{"task_id": "a", "reward": 1}, {"task_id": "a", "reward": 0}])
    >>> sum(row["reward"] for row in rows), rows.rows_read
    (1, 2)
    """
    if format is not None:
        formats.named(format)
    if errors not in ("null", "zero"):
        raise ValueError(f'errors must be "null" or "zero", not {errors!r}{meant(errors, ("null", "zero"))}')
    columns = (rewards,) if isinstance(rewards, str) else None if rewards is None else tuple(rewards)
    inputs, shown, once = _inputs(source)
    return RowReader(inputs, shown=shown, once=once, format=format, strict=strict, errors=errors, rewards=columns)


def _inputs(source: Any) -> tuple[Sequence[Input], str, bool]:
    """The inputs of a source, how to show it, and whether it can be read only once."""
    kind = type(source).__name__
    if isinstance(source, str | os.PathLike):
        return _path_inputs(source), repr(os.fspath(source)), False
    if (tables := table_inputs(source)) is not None:
        return tables, kind, read_once(source)
    if callable(getattr(source, "read", None)):
        name = getattr(source, "name", None)
        label = Path(name).name if isinstance(name, str) else "stream"
        return [StreamInput(label, source)], label, True
    if isinstance(source, Mapping | bytes | bytearray) or not hasattr(source, "__iter__"):
        hint = " (one row: put it in a list)" if isinstance(source, Mapping) else ""
        raise TypeError(f"load_rows takes {_ACCEPTED}; got {keys_found(source) if not hint else f'a {kind}'}{hint}")
    if isinstance(source, list | tuple) and source and all(isinstance(part, str | os.PathLike) for part in source):
        return paths_inputs(map(Path, source)), f"{len(source)} paths", False
    once = isinstance(source, Iterator)
    return [RecordsInput(kind, lambda: source)], kind, once


def _path_inputs(path: str | os.PathLike[str]) -> Sequence[Input]:
    text = os.fspath(path)
    if not text:
        raise FileNotFoundError(errno.ENOENT, "no path was given", text)
    return glob_inputs(text) if is_glob(text) else paths_inputs([Path(text)])


class RowReader:
    """The rows of a source, read when iterated over; what was learned on the way is in its attributes.

    `formats`: rows by format; `files`: the files read; `rows_read`; `bad`: the first 100 bad records, `bad_after` the
    input and the rows of it before each, `n_bad` how many there were; `at` the number of the input being read,
    `names` what each is called; `facts`: what holds for a whole file, by file; `notes`: what a reader should know;
    `bytes_read` of `bytes_total` (as stored; None when unknown). They start anew with each pass.

    `several`: set it before reading when other readers read files that belong with these: ids that are unique in one
    file only then carry what the file is of (lm-eval's task, the environment of verifiers). `lean`: set it
    where counts are all that is wanted: rows that have a reply may come without `steps` and `messages`, and many at
    once as a `Batch`.

    >>> reader = load_rows([{"task_id": "a", "reward": 1}])
    >>> list(reader), reader.formats
    ([{'task_id': 'a', 'reward': 1}], Counter({'row': 1}))
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        *,
        shown: str,
        once: bool,
        format: str | None,  # noqa: A002
        strict: bool,
        errors: str,
        rewards: tuple[str, ...] | None,
    ) -> None:
        self._inputs, self._shown, self._once = inputs, shown, once
        self._format, self._strict, self._errors, self._rewards = format, strict, errors, rewards
        self._begun = False
        self.several = False
        self.lean = False
        sizes = [part.size for part in inputs]
        self.bytes_total: int | None = None if None in sizes else sum(size for size in sizes if size)
        self._reset()

    def _reset(self) -> None:
        self.formats: Counter[str] = Counter()
        self.files: list[str] = []
        self.at = -1
        self.rows_read = self._rows_before = 0
        self.bytes_read = 0
        self.bad: list[BadRecord] = []
        self.bad_after: list[tuple[int, int]] = []
        self.n_bad = 0
        self.facts: dict[str, Any] = {}
        self.notes: list[str] = []
        self._skipped: list[str] = []
        self._repeats: list[str] = []
        self._joined: set[int] = set()
        self._several: dict[str, bool] = {}
        self._attempts: Counter[str] = Counter()

    @property
    def names(self) -> list[str]:
        """What each input is called: its path, where it has one."""
        return [str(part.path or part.label) for part in self._inputs]

    @property
    def n_files(self) -> int:
        """How many files, tables or streams may give rows; known before reading."""
        return sum(part.role in ("data", "maybe") for part in self._inputs)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self._pass(level=2)

    def batches(self, size: int = 16) -> Iterator[list[dict[str, Any]]]:
        """The rows in lists of at most `size`. Measured: longer lists are slower (the collector walks them)."""
        rows = self._pass(level=3)
        while batch := list(islice(rows, size)):
            yield batch

    def parts(self, size: int) -> list[Part] | None:
        """The source cut into parts of about `size` bytes that can be read apart; None where it cannot be."""
        return None if self._once or self._format not in (None, formats.OWN) else parts_of(self._inputs, size)

    @property
    def options(self) -> Options:
        """How its parts are read."""
        return Options(self._format, self._strict, self._errors, self._rewards, self.lean)

    def together(self, found: Iterable[tuple[Part, PartRead, Found]]) -> Iterator[tuple[Part, Found]]:
        """Take what was read of all parts, in order, as if it had been read here; each is given back once it was.

        Parts behind one that ended its file are dropped, as they would not have been read. Errors are those of
        reading.
        """
        yield from self._begin()
        by_input = groupby(found, key=lambda each: each[0].number)
        waiting = next(by_input, None)
        for number, part in enumerate(self._inputs):
            self.at = number
            if waiting is not None and waiting[0] == number:
                yield from self._joined_parts(part, waiting[1])
                waiting = next(by_input, None)
            else:
                self._skip(part)
        yield from self._finish(level=3)

    def _joined_parts(self, part: Input, found: Iterable[tuple[Part, PartRead, Found]]) -> Iterator[tuple[Part, Found]]:
        place = self._at(part)
        source = Source(part.name, part.path)
        ended = False
        try:
            for each, read, value in found:
                if ended:
                    continue
                rows, number, ended = self.rows_read, place.number, read.ended
                for bad, before in read.bad:
                    self.rows_read = rows + before
                    place.bad(bad.reason, bad.text, number + bad.record)
                self.n_bad += read.n_bad - len(read.bad)
                self.rows_read, place.number = rows + read.rows, number + read.records
                place.formats.update(read.formats)
                source.notes += read.notes
                self._count(each.size)
                yield each, value
                if read.error is not None:
                    raise read.error
        except ReadError as error:
            self._refuse(part, error, place)
            return
        finally:
            self._learn(part, source, place)
        self._close(part, place)

    def __repr__(self) -> str:
        bad = f", {self.n_bad} bad" if self.n_bad else ""
        return f"RowReader({self._shown}: {self.rows_read} rows read{bad})"

    def _pass(self, level: int) -> Iterator[dict[str, Any]]:
        """All rows; what comes before and after the inputs runs in generators of its own, off the rows' way."""
        inputs = chain.from_iterable(map(self._rows_of, self._inputs))
        return chain.from_iterable((self._begin(), inputs, self._finish(level)))

    def _begin(self) -> Iterator[Any]:
        if self._begun and self._once:
            raise ReadError("it can be read once and was: keep the rows in a list, or give a path", source=self._shown)
        self._begun = True
        self._reset()
        yield from ()

    def _rows_of(self, part: Input) -> Iterator[dict[str, Any]]:
        self.at += 1
        if id(part) in self._joined:
            return
        if part.role in ("sidecar", "repeat"):
            self._skip(part)
            return
        place = self._at(part)
        source = Source(part.name, part.path, self._errors, self._rewards, self.several, attempts=self._attempts)
        following = partial(self._following, part)
        try:
            with part.values(place, self._count) as values:
                for row in converted(values, source, place, self._format, following, self._several_of):
                    self.rows_read += len(row) if type(row) is Batch else 1
                    yield row
        except ReadError as error:
            self._refuse(part, error, place)
            return
        finally:
            self._learn(part, source, place)
        self._close(part, place)

    def _at(self, part: Input) -> Place:
        self._rows_before = self.rows_read
        return Place(part.label, self._tell, lean=self.lean)

    def _close(self, part: Input, place: Place) -> None:
        none_read = self.rows_read == self._rows_before
        if none_read and place.first_bad is not None and part.role == "data":
            first = place.first_bad
            raise ReadError(f"no record can be read; the first: {first.reason}", source=part.label, record=first.record)
        if none_read and place.first_bad is None:
            self.notes.append(f"{part.label} holds no rows")
        self.files.append(str(part.path or part.label))

    def _following(self, part: Input, module: Format) -> Iterator[dict[str, Any]]:
        """The records of the later inputs that are of this format; those inputs are then done with."""
        own = self.at
        for number, later in enumerate(self._inputs[own + 1 :], own + 1):
            if later.role in ("sidecar", "repeat") or not self._begins_with(module, later):
                continue
            self.at = number
            self._joined.add(id(later))
            self.files.append(str(later.path or later.label))
            place = Place(later.label, self._tell)
            with later.values(place, self._count) as values:
                yield from records_of(module, values, place)
        self.at = own

    def _several_of(self, module: Format) -> bool:
        """Whether more than one file is of this format."""
        if module.NAME not in self._several:
            files = (part for part in self._inputs if part.role in ("data", "maybe") and part.size is not None)
            self._several[module.NAME] = len(list(islice((f for f in files if self._begins_with(module, f)), 2))) > 1
        return self._several[module.NAME]

    def _begins_with(self, module: Format, part: Input) -> bool:
        try:
            with part.values(Place(part.label, lambda bad: None), lambda size: None) as values:
                first = next((value for value in values if isinstance(value, dict)), None)
            return first is not None and formats.recognise(first) is module
        except ReadError:
            return False  # it is told when its turn comes

    def _skip(self, part: Input) -> None:
        (self._repeats if part.role == "repeat" else self._skipped).append(part.label)
        self._count(part.size or 0)

    def _refuse(self, part: Input, error: ReadError, place: Place) -> None:
        """Pass on why an input was refused; a file of a folder that holds no rows is skipped, a damaged one is bad."""
        if part.role == "maybe" and isinstance(error, OtherLayoutError):
            self.notes.append(f"{part.label} was not read: {error}")
            return
        if part.role == "maybe" and isinstance(error, UnknownShapeError):
            self._skipped.append(part.label)
            return
        if part.role == "data" or self._strict:
            told = error if error.source else ReadError(str(error), source=part.label, record=place.number or None)
            raise told from None
        place.bad(str(error))

    def _learn(self, part: Input, source: Source, place: Place) -> None:
        self.formats.update(place.formats)
        if own := self.rows_read - self._rows_before - place.formats.total():
            self.formats[formats.OWN] += own
        if source.facts:
            self.facts[part.label] = source.facts
        self.notes += [note for note in source.notes if note not in self.notes]

    def _finish(self, level: int) -> Iterator[Any]:
        if self._skipped:
            self.notes.append(f"skipped files that hold no rows: {_some(self._skipped)}")
        if self._repeats:
            self.notes.append(f"skipped files whose rows are in a file beside them: {_some(self._repeats)}")
        if not self.files and not self.n_bad:
            raise ReadError("; ".join(["no file in it holds rows", *self.notes]), source=self._shown)
        if self.n_bad:
            warnings.warn(
                f"{self.n_bad} of {self.n_bad + self.rows_read} records could not be read and were left out; the first "
                f"is {self.bad[0]} (strict=True raises instead; see .bad)",
                UserWarning,
                stacklevel=level,
            )
        yield from ()

    def _tell(self, bad: BadRecord) -> None:
        if self._strict:
            raise BadRecordError(bad.reason, source=bad.source, record=bad.record)
        self.n_bad += 1
        if len(self.bad) < defaults.KEPT_BAD_RECORDS:
            self.bad.append(bad)
            self.bad_after.append((self.at, self.rows_read - self._rows_before))

    def _count(self, size: int) -> None:
        self.bytes_read += size


def _some(names: list[str]) -> str:
    return ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
