"""How many tasks a holdout needs, and which gain a holdout shows.

Sized for the test that `compare_runs` and `delta_report` run: paired by task, the difference of task pass rates. The
numerics are in `kernels.power`; here is where the standard deviation of a task's difference comes from, best first:
two measured runs, a number that was measured before, a binomial model.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from whileai.simulations.defaults import (
    ALPHA,
    BASE_PASS_RATE,
    CEILING_PASS_RATE,
    CI_LEVEL,
    DIFFICULTY_BAND,
    MIN_CI_TASKS,
    MIN_HOLDOUT_TASKS,
    POWER,
    ROLLOUTS_PER_TASK,
)
from whileai.simulations.kernels.power import (
    concentrated_sd,
    detectable,
    half_width,
    model_sd,
    sd_range,
    small_sample_tasks,
    tasks_for,
)
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report, interval_text, printable, wrapped
from whileai.simulations.rows.table import RowTable, Tasks

FEW_TASKS = 50  # tasks below which the small-sample count is over 4% above the normal formula, and leads the print
_NO_SPREAD = 1e-9  # sd of differences that are all the same up to rounding


class HoldoutSizeReport(Report):
    """What `holdout_size` returns: a dict of its keys that prints itself."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values, show=format_holdout_size)

    def __repr__(self) -> str:
        return f"HoldoutSizeReport(n_tasks={self['n_tasks']}, effect={self['effect']:g})"


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
    the sign-flip test of `compare_runs` really has the power. `sd`, of one task's paired difference, comes from:

    * `before` and `after`, graded rows of two runs on the same tasks: measured (`sd_source` `"rows"`), with
      `task_std_range`, where such a pilot leaves the true sd, and `n_tasks_range`, the counts at its ends;
    * `task_std`, a number measured before (`"given"`): `delta_report`'s `(hi - lo) * sqrt(n_paired_tasks) / 3.92`;
      `eval_variance`'s `run_std` is another number;
    * neither: a binomial model at `base` and `k`, or at the `base` and `k` of `before` alone (`"model"`). It takes
      the gain to be spread evenly and the runs to be independent; `n_tasks_concentrated` is the count if the fewest
      tasks carry the gain.

    Rows at or above `ceiling_pass_rate`, or whose differences are all the same, cannot size anything: `saturated`,
    sized at base 0.6, and `warnings` says what to change. `rows` is `before` under its old name. Bad arguments and
    too few graded rows are a `ValueError`.

    >>> report = holdout_size(0.05)
    >>> report, report["n_tasks_small"], report["n_tasks_concentrated"]
    (HoldoutSizeReport(n_tasks=367, effect=0.05), 369, 409)
    """
    if before is not None and rows is not None:
        raise ValueError("before and rows are the same argument: give one of them")
    before = rows if before is None else before
    goal, index = Goal(effect, power, alpha, ceiling_pass_rate), Tasks()
    sides = [None if side is None else _labels(side, index) for side in (before, after)]
    return size_from_sums(goal, sides[0], sides[1], base=base, k=k, task_std=task_std)


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
    _check_share("power", power)
    _check_share("alpha", alpha)
    _check_model(base, k)
    if not _is_number(n_tasks):
        raise ValueError(f"n_tasks must be a number of tasks, got {n_tasks!r}")
    tasks = int(n_tasks)
    if tasks < MIN_HOLDOUT_TASKS or base == 1:
        return None
    return round(detectable(tasks, base, k, alpha, power), 4)


@dataclass(frozen=True)
class Goal:
    """What is to be shown: the gain, how surely, and the pass rate from which rows leave no room."""

    effect: float
    power: float = POWER
    alpha: float = ALPHA
    ceiling: float = CEILING_PASS_RATE

    def __post_init__(self) -> None:
        for name in ("effect", "power", "alpha"):
            _check_share(name, getattr(self, name))
        if not _is_number(self.ceiling):
            raise ValueError(f"ceiling_pass_rate must be a pass rate, got {self.ceiling!r}")

    def tasks(self, sd: float) -> int:
        """The normal formula at one sd."""
        return tasks_for(sd, self.effect, self.alpha, self.power)

    def tasks_small(self, sd: float) -> int:
        """The count at which the paired test has the power."""
        return small_sample_tasks(sd, self.effect, self.alpha, self.power)


@dataclass(frozen=True)
class _Basis:
    """What the sizing rests on. `model_base` is the base behind a model sd, `base` the one measured or given."""

    sd: float
    source: str
    base: float
    k: int
    model_base: float
    n_paired: int | None = None
    warning: str = ""


class LabelTally:
    """The 0/1 labels of rows summed by task, over any number of batches."""

    def __init__(self, index: Tasks) -> None:
        self.index = index
        self.sums = TaskSums()

    def add(self, rows: Iterable[Any], file: str | None = None) -> None:
        """Add the rows of one batch; which file they come from changes nothing."""
        table = RowTable(rows, self.index)
        self.sums.add(table.tasks[table.binary], table.labels[table.binary])


def _labels(rows: Iterable[Any], index: Tasks) -> TaskSums:
    tally = LabelTally(index)
    tally.add(rows)
    return tally.sums


def size_from_sums(
    goal: Goal,
    before: TaskSums | None = None,
    after: TaskSums | None = None,
    *,
    base: float = BASE_PASS_RATE,
    k: int = ROLLOUTS_PER_TASK,
    task_std: float | None = None,
) -> HoldoutSizeReport:
    """`holdout_size` from per-task sums whose task codes share one index."""
    if task_std is not None and not (_is_number(task_std) and task_std > 0):
        raise ValueError(f"task_std must be a number above 0, got {task_std!r}")
    if before is None and after is not None:
        raise ValueError("after needs before: give the graded rows of both runs")
    if before is not None and not before.n:
        raise ValueError("before has no row with a 0/1 reward: grade the rows first")
    if before is not None and after is not None:
        basis = _measured(goal, before, after)
    else:
        basis = _assumed(goal, *_start(before, base, k), task_std, from_rows=before is not None)
    return _report(goal, basis, before, alone=after is None)


def _measured(goal: Goal, before: TaskSums, after: TaskSums) -> _Basis:
    shared, at_before, at_after = np.intersect1d(before.codes(), after.codes(), assume_unique=True, return_indices=True)
    n = int(shared.size)
    if n < MIN_CI_TASKS:
        raise ValueError(
            f"before and after share {n} graded {'task' if n == 1 else 'tasks'}: an sd needs {MIN_CI_TASKS} or more"
        )
    rates = before.means()[at_before]
    sd = float((after.means()[at_after] - rates).std(ddof=1))
    base = float(rates.mean())
    k = int(min(before.counts()[at_before].min(), after.counts()[at_after].min()))
    if base >= goal.ceiling:
        return _saturated(goal, base, k, _ceiling_warning(goal, base))
    if sd < _NO_SPREAD:
        return _saturated(goal, base, k, _degenerate_warning(n, base))
    return _Basis(sd, "rows", base, k, base, n_paired=n)


def _start(before: TaskSums | None, base: float, k: int) -> tuple[float, int]:
    """Base and rollouts a task: of the rows where there are any, else as given."""
    if before is not None:
        return float(before.means().mean()), int(before.counts().min())
    _check_model(base, k)
    return float(base), int(k)


def _assumed(goal: Goal, base: float, k: int, task_std: float | None, *, from_rows: bool) -> _Basis:
    if task_std is not None:
        return _Basis(float(task_std), "given", base, k, base)
    if base == 1 or (from_rows and base >= goal.ceiling):
        return _saturated(goal, base, k, _ceiling_warning(goal, base))
    return _Basis(model_sd(base, goal.effect, k), "model", base, k, base)


def _saturated(goal: Goal, base: float, k: int, warning: str) -> _Basis:
    sd = model_sd(BASE_PASS_RATE, goal.effect, k)
    return _Basis(sd, "model", base, k, BASE_PASS_RATE, warning=warning)


def _ceiling_warning(goal: Goal, base: float) -> str:
    low, high = DIFFICULTY_BAND
    return (
        f"CEILING: the base pass rate {base:.3g} is at or above {min(goal.ceiling, 1.0):g}, where the formula falls to "
        f"its floor of {MIN_HOLDOUT_TASKS} tasks, which is no evidence; sized at base {BASE_PASS_RATE:g} instead. "
        f"Use harder situations, base within {low:g} to {high:g}, and size again on their rows"
    )


def _degenerate_warning(n: int, base: float) -> str:
    return (
        f"DEGENERATE: the difference is the same on all {n} shared tasks (base {base:.3g}), where the formula falls to "
        f"its floor of {MIN_HOLDOUT_TASKS} tasks, which is no evidence; sized at base {BASE_PASS_RATE:g} instead. "
        "Give two runs that were drawn and graded apart, or more rollouts a task, and size again"
    )


def _report(goal: Goal, basis: _Basis, before: TaskSums | None, *, alone: bool) -> HoldoutSizeReport:
    model = basis.source == "model"
    tasks = goal.tasks(basis.sd)
    ends = None if basis.n_paired is None else sd_range(basis.sd, basis.n_paired, CI_LEVEL)
    values: dict[str, Any] = {
        "n_tasks": tasks,
        "n_tasks_small": goal.tasks_small(basis.sd),
        "effect": float(goal.effect),
        "base": basis.base,
        "k": basis.k,
        "power": float(goal.power),
        "alpha": float(goal.alpha),
        "task_std": round(basis.sd, 4),
        "task_std_range": None if ends is None else (round(ends.low, 4), round(ends.high, 4)),
        "n_tasks_range": None if ends is None else (goal.tasks_small(ends.low), goal.tasks_small(ends.high)),
        "sd_source": basis.source,
        "half_width": round(half_width(basis.sd, tasks, goal.alpha), 4),
        "n_tasks_concentrated": _concentrated(goal, basis) if model else None,
        "base_spread": _spread(before),
        "n_paired": basis.n_paired,
        "saturated": bool(basis.warning),
        "notes": [],
        "warnings": [basis.warning] if basis.warning else [],
    }
    values["notes"] = [*_notes(values), *_pairing_note(basis, before if alone else None), *_room_note(goal, basis)]
    return HoldoutSizeReport(values)


def _concentrated(goal: Goal, basis: _Basis) -> int:
    return goal.tasks(concentrated_sd(basis.model_base, goal.effect, basis.k))


def _spread(before: TaskSums | None) -> float | None:
    if before is None or before.codes().size < 2:
        return None
    return round(float(before.means().std(ddof=1)), 4)


def _notes(values: Mapping[str, Any]) -> Iterator[str]:
    sd = values["task_std"]
    if values["sd_source"] == "rows":
        low, high = values["n_tasks_range"]
        yield (
            f"sd {sd:.4f} measured over {values['n_paired']} shared tasks, which leave it within "
            f"{interval_text(values['task_std_range'])} at {CI_LEVEL:.0%}: {low} to {high} tasks"
        )
    elif values["sd_source"] == "given":
        yield f"sd {sd:g} as given, not checked here"
    else:
        yield (
            f"the model spreads the gain evenly over tasks and takes the runs as independent: {values['n_tasks']} "
            f"tasks; {values['n_tasks_concentrated']} if the fewest tasks that can carry the gain do. "
            "Rows of two runs on the same tasks (before, after) measure the sd instead"
        )


def _pairing_note(basis: _Basis, before: TaskSums | None) -> Iterator[str]:
    spread = _spread(before)
    if before is None or not spread or basis.source != "model" or basis.warning:
        return
    within = 1 - float(before.means().var()) / (basis.base * (1 - basis.base))
    if within > _NO_SPREAD:
        yield (
            f"task pass rates spread by {spread:.3f} (sd): the model asks for up to {1 / within:.2f} times the tasks "
            "that pairing needs"
        )
    else:
        yield (
            f"task pass rates spread by {spread:.3f} (sd): each task passed always or never, all variance is between "
            "tasks, and the model asks for far more tasks than pairing needs"
        )


def _room_note(goal: Goal, basis: _Basis) -> Iterator[str]:
    room = 1 - basis.model_base
    if goal.effect > room + _NO_SPREAD:
        yield (
            f"a gain of {goal.effect:g} exceeds the room of {room:.3g} above base {basis.model_base:.3g}: no run can "
            "gain that much; size for a smaller gain or use harder tasks"
        )


def format_holdout_size(report: Mapping[str, Any]) -> str:
    """The sizing as lines of at most 100 columns: the count, what it rests on, warnings, notes.

    >>> print(format_holdout_size(holdout_size(0.3)).splitlines()[0])
    10 tasks show a gain of 0.3 (8 by the normal formula, which is short for few tasks)
    """
    return "\n".join(_lines(report))


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    normal, small = report["n_tasks"], report["n_tasks_small"]
    gain = f"a gain of {report['effect']:g}"
    if normal < FEW_TASKS:
        yield f"{small} tasks show {gain} ({normal} by the normal formula, which is short for few tasks)"
    else:
        yield f"{normal} tasks show {gain} ({small} by the small-sample formula)"
    yield (
        f"  k {report['k']} rollouts a task, base {report['base']:.3g}, power {report['power']:g}, "
        f"alpha {report['alpha']:g}, paired by task"
    )
    yield (
        f"  sd of a task's difference {report['task_std']:.4f} ({report['sd_source']}), "
        f"half-width at {1 - report['alpha']:.4g}: {report['half_width']:.4f}"
    )
    read = report.get("read") or ()
    for entry in read:
        formats = ", ".join(entry["formats"]) or "no rows"
        yield from wrapped(f"  {printable(entry['source'], 60)}: {formats}, {entry['rows']:,} rows", "    ")
    for warning in [*map(_bad_records, read), *report["warnings"]]:
        yield from wrapped(f"! {printable(warning)}") if warning else ()
    for note in [note for entry in read for note in entry["notes"]] + list(report["notes"]):
        yield from wrapped(f"- {printable(note)}")


def _bad_records(entry: Mapping[str, Any]) -> str:
    if not entry["bad"]:
        return ""
    records = "record" if entry["bad"] == 1 else "records"
    return f"{entry['bad']} bad {records} left out; first: {entry['first_bad']}"


def _check_model(base: float, k: int) -> None:
    if not (_is_number(base) and 0 <= base <= 1):
        raise ValueError(f"base must be a pass rate within [0, 1], got {base!r}")
    if not (_is_number(k) and k >= 1):
        raise ValueError(f"k must be at least 1 rollout a task, got {k!r}")


def _check_share(name: str, value: float) -> None:
    if not (_is_number(value) and 0 < value < 1):
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {value!r}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and math.isfinite(value)
