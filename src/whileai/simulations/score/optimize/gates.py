"""The gates a row passes before its group is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from whileai.simulations.defaults import DIFFICULTY_BAND
from whileai.simulations.reports import Report, wrapped
from whileai.simulations.rows.grade import REWARD_FIELDS, label, score_of
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.text import calls
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.optimize.account import account_lines
from whileai.simulations.score.optimize.idle import wants_tool
from whileai.simulations.score.optimize.junk import is_junk
from whileai.simulations.score.optimize.reasons import DO_NOTHING, GATES, JUNK, UNUSABLE, rl_words
from whileai.simulations.score.optimize.rewards import reward_notes, unusable_rewards
from whileai.simulations.score.optimize.spoken import replies
from whileai.simulations.signature import public

_VERIFIED_BY = ("claude", "gold")


@public
def filter_rl_rows(rows: Iterable[Any], has_tools: bool = True, text_gates: bool = True) -> tuple[list[Any], Report]:
    """The rows a grouped update can use, and how many went for which reason.

    A row is counted under the first reason that applies: `incomplete_junk` (a reply that is blank, broken, cut or a
    stub), `do_nothing` (ungraded, and no tool called where the situation wants one; only with `has_tools`),
    `unusable_label` (neither `reward` nor `qwen_reward` is 0 or 1). A failure that a grader named `claude...` or
    `gold...` in `label_source` has verified stays whatever its reply looks like. `text_gates=False` leaves the label
    the only gate: for rows that are a task and a reward.

    The rows kept are the same objects in order; nothing is written. The report: `n`, `n_kept`, `n_dropped`, `dropped`
    by reason, `kept_verified_zero` (verified failures that would have gone).

    >>> rows = [{"final_text": "It ships today.", "reward": r} for r in (1, 0.5)] + [{"final_text": " ", "reward": 1}]
    >>> kept, report = filter_rl_rows(rows)
    >>> print(report)
    RL gates
       3  rows given
      -1  no usable reply: blank, broken, cut or a stub
      -1  no 0/1 label
      =1  kept
    ! 1 of 3 rows with partial credit: it does not vote; choose the score that passes, int(reward >=
      0.5) say
    """
    table = RowTable(rows)
    held = table.rows
    dropped = dict.fromkeys(GATES, 0)
    kept: list[Any] = []
    verified = 0
    for row in held:
        reason = drop_reason(row, has_tools, text_gates)
        if reason is not None and reason is not UNUSABLE and is_verified_failure(row):
            verified += 1
            reason = None
        if reason is None:
            kept.append(row)
        else:
            dropped[reason] += 1
    values = {
        "n": len(held),
        "n_kept": len(kept),
        "n_dropped": len(held) - len(kept),
        "dropped": dropped,
        "kept_verified_zero": verified,
    }
    notes = reward_notes(unusable_rewards(table), len(table)) if dropped[UNUSABLE] else []
    return kept, Report(values, show=partial(_text, notes=notes))


def drop_reason(row: Mapping[str, Any], has_tools: bool, text_gates: bool) -> str | None:
    """The first gate a row does not pass, None when it passes all; verified failures are not looked at here."""
    if text_gates and is_junk(row):
        return JUNK
    if label(row) is not None:
        return None
    if text_gates and has_tools and not calls(row) and wants_tool(row):
        return DO_NOTHING
    return UNUSABLE


def is_verified_failure(row: Mapping[str, Any]) -> bool:
    """Whether a trusted grader says that the row failed, and there is something in it to train on."""
    if score_of(row.get(REWARD_FIELDS[0])) != 0:
        return False
    return as_text(row.get("label_source")).lower().startswith(_VERIFIED_BY) and replies(row)


def _text(report: Mapping[str, Any], notes: list[str]) -> str:
    account = {"given": report["n"], "dropped": report["dropped"], "kept": report["n_kept"]}
    lines = ["RL gates", *account_lines(account, rl_words(*DIFFICULTY_BAND), "kept")]
    return "\n".join([*lines, *(line for note in notes for line in wrapped(f"! {note}"))])
