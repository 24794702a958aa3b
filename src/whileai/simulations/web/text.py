"""How foreign text and numbers are written on a page."""

from __future__ import annotations

import json
import re
from typing import Any

from whileai.simulations.rows.unseen import RANGES, unseen_class

KEPT = "\n\t"  # white space that a page shows as it is
_UNSEEN = unseen_class(KEPT)
_SURROGATE = re.compile("[\ud800-\udfff]")
_MINUS = "\u2212"


def visible(text: str) -> str:
    """The text with its control, bidirectional and invisible characters written out.

    >>> visible("abc\u202edef")
    'abc⟨U+202E⟩def'
    """
    return _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def script_class() -> str:
    """The same characters as the body of a character class of a script's regular expression (flag u).

    >>> script_class()[:30]
    '\\\\u{0}-\\\\u{8}\\\\u{b}-\\\\u{1f}\\\\u{7f}-'
    """
    kept = sorted(map(ord, KEPT))
    spans: list[tuple[int, int]] = []
    for first, last in RANGES:
        start = first
        for point in kept:
            if first <= point <= last:
                if start < point:
                    spans.append((start, point - 1))
                start = point + 1
        if start <= last:
            spans.append((start, last))
    return "".join(f"\\u{{{first:x}}}-\\u{{{last:x}}}" for first, last in spans)


def embedded(value: Any) -> str:
    """A JSON value as text of an HTML element that no parser takes for markup.

    A lone surrogate, which UTF-8 cannot carry, keeps its JSON escape; NaN and infinities are refused.

    >>> embedded({"a": "</script><!--"})
    '{"a":"&lt;/script&gt;&lt;!--"}'
    """
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    written = _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
    return written.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def number(value: Any, unit: str = "number") -> str:
    """A number as a page writes it: rates with three decimals, differences with a sign, whole numbers grouped.

    >>> [number(0.4567, "rate"), number(-0.05, "delta"), number(12000), number(1.23456), number(None)]
    ['0.457', '−0.050', '12,000', '1.23', '–']
    """
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if unit == "rate":
        return f"{value:.3f}".replace("-", _MINUS)
    if unit in ("delta", "correlation"):
        return "0.000" if round(value, 3) == 0 else f"{value:+.3f}".replace("-", _MINUS)
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}".replace("-", _MINUS)
    size = abs(value)
    shown = f"{value:,.1f}" if size >= 1000 else f"{value:.3g}"
    return shown.replace("-", _MINUS)


def interval(low: float | None, high: float | None, unit: str = "number") -> str:
    """The ends of an interval, "" when there is none.

    >>> interval(0.25, 0.5, "rate"), interval(None, None)
    ('[0.250, 0.500]', '')
    """
    return "" if low is None or high is None else f"[{number(low, unit)}, {number(high, unit)}]"
