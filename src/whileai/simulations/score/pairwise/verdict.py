"""A pairwise verdict, read from what a judge returned or a model wrote."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from whileai.simulations.models.replies import json_object, without_thinking
from whileai.simulations.reports import printable
from whileai.simulations.rows.values import as_text, is_mapping

A, B, TIE = "A", "B", "tie"
_WINNERS = {"a": A, "b": B, "tie": TIE}
_SHOWN_CHARS = 200  # characters of an unreadable reply kept in the reason
_FIELD = re.compile(r'(?<!\\)"winner"\s*+:\s*+"\s*+(a|b|tie)\s*+"', re.IGNORECASE)
_LABEL = re.compile(r"\bwinner\b['\"]?\s*+:\s*+['\"]?(a|b|tie)\b", re.IGNORECASE)


class Verdict(NamedTuple):
    """The better side, `A`, `B` or `tie` (None without a verdict), and why."""

    winner: str | None
    reason: str


def read_verdict(returned: Any) -> Verdict:
    """The verdict in a dict with `winner` and `reason`, or in the text of one; without one the reason says what came.

    >>> read_verdict({"winner": " b ", "reason": "it booked"}), read_verdict(1).reason
    (Verdict(winner='B', reason='it booked'), 'the judge returned int, not a dict with winner or its text')
    """
    if is_mapping(returned):
        return Verdict(_winner(returned.get("winner")), as_text(returned.get("reason")))
    if isinstance(returned, str):
        return _in_text(returned)
    return Verdict(None, f"the judge returned {type(returned).__name__}, not a dict with winner or its text")


def _in_text(text: str) -> Verdict:
    """The verdict in a model's reply: its JSON object, else the one winner that a reply cut off still names."""
    found = json_object(text, having=("winner",))
    if found is not None:
        verdict = read_verdict(found)
        if verdict.winner is not None or verdict.reason:
            return verdict
    elif (winner := _cut_off(text)) is not None:
        return Verdict(winner, "")
    return Verdict(None, f"no verdict in the reply: {printable(text, most=_SHOWN_CHARS)!r}")


def _winner(value: Any) -> str | None:
    return _WINNERS.get(value.strip().lower()) if isinstance(value, str) else None


def _cut_off(text: str) -> str | None:
    """The winner that all `winner: X` fragments outside the reasoning name, None when they name none or several."""
    said = without_thinking(text)
    named = {found.lower() for found in _FIELD.findall(said) or _LABEL.findall(said)}
    return _WINNERS[named.pop()] if len(named) == 1 else None
