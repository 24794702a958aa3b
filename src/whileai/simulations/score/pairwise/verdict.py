"""A pairwise verdict, read from what a judge returned or a model wrote."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from whileai.simulations.models.replies import cut_off_fields, json_object, without_thinking
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.judging.evidence import unread

A, B, TIE = "A", "B", "tie"
_WINNERS = {"a": A, "b": B, "tie": TIE}
_LABEL = r"""winner["'*]*+\s*+:[\s"'*]*+"""
_NAMING = re.compile(_LABEL, re.IGNORECASE)
_ALONE = re.compile(  # a reply that is a verdict and no JSON, with nothing before it and at most its reason behind it
    rf"""(?:[\s"*]*+|\s*+\{{\s*+'){_LABEL}(a|b|tie)["'*.]*+(?:[\s,;]++["'*]*+reason\b[^{{}}]*+)?\s*+\}}?\s*+""",
    re.IGNORECASE,
)


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
    """The verdict in a model's reply: its JSON object, else the winner that a reply cut off still names."""
    found = json_object(text, having=("winner",))
    if found is not None:
        verdict = read_verdict(found)
        if verdict.winner is not None or verdict.reason:
            return verdict
    elif (winner := _cut_off(text)) is not None:
        return Verdict(winner, "")
    return Verdict(None, unread("no verdict in the reply", text))


def _winner(value: Any) -> str | None:
    return _WINNERS.get(value.strip().lower()) if isinstance(value, str) else None


def _cut_off(text: str) -> str | None:
    """The winner in an object that the reply broke off in, or of a reply that is `winner: X` and its reason alone.

    Never one that stands in prose or in a text of the object: those are what the rollouts say.
    """
    named = _winner(cut_off_fields(text).get("winner"))
    if named is not None:
        return named
    said = without_thinking(text)
    alone = _ALONE.fullmatch(said)
    return _WINNERS[alone[1].lower()] if alone and len(_NAMING.findall(said)) == 1 else None
