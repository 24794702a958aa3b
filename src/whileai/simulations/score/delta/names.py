"""Names that were asked for and are not there: the near one that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from whileai.simulations.reports import printable
from whileai.simulations.score.stats.summary import MARKER

_MOST_CANDIDATES = 500
_MOST_CHARACTERS = 80  # names beyond are not compared: the matching is quadratic in their length
_MOST_SHOWN = 60
_LEAST_LIKENESS = 0.6


def hint(key: str, report: Mapping[str, Any]) -> str:
    """What was probably meant by a metric that is not measured, foreign text escaped; "" when there is no telling."""
    for side in ("before", "after"):
        if key in report[f"only_{side}"]:
            return f"only the {side} side carries it"
    parts = [part.strip() for part in key.removeprefix(MARKER).split(",")]
    if len(parts) > 1 and all(parts):
        return f"one name with a comma: pass {' and '.join(printable(part, _MOST_SHOWN) for part in parts[:6])} apart"
    near = nearest(key, list(report["metrics"]))
    return "" if near is None else f"did you mean {printable(near, _MOST_SHOWN)}?"


def nearest(key: str, keys: list[str]) -> str | None:
    """The key most like another, prefix and case aside; None when none is near.

    >>> nearest("marker:saef", ["pass_at_1", "marker:safe"]), nearest("marker:x", ["pass_at_1"])
    ('marker:safe', None)
    """
    bare = {held.removeprefix(MARKER).lower(): held for held in keys[:_MOST_CANDIDATES] if len(held) < _MOST_CHARACTERS}
    wanted = key.removeprefix(MARKER).lower()[:_MOST_CHARACTERS]
    found = difflib.get_close_matches(wanted, list(bare), n=1, cutoff=_LEAST_LIKENESS)
    return bare[found[0]] if found else None
