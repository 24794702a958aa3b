"""Rows in a layout that is not read: tables by column, lists of rows inside an object; told with the way out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.rows import formats
from whileai.simulations.rows.formats import Format, UnknownShapeError

_ONE_VALUE = ("task_id", "scenario_id", "reward", "final_text")  # a row has one of each, never a list or an object
_BY_COLUMN = (
    'column-oriented: each key holds a column of {} values. Write it with orient="records", lines=True (pandas)'
)
_LABEL = "a label of a rollout, not a rollout: attach_labels(rows, FILE), or wai trust ROWS --gold FILE, reads it"


class OtherLayoutError(UnknownShapeError):
    """Rows are there, but in a layout that is not read; the message says how to give them."""


def format_of(record: dict[str, Any], tidied: dict[str, Any]) -> Format | None:
    """What `formats.recognise` says of a tidied record; rows in a layout that is not read are an `OtherLayoutError`.

    >>> format_of({"task_id": 1}, {"task_id": 1}) is None
    True
    """
    if _is_by_column(record) and any(isinstance(record.get(name), dict | list) for name in _ONE_VALUE):
        raise OtherLayoutError(_by_column(record))
    try:
        return formats.recognise(tidied)
    except UnknownShapeError:
        if hint := _hint(record):
            raise OtherLayoutError(hint) from None
        if {"key", "label"} <= tidied.keys():
            raise UnknownShapeError(_LABEL) from None
        raise


def _is_by_column(record: Mapping[str, Any]) -> bool:
    """Whether all values are lists of one length, or objects with the same keys."""
    columns = list(record.values())
    if all(isinstance(column, list) for column in columns):
        return len(set(map(len, columns))) == 1
    return all(isinstance(column, dict) and column and column.keys() == columns[0].keys() for column in columns)


def _by_column(record: Mapping[str, Any]) -> str:
    return _BY_COLUMN.format(len(next(iter(record.values()))))


def _hint(record: dict[str, Any]) -> str | None:
    """How to give the rows that a record of no known format holds, if it holds any."""
    for name, value in record.items():
        if isinstance(value, list) and value and _is_row(value[0]):
            found = f"no known format: found {keys_found(record)}"
            return f"{found}; the list under {str(name)[:40]!r} looks like rows: pass that list"
    values = list(record.values())
    if values and all(map(_is_row, values)):
        return 'an object of rows by name. Pass its values as a list, or write orient="records", lines=True (pandas)'
    if {"columns", "data"} <= record.keys() and isinstance(record["data"], list):
        return 'columns and data apart (orient="split"). Write it with orient="records", lines=True (pandas)'
    return _by_column(record) if len(values) > 1 and _is_by_column(record) and _is_numbered(values[0]) else None


def _is_row(value: Any) -> bool:
    try:
        return isinstance(value, dict) and (formats.recognise(value) is not None or formats.is_own(value))
    except UnknownShapeError:
        return False


def _is_numbered(column: Any) -> bool:
    return isinstance(column, list) or all(str(key).isdecimal() for key in column)
