"""`write_rows`: rows into a file, whole or not at all."""

from __future__ import annotations

import errno
import gzip
import json
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson
import zstandard

from whileai.simulations.errors import keys_found
from whileai.simulations.rows.columns import JSON_COLUMNS, JSON_SUFFIX, plain_record, pyarrow
from whileai.simulations.rows.jsontext import parse

_OPTIONS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
_COMPRESSED = (".gz", ".zst")
_NAME_CHARS = 60


def write_rows(rows: Iterable[Mapping[str, Any]], path: str | os.PathLike[str]) -> int:
    r"""Write rows to a file and return how many; on any error a file that was there before stays as it was.

    The suffix names the container: `.parquet`, `.json` (one list), else JSON lines; the text forms may end in `.gz`
    or `.zst`. NaN and infinities are written as Python's `json` does (`NaN`), which `load_rows` reads back; other
    strict readers refuse them. Tuples become lists and NumPy values plain ones. What JSON cannot hold is a
    `ValueError` that names the row and the key. In Parquet every row has every column; a nested column that has no
    one Arrow type is written as JSON text, named `<column>_json`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_rows([{"task_id": "a", "reward": 1}], folder + "/rows.jsonl")
    1
    """
    if isinstance(rows, Mapping | str | bytes) or not hasattr(rows, "__iter__"):
        raise TypeError(f"write_rows takes an iterable of dicts; got a {type(rows).__name__}")
    target = Path(os.path.realpath(path))
    write = _writer(target.name)
    with _replacing(target) as file:
        return write(_checked(rows), file)


def _writer(name: str) -> Callable[[Iterator[Mapping[str, Any]], BinaryIO], int]:
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


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    """A new file that takes the target's place, with its permissions, once it is whole and on the disk."""
    mode = _mode_of(target)
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    new = target.with_name(f".{target.name[:_NAME_CHARS]}.{secrets.token_hex(6)}.tmp")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            new.chmod(mode)
        os.replace(new, target)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _mode_of(target: Path) -> int | None:
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise ValueError(f"{target} is not a regular file: give the name of a file to write")
    return stat.S_IMODE(mode)


def _sync_folder(folder: Path) -> None:
    """Put the new name on the disk too, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _packed(
    rows: Iterator[Mapping[str, Any]],
    file: BinaryIO,
    packed: str,
    write: Callable[[Iterator[Mapping[str, Any]], BinaryIO], int],
) -> int:
    if packed == ".gz":
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as outer:
            return write(rows, cast(BinaryIO, outer))
    if packed == ".zst":
        with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as outer:
            return write(rows, cast(BinaryIO, outer))
    return write(rows, file)


def _write_lines(rows: Iterator[Mapping[str, Any]], file: BinaryIO) -> int:
    number = 0
    for number, row in enumerate(rows, 1):
        file.write(_encoded(row, number) + b"\n")
    return number


def _write_list(rows: Iterator[Mapping[str, Any]], file: BinaryIO) -> int:
    number = 0
    for number, row in enumerate(rows, 1):
        file.write((b"[\n" if number == 1 else b",\n") + _encoded(row, number))
    file.write(b"\n]\n" if number else b"[]\n")
    return number


def _encoded(row: Mapping[str, Any], number: int) -> bytes:
    """A row as JSON; `null` may stand for a NaN, which orjson does not tell, so such rows go the exact way."""
    try:
        text = orjson.dumps(row, default=_plain_value, option=_OPTIONS)
        if b"null" not in text:
            return text
    except TypeError:
        pass
    try:
        return json.dumps(dict(row), default=_plain_value).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"row {number}, {_key_at_fault(row)}: {_why(error)}") from None


def _plain_value(value: Any) -> Any:
    if type(value).__module__ == "numpy":
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, str | int | float | list | tuple):
        return value if type(value) in (str, int, float, list, tuple) else _base_value(value)
    raise TypeError(f"{keys_found(value)} is no JSON value")


def _base_value(value: Any) -> Any:
    """A value of a subclass (an enum of texts, a named tuple) as the plain value that it is."""
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind.__str__(value) if kind is str else kind(value)
    return list(value)


def _key_at_fault(row: Mapping[str, Any]) -> str:
    for key, value in row.items():
        try:
            json.dumps({key: value}, default=_plain_value)
        except (TypeError, ValueError, RecursionError):
            return f"key {str(key)!r}"
    return "as a whole"


def _why(error: BaseException) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _write_parquet(rows: Iterator[Mapping[str, Any]], file: BinaryIO) -> int:
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
    except (arrow.ArrowException, OverflowError, UnicodeEncodeError, TypeError):
        return None
    if "struct<>" in str(column.type):  # Parquet has no struct without fields
        return None
    back = [plain_record({name: value})[name] for value in column.to_pylist()]
    same = all(a == b or (a != a and b != b) for a, b in zip(back, values, strict=True))
    return column if same else None
