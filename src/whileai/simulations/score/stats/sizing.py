"""How many tasks a holdout needs, and which gain a holdout shows.

Sized for the test that `compare_runs` and `delta_report` run: paired by task, the difference of task pass rates. The
numerics are in `kernels.power`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whileai.simulations.defaults import (
    ALPHA,
    BASE_PASS_RATE,
    CEILING_PASS_RATE,
    CI_LEVEL,
    MIN_HOLDOUT_TASKS,
    POWER,
    ROLLOUTS_PER_TASK,
)
from whileai.simulations.kernels.power import concentrated_sd, detectable, half_width, sd_range
from whileai.simulations.kernels.reached import binomial_differences, rate_differences
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import Tasks
from whileai.simulations.score.stats.basis import NO_SPREAD, Basis, assumed, measured, start_of
from whileai.simulations.score.stats.goal import Goal, check_model, check_share, is_number
from whileai.simulations.score.stats.labels import LabelSums, check_labels, labels_of, lost_labels
from whileai.simulations.score.stats.sizing_text import format_holdout_size, pairing_note, sizing_notes, sizing_warning
from whileai.simulations.signature import public

_MOST_ROLLOUTS = 10**9  # rollouts a task above which a task's pass rate has no spread left to draw


class HoldoutSizeReport(Report):
    """What `holdout_size` returns: a dict of its keys that prints itself.

    >>> HoldoutSizeReport({"n_tasks": 200, "effect": 0.05})
    HoldoutSizeReport(n_tasks=200, effect=0.05)
    """

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values, show=format_holdout_size)

    def __repr__(self) -> str:
        return f"HoldoutSizeReport(n_tasks={self['n_tasks']}, effect={self['effect']:g})"


@public
def holdout_size(
    effect: float,
    base: float = BASE_PASS_RATE,
    k: int = ROLLOUTS_PER_TASK,
    power: float = POWER,
    alpha: float = ALPHA,
    before: Iterable[Any] | None = None,
    after: Iterable[Any] | None = None,
    task_std: float | None = None,
    rows: Iterable[Any] | None = None,
    ceiling_pass_rate: float = CEILING_PASS_RATE,
) -> HoldoutSizeReport:
    """How many paired tasks a holdout needs to show a gain of `effect` in a share `power` of evaluations.

    `n_tasks` is the normal formula ((z(1 - alpha/2) + z(power)) sd / effect)^2, `n_tasks_small` the count at which
    the sign-flip test of `compare_runs` really has the power: below 60 tasks that is checked on drawn runs. `sd`, of
    one task's paired difference, comes from:

    * `before` and `after`, graded rows of two runs on the same tasks: measured (`sd_source` `"rows"`), with
      `task_std_range`, where such a pilot leaves the true sd, and `n_tasks_range`, the counts at its ends;
    * `task_std`, a number measured before (`"given"`): `delta_report`'s `(hi - lo) * sqrt(n_paired_tasks) / 3.92`;
      `eval_variance`'s `run_std` is another number;
    * neither: a binomial model at `base` and `k`, or at the `base` and `k` of `before` alone (`"model"`). It takes
      the gain to be spread evenly and the runs to be independent; `n_tasks_concentrated` is the count if the fewest
      tasks carry the gain.

    Rows at or above `ceiling_pass_rate`, or whose differences are all the same, cannot size anything: `saturated`,
    sized at base 0.6, and `warnings` says what to change, as it does where no run can gain `effect` and where graded
    rows are not 0/1. `rows` is `before` under its old name. Bad arguments and too few graded rows are a `ValueError`.

    >>> report = holdout_size(0.05)
    >>> report, report["n_tasks_small"], report["n_tasks_concentrated"]
    (HoldoutSizeReport(n_tasks=367, effect=0.05), 369, 409)
    """
    if before is not None and rows is not None:
        raise ValueError("before and rows are the same argument: give one of them")
    names = ("before" if rows is None else "rows", "after")
    before = rows if before is None else before
    goal, index = Goal(effect, power, alpha, ceiling_pass_rate), Tasks()
    sides = [None if side is None else labels_of(side, index) for side in (before, after)]
    return size_from_sums(goal, sides[0], sides[1], base=base, k=k, task_std=task_std, names=names)


@public
def detectable_effect(
    n_tasks: int,
    base: float = BASE_PASS_RATE,
    k: int = ROLLOUTS_PER_TASK,
    power: float = POWER,
    alpha: float = ALPHA,
) -> float | None:
    """The smallest gain that `n_tasks` paired tasks show in a share `power` of evaluations, 4 decimals.

    `holdout_size` by its model, solved for the effect. None below 2 tasks and at base 1, where no gain exists.

    >>> detectable_effect(140), detectable_effect(1)
    (0.0801, None)
    """
    check_share("power", power)
    check_share("alpha", alpha)
    check_model(base, k)
    if not is_number(n_tasks):
        raise ValueError(f"n_tasks must be a number of tasks, got {n_tasks!r}")
    tasks = int(n_tasks)
    if tasks < MIN_HOLDOUT_TASKS or base == 1:
        return None
    return round(detectable(tasks, base, k, alpha, power), 4)


def size_from_sums(
    goal: Goal,
    before: LabelSums | None = None,
    after: LabelSums | None = None,
    *,
    base: float = BASE_PASS_RATE,
    k: int = ROLLOUTS_PER_TASK,
    task_std: float | None = None,
    names: tuple[str, str] = ("before (rows)", "after"),
) -> HoldoutSizeReport:
    """`holdout_size` from per-task sums whose task codes share one index; `names` is what the two are called."""
    if task_std is not None and not (is_number(task_std) and task_std > 0):
        raise ValueError(f"task_std must be a number above 0, got {task_std!r}")
    if before is None and after is not None:
        raise ValueError("after needs before: give the graded rows of both runs")
    sides = {name: side for name, side in zip(names, (before, after), strict=True) if side is not None}
    for name, side in sides.items():
        check_labels(name, side, ungraded_too=side is before)
    if before is not None and after is not None:
        basis = measured(goal, before, after)
    else:
        basis = assumed(goal, *start_of(before, base, k), task_std, from_rows=before is not None)
    return _report(goal, basis, before, list(lost_labels(sides)))


def _report(goal: Goal, basis: Basis, before: LabelSums | None, lost: list[str]) -> HoldoutSizeReport:
    model = basis.source == "model"
    tasks = goal.tasks(basis.sd)
    ends = None if basis.n_paired is None else sd_range(basis.sd, basis.n_paired, CI_LEVEL)
    values: dict[str, Any] = {
        "n_tasks": tasks,
        "n_tasks_small": _tasks_small(goal, basis, basis.sd),
        "effect": float(goal.effect),
        "base": basis.base,
        "k": basis.k,
        "power": float(goal.power),
        "alpha": float(goal.alpha),
        "task_std": round(basis.sd, 4),
        "task_std_range": None if ends is None else (round(ends.low, 4), round(ends.high, 4)),
        "n_tasks_range": None if ends is None else tuple(_tasks_small(goal, basis, sd) for sd in ends),
        "sd_source": basis.source,
        "half_width": round(half_width(basis.sd, tasks, goal.alpha), 4),
        "n_tasks_concentrated": _concentrated(goal, basis) if model else None,
        "base_spread": None if before is None else before.spread(),
        "n_paired": basis.n_paired,
        "saturated": bool(basis.warning),
        "notes": [],
        "warnings": [],
    }
    values["notes"] = [*sizing_notes(values), *pairing_note(basis, before)]
    values["warnings"] = [*lost, *sizing_warning(values, basis.warning)]
    return HoldoutSizeReport(values)


def _tasks_small(goal: Goal, basis: Basis, sd: float) -> int:
    """By the model's own differences, which need room for the gain; else by differences of that sd."""
    room = 1 - basis.model_base
    if basis.source == "model" and goal.effect <= room + NO_SPREAD:
        draw = binomial_differences(basis.model_base, min(goal.effect, room), min(basis.k, _MOST_ROLLOUTS))
    else:
        draw = rate_differences(sd, goal.effect, basis.k)
    return goal.tasks_small(sd, draw)


def _concentrated(goal: Goal, basis: Basis) -> int:
    return goal.tasks(concentrated_sd(basis.model_base, goal.effect, basis.k))
