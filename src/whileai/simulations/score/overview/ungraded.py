"""Why a row has no grade, and what to do about it."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

from whileai.simulations.rows.grade import REWARD_FIELDS
from whileai.simulations.rows.table import Row
from whileai.simulations.rows.values import is_bool, number

_LIKELY_REWARDS = (
    "score",
    "rewards",
    "passed",
    "correct",
    "success",
    "is_correct",
    "accuracy",
    "acc",
    "return",
    "label",
)


_NEAR = 0.82  # likeness of a misspelt key: a letter missing, added, or two swapped


class Ungraded(NamedTuple):
    """A reason in a few words, and the fix."""

    reason: str
    fix: str


def why_ungraded(row: Row) -> Ungraded:
    """Why a row that has no grade has none; the reason holds no value of the row, the fix may quote one.

    >>> why_ungraded({"reward": True})
    Ungraded(reason='reward is true or false', fix='write 1 and 0 for true and false')
    """
    if row.get("finish_reason") == "error":
        return Ungraded("the run ended in an error", "run them again; --errors zero counts them as the tool does")
    status = row.get("judge_status")
    if status is not None and status != "ok":
        return Ungraded(f"judge status {str(status)[:40]}", "run the judge on them again")
    found = next((field for field in REWARD_FIELDS if field in row), None)
    if found is None:
        return Ungraded("no reward key", _rename(row) or "grade them")
    return _unusable(found, row[found])


def _rename(row: Row) -> str:
    likely = next((name for name in _LIKELY_REWARDS if number(row.get(name)) is not None), None)
    if likely is None and number(row.get(near := _misspelt(tuple(row)))) is not None:
        likely = near
    return f"they have {likely!r}: rename it to 'reward'" if likely else ""


@lru_cache(256)  # rows of a file share their keys
def _misspelt(names: tuple[Any, ...]) -> str:
    """The key that is nearly the reward's, or ""."""
    near = get_close_matches("reward", [name for name in names if isinstance(name, str)], n=1, cutoff=_NEAR)
    return near[0] if near else ""


def _unusable(field: str, value: Any) -> Ungraded:
    if value is None:
        return Ungraded(f"{field} is null", "grade them")
    if is_bool(value):
        return Ungraded(f"{field} is true or false", "write 1 and 0 for true and false")
    if number(value) is not None:
        return Ungraded(f"{field} is not finite", "grade them")
    kind = "text" if isinstance(value, str) else type(value).__name__
    return Ungraded(f"{field} is {kind}, not a number", f"write numbers, not {str(value)[:20]!r}")
