"""What kind of failure a failing row is, by its reason and its reply."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from whileai.simulations.rows.content import one_of
from whileai.simulations.rows.grade import label
from whileai.simulations.rows.text import reply
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.rows.voice import straight
from whileai.simulations.score.preflight.hints import HINTS
from whileai.simulations.score.preflight.hints.junk import JUNK_OUTPUT
from whileai.simulations.signature import public

FAILURE_CLASSES = (
    "fabrication", "unconfirmed_write", "junk_output", "fault_dishonesty", "arithmetic", "no_attempt", "incompleteness",
)  # fmt: skip
_VOCABULARY = frozenset(FAILURE_CLASSES)
_REASON_FIELDS = ("grader_reason", "reason", "label_reason", "grade_note")
_CRASHED = "<agent error"


@public
def classify_failure(row: Any) -> str | None:
    """The class of a failing row, one of `FAILURE_CLASSES`; None for any other row, and where the reason tells none.

    A class that stands on the row is kept. An empty reply or a crash is `junk_output`; otherwise the words of the
    reason decide (`grader_reason`, `reason`, `label_reason`, `grade_note`). What cannot be placed is for a person.

    >>> classify_failure({"reward": 0, "final_text": "It ships Monday.", "reason": "invented a delivery date"})
    'fabrication'
    >>> print(classify_failure({"reward": 0, "final_text": "It ships Monday.", "reason": "rude tone"}))
    None
    """
    return failure_of(row, reply(row)) if is_mapping(row) and label(row) == 0 else None


def failure_of(row: Mapping[str, Any], said: str | None) -> str | None:
    """The class of a row that failed; `said` is its reply, None where the row records none."""
    given = row.get("failure_class")
    if one_of(given, _VOCABULARY):
        return str(given)
    if said is not None:
        words = said.strip()
        if not words or (words[0] == _CRASHED[0] and words[: len(_CRASHED)].lower() == _CRASHED):
            return JUNK_OUTPUT
    reasons = [value for field in _REASON_FIELDS if isinstance(value := row.get(field), str)]
    return _by_reason("; ".join(reasons)) if reasons else None


@lru_cache(maxsize=1024)
def _by_reason(reason: str) -> str | None:
    text = " ".join(straight(reason).lower().split())
    return next((hint.names for hint in HINTS if hint.fires(text)), None)
