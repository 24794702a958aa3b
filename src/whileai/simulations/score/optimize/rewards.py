"""Rewards that are no 0/1 label: what they hold instead, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from whileai.simulations.reports import counted
from whileai.simulations.rows.content import filled
from whileai.simulations.rows.grade import REWARD_FIELDS, score_of
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.values import is_bool
from whileai.simulations.score.keyless import keyless_notes

KINDS = ("missing", "boolean", "rounding", "partial", "outside", "other")
_ROUNDING = 1e-6  # distance from 0 or 1 that is an error of arithmetic, and no partial credit; convention


def unusable_rewards(table: RowTable) -> dict[str, int]:
    """How many rows have no 0/1 label, by what stands in its place.

    `missing` nothing, `boolean` True or False, `rounding` a number within 1e-6 of 0 or 1, `partial` one between them,
    `outside` one below 0 or above 1, `other` words, NaN and the like. No such row votes on whether a task has contrast.

    >>> rewards = [1, 0.5, 0.9999999, True, None, "good", -1]
    >>> unusable_rewards(RowTable({"reward": reward} for reward in rewards))
    {'missing': 1, 'boolean': 1, 'rounding': 1, 'partial': 1, 'outside': 1, 'other': 1}
    """
    found = dict.fromkeys(KINDS, 0)
    for place in np.flatnonzero(~table.binary).tolist():
        found[reward_kind(table.rows[place])] += 1
    return found


def reward_kind(row: Mapping[str, Any]) -> str:
    """What stands in the place of the label of a row that has none."""
    value = next((held for field in REWARD_FIELDS if _is_there(held := row.get(field))), None)
    if value is None:
        return "missing"
    if is_bool(value):
        return "boolean"
    score = score_of(value)
    if score is None:
        return "other"
    if min(abs(score), abs(score - 1)) <= _ROUNDING:
        return "rounding"
    return "partial" if 0 < score < 1 else "outside"


def _is_there(value: Any) -> bool:
    return value is not None and (filled(value) or value == 0 or is_bool(value) or isinstance(value, float))


def reward_notes(found: Mapping[str, int], n: int, mode: str = "rl") -> list[str]:
    """One line for each kind met among `n` rows: how many rows, and what to do; `[]` when every row has a label.

    >>> reward_notes({"boolean": 2}, 8)
    ['2 of 8 rows with a boolean reward, which is no 0/1 label: write int(reward)']
    """
    fixes = _FIX | dict.fromkeys(("partial", "outside"), _SCORE_SFT) if mode == "sft" else _FIX
    return [f"{found[kind]:,} of {counted(n, 'row')} {_SAID[kind]}: {fixes[kind]}" for kind in KINDS if found.get(kind)]


def label_notes(table: RowTable) -> list[str]:
    """The notes on the rewards of a table that are there and no 0/1 label."""
    return reward_notes({**unusable_rewards(table), "missing": 0}, len(table))


def vote_notes(table: RowTable) -> list[str]:
    """The same, and the note on rows that vote as one task for want of their own."""
    return [*label_notes(table), *keyless_notes(table)]


_SAID = {
    "missing": "without a reward",
    "boolean": "with a boolean reward, which is no 0/1 label",
    "rounding": "with a reward that is 0 or 1 but for rounding",
    "partial": "with partial credit",
    "outside": "with a reward below 0 or above 1",
    "other": "with a reward that is no number",
}
_FIX = {
    "missing": "grade them first (run_judge, attach_labels)",
    "boolean": "write int(reward)",
    "rounding": "write round(reward)",
    "partial": "it does not vote; choose the score that passes, int(reward >= 0.5) say",
    "outside": "it does not vote; write 1 for a pass and 0 for a failure",
    "other": "grade them again, or map the words to 0 and 1",
}
_SCORE_SFT = "min_reward says which score is a demonstration"
