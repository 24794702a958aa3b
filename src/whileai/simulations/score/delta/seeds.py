"""Training seeds: what the spread between separately trained models does to the headline delta."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from whileai.simulations.defaults import MIN_TRAIN_SEEDS
from whileai.simulations.kernels.quantiles import t_quantile
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.score.delta.arguments import ARMS
from whileai.simulations.score.delta.metrics import Ends, Metric

SumsOf = Callable[[str], TaskSums]  # of a metric, summed by task, over the rows of one training seed


@dataclass(frozen=True)
class Seeds:
    """The seeds of each arm as per-task sums of the headline metric (None: untrained), and what they say."""

    sums: Mapping[str, list[TaskSums] | None]
    means: Mapping[str, list[float] | None]
    delta: float | None = None
    ends: Ends | None = None
    df: int | None = None
    std: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def resolved(self) -> bool:
        """Whether every trained arm has the seeds that a spread needs."""
        return all(means is None or len(means) >= MIN_TRAIN_SEEDS for means in self.means.values())

    @property
    def counts(self) -> dict[str, int | None]:
        """Measured seeds of each arm, None for an untrained one."""
        return {arm: None if means is None else len(means) for arm, means in self.means.items()}

    @property
    def rule(self) -> str | None:
        """How the interval was widened, in words."""
        if self.df is None:
            return None
        terms = " + ".join(f"{arm} std^2/{n}" for arm, n in self.counts.items() if n is not None)
        return f"sqrt(half-width^2 + t(df={self.df})^2 x ({terms}))"


def seeds_of(sets: Mapping[str, list[SumsOf] | None], metric: Metric, ends: Ends | None, level: float) -> Seeds:
    """The across-seed delta of the headline metric, and its interval widened by the spread between seeds."""
    sums = {arm: None if held is None else _measured(held, metric.key) for arm, held in sets.items()}
    means = {arm: None if held is None else [_mean(seed) for seed in held] for arm, held in sums.items()}
    std = {arm: None if held is None or len(held) < 2 else float(np.std(held, ddof=1)) for arm, held in means.items()}
    bare = Seeds(sums, means, std=std)
    centres = {
        arm: _mean(own) if means[arm] is None and own.n else float(np.mean(means[arm] or math.nan))
        for arm, own in zip(ARMS, (metric.before, metric.after), strict=True)
    }
    delta = centres["after"] - centres["before"]
    if not bare.resolved or math.isnan(delta):
        return bare
    df = sum(len(held) - 1 for held in means.values() if held is not None)
    spread = sum(float(np.var(held, ddof=1)) / len(held) for held in means.values() if held is not None)
    widened = _widened(delta, ends, df, spread, level)
    if widened is not None and metric.is_rate() and all(s.within_unit() for held in sums.values() for s in held or ()):
        widened = max(-1.0, widened[0]), min(1.0, widened[1])
    return Seeds(sums, means, delta, widened, df, std)


def _widened(delta: float, ends: Ends | None, df: int, spread: float, level: float) -> Ends | None:
    if ends is None:
        return None
    half = math.hypot((ends[1] - ends[0]) / 2, t_quantile((1 + level) / 2, df) * math.sqrt(spread))
    return delta - half, delta + half


def _measured(sets: list[SumsOf], metric: str) -> list[TaskSums]:
    return [sums for sums in (sums_of(metric) for sums_of in sets) if sums.n]


def _mean(sums: TaskSums) -> float:
    return float(sums.means().mean())


def seed_keys(seeds: Seeds | None) -> dict[str, Any]:
    """The report keys of the training seeds."""
    return {
        "train_runs": None if seeds is None else seeds.counts,
        "train_std": None if seeds is None else dict(seeds.std),
        "train_df": None if seeds is None else seeds.df,
        "train_delta": None if seeds is None else seeds.delta,
        "train_ci95": None if seeds is None else seeds.ends,
        "train_rule": None if seeds is None else seeds.rule,
    }
