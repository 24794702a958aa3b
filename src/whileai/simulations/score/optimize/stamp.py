"""The `calibration` stamp: how hard a task was for the policy that made its rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from whileai.simulations.defaults import Z_95
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.optimize.rates import Rate, measured_rates

STUDENT_FIELDS = ("name", "model", "prompt_hash", "version")
_LEVEL = math.erf(Z_95 / math.sqrt(2))  # the level at which a table prints 1.96


class Measured:
    """The pass rate of every labelled task of some rows, and the stamps that say it.

    >>> measured = Measured(RowTable([{"task_id": "a", "reward": r} for r in (1, 0, 0, 0, 1, 0, 0, 0)]))
    >>> measured.stamp("a", {})["pass_rate_ci95"], measured.stamp("b", {})
    ([0.0715, 0.5907], None)
    """

    def __init__(self, table: RowTable) -> None:
        self.rates: dict[str, Rate] = {}
        self.ends: dict[str, list[float]] = {}
        if len(table):
            codes = measured_rates(table)
            names = table.index.names
            self.rates = {names[code]: rate for code, rate in codes.items()}
            ends = {rate: pass_rate_ends(rate.value, int(rate.n or 0)) for rate in set(codes.values())}
            self.ends = {task: ends[rate] for task, rate in self.rates.items()}

    def stamp(self, task: str, row: Mapping[str, Any]) -> dict[str, Any] | None:
        """The stamp of one row of a task, None when the task had no label."""
        rate = self.rates.get(task)
        if rate is None:
            return None
        return {
            "task_id": task,
            "student": row_student(row),
            "n": rate.n,
            "pass_rate": rate.value,
            "mean_kl": None,
            "pass_rate_ci95": list(self.ends[task]),
        }

    def entry(self, task: str) -> dict[str, Any] | None:
        """What a report says of a task, None when it had no label."""
        rate = self.rates.get(task)
        if rate is None:
            return None
        return {"task_id": task, "n": rate.n, "pass_rate": rate.value, "pass_rate_ci95": list(self.ends[task])}

    def half_width(self, task: str) -> float:
        """Half the width of a task's interval."""
        low, high = self.ends[task]
        return (high - low) / 2


def pass_rate_ends(rate: float, n: int) -> list[float]:
    """Wilson's 95% interval of a pass rate (1927), each end to 4 places.

    >>> pass_rate_ends(0.5, 8)
    [0.2152, 0.7848]
    """
    found = wilson(rate * n, n, _LEVEL)
    return [round(max(0.0, found.low), 4), round(min(1.0, found.high), 4)]


def row_student(row: Mapping[str, Any]) -> dict[str, Any]:
    """The policy a row names: its `policy_version`, else its `model_version`.

    >>> row_student({"policy_version": "qwen3-4b@step200"})["version"]
    'qwen3-4b@step200'
    """
    version = row.get("policy_version")
    if version is None or version == "":
        version = row.get("model_version")
    text = None if version is None or version == "" else as_text(version)
    return {"name": "", "model": None, "prompt_hash": None, "version": text}
