"""How many tasks would show the gain seen, and which gain these tasks can show."""

from __future__ import annotations

from typing import Any, NamedTuple

from whileai.simulations.defaults import BASE_PASS_RATE, MIN_CI_TASKS
from whileai.simulations.kernels.power import model_sd, tasks_for
from whileai.simulations.score.delta.arguments import Thresholds
from whileai.simulations.score.delta.metrics import Entry, Metric, gain
from whileai.simulations.score.stats.sizing import detectable_effect

_ROUNDING = 1e-9  # a delta or a deviation below this is 0
_MOST_SPREAD = 1e7  # sds for each unit of the gain, beyond which no number of tasks is worth naming


class Spread(NamedTuple):
    """The sd of a task's difference, and whether `"rows"` or the binomial `"model"` gave it."""

    sd: float
    source: str


def sizing_keys(metric: Metric, entry: Entry, passes: Entry, k: int, asked: Thresholds) -> dict[str, Any]:
    """`detectable_effect` of the paired tasks on pass@1, and `tasks_needed` with its source for the headline gain."""
    base = BASE_PASS_RATE if passes["mean_a"] is None else passes["mean_a"]
    found, seen = spread(metric, entry, asked, k), gain(entry)
    sized = None if found is None or seen is None else tasks_for(found.sd, seen, asked.alpha, asked.power)
    return {
        "detectable_effect": detectable_effect(passes["n_paired"], base, k, power=asked.power, alpha=asked.alpha),
        "tasks_needed": sized,
        "tasks_needed_source": None if found is None else found.source,
    }


def spread(metric: Metric, entry: Entry, asked: Thresholds, k: int) -> Spread | None:
    """The sd that the gain seen is sized with; None when no gain between 0 and 1 was seen, or nothing gives one."""
    seen = gain(entry)
    if seen is None or not _ROUNDING < seen < 1:
        return None
    differences = metric.pair().differences()
    sd = float(differences.std(ddof=1)) if differences.size >= MIN_CI_TASKS else 0.0
    full = is_full(metric, entry, asked)
    if sd > _MOST_SPREAD * seen:
        return None
    if sd > _ROUNDING and not full:
        return Spread(sd, "rows")
    if not metric.is_rate():
        return None
    measurable = differences.size < MIN_CI_TASKS and not full
    sd = model_sd(good_base(metric, entry) if measurable else BASE_PASS_RATE, seen, k)
    return Spread(sd, "model") if _ROUNDING < sd <= _MOST_SPREAD * seen else None


def good_base(metric: Metric, entry: Entry) -> float:
    """The before mean, turned so that up is good: 1 less it is the room of a rate."""
    mean: float = entry["mean_a"]
    return 1 - mean if metric.lower else mean


def is_full(metric: Metric, entry: Entry, asked: Thresholds) -> bool:
    """Whether a rate starts so high that its own rows size nothing."""
    return metric.is_rate() and good_base(metric, entry) >= asked.ceiling_pass_rate
