"""Columns as records: Parquet, Arrow, dataframes and datasets, cleaned of what column types add to nested values."""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from whileai.simulations.rows.arrowtypes import check_fields, holds_map, with_empty_maps, with_nanoseconds
from whileai.simulations.rows.arrowtypes import pyarrow as pyarrow  # write_rows takes it from here
from whileai.simulations.rows.jsontext import parse
from whileai.simulations.rows.stream import check_size

JSON_COLUMNS = b"whileai.json_columns"  # schema metadata: the columns that write_rows wrote as JSON text, a list
JSON_SUFFIX = "_json"

_BATCH_BYTES = 8 * 1024 * 1024  # bytes of the batch that is held while its rows are given
MOST_ROWS = 1024
_LEAST_BYTES = 8  # of a value as a Python object: a reference
_MOST_DIGITS = 100  # of a decimal that is given as a number; Arrow's have at most 76
_CONVERSATIONS = {
    "messages", "conversations", "conversation", "prompt", "completion", "chosen", "rejected", "items", "contents",
    "traj", "tool_calls",
}  # fmt: skip

Records = Iterator[dict[str, Any]]


def parquet_records(path: Path, progress: Callable[[float], None], only: Sequence[int] | None = None) -> Records:
    """The rows of a Parquet file, or of `only` some row groups, a batch in memory at a time.

    `progress` is told the share that was read.
    """
    parquet = pyarrow("pyarrow.parquet", "reading Parquet files")
    with parquet.ParquetFile(path) as file:
        numbers = range(file.metadata.num_row_groups) if only is None else only
        groups = [file.metadata.row_group(i) for i in numbers]
        size, rows = sum(map(_unpacked, groups)), sum(g.num_rows for g in groups)
        most = max(1, min(MOST_ROWS, _BATCH_BYTES * rows // max(1, size)))
        done = 0
        for batch in file.iter_batches(batch_size=most, row_groups=list(numbers)):
            yield from batch_records(batch)
            done += batch.num_rows
            progress(done / max(1, rows))


def row_groups(path: Path) -> list[tuple[int, int]]:
    """The rows and the stored bytes of each row group of a Parquet file."""
    parquet = pyarrow("pyarrow.parquet", "reading Parquet files")
    with parquet.ParquetFile(path) as file:
        groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        return [(group.num_rows, sum(_stored(group, i) for i in range(group.num_columns))) for group in groups]


def _unpacked(group: Any) -> int:
    """The bytes of a row group in memory, at least: equal values are stored once, and read as often as they stand."""
    values = sum(group.column(i).num_values for i in range(group.num_columns))
    return max(int(group.total_byte_size), _LEAST_BYTES * int(values))


def _stored(group: Any, column: int) -> int:
    return int(group.column(column).total_compressed_size)


def arrow_records(path: Path, progress: Callable[[float], None]) -> Records:
    """The rows of an Arrow file or stream, a batch in memory at a time."""
    arrow = pyarrow("pyarrow", "reading Arrow files")
    with arrow.memory_map(str(path)) as mapped:
        is_file = mapped.read(6) == b"ARROW1"
        mapped.seek(0)
        reader = arrow.ipc.open_file(mapped) if is_file else arrow.ipc.open_stream(mapped)
        batches = map(reader.get_batch, range(reader.num_record_batches)) if is_file else reader
        for batch in batches:
            yield from batch_records(batch)
            progress(mapped.tell() / max(1, mapped.size()))


def batch_records(batch: Any) -> Records:
    """The rows of a pyarrow table or record batch as plain records.

    Every message of an Arrow list has every key, and call arguments the keys of all other calls, null where the
    record had none: null keys inside nested values are dropped. A top-level null stays.
    """
    texts = parse((batch.schema.metadata or {}).get(JSON_COLUMNS) or b"[]")
    check_fields(batch.schema)
    batch = with_nanoseconds(batch)
    maps = {field.name: field.type for field in batch.schema if holds_map(field.type)}
    rows = max(1, min(MOST_ROWS, _BATCH_BYTES * batch.num_rows // max(1, batch.nbytes)))
    for start in range(0, batch.num_rows, rows):
        part = batch.slice(start, rows)
        check_size(part.nbytes // max(1, part.num_rows), "a row")
        for record in part.to_pylist():
            for name, kind in maps.items():
                record[name] = with_empty_maps(record[name], kind)
            yield _with_values(plain_if_it_can_be(record), texts)


def _with_values(record: dict[str, Any], texts: Iterable[str]) -> dict[str, Any]:
    for name in texts:
        if name in record:
            text = record.pop(name)
            value = None if text is None else parse(text.encode("utf-8", "surrogatepass"))
            record[name.removesuffix(JSON_SUFFIX)] = value
    return record


def plain_if_it_can_be(record: Mapping[Any, Any]) -> dict[str, Any]:
    """`plain_record`, but a record nested too deeply as it is, so that the others are read."""
    try:
        return plain_record(record)
    except RecursionError:
        return {str(name): value for name, value in record.items()}


def plain_record(record: Mapping[Any, Any]) -> dict[str, Any]:
    """A record of columns with plain JSON values.

    >>> plain_record({"messages": {"role": ["user"], "content": ["hi"]}, "args": {"id": 1, "x": None}, "reward": None})
    {'messages': [{'role': 'user', 'content': 'hi'}], 'args': {'id': 1}, 'reward': None}
    """
    return {str(name): plain(_zipped(name, value)) for name, value in record.items()}


def plain(value: Any) -> Any:
    """A value of a column as a plain JSON value: null keys dropped, times as ISO text, bytes as text (else base64)."""
    kind = type(value)
    if kind is str or kind is int or kind is float or kind is bool or value is None:
        return value
    if kind is dict:
        return {name: plain(_zipped(name, inner)) for name, inner in value.items() if inner is not None}
    if kind is list:
        if value and type(value[0]) is tuple:
            return _mapped(value)
        return [plain(inner) for inner in value]
    return _rare(value)


def _mapped(entries: list[Any]) -> Any:
    """An Arrow map as a dict; a list of pairs where a key comes twice, or where the entries are no pairs."""
    if all(type(entry) is tuple and len(entry) == 2 for entry in entries):
        names = [str(plain(key)) for key, _ in entries]
        if len(set(names)) == len(names):
            return {name: plain(value) for name, (_, value) in zip(names, entries, strict=True)}
    return [plain(list(entry)) if type(entry) is tuple else plain(entry) for entry in entries]


def _zipped(name: Any, value: Any) -> Any:
    """A dict of equally long lists as the list of dicts that it stood for (`Sequence` of older datasets)."""
    if name not in _CONVERSATIONS or not isinstance(value, dict) or not value:
        return value
    columns = {key: column for key, column in value.items() if column is not None}
    if not all(isinstance(column, list) for column in columns.values()) or len(set(map(len, columns.values()))) != 1:
        return value
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def unzipped(record: dict[str, Any]) -> dict[str, Any]:
    """The record, its conversation zipped back where it is a dict of lists (JSON written from such a dataset)."""
    for name in _CONVERSATIONS & record.keys():
        if isinstance(record[name], dict) and _zipped(name, record[name]) is not record[name]:
            return plain_record(record)
    return record


def without_filler(record: dict[str, Any]) -> dict[str, Any]:
    """The record, its conversation without the null keys that a JSON copy of an Arrow dataset gives every message.

    Told by the messages: at least two, all with the very same keys, and some of those null.

    >>> without_filler({"messages": [{"role": "user", "tool_calls": None}, {"role": "tool", "tool_calls": None}]})
    {'messages': [{'role': 'user'}, {'role': 'tool'}]}
    """
    filled = [name for name in _CONVERSATIONS & record.keys() if _is_filled(record[name])]
    return {**record, **{name: plain(record[name]) for name in filled}} if filled else record


def _is_filled(turns: Any) -> bool:
    if not isinstance(turns, list) or len(turns) < 2 or not all(isinstance(turn, dict) for turn in turns):
        return False
    keys = turns[0].keys()
    return all(turn.keys() == keys for turn in turns) and any(None in turn.values() for turn in turns)


def _rare(value: Any) -> Any:
    if isinstance(value, Mapping):
        return plain(dict(value))
    if isinstance(value, tuple | set | frozenset):
        return plain(list(value))
    if isinstance(value, bytes | bytearray | memoryview):
        return _text_of(bytes(value))
    if isinstance(value, Decimal):
        return _number_of(value)
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if type(value).__module__ == "numpy":
        return _of_numpy(value)
    return str(value) if type(value).__module__.partition(".")[0] == "pandas" else value


def _number_of(value: Decimal) -> int | float | str | None:
    if not value.is_finite():
        return None if value.is_nan() else float(value)
    if abs(value.adjusted()) > _MOST_DIGITS:
        return str(value)
    return int(value) if value == value.to_integral_value() else float(value)


def _of_numpy(value: Any) -> Any:
    """A value of NumPy; of its times, which Python would cut or give as plain numbers, the text or the seconds."""
    kind = value.dtype.kind
    if kind not in "mM":
        return plain(value.tolist())
    if value.ndim:
        return [_of_numpy(inner) for inner in value]
    if str(value) == "NaT":
        return None
    return str(value) if kind == "M" else value.astype("timedelta64[ns]").astype("int64").item() / 1e9


def _text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return base64.b64encode(data).decode("ascii")
