"""The block of a report that has no wording of its own: its keys and values by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from whileai.simulations.reports import figure, printable, wrapped

_MOST_KEYS = 20  # of one mapping
_MOST_ITEMS = 5  # of one list of mappings
_MOST_NAME = 40
_MOST_PART = 36  # of a text among others
_MOST_VALUE = 100
_PAIR = 2


def listed(report: Mapping[str, Any]) -> str:
    """Plain values as lines: each key and its value, what is long below its key, warnings last; at most 20 keys.

    >>> print(listed({"n": 1200, "rate": 0.25, "ci95": (0.1, 0.4), "tools": {"find": 2}, "warnings": ["few rows"]}))
    n      1,200
    rate   0.250
    ci95   [0.100, 0.400]
    tools  find 2
    ! few rows
    """
    lines = list(_lines({name: value for name, value in report.items() if name != "warnings"}, ""))
    for warning in report.get("warnings") or ():
        lines += wrapped(f"! {printable(warning)}")
    return "\n".join(lines)


def _lines(values: Mapping[str, Any], indent: str) -> Iterator[str]:
    names = {name: printable(name, _MOST_NAME) for name in islice(values, _MOST_KEYS)}
    columns = max(map(len, names.values()), default=0)
    for name, shown in names.items():
        value, inner = values[name], indent + "  "
        if isinstance(value, Mapping) and len(_worded(value)) > _MOST_VALUE - columns:
            yield indent + shown
            yield from _lines(value, inner)
        elif isinstance(value, list | tuple) and any(isinstance(each, Mapping) for each in value):
            yield indent + shown
            yield from (f"{inner}- {_text(each)}" for each in value[:_MOST_ITEMS])
            yield from _more(len(value) - _MOST_ITEMS, inner)
        else:
            yield f"{indent}{shown:<{columns}}  {_text(value)}"
    yield from _more(len(values) - _MOST_KEYS, indent)


def _more(n: int, indent: str) -> Iterator[str]:
    if n > 0:
        yield f"{indent}... and {n:,} more"


def _text(value: Any) -> str:
    return printable(_worded(value), _MOST_VALUE)


def _worded(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "-" if value is None else "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) > 1 else figure(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{printable(name, _MOST_NAME)} {_part(each)}" for name, each in value.items()) or "none"
    if isinstance(value, list | tuple):
        return _sequence(value)
    return str(value)


def _part(value: Any) -> str:
    return printable(_worded(value), _MOST_PART)


def _sequence(values: list[Any] | tuple[Any, ...]) -> str:
    """An interval, something with how often it was met, or a list."""
    if len(values) == _PAIR and all(isinstance(each, float) for each in values):
        return f"[{figure(values[0])}, {figure(values[1])}]"
    if len(values) == _PAIR and isinstance(values[0], str) and isinstance(values[1], int):
        return f"{_part(values[0])} ({values[1]:,})"
    return ", ".join(map(_part, values)) or "none"
