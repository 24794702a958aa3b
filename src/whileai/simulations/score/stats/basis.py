"""What a sizing rests on: the standard deviation of a task's difference, and where it comes from, best first.

Two measured runs, a number that was measured before, a binomial model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whileai.simulations.defaults import BASE_PASS_RATE, DIFFICULTY_BAND, MIN_CI_TASKS, MIN_HOLDOUT_TASKS
from whileai.simulations.kernels.power import model_sd
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import counted
from whileai.simulations.score.stats.goal import Goal, check_model

NO_SPREAD = 1e-9  # sd of differences that are all the same up to rounding


@dataclass(frozen=True)
class Basis:
    """What the sizing rests on. `model_base` is the base behind a model sd, `base` the one measured or given."""

    sd: float
    source: str
    base: float
    k: int
    model_base: float
    n_paired: int | None = None
    warning: str = ""


def measured(goal: Goal, before: TaskSums, after: TaskSums) -> Basis:
    """The sd of the differences of two runs on the tasks they share, 3 at the least."""
    shared, at_before, at_after = np.intersect1d(before.codes(), after.codes(), assume_unique=True, return_indices=True)
    n = int(shared.size)
    if n < MIN_CI_TASKS:
        raise ValueError(f"before and after share {counted(n, 'graded task')}: an sd needs {MIN_CI_TASKS} or more")
    rates = before.means()[at_before]
    sd = float((after.means()[at_after] - rates).std(ddof=1))
    base = float(rates.mean())
    k = int(min(before.counts()[at_before].min(), after.counts()[at_after].min()))
    if base >= goal.ceiling:
        return _saturated(goal, base, k, _ceiling_warning(goal, base))
    if sd < NO_SPREAD:
        return _saturated(goal, base, k, _degenerate_warning(n, base))
    return Basis(sd, "rows", base, k, base, n_paired=n)


def start_of(before: TaskSums | None, base: float, k: int) -> tuple[float, int]:
    """Base and rollouts a task: of the rows where there are any, else as given."""
    if before is not None:
        return float(before.means().mean()), int(before.counts().min())
    check_model(base, k)
    return float(base), int(k)


def assumed(goal: Goal, base: float, k: int, task_std: float | None, *, from_rows: bool) -> Basis:
    """The sd as given, else that of the binomial model."""
    if task_std is not None:
        return Basis(float(task_std), "given", base, k, base)
    if base == 1 or (from_rows and base >= goal.ceiling):
        return _saturated(goal, base, k, _ceiling_warning(goal, base))
    return Basis(model_sd(base, goal.effect, k), "model", base, k, base)


def _saturated(goal: Goal, base: float, k: int, warning: str) -> Basis:
    sd = model_sd(BASE_PASS_RATE, goal.effect, k)
    return Basis(sd, "model", base, k, BASE_PASS_RATE, warning=warning)


def _ceiling_warning(goal: Goal, base: float) -> str:
    low, high = DIFFICULTY_BAND
    return (
        f"CEILING: the base pass rate {base:.3g} is at or above {goal.ceiling:g}, where the formula falls to "
        f"its floor of {MIN_HOLDOUT_TASKS} tasks, which is no evidence; sized at base {BASE_PASS_RATE:g} instead. "
        f"Use harder situations, base within {low:g} to {high:g}, and size again on their rows"
    )


def _degenerate_warning(n: int, base: float) -> str:
    return (
        f"DEGENERATE: the difference is the same on all {n} shared tasks (base {base:.3g}), where the formula falls to "
        f"its floor of {MIN_HOLDOUT_TASKS} tasks, which is no evidence; sized at base {BASE_PASS_RATE:g} instead. "
        "Give two runs that were drawn and graded apart, or more rollouts a task, and size again"
    )
