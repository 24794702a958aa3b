"""Columns as records: Parquet, Arrow, dataframes and datasets, cleaned of what column types add to nested values."""

from __future__ import annotations

import base64
import datetime as dt
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from whileai.simulations.errors import MissingExtraError
from whileai.simulations.rows.jsontext import parse
from whileai.simulations.rows.stream import check_size

JSON_COLUMNS = b"whileai.json_columns"  # schema metadata: the columns that write_rows wrote as JSON text, a list
JSON_SUFFIX = "_json"

_BATCH_BYTES = 8 * 1024 * 1024  # bytes of the batch that is held while its rows are given
_MOST_ROWS = 1024
_CONVERSATIONS = {
    "messages", "conversations", "conversation", "prompt", "completion", "chosen", "rejected", "items", "contents",
    "traj", "tool_calls",
}  # fmt: skip

Records = Iterator[dict[str, Any]]


def parquet_records(path: Path, progress: Callable[[float], None]) -> Records:
    """The rows of a Parquet file, a batch in memory at a time; `progress` is told the share that was read."""
    parquet = pyarrow("pyarrow.parquet", "reading Parquet files")
    with parquet.ParquetFile(path) as file:
        groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        size, rows = sum(g.total_byte_size for g in groups), file.metadata.num_rows
        most = max(1, min(_MOST_ROWS, _BATCH_BYTES * rows // max(1, size)))
        done = 0
        for batch in file.iter_batches(batch_size=most):
            yield from batch_records(batch)
            done += batch.num_rows
            progress(done / max(1, rows))


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
    rows = max(1, min(_MOST_ROWS, _BATCH_BYTES * batch.num_rows // max(1, batch.nbytes)))
    for start in range(0, batch.num_rows, rows):
        part = batch.slice(start, rows)
        check_size(part.nbytes // max(1, part.num_rows), "a row")
        for record in part.to_pylist():
            yield _with_values(plain_record(record), texts)


def _with_values(record: dict[str, Any], texts: Iterable[str]) -> dict[str, Any]:
    for name in texts:
        if name in record:
            text = record.pop(name)
            value = None if text is None else parse(text.encode("utf-8", "surrogatepass"))
            record[name.removesuffix(JSON_SUFFIX)] = value
    return record


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
        if value and type(value[0]) is tuple:  # an Arrow map
            return {str(entry[0]): plain(entry[1]) for entry in value}
        return [plain(inner) for inner in value]
    return _rare(value)


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
        return int(value) if value.is_finite() and value == value.to_integral_value() else float(value)
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if type(value).__module__ == "numpy":
        return plain(value.tolist())
    return value


def _text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return base64.b64encode(data).decode("ascii")


def table_readers(source: Any) -> dict[str, Callable[[], Records]] | None:
    """How to read a table that is not a file, by the name of each of its parts (splits; `""` for one table).

    None when the value is no table. The library is known by the class, so none is imported to find out.
    """
    library, kind = _library(source)
    if library == "datasets" and kind.endswith("Dict"):
        return {str(split): _reader(part) for split, part in source.items()}
    if library:
        return {"": _reader(source)}
    return None


def read_once(source: Any) -> bool:
    """Whether a table can be read a single time only."""
    return _library(source) == ("pyarrow", "RecordBatchReader")


def _library(source: Any) -> tuple[str, str]:
    known = {
        "pyarrow": ("Table", "RecordBatch", "RecordBatchReader", "Dataset"),
        "pandas": ("DataFrame",),
        "polars": ("DataFrame", "LazyFrame"),
        "narwhals": ("DataFrame", "LazyFrame"),
        "datasets": ("Dataset", "IterableDataset", "DatasetDict", "IterableDatasetDict"),
    }
    for kind in type(source).__mro__:
        library = kind.__module__.partition(".")[0]
        if kind.__name__ in known.get(library, ()):
            return library, kind.__name__
    return ("arrow", "stream") if hasattr(source, "__arrow_c_stream__") else ("", "")


def _reader(source: Any) -> Callable[[], Records]:
    library, kind = _library(source)
    if library == "narwhals":
        return _reader(source.to_native())
    if library == "pandas":
        return lambda: _pandas_records(source)
    if library == "polars":
        return lambda: _polars_records(source.collect() if kind == "LazyFrame" else source)
    if (library, kind) == ("datasets", "IterableDataset"):
        return lambda: map(plain_record, source)
    return lambda: (record for batch in _batches(source, library, kind) for record in batch_records(batch))


def _batches(source: Any, library: str, kind: str) -> Iterator[Any]:
    if library == "datasets":
        yield from source.with_format("arrow").iter(batch_size=_MOST_ROWS)
    elif library == "arrow":
        yield from pyarrow("pyarrow", "reading this table").RecordBatchReader.from_stream(source)
    elif kind == "RecordBatch":
        yield source
    else:
        yield from source if kind == "RecordBatchReader" else source.to_batches()


def _pandas_records(frame: Any) -> Records:
    """The rows of a pandas frame; a NaN outside columns of floats stands for no value."""
    for start in range(0, len(frame), _MOST_ROWS):
        part = _with_index(frame.iloc[start : start + _MOST_ROWS])
        floats = {
            name for name, kind in zip(part.columns, part.dtypes, strict=True) if getattr(kind, "kind", "") == "f"
        }
        for record in part.to_dict("records"):
            yield plain_record(
                {
                    name: None if type(value) is float and value != value and name not in floats else value
                    for name, value in record.items()
                }
            )


def _with_index(frame: Any) -> Any:
    """A pandas frame with the named levels of its index as columns; a column of the same name stays what it is."""
    levels = {
        name: frame.index.get_level_values(at)
        for at, name in enumerate(frame.index.names)
        if name is not None and name not in frame.columns
    }
    if not levels:
        return frame
    frame = frame.reset_index(drop=True)
    for at, (name, values) in enumerate(levels.items()):
        frame.insert(at, name, values)
    return frame


def _polars_records(frame: Any) -> Records:
    for part in frame.iter_slices(_MOST_ROWS):
        yield from map(plain_record, part.to_dicts())


def pyarrow(module: str, what: str) -> Any:
    """A module of pyarrow, imported when it is needed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError("pyarrow", extra="parquet", what=what) from None
