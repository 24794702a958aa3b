"""Beside the documented rules: one test that counts the noise of the rollouts once, and flags over all metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.combined import MIN_SEEDS, Combined, combined_test, floor_extra, seeds_extra
from whileai.simulations.kernels.families import holm, step_down_p
from whileai.simulations.kernels.rollout_noise import rollout_variance
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.score.delta.arguments import ARMS, Thresholds
from whileai.simulations.score.delta.metrics import Entry, Metric, is_down, is_up
from whileai.simulations.score.delta.noise import Noise
from whileai.simulations.score.delta.seeds import Seeds

Floats = NDArray[np.float64]


def combined_keys(metric: Metric, entry: Entry, noise: Noise, seeds: Seeds | None, level: float) -> dict[str, Any]:
    """`combined_ci95`, `combined_p`, `combined_df`, `combined_rule` of the headline metric, None where undefined.

    From three seeds on each trained arm the seeds are combined, else the re-run floor of a paired metric.
    """
    found, rule = None, None
    if seeds is not None and _has_seeds(seeds):
        found, rule = _over_seeds(metric, seeds, level), "tasks + seeds beyond their rollouts"
    elif seeds is None and entry["paired"] and noise.std(metric.key) is not None:
        found, rule = _over_floor(metric, noise, level), "tasks + re-run floor beyond its rollouts"
    if found is None:
        return {"combined_ci95": None, "combined_p": None, "combined_df": None, "combined_rule": None}
    low, high = found.interval
    ends = (max(-1.0, low), min(1.0, high)) if metric.is_rate() else (low, high)
    df = None if math.isinf(found.df) else found.df
    return {
        "combined_ci95": ends,
        "combined_p": found.p_value,
        "combined_df": df,
        "combined_rule": f"{rule}: t(df={'inf' if df is None else format(df, '.1f')}) x sqrt of the summed variances",
    }


def _over_floor(metric: Metric, noise: Noise, level: float) -> Combined | None:
    floor = noise.floors[metric.key]
    assert floor is not None
    runs_a, runs_b = noise.counts
    explained = [
        runs * _rollouts(sums)
        for sums, runs in ((metric.before, max(1, noise.runs["before"])), (metric.after, max(1, noise.runs["after"])))
    ]
    df = math.inf if floor.df is None else floor.df
    extra = floor_extra(floor.std, sum(explained) / 2, runs_a, runs_b, df)
    return combined_test(metric.pair().differences(), extra, level)


def _rollouts(sums: TaskSums) -> float:
    """Variance of the mean by its rollouts alone; 0 (nothing explained) where it cannot be told."""
    if not sums.all_binary() or not sums.n:
        return 0.0
    return rollout_variance(sums.counts(), sums.sums().astype(np.int64)) or 0.0


def _has_seeds(seeds: Seeds) -> bool:
    return all(held is None or len(held) >= MIN_SEEDS for held in seeds.sums.values())


def _over_seeds(metric: Metric, seeds: Seeds, level: float) -> Combined | None:
    own = {"before": metric.before, "after": metric.after}
    held = {arm: seeds.sums[arm] or [own[arm]] for arm in ARMS}
    codes = reduce(np.intersect1d, (sums.codes() for sets in held.values() for sums in sets))
    if codes.size < 2:
        return None
    values = {arm: np.stack([_means_at(sums, codes) for sums in sets]) for arm, sets in held.items()}
    extra = seeds_extra([values[arm] for arm in ARMS if seeds.sums[arm] is not None])
    return combined_test(values["after"].mean(axis=0) - values["before"].mean(axis=0), extra, level)


def _means_at(sums: TaskSums, codes: NDArray[np.int64]) -> Floats:
    return sums.means()[np.searchsorted(sums.codes(), codes)]


def adjust(metrics: Mapping[str, Metric], entries: Mapping[str, Entry], asked: Thresholds) -> None:
    """Write `p_holm` and `p_family` (step-down maximum statistic) into every entry; None where there is no p."""
    for entry in entries.values():
        entry["p_holm"] = entry["p_family"] = None
    tested = [key for key, entry in entries.items() if entry["p_value"] is not None]
    if not tested:
        return
    raw = np.array([entries[key]["p_value"] for key in tested])
    together = np.maximum(raw, step_down_p(_differences([metrics[key] for key in tested]), asked.n_boot, asked.seed))
    for key, by_holm, by_maximum in zip(tested, holm(raw).tolist(), together.tolist(), strict=True):
        entries[key]["p_holm"], entries[key]["p_family"] = by_holm, by_maximum


def _differences(metrics: list[Metric]) -> Floats:
    pairs = [metric.pair() for metric in metrics]
    tasks = np.unique(np.concatenate([pair.codes for pair in pairs]))
    matrix = np.zeros((tasks.size, len(pairs)))
    for column, pair in enumerate(pairs):
        matrix[np.searchsorted(tasks, pair.codes), column] = pair.differences()
    return matrix


def family_keys(entries: Mapping[str, Entry], asked: Thresholds) -> dict[str, Any]:
    """`improved_holm` and `slipped_holm`: the flags that hold over the whole family of metrics."""
    sure = {key for key, entry in entries.items() if entry["p_holm"] is not None and entry["p_holm"] <= asked.alpha}
    return {
        "improved_holm": [key for key, entry in entries.items() if key in sure and is_up(entry)],
        "slipped_holm": [key for key, entry in entries.items() if key in sure and is_down(entry)],
    }
