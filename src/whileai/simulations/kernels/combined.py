"""One interval for a paired difference whose runs or training seeds vary beyond the rollouts drawn.

The variance over tasks already holds the noise of the rollouts, and so does a re-run floor or the spread of seeds.
Here that noise is counted once: a floor or a seed spread adds what the rollouts do not explain.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from whileai.simulations.kernels.intervals import MIN_VALUES, Interval
from whileai.simulations.kernels.quantiles import t_quantile

Floats = NDArray[np.float64]
MIN_SEEDS = 3


class Combined(NamedTuple):
    """The interval, the two-sided p of no difference, and the degrees of freedom of both."""

    interval: Interval
    p_value: float
    df: float


class Extra(NamedTuple):
    """Variance that is added: what the rollouts do not explain, and the whole estimate with its df (inf: known)."""

    excess: float
    estimate: float
    df: float


def floor_extra(floor: float, rollout_variance: float, runs_a: int, runs_b: int, df: float) -> Extra:
    """What a re-run floor adds to the difference of a mean of `runs_a` runs and a mean of `runs_b`.

    `rollout_variance` is the part of floor**2 that redrawing the rollouts of one run explains.

    >>> [round(part, 6) for part in floor_extra(0.05, 0.0009, 1, 1, 2)]
    [0.0032, 0.005, 2]
    """
    share = 1 / runs_a + 1 / runs_b
    return Extra(max(0.0, floor**2 - rollout_variance) * share, floor**2 * share, df)


def seeds_extra(arms: list[Floats]) -> Extra:
    """What training seeds add: arms of shape (seeds, tasks), the value of each task under each seed.

    Each arm adds its seeds' variance less the task-by-seed residual (quasi-F: Cornfield and Tukey 1956).

    >>> [round(part, 6) for part in seeds_extra([np.array([[0.0, 0.0], [0.3, 0.3], [0.6, 0.6]])])]
    [0.03, 0.03, 2]
    """
    excess, estimate, df = 0.0, 0.0, 0
    for values in arms:
        seeds, tasks = values.shape
        spread = float(values.mean(axis=1).var(ddof=1))
        beyond = max(0.0, spread - _residual(values) / tasks)
        if beyond > 0:
            excess += beyond / seeds
            estimate += spread / seeds
            df += seeds - 1
    return Extra(excess, estimate, df)


def _residual(values: Floats) -> float:
    """Mean square of the task-by-seed interaction."""
    seeds, tasks = values.shape
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    return float((rest**2).sum() / ((seeds - 1) * (tasks - 1)))


def combined_test(differences: Floats, extra: Extra, level: float) -> Combined | None:
    """The t interval of paired differences, shape (n,), with an extra variance; Satterthwaite 1946 df.

    None below 3 tasks and where nothing varies: without spread there is no interval to give.

    >>> found = combined_test(np.array([0.0, 0.25, 0.5, 0.25]), Extra(0.01, 0.01, 2), 0.95)
    >>> [round(end, 3) for end in found.interval], round(found.p_value, 3), round(found.df, 2)
    ([-0.121, 0.621], 0.143, 4.84)
    """
    n = differences.size
    if n < MIN_VALUES:
        return None
    tasks = float(differences.var(ddof=1)) / n
    total = tasks + extra.excess
    if total <= 1e-24:
        return None
    below = tasks**2 / (n - 1) + (extra.estimate**2 / extra.df if extra.excess > 0 else 0.0)
    df = total**2 / below if below > 0 else math.inf
    delta, error = float(differences.mean()), math.sqrt(total)
    half = t_quantile((1 + level) / 2, df) * error
    return Combined(Interval(delta - half, delta + half), float(2 * stdtr(df, -abs(delta) / error)), df)
