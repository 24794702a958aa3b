"""Tables in memory as records: dataframes, Arrow tables, datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from whileai.simulations.rows.arrowtypes import check_names, pyarrow
from whileai.simulations.rows.columns import MOST_ROWS, Records, batch_records, plain_if_it_can_be

_MOST_EXACT = 2**53  # the floats up to here hold every whole number


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
        return lambda: map(plain_if_it_can_be, source)
    return lambda: (record for batch in _batches(source, library, kind) for record in batch_records(batch))


def _batches(source: Any, library: str, kind: str) -> Iterator[Any]:
    if library == "datasets":
        yield from source.with_format("arrow").iter(batch_size=MOST_ROWS)
    elif library == "arrow":
        yield from pyarrow("pyarrow", "reading this table").RecordBatchReader.from_stream(source)
    elif kind == "RecordBatch":
        yield source
    else:
        yield from source if kind == "RecordBatchReader" else source.to_batches()


def _pandas_records(frame: Any) -> Records:
    """The rows of a pandas frame; NaN stands for no value, and whole numbers beside one were ints before it came."""
    check_names([str(name) for name in frame.columns])
    frame = _with_index(frame)
    ints = [name for name in frame.columns if _were_ints(frame[name])]
    for start in range(0, len(frame), MOST_ROWS):
        for record in frame.iloc[start : start + MOST_ROWS].to_dict("records"):
            present: dict[Any, Any] = {name: None if _is_nan(value) else value for name, value in record.items()}
            present.update((name, int(present[name])) for name in ints if present[name] is not None)
            yield plain_if_it_can_be(present)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and value != value


def _were_ints(column: Any) -> bool:
    """Whether a column of floats holds whole numbers and gaps: pandas has no gaps in ints, so it makes them floats."""
    if type(column.dtype).__module__.partition(".")[0] != "numpy" or column.dtype.kind != "f":
        return False
    values = column.dropna()
    return len(values) < len(column) and bool(((values % 1 == 0) & (values.abs() <= _MOST_EXACT)).all())


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
    for part in frame.iter_slices(MOST_ROWS):
        exact = [column.dt.to_string(form) for column in part if (form := _exact_form(column))]
        yield from map(plain_if_it_can_be, part.with_columns(exact).to_dicts())


def _exact_form(column: Any) -> str | None:
    """How to write a polars column of times with nanoseconds, which Python's would cut; None for any other column."""
    kind = str(column.dtype)
    is_time = kind == "Time"
    if not (is_time or kind.startswith("Datetime(time_unit='ns'")) or not (column.dt.nanosecond() % 1000 != 0).any():
        return None
    if is_time:
        return "%H:%M:%S%.9f"
    return "%Y-%m-%dT%H:%M:%S%.9f" + ("" if column.dtype.time_zone is None else "%:z")
