"""What an undetected change means: the gain these tasks could have shown, and the tasks the gain seen would need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import BASE_PASS_RATE, MIN_PAIRED_TASKS
from whileai.simulations.kernels.power import small_sample_detectable, small_sample_tasks
from whileai.simulations.kernels.reached import Draw, binomial_differences, reached_power, tasks_reaching
from whileai.simulations.kernels.signflip import least_tasks
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.score.delta.arguments import Thresholds
from whileai.simulations.score.delta.figures import interval, number
from whileai.simulations.score.delta.metrics import Entry, Metric, gain
from whileai.simulations.score.delta.sizing import Spread, good_base, is_full, spread

_ROUNDING = 1e-9
_CHECKED_BELOW = 60  # tasks from which the formula is within 2 points of its power (kernels.reached)
_SHORT = 0.02  # points of power that a gain may look short
_STEP = 1.03  # factor by which a gain that is short of power is raised


def shortfall(report: Mapping[str, Any], metric: Metric, entry: Entry, name: str, asked: Thresholds) -> str:
    """The sentence on the headline metric, by the small-sample forms of `kernels.power`; "" without room to gain."""
    n, start = entry["n_paired"], "no change detected is not no change: "
    k = _rollouts(metric.before)
    least = max(MIN_PAIRED_TASKS, least_tasks(asked.alpha))
    if n < least:
        kind, what = ("paired", " cannot show one") if entry["paired"] else ("shared", ", compared unpaired")
        needs = f"a paired test of {name} at level {asked.level:.4g} needs at least {least} tasks"
        return f"{start}{n} {kind} tasks at k={k}{what}; {needs}, more for {asked.power:.0%} power"
    if metric.is_rate() and 1 - good_base(metric, entry) <= _ROUNDING:
        return ""
    tasks = f"{n} paired tasks at k={k}"
    return f"{start}{_can_show(metric, entry, tasks, name, asked)}{_needs(report, metric, entry, asked)}"


def _rollouts(sums: TaskSums) -> int:
    """Smallest rollout count among tasks with two or more, as `config` counts pass@1's; 1 if none."""
    repeated = sums.counts()[sums.counts() >= 2]
    return int(repeated.min()) if repeated.size else 1


def _can_show(metric: Metric, entry: Entry, tasks: str, name: str, asked: Thresholds) -> str:
    word = "drop" if metric.lower else "gain"
    if not metric.is_rate():
        return f"{tasks} leave a change of {name} anywhere within {interval(entry['ci95'])}"
    base = good_base(metric, entry)
    room, start = number(1 - base), number(entry["mean_a"])
    if is_full(metric, entry, asked):
        return f"{tasks} start at {name} {start}: a room of {room} is too little to size for {asked.power:.0%} power"
    effect = _gain_shown(metric, entry, base, asked)
    if effect is None:
        return f"{tasks} do not show even the whole {name} {word} of {room} from {start} in {asked.power:.0%} of evals"
    return f"{tasks} show a {name} {word} of {number(effect)} from {start} in {asked.power:.0%} of evals"


def _gain_shown(metric: Metric, entry: Entry, base: float, asked: Thresholds) -> float | None:
    """The least gain that these tasks show, by the model and by their own sd; None where it exceeds the room."""
    n, k = entry["n_paired"], _rollouts(metric.before)
    sd = float(metric.pair().differences().std(ddof=1))

    def is_short(effect: float) -> bool:
        if sd > _ROUNDING and small_sample_tasks(sd, effect, asked.alpha, asked.power) > n:
            return True
        few = n < _CHECKED_BELOW
        return few and reached_power(n, binomial_differences(base, effect, k), asked.alpha) < asked.power - _SHORT

    effect = small_sample_detectable(n, base, k, asked.alpha, asked.power)
    while effect is not None and 0 < effect <= 1 - base:
        if not is_short(effect):
            return effect
        effect *= _STEP
    return None


def _tasks_showing(metric: Metric, found: Spread, seen: float, asked: Thresholds) -> int:
    """The tasks that show the gain seen, checked where they are few on draws of the differences seen or modelled."""
    start = small_sample_tasks(found.sd, seen, asked.alpha, asked.power)
    if found.source == "model":
        draw = binomial_differences(BASE_PASS_RATE, min(seen, 1 - BASE_PASS_RATE), _rollouts(metric.before))
    else:
        draw = _redrawn(metric.pair().differences() * (-1.0 if metric.lower else 1.0))
    return tasks_reaching(start, draw, asked.alpha, asked.power)


def _redrawn(differences: NDArray[np.float64]) -> Draw:
    return lambda rng, shape: rng.choice(differences, shape)


def _needs(report: Mapping[str, Any], metric: Metric, entry: Entry, asked: Thresholds) -> str:
    found = spread(metric, entry, asked, report["config"]["before"]["k"])
    seen, normal = gain(entry), report["tasks_needed"]
    if found is None or seen is None or normal is None:
        return ""
    needed, n = _tasks_showing(metric, found, seen, asked), entry["n_paired"]
    word = "drop" if metric.lower else "gain"
    said = f"; the {word} of {number(seen)} seen needs {needed} tasks"
    if not metric.is_rate():
        said += f" for {asked.power:.0%} power"
    if found.source == "model":
        said += f", sized at an assumed base of {BASE_PASS_RATE:g}"
    if needed <= n:
        hidden = entry["gain_verdict"] == "b_better"
        why = "the spread of training seeds hides it" if hidden else f"{1 - asked.power:.0%} of such evals miss it"
        return f"{said} and {n} are in hand: {why}"
    by_normal = f" ({normal} by the normal formula)" if n < normal != needed else ""
    return f"{said}{by_normal}{'' if report['train_runs'] is None else ', the spread of seeds aside'}"
