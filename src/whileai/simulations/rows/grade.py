"""What a row's grade is: its 0/1 label, and whether it is graded at all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.values import finite, is_bool

REWARD_FIELDS = ("reward", "qwen_reward")


def score_of(value: Any) -> float | None:
    """A reward value as a finite number; None for booleans, words, NaN, infinities and everything else.

    A boolean is no reward on a row of ours: `validate` reports it, and readers of foreign formats turn it into 0/1.

    >>> [score_of(v) for v in (1, "0.5", True, None, float("nan"))]
    [1.0, 0.5, None, None, None]
    """
    return None if is_bool(value) else finite(value)


def label(row: Mapping[str, Any]) -> int | None:
    """The row's 0/1 label: the first of `reward`, `qwen_reward` that is exactly 0 or 1, else None.

    >>> label({"reward": 0.5, "qwen_reward": 1}), label({"reward": "1.0"}), label({"reward": 0.5})
    (1, 1, None)
    """
    for field in REWARD_FIELDS:
        value = row.get(field)
        score = value if type(value) is int or type(value) is float else score_of(value)
        if score == 0 or score == 1:
            return int(score)
    return None


def grade(row: Mapping[str, Any]) -> float:
    """The row's grade: a finite number in `reward`, else in `qwen_reward`; NaN when it is ungraded.

    >>> grade({"reward": None, "qwen_reward": 0.25})
    0.25
    """
    for field in REWARD_FIELDS:
        score = score_of(row.get(field))
        if score is not None:
            return score
    return math.nan
