"""The measured difficulty that a row carries."""

from __future__ import annotations

from typing import Any

from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.values import as_text, finite
from whileai.simulations.schema.columns import Row, optional_text
from whileai.simulations.schema.copies import outer_copy
from whileai.simulations.schema.types import Calibration, PolicyRef
from whileai.simulations.signature import public

_FIELDS = frozenset({"task_id", "student", "n", "pass_rate", "mean_kl", "pass_rate_ci95"})


@public
def calibration_of(row: Any) -> Calibration | None:
    """The calibration a row carries, None when it is absent or malformed.

    >>> calibration_of({"task_id": "t1", "calibration": {"n": 8, "pass_rate": 0.5}}).task_id
    't1'
    >>> calibration_of({"calibration": {"n": 0, "pass_rate": 0.5}}) is None
    True
    """
    block = row.get("calibration") if isinstance(row, dict) else None
    if isinstance(block, Calibration):
        return block
    if not isinstance(block, dict):
        return None
    rate, n = finite(block.get("pass_rate")), finite(block.get("n"))
    if rate is None or not 0 <= rate <= 1 or n is None or n < 1:
        return None
    named = block.get("task_id")
    return Calibration(
        task_id=task_key(row) if named is None else as_text(named),
        student=_student(block.get("student")),
        n=int(n),
        pass_rate=rate,
        mean_kl=finite(block.get("mean_kl")),
        pass_rate_ci95=_pair(block.get("pass_rate_ci95")),
    )


def _student(value: Any) -> PolicyRef:
    if isinstance(value, PolicyRef):
        return value
    if not isinstance(value, dict):
        return PolicyRef()
    name, model, prompt, version = (value.get(key) for key in ("name", "model", "prompt_hash", "version"))
    return PolicyRef(as_text(name), optional_text(model), optional_text(prompt), optional_text(version))


def _pair(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    low, high = finite(value[0]), finite(value[1])
    return None if low is None or high is None else (low, high)


def add_calibration(row: Row, extra: dict[str, Any], rest: dict[str, Any]) -> None:
    """Keep the calibration of a row in `extra`, and what of it is not read in `rest`."""
    block, typed = row["calibration"], calibration_of(row)
    if typed is None:
        rest["calibration"] = outer_copy(block)
        return
    extra["calibration"] = typed
    if isinstance(block, dict) and (unread := {k: v for k, v in block.items() if k not in _FIELDS}):
        rest["calibration"] = unread
