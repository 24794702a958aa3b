"""What a judge is called, and what kind of scorer it says it is."""

from __future__ import annotations

from typing import Any

SCORER_KINDS = frozenset({"rule", "reward_model", "human"})
_UNNAMED = "judge"


def judge_name_of(judge: Any, given: str | None = None) -> str:
    """The name a judge is recorded under: the one given, its `__name__`, its `name` without blanks, else `judge`.

    >>> judge_name_of(len), judge_name_of(lambda row: 1), judge_name_of(object())
    ('len', 'lambda_judge', 'judge')
    """
    if given:
        return str(given)
    name = getattr(judge, "__name__", None)
    if isinstance(name, str) and name:
        return "lambda_judge" if name == "<lambda>" else name
    name = getattr(judge, "name", None)
    return (name.strip() or _UNNAMED) if isinstance(name, str) else _UNNAMED


def has_name(judge: Any) -> bool:
    """Whether a judge has a name that tells it from others: not a lambda, nor a partial or an object without one.

    >>> has_name(len), has_name(lambda row: 1)
    (True, False)
    """
    name = getattr(judge, "__name__", None)
    if isinstance(name, str) and name:
        return name != "<lambda>"
    name = getattr(judge, "name", None)
    return isinstance(name, str) and bool(name.strip())


def scorer_kind_of(judge: Any) -> str | None:
    """`rule`, `reward_model` or `human` where the judge object says so in `kind`."""
    kind = getattr(judge, "kind", None)
    return kind if isinstance(kind, str) and kind in SCORER_KINDS else None
