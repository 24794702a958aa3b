"""Where distributed rows come from: paths, read on the workers, or a `ray.data.Dataset`; as parts in an order."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from whileai.simulations.distributed.cluster import got, n_cpus, ray, warn_unread
from whileai.simulations.distributed.rows import in_tables, packed, unpacked

if TYPE_CHECKING:
    from whileai.simulations.rows.parts import Options, Part
    from whileai.simulations.rows.records import BadRecord

PART_BYTES = 32 * 2**20  # of the files that one task reads; convention
_ROW_BITS = 40  # of a position: the row within its part
_LOOKED_AT = 100  # files whose first record says whether they hold rows as they stand

Change = Callable[[list[Any], int], Iterable[Any]]


def position(number: int) -> int:
    """The position of the first row of a part; positions order the rows of a source."""
    return number << _ROW_BITS


def part_of(at: int) -> int:
    """The number of the part that a position is in."""
    return at >> _ROW_BITS


class PartRows(NamedTuple):
    """The rows of a part, how many of its records could not be read, and the first of those in words."""

    rows: list[Any]
    n_bad: int = 0
    first_bad: str = ""


@dataclass(frozen=True)
class FilePart:
    """A stretch of a file of rows: lines of JSON, or row groups of Parquet."""

    part: Part
    options: Options

    def read(self) -> PartRows:
        """Its rows."""
        from whileai.simulations.rows.parts import PartReader

        reader = PartReader(self.part, self.options, 1)
        rows = list(reader)
        if reader.read.error is not None:
            raise reader.read.error
        if reader.read.formats:
            raise ValueError(
                f"{self.part.input.label} holds records of another tool's format among rows: give it alone, or write "
                "its rows first (load_rows, write_rows)"
            )
        after = f" after byte {self.part.start:,}" if self.part.start else ""
        return _read(rows, reader.read.n_bad, [bad for bad, _ in reader.read.bad], after)


@dataclass(frozen=True)
class WholeFiles:
    """Files that one worker reads, since records of other tools' formats are numbered by what came before them."""

    paths: tuple[str, ...]

    def read(self) -> PartRows:
        """Their rows."""
        from whileai.simulations.rows.load import load_rows

        reader = load_rows(list(self.paths))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # said where all parts come together
            rows = list(reader)
        return _read(rows, reader.n_bad, reader.bad)


def _read(rows: list[Any], n_bad: int, bad: Sequence[BadRecord], after: str = "") -> PartRows:
    first = f"{bad[0].source}, record {bad[0].record}{after}: {bad[0].reason}" if bad else ""
    return PartRows(rows, n_bad, first)


class Source:
    """The parts of a source in order; each pass gives the same ones, so that positions stay what they are."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self._held = parts

    def parts(self) -> Iterator[Any]:
        """The parts: a `FilePart`, `WholeFiles`, or a reference to a block."""
        return iter(self._held)

    def pinned(self) -> Source:
        """The source with parts that stay, so that a row can be known by its position in a later pass."""
        return self

    def changed(self, change: Change) -> Any:
        """A dataset of what `change` makes of the rows of each part, in order, computed when it is asked for."""
        held = list(self._held)
        numbers = ray().data.from_items([{"part": i} for i in range(len(held))], override_num_blocks=len(held) or 1)

        def made(batch: Any) -> Iterator[Any]:
            for number in batch["part"].to_pylist():
                part = held[number] if isinstance(held[number], FilePart | WholeFiles) else got(held[number])
                yield from in_tables(change(rows_of_part(part), position(number)))

        return in_order(numbers.map_batches(made, batch_size=1, batch_format="pyarrow"))


class _Streamed(Source):
    """A dataset whose blocks are made anew in each pass and never all held."""

    def __init__(self, dataset: Any) -> None:
        super().__init__(())
        self._dataset = dataset

    def parts(self) -> Iterator[Any]:
        with _ordered(self._dataset):
            for bundle in self._dataset.iter_internal_ref_bundles():
                yield from bundle.block_refs

    def pinned(self) -> Source:
        return Source(list(self.parts()))

    def changed(self, change: Change) -> Any:
        def made(block: Any) -> Iterator[Any]:
            yield from in_tables(change(unpacked(block), 0))

        return in_order(self._dataset.map_batches(made, batch_size=None, batch_format="pyarrow"))


def source_of(given: Any, argument: str = "rows") -> Source:
    """The source behind a `ray.data.Dataset`, a path, a glob, or a list of paths; else a `TypeError`."""
    if isinstance(given, Source):
        return given
    n_cpus()
    if isinstance(given, ray().data.Dataset):
        return _Streamed(given)
    paths = [given] if isinstance(given, str | os.PathLike) else given
    if isinstance(paths, list | tuple) and paths and all(isinstance(path, str | os.PathLike) for path in paths):
        return Source(_file_parts(paths))
    raise TypeError(
        f"{argument} must be a ray.data.Dataset, a path, or a list of paths, got {type(given).__name__}: rows in "
        "memory go to the function of the same name in whileai.simulations, or into ray.data.from_items"
    )


def dataset_of(rows: Iterable[Any], rows_a_block: int = 10_000) -> Any:
    """A `ray.data.Dataset` of rows as JSON in the column `row`: what `ray.data.from_items` would change stays as it is.

    Arrow gives a column one type and every message the keys of all others; JSON does not.
    """
    left = iter(rows)
    blocks = [packed(islice(left, rows_a_block))]
    while (block := packed(islice(left, rows_a_block))).num_rows:
        blocks.append(block)
    n_cpus()
    return in_order(ray().data.from_arrow(blocks))


def rows_of(dataset: Any) -> Iterator[dict[str, Any]]:
    """The rows of a dataset, one after another, here: for a selection that fits.

    Raises `TypeError` for what is no dataset.
    """
    for part in source_of(dataset).parts():
        yield from rows_of_part(part if isinstance(part, FilePart | WholeFiles) else got(part))


def _file_parts(paths: Iterable[Any]) -> list[Any]:
    from whileai.simulations.rows.folder import glob_inputs, is_glob
    from whileai.simulations.rows.load import load_rows

    found: list[Path] = []
    for path in map(os.fspath, paths):
        found += [each.file for each in glob_inputs(path)] if is_glob(path) else [Path(path)]
    files = [path.absolute() for path in found]
    reader = load_rows(files)
    parts = reader.parts(PART_BYTES)
    if parts is None or not _are_rows(parts, reader.options):
        return [WholeFiles(tuple(map(str, files)))]
    return [FilePart(part, reader.options) for part in parts]


def _are_rows(parts: list[Part], options: Options) -> bool:
    """Whether files begin with rows as they stand; a worker that meets another format later refuses it."""
    from whileai.simulations.rows.parts import PartReader

    first = {part.number: part for part in reversed(parts)}
    for part in islice(first.values(), _LOOKED_AT):
        reader = PartReader(part, options, 1)
        next(iter(reader), None)
        if reader.read.formats:
            return False
    return True


def rows_of_part(part: Any) -> list[Any]:
    """The rows of a part, on the worker that has it; a warning counts the records that could not be read."""
    read = read_part(part)
    warn_unread(read.n_bad, read.first_bad)
    return read.rows


def read_part(part: Any) -> PartRows:
    """The rows of a part, and what could not be read of it."""
    return part.read() if isinstance(part, FilePart | WholeFiles) else PartRows(unpacked(part))


def in_order(dataset: Any) -> Any:
    """The dataset, set to give its blocks in order."""
    dataset.context.execution_options.preserve_order = True
    return dataset


@contextmanager
def _ordered(dataset: Any) -> Iterator[None]:
    """Blocks come in order while this lasts; a dataset of somebody else is left as it was."""
    options = dataset.context.execution_options
    before, options.preserve_order = options.preserve_order, True
    try:
        yield
    finally:
        options.preserve_order = before
