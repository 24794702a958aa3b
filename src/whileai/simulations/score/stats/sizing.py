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

from whileai.simulations.arguments import between
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
from whileai.simulations.kernels.reached import Draw, binomial_differences, rate_differences, tasks_reaching
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report, bad_records_text, interval_text, printable, wrapped
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.signature import public

FEW_TASKS = 50  # tasks below which the small-sample count is over 4% above the normal formula, and leads the print
_MOST_ROLLOUTS = 10**9  # rollouts a task above which a task's pass rate has no spread left to draw
_NO_SPREAD = 1e-9  # sd of differences that are all the same up to rounding


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
    sides = [None if side is None else _labels(side, index) for side in (before, after)]
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
        between("ceiling_pass_rate", self.ceiling, 0, 1)

    def tasks(self, sd: float) -> int:
        """The normal formula at one sd."""
        return tasks_for(sd, self.effect, self.alpha, self.power)

    def tasks_small(self, sd: float, draw: Draw) -> int:
        """The count at which the paired test has the power, for differences so drawn."""
        start = small_sample_tasks(sd, self.effect, self.alpha, self.power)
        return tasks_reaching(start, draw, self.alpha, self.power)


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


class LabelSums(TaskSums):
    """The 0/1 labels by task, and how many graded rows have none: their reward is another number."""

    def __init__(self) -> None:
        super().__init__()
        self.n_other = 0
        self.n_minus_one = 0

    @property
    def fix(self) -> str:
        """What makes 0/1 labels of the other rewards."""
        return "write 0 for -1" if self.n_other == self.n_minus_one else "grade 0/1, or set a threshold yourself"


class LabelTally:
    """The 0/1 labels of rows summed by task, over any number of batches."""

    def __init__(self, index: Tasks) -> None:
        self.index = index
        self.sums = LabelSums()

    def add(self, rows: Iterable[Any], file: str | None = None) -> None:
        """Add the rows of one batch; which file they come from changes nothing."""
        table = RowTable(rows, self.index)
        self.sums.add(table.tasks[table.binary], table.labels[table.binary])
        others = table.grades[~np.isnan(table.grades) & ~table.binary]
        self.sums.n_other += others.size
        self.sums.n_minus_one += int((others == -1).sum())


def _labels(rows: Iterable[Any], index: Tasks) -> LabelSums:
    tally = LabelTally(index)
    tally.add(rows)
    return tally.sums


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
    if task_std is not None and not (_is_number(task_std) and task_std > 0):
        raise ValueError(f"task_std must be a number above 0, got {task_std!r}")
    if before is None and after is not None:
        raise ValueError("after needs before: give the graded rows of both runs")
    sides = {name: side for name, side in zip(names, (before, after), strict=True) if side is not None}
    for name, side in sides.items():
        _check_labels(name, side, ungraded_too=side is before)
    if before is not None and after is not None:
        basis = _measured(goal, before, after)
    else:
        basis = _assumed(goal, *_start(before, base, k), task_std, from_rows=before is not None)
    return _report(goal, basis, before, alone=after is None, lost=list(_lost_labels(sides)))


def _check_labels(name: str, side: LabelSums, *, ungraded_too: bool) -> None:
    if side.n_other and not side.n:
        rows = "graded row" if side.n_other == 1 else "graded rows"
        raise ValueError(
            f"{name}: no reward is exactly 0 or 1 ({side.n_other} {rows}), and a pass rate is made of 0/1 rewards: "
            f"{side.fix}"
        )
    if ungraded_too and not side.n:
        raise ValueError(f"{name} has no row with a 0/1 reward: grade the rows first")


def _lost_labels(sides: Mapping[str, LabelSums]) -> Iterator[str]:
    for name, side in sides.items():
        if side.n_other:
            yield (
                f"{side.n_other} of {side.n + side.n_other} graded rows of {name} have a reward that is not 0/1 "
                f"and are in no pass rate: {side.fix}"
            )


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


def _report(goal: Goal, basis: _Basis, before: TaskSums | None, *, alone: bool, lost: list[str]) -> HoldoutSizeReport:
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
        "base_spread": _spread(before),
        "n_paired": basis.n_paired,
        "saturated": bool(basis.warning),
        "notes": [],
        "warnings": [],
    }
    values["notes"] = [*_notes(values), *_pairing_note(basis, before if alone else None)]
    values["warnings"] = [*lost, *_size_warning(values, basis.warning)]
    return HoldoutSizeReport(values)


def _tasks_small(goal: Goal, basis: _Basis, sd: float) -> int:
    """By the model's own differences, which need room for the gain; else by differences of that sd."""
    room = 1 - basis.model_base
    if basis.source == "model" and goal.effect <= room + _NO_SPREAD:
        draw = binomial_differences(basis.model_base, min(goal.effect, room), min(basis.k, _MOST_ROLLOUTS))
    else:
        draw = rate_differences(sd, goal.effect, basis.k)
    return goal.tasks_small(sd, draw)


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


def _size_warning(report: Mapping[str, Any], saturated: str) -> Iterator[str]:
    """Why there is no size as asked, one sentence: rows that size nothing, a gain without room, or both."""
    base = report["base"]
    room = f"no run can gain {report['effect']:g} from a base of {base:.4g}: the room is {1 - base:.3g}"
    impossible = _exceeds_room(report)
    if saturated:
        yield f"{saturated}; {room}" if impossible else saturated
    elif impossible:
        yield f"{room}; size for a smaller gain or use harder tasks"


def _exceeds_room(report: Mapping[str, Any]) -> bool:
    return bool(report["effect"] > 1 - report["base"] + _NO_SPREAD)


def format_holdout_size(report: Mapping[str, Any]) -> str:
    """The sizing as lines of at most 100 columns: the count, what it rests on, warnings, notes.

    A gain that no run can make has no count: the warning that it cannot be made comes first.

    >>> print(format_holdout_size(holdout_size(0.3)).splitlines()[0])
    10 tasks show a gain of 0.3 (8 by the normal formula, which is short for few tasks)
    """
    return "\n".join(_lines(report))


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    impossible = _exceeds_room(report)
    warnings = [line for warning in report["warnings"] for line in wrapped(f"! {printable(warning)}")]
    if impossible:
        yield from warnings
    if report["saturated"] or not impossible:
        yield _count_line(report)
    yield (
        f"  k {report['k']} rollouts a task, base {report['base']:.3g}, power {report['power']:g}, "
        f"alpha {report['alpha']:g}, paired by task"
    )
    yield (
        f"  sd of a task's difference {report['task_std']:.4f} ({report['sd_source']}), "
        f"half-width at {1 - report['alpha']:.4g} with {report['n_tasks']} tasks: {report['half_width']:.4f}"
    )
    read = report.get("read") or ()
    for entry in read:
        formats = ", ".join(entry["formats"]) or "no rows"
        yield from wrapped(f"  {printable(entry['source'], 60)}: {formats}, {entry['rows']:,} rows", "    ")
        if entry["bad"]:
            yield from wrapped(f"! {bad_records_text(entry)}")
    if not impossible:
        yield from warnings
    for note in [note for entry in read for note in entry["notes"]] + list(report["notes"]):
        yield from wrapped(f"- {printable(note)}")


def _count_line(report: Mapping[str, Any]) -> str:
    normal, small = report["n_tasks"], report["n_tasks_small"]
    gain = f"a gain of {report['effect']:g}"
    if normal < FEW_TASKS:
        return f"{small} tasks show {gain} ({normal} by the normal formula, which is short for few tasks)"
    return f"{normal} tasks show {gain} ({small} by the small-sample formula)"


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
