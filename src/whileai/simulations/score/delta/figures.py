"""How the numbers of a comparison print."""

from __future__ import annotations

from typing import Any

_ROUNDING = 1e-9  # a number up to this is 0


def number(value: float | None, *, sign: bool = False) -> str:
    """A number in at most 9 characters: 3 decimals, and powers of ten for what they do not show.

    >>> number(0.25, sign=True), number(0.0003), number(1234567.0), number(0.00001), number(None)
    ('+0.250', '0.0003', '1.23e+06', '1.0e-05', '-')
    """
    if value is None:
        return "-"
    size = abs(value)
    if size <= _ROUNDING or 0.0005 <= size < 999.9995:
        style = ".3f"
    elif size < 1:
        style = ".4f" if size >= 0.00005 else ".1e"
    else:
        style = ".3g"
    return format(0.0 if size <= _ROUNDING else value, f"+{style}" if sign else style)


def interval(ends: Any) -> str:
    """An interval with the numbers of `number`."""
    return "-" if ends is None else f"[{number(ends[0])}, {number(ends[1])}]"
