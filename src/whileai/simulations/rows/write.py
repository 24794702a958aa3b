"""`write_rows`: rows into a file, whole or not at all."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from enum import Enum
from itertools import accumulate
from pathlib import Path, PurePath
from typing import Any, BinaryIO, cast
from uuid import UUID

import numpy as np
import orjson

from whileai.simulations.errors import TOO_DEEP, keys_found
from whileai.simulations.rows.columns import JSON_COLUMNS, JSON_SUFFIX, plain_record, pyarrow
from whileai.simulations.rows.jsontext import parse
from whileai.simulations.rows.replace import replacing
from whileai.simulations.rows.values import as_text
from whileai.simulations.signature import public

_OPTIONS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
_COMPRESSED = (".gz", ".zst")
_MOST_NESTED = 32  # of a Parquet column: readers refuse a schema of more than 100 levels, of which a list takes two
_SECOND = np.timedelta64(1, "s")
Row = Mapping[str, Any] | bytes
_SCALARS = (str, int, float, type(None))


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
    return b"".join(_encoded(row, number) + b"\n" for number, row in enumerate(rows, 1))


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
        file.write(_encoded(row, number) + b"\n")
    return number


def _write_list(rows: Iterator[Row], file: BinaryIO) -> int:
    number = 0
    for number, row in enumerate(rows, 1):
        file.write((b"[\n" if number == 1 else b",\n") + _encoded(row, number))
    file.write(b"\n]\n" if number else b"[]\n")
    return number


def row_json(row: Mapping[str, Any], number: int = 1) -> bytes:
    """A row as the line of JSON that `write_rows` writes, without its end; what JSON has no form for is a `ValueError`
    that calls it row `number`.

    >>> row_json({"task_id": "a", "reward": float("nan")})
    b'{"task_id": "a", "reward": NaN}'
    """
    return _encoded(row, number)


def _encoded(row: Row, number: int) -> bytes:
    """A row as JSON, which it may be already.

    `null` may stand for a NaN, which orjson does not tell, so such rows go the exact way.
    """
    if isinstance(row, bytes):
        return row
    try:
        text = orjson.dumps(row, default=_plain_value, option=_OPTIONS)
        if b"null" not in text:
            return text
    except TypeError:
        pass
    try:
        return _exact(dict(row)).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"row {number}, {_key_at_fault(row)}: {_why(error)}") from None


def _exact(value: Any) -> str:
    text = json.dumps(value, default=_plain_value)
    _check_keys(value)
    return text


def _check_keys(value: Any) -> None:
    """Refuse keys that are no text: as text, `1` and `"1"` are the same key, and no reader can tell what it was."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            for key in value:
                if not isinstance(key, str):
                    raise TypeError(f"the key {as_text(key)} is {keys_found(key)}: JSON has keys of text only")
            waiting += value.values()
        elif isinstance(value, list | tuple):
            waiting += value
        elif not isinstance(value, _SCALARS):
            waiting.append(_plain_value(value))


def _plain_value(value: Any) -> Any:
    """What stands in JSON for a value that is none of its own; one table for both encoders."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, np.ndarray | np.generic):
        return _of_numpy(value)
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    if isinstance(value, Decimal):
        return int(value) if value.is_finite() and value == value.to_integral_value() else float(value)
    if isinstance(value, UUID | PurePath):
        return str(value)
    if isinstance(value, str | int | float | list | tuple):
        return value if type(value) in (str, int, float, list, tuple) else _base_value(value)
    raise TypeError(f"{keys_found(value)} is no JSON value")


def _of_numpy(value: Any) -> Any:
    if value.dtype.kind not in "mM":
        plain = value.tolist()
        return float(plain) if isinstance(plain, np.longdouble) else plain
    if value.ndim:
        return list(value)
    if str(value) == "NaT":
        return None
    return str(value) if value.dtype.kind == "M" else value / _SECOND


def _base_value(value: Any) -> Any:
    """A value of a subclass (an enum of texts, a named tuple) as the plain value that it is."""
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind.__str__(value) if kind is str else kind(value)
    return list(value)


def _key_at_fault(row: Mapping[str, Any]) -> str:
    for key, value in row.items():
        try:
            _exact({key: value})
        except (TypeError, ValueError, RecursionError):
            return f"key {as_text(key)!r}"
    return "as a whole"


def _why(error: BaseException) -> str:
    return TOO_DEEP if isinstance(error, RecursionError) else str(error)


def _write_parquet(rows: Iterator[Row], file: BinaryIO) -> int:
    """All rows are held: the type of a column is known only when its last value is."""
    arrow = pyarrow("pyarrow", "writing Parquet files")
    held = [parse(_encoded(row, number)) for number, row in enumerate(rows, 1)]
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
