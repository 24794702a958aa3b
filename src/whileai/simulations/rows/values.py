"""How a number is read from a value somebody else wrote."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any, TypeGuard

LARGEST = 1e70  # beyond it the fourth power of a number, which degrees of freedom need, is no float


def number(value: Any) -> int | float | None:
    """The value as a number, or None: bool as 0/1, int and float as they are, text stripped and parsed.

    NumPy's numbers and booleans are read as Python's.

    >>> [number(v) for v in (True, 3, " 0.5 ", "7", "warm", None)]
    [1, 3, 0.5, 7, None, None]
    """
    kind = type(value)
    if kind is int or kind is float:
        return value  # type: ignore[no-any-return]
    if is_bool(value):
        return int(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, str):
        return _parsed(value.strip())
    if isinstance(value, numbers.Real):
        return int(value) if isinstance(value, numbers.Integral) else float(value)
    return None


def is_bool(value: Any) -> bool:
    """Whether a value is a boolean, NumPy's included.

    >>> is_bool(True), is_bool(1)
    (True, False)
    """
    kind = type(value)
    if kind is int or kind is float:  # what most values are; to ask for the module of a type is slow
        return False
    return kind is bool or (kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_"))


def is_mapping(value: Any) -> TypeGuard[Mapping[Any, Any]]:
    """Whether a value is a mapping; the type is looked at first, since the abstract check costs ten times more.

    >>> is_mapping({}), is_mapping([])
    (True, False)
    """
    return type(value) is dict or isinstance(value, Mapping)


def _parsed(text: str) -> int | float | None:
    if not text or "_" in text or len(text) > 400:
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None


def finite(value: Any) -> float | None:
    """The value as a float to compute with, or None: what `number` reads, less NaN and all beyond `LARGEST`.

    >>> [finite(v) for v in (True, "2", float("nan"), 10**400)]
    [1.0, 2.0, None, None]
    """
    read = number(value)
    return float(read) if read is not None and abs(read) <= LARGEST else None


def as_text(value: Any) -> str:
    """Any value as text: text as it is, `""` for None, and never an error.

    >>> [as_text(v) for v in ("a", None, 5, [1])]
    ['a', '', '5', '[1]']
    """
    if type(value) is str:
        return value
    if value is None:
        return ""
    try:
        return str(value)
    except ValueError:  # an int of more digits than Python will print
        return hex(value) if isinstance(value, int) else f"<{type(value).__name__}>"
    except Exception:  # deep nesting, or an object whose text is an error
        return f"<{type(value).__name__}>"


def whole(value: Any) -> int | None:
    """The value as an int, cut towards zero, or None: what `finite` reads, and ints of any size.

    >>> [whole(v) for v in (3, "2.7", True, float("inf"), "x")]
    [3, 2, 1, None, None]
    """
    if type(value) is int:
        return value
    read = finite(value)
    return None if read is None else int(read)
