"""What a file holds, told by its first bytes, and the values in it."""

from __future__ import annotations

import importlib
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from whileai.simulations.errors import MissingExtraError, ReadError
from whileai.simulations.rows import columns, csvtext, jsontext
from whileai.simulations.rows.formats import UnknownShapeError
from whileai.simulations.rows.records import Place, beginning
from whileai.simulations.rows.stream import Chunks, CutShortError, line_blocks, unpacked, utf8

_TRIED_LINES = 50
_TABLE_NAME = re.compile(r"\.(csv|tsv)(\.gz|\.zst)?$", re.IGNORECASE)
_DAMAGE = (ValueError, OSError, zipfile.BadZipFile, KeyError, NotImplementedError, EOFError, RecursionError)
Progress = Callable[[float], None]

_FOREIGN = {b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"7z\xbc\xaf": "7-Zip", b"SQLite": "SQLite", b"%PDF": "PDF"}


def values_of(chunks: Chunks, place: Place, path: Path | None, progress: Progress) -> Iterator[Any]:
    """The values in a file given as its bytes: the records of whatever container its first bytes announce.

    `path` is where those bytes lie, None for a stream: a container that must be read out of order is then copied to
    a temporary file first.
    """
    binary = _binary_reader(chunks.head(8))
    if binary is None:
        return _text_values(unpacked(chunks), place)
    if path is not None:
        return guarded(binary(path, progress), place)
    return _from_copy(chunks, binary, place, progress)


def _binary_reader(head: bytes) -> Callable[[Path, Progress], Iterator[Any]] | None:
    if head.startswith(b"PAR1"):
        return columns.parquet_records
    if head.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        return columns.arrow_records
    if head.startswith(b"PK\3\4"):
        return _zip_records
    for magic, name in _FOREIGN.items():
        if head.startswith(magic):
            raise UnknownShapeError(f"{name} data is not read: unpack or convert it first")
    return None


def _zip_records(path: Path, progress: Progress) -> Iterator[Any]:
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
    if not names & {"header.json", "_journal/start.json"}:
        raise UnknownShapeError(
            "a zip archive, but no Inspect log (no header.json in it): unpack it and load the folder"
        )
    inspect: Any = importlib.import_module("whileai.simulations.rows.formats.inspect")
    yield from inspect.records_of_zip(path)


def _from_copy(
    chunks: Chunks, binary: Callable[[Path, Progress], Iterator[Any]], place: Place, progress: Progress
) -> Iterator[Any]:
    with tempfile.NamedTemporaryFile(prefix="whileai-") as copy:
        for chunk in chunks:
            copy.write(chunk)
        copy.flush()
        yield from guarded(binary(Path(copy.name), progress), place)


def guarded(values: Iterator[Any], place: Place) -> Iterator[Any]:
    """The values, numbered; damage in a binary container is a bad record once some were read, else a `ReadError`."""
    while True:
        try:
            value = next(values)
        except StopIteration:
            return
        except (MissingExtraError, ReadError):
            raise
        except _DAMAGE as error:
            reason = "cut short or damaged: " + beginning(str(error))
            if not place.number:
                raise ReadError(reason) from None
            place.number += 1
            place.bad(reason)
            return
        place.number += 1
        yield value


def _text_values(chunks: Chunks, place: Place) -> Iterator[Any]:
    if _binary_reader(chunks.head(8)) is not None:
        raise ReadError("compressed Parquet, Arrow or zip data is not read: decompress it first")
    blocks = _from_first_text(line_blocks(utf8(chunks)), place)
    try:
        first = next(blocks, b"")
    except CutShortError as cut:
        return jsontext.begun_list(cut, place)
    if not first:
        return iter(())
    blocks = chain((first,), blocks)
    lines = first.lstrip().split(b"\n", _TRIED_LINES)[:_TRIED_LINES]
    if lines[0][:1] in (b"{", b"[") or any(map(jsontext.is_object, lines)):
        return jsontext.json_values(blocks, place)
    lines = csvtext.first_lines(first, _TRIED_LINES)
    named = bool(_TABLE_NAME.search(place.name))
    if (delimiter := csvtext.separator(lines, named=named)) is not None:
        return csvtext.csv_values(blocks, place, delimiter)
    begins = f"it begins with {beginning(lines[0][:40])!r}"
    if named or csvtext.is_table(lines):
        raise UnknownShapeError(
            f"a table without a header: {begins}; a header line with column names (task_id, reward, ...) is needed, "
            "names that begin with a letter"
        )
    raise UnknownShapeError(f"neither JSON nor a table nor any known container; {begins}")


def _from_first_text(blocks: Iterator[bytes], place: Place) -> Iterator[bytes]:
    for block in blocks:
        if block.strip():
            yield block
            break
        place.number += block.count(b"\n")
    yield from blocks
