"""The parts of a section in few words, and numbers as it writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from whileai.simulations.defaults import CI_LEVEL
from whileai.simulations.web.document import Fact, IntervalRow, Intervals, Tone, Warned

Ends = Sequence[float] | None
LEVEL = f"{CI_LEVEL:.0%}"
_ORDER = re.compile(  # where a warning turns to what to do
    r"[;:] (?=(?:add|attach|change|check|choose|compare|count|draw|drop|find|fix|give|grade|keep|label|let|look|lower|"
    r"make|mend|name|pass|raise|read|rename|repeat|report|retire|run|sample|scan|split|take|tighten|train|use|write)\b)"
)
_BREAK = re.compile(r".*[;:] (?=\S+ \S+ \S)(?!.*[;:] )", re.DOTALL)  # before its last words, if they are no names


def fact(label: str, value: str, note: str | None = None, behind: str | None = None) -> Fact:
    """A label and its value; `behind` is the filter of the rows it counts."""
    return {"label": label, "value": value, "note": note, "filter": behind}


def estimate(
    label: str,
    value: float | None,
    ends: Ends = None,
    *,
    n: int | None = None,
    note: str | None = None,
    tone: Tone = "flat",
    behind: str | None = None,
) -> IntervalRow:
    """One estimate with its interval."""
    low, high = (None, None) if ends is None else (ends[0], ends[1])
    return {
        "label": label,
        "value": value,
        "low": low,
        "high": high,
        "n": n,
        "note": note,
        "tone": "unknown" if value is None else tone,
        "filter": behind,
    }


def intervals(
    title: str,
    unit: Any,
    rows: Sequence[IntervalRow],
    *,
    reference: float | None = None,
    reference_label: str | None = None,
    band: Ends = None,
    band_label: str | None = None,
    of: str | None = None,
) -> Intervals:
    """Estimates on one axis; a rate's is 0 to 1, any other is found from the numbers. `of` is what their n counts."""
    return {
        "kind": "intervals",
        "title": title,
        "unit": unit,
        "reference": reference,
        "reference_label": reference_label,
        "band": band,
        "band_label": band_label,
        "domain": [0.0, 1.0] if unit == "rate" else None,
        "rows": rows,
        "of": of,
    }


def warned(sentence: str, section: str | None) -> Warned:
    """A warning from a sentence that says what is wrong and then, after a colon or semicolon, what to do.

    >>> found = warned("40% of rows were cut by the token cap: raise max_tokens; they end early", "passes")
    >>> found["text"], found["fix"]
    ('40% of rows were cut by the token cap', 'raise max_tokens; they end early')
    """
    found = _ORDER.search(sentence) or _BREAK.match(sentence)
    if found is None:
        return {"text": sentence, "fix": None, "section": section}
    return {"text": sentence[: found.end() - 2], "fix": sentence[found.end() :], "section": section}


def are(n: int) -> str:
    """The verb for a number of things.

    >>> are(1), are(2)
    ('is', 'are')
    """
    return "is" if n == 1 else "are"
