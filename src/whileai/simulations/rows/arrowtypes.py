"""Arrow's types where their values need care: names that come twice, times of day in nanoseconds, maps."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from whileai.simulations.errors import MissingExtraError, ReadError


def check_names(names: Sequence[str], what: str = "columns") -> None:
    """Refuse columns that share a name: a row can hold one of them only.

    >>> check_names(["task_id", "reward", "reward"])
    Traceback (most recent call last):
    whileai.simulations.errors.ReadError: 2 columns are named 'reward': rename all but one
    """
    name, times = max(Counter(names).items(), key=lambda counted: counted[1], default=("", 0))
    if times > 1:
        raise ReadError(f"{times} {what} are named {str(name)[:100]!r}: rename all but one")


def check_fields(schema: Any) -> None:
    """Refuse columns, and fields of a column, that share a name."""
    check_names(schema.names)
    for kind in schema.types:
        _check_inner(kind)


def _check_inner(kind: Any) -> None:
    if pyarrow("pyarrow.types", "reading this table").is_struct(kind):
        check_names([field.name for field in kind], "fields of a column")
    for inner in _inner(kind):
        _check_inner(inner)


def with_nanoseconds(batch: Any) -> Any:
    """The batch with times of day that a Python time would cut to microseconds as text."""
    if not any(_holds(kind, _is_exact_time) for kind in batch.schema.types):
        return batch
    columns = [column.cast(_as_text(column.type)) for column in batch.columns]
    return type(batch).from_arrays(columns, names=batch.schema.names)


def _as_text(kind: Any) -> Any:
    """An Arrow type with text where it holds times of day in nanoseconds."""
    arrow = pyarrow("pyarrow", "reading this table")
    if _is_exact_time(kind):
        return arrow.string()
    if not _holds(kind, _is_exact_time):
        return kind
    inner = [_as_text(part) for part in _inner(kind)]
    if arrow.types.is_struct(kind):
        return arrow.struct([field.with_type(part) for field, part in zip(kind, inner, strict=True)])
    if _is_map(kind):
        return arrow.map_(*inner)
    if arrow.types.is_dictionary(kind):
        return inner[0]
    return arrow.large_list(inner[0]) if arrow.types.is_large_list(kind) else arrow.list_(inner[0])


def with_empty_maps(value: Any, kind: Any) -> Any:
    """A value as Arrow gives it, but an empty map as one: it comes as an empty list."""
    if value is None or not holds_map(kind):
        return value
    if _is_map(kind):
        return [(key, with_empty_maps(inner, kind.item_type)) for key, inner in value] or {}
    if isinstance(value, dict):
        return {name: with_empty_maps(inner, kind.field(name).type) for name, inner in value.items()}
    return [with_empty_maps(inner, kind.value_type) for inner in value]


def _inner(kind: Any) -> list[Any]:
    """The types that an Arrow type is made of: those of fields, keys and values, items."""
    types = pyarrow("pyarrow.types", "reading this table")
    if types.is_struct(kind):
        return [field.type for field in kind]
    if types.is_map(kind):
        return [kind.key_type, kind.item_type]
    return [kind.value_type] if hasattr(kind, "value_type") else []


def _holds(kind: Any, is_wanted: Callable[[Any], bool]) -> bool:
    return is_wanted(kind) or any(_holds(inner, is_wanted) for inner in _inner(kind))


def _is_map(kind: Any) -> bool:
    return bool(pyarrow("pyarrow.types", "reading this table").is_map(kind))


def _is_exact_time(kind: Any) -> bool:
    return str(kind) == "time64[ns]"


def holds_map(kind: Any) -> bool:
    """Whether a type is, or holds, a map."""
    return _holds(kind, _is_map)


def pyarrow(module: str, what: str) -> Any:
    """A module of pyarrow, imported when it is needed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError("pyarrow", extra="parquet", what=what) from None
