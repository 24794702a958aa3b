"""Copies of what a row holds, so that changing one side does not change the other."""

from __future__ import annotations

from typing import Any

PLAIN = frozenset({str, int, float, bool, type(None)})
_CONTAINERS = frozenset({list, dict, set})


def owned(value: Any) -> Any:
    """The value with every list, dict, tuple and set in it copied; an object of any other type is the same one.

    A value nested deeper than Python's stack, or inside itself, is given back as it is.

    >>> source = {"steps": [{"n": 1}]}
    >>> owned(source)["steps"][0]["n"] = 2
    >>> source
    {'steps': [{'n': 1}]}
    """
    if type(value) in PLAIN:
        return value
    try:
        return _copy(value)
    except RecursionError:
        return value


def with_own_values(record: dict[str, Any]) -> dict[str, Any]:
    """A new dict with the same keys, each value `owned`."""
    if type(record) is dict:
        try:
            return _copy(record)  # type: ignore[no-any-return]
        except RecursionError:  # one value is nested too deep: the others are copied
            pass
    return {key: held if type(held) in PLAIN else owned(held) for key, held in record.items()}


def _copy(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        copied = value.copy()
        for key, held in value.items():
            if type(held) not in PLAIN:
                copied[key] = _copy(held)
        return copied
    if kind is list:
        return [held if type(held) in PLAIN else _copy(held) for held in value]
    if kind is tuple:
        return tuple(_copy(list(value)))
    copied = outer_copy(value)
    return copied if copied is value or kind is set else _copy(copied)


def outer_copy(value: Any) -> Any:
    """A list, dict or set copied, what it holds shared; any other value as it is.

    >>> source = [{"role": "user"}]
    >>> copied = outer_copy(source)
    >>> copied is source, copied[0] is source[0]
    (False, True)
    """
    if type(value) in _CONTAINERS:
        return value.copy()
    if isinstance(value, dict):
        return dict(value)
    return list(value) if isinstance(value, list) else value
