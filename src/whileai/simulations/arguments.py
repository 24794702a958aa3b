"""Checks of arguments; a refusal names the argument, the value and what is accepted."""

from __future__ import annotations

import functools
import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., str])

_LONGEST = 1e9  # seconds


class MissingKeyError(KeyError, ValueError):
    """A key that a report lacks: the `KeyError` of its page, and the `ValueError` that refusals of a value are."""

    def __str__(self) -> str:  # that of a `KeyError` is quoted
        return str(self.args[0])


def whole(name: str, value: Any, least: int | None = None) -> int:
    """The value as a whole number of at least `least`; anything else is a `ValueError`.

    >>> whole("tiers", 3.0)
    3
    >>> whole("n_boot", 0, 1)
    Traceback (most recent call last):
    ValueError: n_boot must be a whole number of at least 1, got 0
    """
    read = _number(value)
    if read is None or not float(read).is_integer() or (least is not None and read < least):
        bound = "" if least is None else f" of at least {least}"
        raise ValueError(f"{name} must be a whole number{bound}, got {value!r}")
    return int(read)


def between(name: str, value: Any, low: float, high: float, *, ends: bool = True) -> float:
    """The value as a number from `low` to `high`, without the ends when `ends` is false; else a `ValueError`.

    >>> between("solved", 0.8, 0, 1)
    0.8
    >>> between("level", 1.0, 0, 1, ends=False)
    Traceback (most recent call last):
    ValueError: level must lie strictly between 0 and 1, got 1.0
    """
    read = _number(value)
    if read is None or not (low <= read <= high if ends else low < read < high):
        wanted = f"be a number from {low:g} to {high:g}" if ends else f"lie strictly between {low:g} and {high:g}"
        raise ValueError(f"{name} must {wanted}, got {value!r}")
    return float(read)


def report_of(maker: str) -> Callable[[F], F]:
    """Let a function that prints the report of `maker` say so when it is given anything else.

    What is no mapping is a `TypeError`; a mapping without a key that is printed, a `ValueError` that names the key.

    >>> show = report_of("pass_at")(lambda report: f"{report['n']} rows")
    >>> show({})
    Traceback (most recent call last):
    whileai.simulations.arguments.MissingKeyError: report must be what pass_at returns: it has no 'n'
    """

    def checked(show: F) -> F:
        @functools.wraps(show)
        def shown(report: Any, *args: Any, **kwargs: Any) -> str:
            if not isinstance(report, Mapping):
                raise TypeError(f"report must be what {maker} returns, a dict, got {type(report).__name__}")
            try:
                return show(report, *args, **kwargs)
            except KeyError as missing:
                raise MissingKeyError(f"report must be what {maker} returns: it has no {missing}") from missing

        return cast(F, shown)

    return checked


def seconds(name: str, value: Any) -> float:
    """A time limit above 0, in seconds; anything else is a `ValueError`.

    >>> seconds("timeout", 30)
    30.0
    """
    read = _number(value)
    if read is None or not 0 < read < _LONGEST:
        raise ValueError(f"{name} must be a number of seconds above 0, got {value!r}")
    return float(read)


def _number(value: Any) -> float | int | None:
    """A real number that is finite and no boolean."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    try:
        return value if math.isfinite(value) else None  # type: ignore[return-value]
    except OverflowError:
        return None
