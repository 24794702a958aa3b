"""`write_rows`: rows into a file, whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO, cast

from whileai.simulations.errors import keys_found
from whileai.simulations.rows.columns import JSON_COLUMNS, JSON_SUFFIX, plain_record, pyarrow
from whileai.simulations.rows.jsontext import parse
from whileai.simulations.rows.replace import replacing
from whileai.simulations.rows.rowjson import Row, encoded
from whileai.simulations.signature import public

_COMPRESSED = (".gz", ".zst")
_MOST_NESTED = 32  # of a Parquet column: readers refuse a schema of more than 100 levels, of which a list takes two


@public
def write_rows(rows: Iterable[Mapping[str, Any]], path: str | os.PathLike[str]) -> int:
    r"""Write rows to a file and return how many; on any error a file that was there before stays as it was.

    The suffix names the container: `.parquet`, `.json` (one list), else JSON lines; the text forms may end in `.gz`
    or `.zst`. NaN and infinities are written as Python's `json` does (`NaN`), which `load_rows` reads back; other
    strict readers refuse them. In Parquet every row has every column; a nested column that has no one Arrow type is
    written as JSON text, named `<column>_json`.

    Tuples become lists, NumPy values plain ones, members of an Enum their value; dates and times ISO text, spans of
    time seconds, Decimals numbers, UUIDs and paths text, missing cells (NA, NaT) null. All else that JSON cannot hold
    (sets, bytes, other objects, keys that are no text) is a `ValueError` that names the row and the key.

    What a writer that was killed left beside the target is removed by the next one, where the system can lock files.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_rows([{"task_id": "a", "reward": 1}], folder + "/rows.jsonl")
    1
    """
    if isinstance(rows, Mapping | str | bytes) or not hasattr(rows, "__iter__"):
        raise TypeError(f"write_rows takes an iterable of dicts; got a {type(rows).__name__}")
    target = Path(os.path.realpath(path))
    write = _writer(target.name)
    with replacing(target) as file:
        return write(_checked(rows), file)


def json_lines_of(rows: Iterable[Mapping[str, Any]]) -> bytes:
    r"""Rows as JSON lines, as `write_rows` writes them.

    >>> json_lines_of([{"task_id": "a"}, {"task_id": "b"}])
    b'{"task_id":"a"}\n{"task_id":"b"}\n'
    """
    return b"".join(encoded(row, number) + b"\n" for number, row in enumerate(rows, 1))


def write_json_lines(blocks: Iterable[bytes], path: str | os.PathLike[str]) -> int:
    """`write_rows` of rows that other processes have encoded with `json_lines_of`."""
    target = Path(os.path.realpath(path))
    write = _writer(target.name)
    with replacing(target) as file:
        return write((line for block in blocks for line in block.split(b"\n") if line), file)


def write_text(text: str, path: str | os.PathLike[str]) -> int:
    """Write text to a file as UTF-8, whole or not at all, and return its bytes; a lone surrogate is written escaped.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text("ok\\n", folder + "/page.html")
    3
    """
    content = text.encode("utf-8", "backslashreplace")
    with replacing(Path(os.path.realpath(path))) as file:
        file.write(content)
    return len(content)


def check_name(path: str | os.PathLike[str]) -> None:
    """A `ValueError` for a path whose suffix names a container that `write_rows` does not write."""
    _writer(Path(path).name)


def _writer(name: str) -> Callable[[Iterator[Row], BinaryIO], int]:
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    packed = suffixes.pop() if suffixes and suffixes[-1] in _COMPRESSED else ""
    kind = suffixes[-1] if suffixes else ""
    if kind in (".csv", ".tsv"):
        raise ValueError(f"{kind} cannot hold nested values such as steps: write .jsonl or .parquet")
    if kind in (".parquet", ".arrow", ".eval") and (packed or kind != ".parquet"):
        raise ValueError(f"{kind}{packed} is not written: write .parquet, or .jsonl with .gz or .zst")
    if kind == ".parquet":
        return _write_parquet
    text = _write_list if kind == ".json" else _write_lines
    return lambda rows, file: _packed(rows, file, packed, text)


def _checked(rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise ValueError(f"row {number} must be a dict, found {keys_found(row)}")
        yield row


def _packed(
    rows: Iterator[Row],
    file: BinaryIO,
    packed: str,
    write: Callable[[Iterator[Row], BinaryIO], int],
) -> int:
    if packed == ".gz":
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as outer:
            return write(rows, cast(BinaryIO, outer))
    if packed == ".zst":
        import zstandard

        with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as outer:
            return write(rows, cast(BinaryIO, outer))
    return write(rows, file)


def _write_lines(rows: Iterator[Row], file: BinaryIO) -> int:
    number = 0
    for number, row in enumerate(rows, 1):
        file.write(encoded(row, number) + b"\n")
    return number


def _write_list(rows: Iterator[Row], file: BinaryIO) -> int:
    number = 0
    for number, row in enumerate(rows, 1):
        file.write((b"[\n" if number == 1 else b",\n") + encoded(row, number))
    file.write(b"\n]\n" if number else b"[]\n")
    return number


def _write_parquet(rows: Iterator[Row], file: BinaryIO) -> int:
    """All rows are held: the type of a column is known only when its last value is."""
    arrow = pyarrow("pyarrow", "writing Parquet files")
    held = [parse(encoded(row, number)) for number, row in enumerate(rows, 1)]
    columns: dict[str, Any] = {}
    texts = []
    for name in dict.fromkeys(name for row in held for name in row):
        values = [row.get(name) for row in held]
        column = _arrow_column(arrow, name, values)
        if column is None:
            texts.append(name + JSON_SUFFIX)
            column = arrow.array([None if v is None else json.dumps(v) for v in values], arrow.string())
        columns[name if not texts or texts[-1] != name + JSON_SUFFIX else texts[-1]] = column
    if taken := [name for name in texts if any(name in row for row in held)]:
        raise ValueError(f"column {taken[0]!r} is needed for JSON text, but rows have a key of that name: rename it")
    table = arrow.table(columns).replace_schema_metadata({JSON_COLUMNS: json.dumps(texts)} if texts else None)
    pyarrow("pyarrow.parquet", "writing Parquet files").write_table(table, file)
    return len(held)


def _arrow_column(arrow: Any, name: str, values: list[Any]) -> Any:
    """The values as an Arrow array; None when there is no one type for them, or they would be read back changed."""
    try:
        column = arrow.array(values)
        kind = str(column.type)
        if "struct<>" in kind or _depth(kind) > _MOST_NESTED:  # Parquet has no struct without fields
            return None
        back = [plain_record({name: value})[name] for value in column.to_pylist()]
        return column if all(map(_same, back, values)) else None
    except (arrow.ArrowException, OverflowError, UnicodeEncodeError, TypeError, RecursionError):
        return None


def _depth(kind: str) -> int:
    """How deeply a type such as `list<item: struct<a: int64>>` is nested, at least."""
    return max(accumulate((mark == "<") - (mark == ">") for mark in kind))


def _same(left: Any, right: Any) -> bool:
    """Equality in which NaN equals NaN, and True does not equal 1."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(held, right[key]) for key, held in left.items())
    same = left == right or (left != left and right != right)
    return same and isinstance(left, bool) == isinstance(right, bool)
