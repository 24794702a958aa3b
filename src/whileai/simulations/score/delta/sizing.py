"""How many tasks would show the gain seen, and which gain these tasks can show."""

from __future__ import annotations

from typing import Any

from whileai.simulations.defaults import BASE_PASS_RATE, MIN_CI_TASKS
from whileai.simulations.kernels.power import model_sd, tasks_for
from whileai.simulations.score.delta.arguments import Thresholds
from whileai.simulations.score.delta.metrics import Entry, Metric, gain
from whileai.simulations.score.stats.sizing import detectable_effect

_ROUNDING = 1e-9  # a delta or a deviation below this is 0


def sizing_keys(metric: Metric, entry: Entry, passes: Entry, k: int, asked: Thresholds) -> dict[str, Any]:
    """`detectable_effect` of the paired tasks on pass@1, and `tasks_needed` with its source for the headline gain."""
    base = BASE_PASS_RATE if passes["mean_a"] is None else passes["mean_a"]
    needed, source = _tasks_needed(metric, entry, k, asked)
    return {
        "detectable_effect": detectable_effect(passes["n_paired"], base, k, power=asked.power, alpha=asked.alpha),
        "tasks_needed": needed,
        "tasks_needed_source": source,
    }


def _tasks_needed(metric: Metric, entry: Entry, k: int, asked: Thresholds) -> tuple[int | None, str | None]:
    seen = gain(entry)
    if seen is None or not _ROUNDING < seen < 1:
        return None, None
    base = 1 - entry["mean_a"] if metric.lower else entry["mean_a"]
    differences = metric.pair().differences()
    sd = float(differences.std(ddof=1)) if differences.size >= MIN_CI_TASKS else 0.0
    full = metric.is_rate() and base >= asked.ceiling_pass_rate
    if sd > _ROUNDING and not full:
        return tasks_for(sd, seen, asked.alpha, asked.power), "rows"
    if not metric.is_rate():
        return None, None
    measurable = differences.size < MIN_CI_TASKS and not full
    sd = model_sd(base if measurable else BASE_PASS_RATE, seen, k)
    return (tasks_for(sd, seen, asked.alpha, asked.power), "model") if sd > _ROUNDING else (None, None)
