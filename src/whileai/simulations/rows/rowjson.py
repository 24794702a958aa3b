"""A row as JSON: what stands for values that JSON has no form for, and which are refused."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

import numpy as np
import orjson

from whileai.simulations.errors import TOO_DEEP, keys_found
from whileai.simulations.rows.values import as_text

_OPTIONS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
_SECOND = np.timedelta64(1, "s")
_SCALARS = (str, int, float, type(None))
Row = Mapping[str, Any] | bytes


def row_json(row: Mapping[str, Any], number: int = 1) -> bytes:
    """A row as the line of JSON that `write_rows` writes, without its end; what JSON has no form for is a `ValueError`
    that calls it row `number`.

    >>> row_json({"task_id": "a", "reward": float("nan")})
    b'{"task_id": "a", "reward": NaN}'
    """
    return encoded(row, number)


def encoded(row: Row, number: int) -> bytes:
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
