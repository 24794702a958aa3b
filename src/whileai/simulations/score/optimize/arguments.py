"""Checks of the arguments of a selection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whileai.simulations.arguments import between


def checked_band(lo: Any, hi: Any, *, strict: bool = False) -> tuple[float, float]:
    """The band as two pass rates, `lo` at most `hi` (below it when `strict`); anything else is a `ValueError`.

    >>> checked_band(0.2, 0.8)
    (0.2, 0.8)
    >>> checked_band(0.8, 0.2)
    Traceback (most recent call last):
    ValueError: the band runs from lo to hi, two pass rates with lo at most hi: got lo=0.8, hi=0.2
    """
    low, high = between("the band's lo", lo, 0, 1), between("the band's hi", hi, 0, 1)
    if low > high or (strict and low == high):
        order = "lo below hi" if strict else "lo at most hi"
        raise ValueError(f"the band runs from lo to hi, two pass rates with {order}: got lo={lo!r}, hi={hi!r}")
    return low, high


def pair_of(band: Any) -> tuple[Any, Any]:
    """A band given as one argument, as its two ends.

    >>> pair_of([0.2, 0.8])
    (0.2, 0.8)
    """
    if not isinstance(band, list | tuple) or len(band) != 2:
        raise ValueError(f"band must be a pair of pass rates (lo, hi), got {band!r}")
    return band[0], band[1]


def choice(name: str, value: Any, accepted: Iterable[str]) -> str:
    """One of the accepted words; anything else is a `ValueError` that lists them.

    >>> choice("order", "middle", ("spread", "middle"))
    'middle'
    >>> choice("order", "easy", ("spread", "middle"))
    Traceback (most recent call last):
    ValueError: order must be one of 'spread', 'middle', got 'easy'
    """
    words = [str(word) for word in accepted]
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, words))}, got {value!r}")
    return str(value)
