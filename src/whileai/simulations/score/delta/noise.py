"""The re-run floor of each metric, and the band inside which a delta is the evaluation's own noise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from whileai.simulations.kernels.quantiles import normal_quantile, t_quantile
from whileai.simulations.score.delta.arguments import check_compared
from whileai.simulations.score.delta.sides import Side
from whileai.simulations.score.stats.noise import noise_band

GIVEN, EVAL_RUN = "given", "eval_run"
NO_FLOOR = "no_replicate_floor"


@dataclass(frozen=True)
class Floor:
    """A run-to-run standard deviation and its degrees of freedom (None: taken as exact)."""

    std: float
    df: int | None


@dataclass(frozen=True)
class Noise:
    """Every metric's floor (None: none), where floors came from, and the evaluation runs of each side."""

    floors: Mapping[str, Floor | None]
    source: str | None
    runs: Mapping[str, int]
    level: float
    default_df: int | None

    @property
    def counts(self) -> tuple[int, int]:
        """Runs that each side's mean is over, at least 1."""
        return max(1, self.runs["before"]), max(1, self.runs["after"])

    def std(self, metric: str) -> float | None:
        """The floor of a metric."""
        floor = self.floors.get(metric)
        return None if floor is None else floor.std

    def df(self, metric: str) -> int | None:
        """Degrees of freedom of a metric's band; None where the floor is taken as exact."""
        floor = self.floors.get(metric)
        return self.default_df if floor is None else floor.df

    def band(self, metric: str) -> float | None:
        """The band of a metric, None without a floor."""
        floor = self.floors.get(metric)
        return None if floor is None else noise_band(floor.std, *self.counts, floor.df, level=self.level)

    def rule(self, metric: str) -> str:
        """The band in words: quantile and run counts."""
        df, probability = self.df(metric), (1 + self.level) / 2
        quantile = (
            f"{normal_quantile(probability):.2f}" if df is None else f"t(df={df})={t_quantile(probability, df):.2f}"
        )
        return "{} x run_std x sqrt(1/{} + 1/{})".format(quantile, *self.counts)

    def judged(self, metric: str, delta: float | None) -> dict[str, Any]:
        """The keys that a metric's entry gets."""
        band = self.band(metric)
        found: dict[str, Any] = {
            "run_std": self.std(metric),
            "noise_band": band,
            "within_noise": band is not None and delta is not None and abs(delta) < band,
        }
        return found if band is not None or self.source is None else {**found, "noise_note": NO_FLOOR}


def noise_of(
    sides: tuple[Side, Side],
    metrics: list[str],
    level: float,
    given: Mapping[str, float | None] | float | None,
    given_runs: int | None,
    row_sets: Mapping[str, int],
) -> Noise:
    """The floors: as given, else read off the rows when both sides carry two or more runs."""
    before, after = sides
    runs = {side.name: max(len(side.runs), row_sets[side.name]) for side in sides}
    if given is not None:
        df = None if given_runs is None else given_runs - 1
        stds = given if isinstance(given, Mapping) else dict.fromkeys(metrics, given)
        check_compared("run_std", stds, metrics)
        floors = {key: _floor(stds.get(key), df) for key in metrics}
        return Noise(floors, _source(floors, GIVEN), runs, level, df)
    if min(len(before.runs), len(after.runs)) < 2:
        return Noise(dict.fromkeys(metrics), None, runs, level, None)
    floors = {key: _pooled(run_means(before, key), run_means(after, key)) for key in metrics}
    return Noise(floors, _source(floors, EVAL_RUN), runs, level, len(before.runs) + len(after.runs) - 2)


def _floor(std: float | None, df: int | None) -> Floor | None:
    return None if std is None else Floor(std, df)


def _source(floors: Mapping[str, Floor | None], source: str) -> str | None:
    return source if any(floor is not None for floor in floors.values()) else None


def noise_keys(noise: Noise, headline: str, given_runs: int | None) -> dict[str, Any]:
    """The report keys of the floors."""
    return {
        "run_std": noise.std(headline),
        "run_std_by_metric": {key: noise.std(key) for key in noise.floors},
        "run_std_source": noise.source,
        "run_std_runs": given_runs,
        "run_std_df": noise.df(headline),
        "noise_band": noise.band(headline),
        "noise_rule": noise.rule(headline),
        "eval_runs": dict(noise.runs),
        "replicated": noise.std(headline) is not None,
    }


def run_means(side: Side, metric: str) -> list[float | None]:
    """The mean over tasks in each run of a side, None in a run without a value."""
    sums, stride = side.sums_by_run(metric)
    means, of_run = sums.means(), sums.codes() // stride
    tasks = np.bincount(of_run, minlength=len(side.runs))
    totals = np.bincount(of_run, weights=means, minlength=len(side.runs))
    return [float(total / n) if n else None for total, n in zip(totals, tasks, strict=True)]


def _pooled(*sides: list[float | None]) -> Floor | None:
    square, df = 0.0, 0
    for found in sides:
        means = np.array([mean for mean in found if mean is not None])
        if means.size < 2:
            return None
        square += float(means.var(ddof=1)) * (means.size - 1)
        df += means.size - 1
    return Floor(math.sqrt(square / df), df)
