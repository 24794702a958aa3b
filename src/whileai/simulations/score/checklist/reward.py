"""The checklist reward: conduct, gated by the outcome of the task."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from whileai.simulations.rows.single import refuse_rows
from whileai.simulations.score.checklist.outcome import outcome_check
from whileai.simulations.score.grading import conduct_grade
from whileai.simulations.signature import public


@public
def task_checklist(
    row: dict[str, Any], declared_tools: Collection[str | Mapping[str, Any]] | None = None
) -> dict[str, Any]:
    """A judge: `conduct_grade` times `outcome_check`, or conduct alone when no rule applies to the task.

    `reward` is 0, 0.5 or 1. `reason` is conduct's when conduct is 0 or nothing was checked, else the outcome's.
    `markers` are floats: `conduct`, `outcome_checked` (1.0 when a rule applied), `outcome` (only then), and every
    check of the outcome. `declared_tools` are the tools the agent has, by name or by schema; the row is not changed.

    >>> row = {"prompt": "Refund ORD-4017", "final_text": "Have a nice day.", "tool": "refund_order"}
    >>> task_checklist(row)["reward"], task_checklist(row)["reason"]
    (0.0, 'target refund_order was never called')
    """
    if not isinstance(row, dict):
        refuse_rows("task_checklist", row)
        row = {}
    grade = conduct_grade(row, declared_tools)
    outcome, reason, checks = outcome_check(row)
    conduct = float(grade["reward"])
    markers = {"conduct": conduct, "outcome_checked": float(outcome is not None)}
    if outcome is not None:
        markers["outcome"] = float(outcome)
    markers |= {name: float(check) for name, check in checks.items() if not name.startswith("_")}
    if outcome is None or not conduct:
        reason = grade["reason"]
    return {"reward": conduct if outcome is None else conduct * outcome, "reason": reason, "markers": markers}
