"""Checks of the arguments of a selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.arguments import between
from whileai.simulations.errors import meant
from whileai.simulations.rows.values import is_mapping

MODES = ("rl", "sft", "explore", "adaptive")


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
        raise ValueError(f"{name} must be one of {', '.join(map(repr, words))}, got {value!r:.80}{meant(value, words)}")
    return str(value)


def checked_mode(mode: Any) -> str | None:
    """A training or generation mode in lower case, None as it is; anything else is a `ValueError`.

    >>> checked_mode("SFT"), checked_mode(None)
    ('sft', None)
    >>> checked_mode("dpo")
    Traceback (most recent call last):
    ValueError: mode must be one of 'rl', 'sft', 'explore', 'adaptive', got 'dpo'
    """
    low = mode.lower() if isinstance(mode, str) else mode
    return None if mode is None else choice("mode", low if low in MODES else mode, MODES)


def checked_audit(audit: Any) -> Mapping[str, Any] | None:
    """An `audit_grades` report, None as it is; anything else is a `ValueError`.

    >>> checked_audit({"fn_rate": "high"})
    Traceback (most recent call last):
    ValueError: audit must be an audit_grades report: its fn_rate must be a share from 0 to 1 or None, got 'high'
    """
    if audit is None:
        return None
    start = "audit must be an audit_grades report"
    if not is_mapping(audit) or "fn_rate" not in audit:
        raise ValueError(f"{start}, a dict with fn_rate, got {audit!r:.80}")
    rate, ends = audit["fn_rate"], audit.get("fn_ci95")
    if rate is not None and not _is_share(rate):
        raise ValueError(f"{start}: its fn_rate must be a share from 0 to 1 or None, got {rate!r:.80}")
    if ends and not (isinstance(ends, list | tuple) and len(ends) == 2 and all(map(_is_share, ends))):
        raise ValueError(f"{start}: its fn_ci95 must be a pair of shares or None, got {ends!r:.80}")
    return audit


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
