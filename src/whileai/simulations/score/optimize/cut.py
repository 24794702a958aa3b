"""Rollouts cut at the token cap: dropped, kept beside their group, or counted as failures (DAPO, arXiv:2503.14476)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from whileai.simulations.rows.content import first_of
from whileai.simulations.rows.endings import is_truncated
from whileai.simulations.rows.grade import REWARD_FIELDS
from whileai.simulations.rows.values import is_mapping

OVERLONG_JUDGE = "overlong_penalty"
_REASON = "cut at the token cap, so counted as a failure"


class Truncated(StrEnum):
    """What happens to a rollout that was cut."""

    DROP = "drop"
    KEEP = "keep"
    PENALIZE = "penalize"


def marked_cut(rows: list[Any], policy: Truncated) -> tuple[list[Any], set[int]]:
    """The rows with every cut one replaced by a marked copy, and the `id` of each copy.

    >>> rows, cut = marked_cut([{"reward": 1, "finish_reason": "length"}], Truncated.PENALIZE)
    >>> rows[0]["reward"], rows[0]["reward_before_penalty"], len(cut)
    (0, 1, 1)
    """
    out: list[Any] = []
    cut: set[int] = set()
    for row in rows:
        if is_truncated(row):
            row = _penalized(row) if policy is Truncated.PENALIZE else _overlong(row)
            cut.add(id(row))
        out.append(row)
    return out, cut


def _overlong(row: Mapping[str, Any]) -> dict[str, Any]:
    markers = row.get("markers")
    return {**row, "overlong": True, "markers": {**(markers if is_mapping(markers) else {}), "finished": 0.0}}


def _penalized(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row as a failure, with what it was before beside it; one that was penalized before stays as it is."""
    marked = _overlong(row)
    if row.get("judge_name") == OVERLONG_JUDGE and "reward_before_penalty" in row:
        return marked
    before = first_of(row, REWARD_FIELDS)
    marked.pop("failure_class", None)
    return marked | {
        "reward": 0,
        "reward_before_penalty": before,
        "reason": _REASON,
        "judge_name": OVERLONG_JUDGE,
        "judge_status": "ok",
        "judge_meta": {
            "reward_before_penalty": before,
            "judge_before": row.get("judge_name"),
            "reason_before": first_of(row, ("reason", "grader_reason")),
            "scorer_kind": "rule",
        },
    }
