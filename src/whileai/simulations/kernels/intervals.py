"""Intervals for means over tasks; each function takes arrays or counts and gives `(low, high)`.

Coverage of each is measured in `tests/calibration`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.quantiles import beta_quantile, normal_quantile, t_quantile

Floats = NDArray[np.float64]
MIN_VALUES = 3


class Interval(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float


def clopper_pearson(successes: float, trials: float, level: float) -> Interval:
    """The exact binomial interval (Clopper and Pearson 1934); counts may be fractional (effective sample sizes).

    >>> [round(end, 4) for end in clopper_pearson(8, 10, 0.95)]
    [0.4439, 0.9748]
    """
    tail = (1 - level) / 2
    low = 0.0 if successes <= 0 else beta_quantile(tail, successes, trials - successes + 1)
    high = 1.0 if successes >= trials else beta_quantile(1 - tail, successes + 1, trials - successes)
    return Interval(low, high)


def wilson(successes: float, trials: float, level: float) -> Interval:
    """The score interval of one binomial proportion (Wilson 1927); (0, 1) without trials.

    >>> [round(end, 4) for end in wilson(8, 10, 0.95)]
    [0.4902, 0.9433]
    """
    if trials <= 0:
        return Interval(0.0, 1.0)
    z2 = normal_quantile((1 + level) / 2) ** 2
    rate = successes / trials
    centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    half = math.sqrt(z2 * (rate * (1 - rate) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    return Interval(max(0.0, min(centre - half, rate)), min(1.0, max(centre + half, rate)))


def unit_mean_interval(values: Floats, rollouts: float, level: float) -> Interval | None:
    """Interval for the mean of task values in [0, 1] (pass rates, k-way estimates, 0/1 markers); None below 3 values.

    `values` has shape (n,), one a task; `rollouts` is the harmonic mean of the tasks' rollout counts. All 0/1: exact
    binomial over tasks. All equal: a share of tasks may be of a kind not seen yet. Else the end near the boundary
    comes from the sampling error of the tasks seen (delta method on the logit, t quantile), and the far end blends
    it with an exact binomial at the effective number of tasks (Korn and Graubard 1998), since tasks of a kind not
    seen govern it. Never of zero width, always holds the mean.

    >>> [round(end, 3) for end in unit_mean_interval(np.array([0.25, 0.5, 0.75, 0.5]), 4, 0.95)]
    [0.214, 0.786]
    """
    n = values.size
    if n < MIN_VALUES:
        return None
    mean = float(values.mean())
    if bool(((values == 0) | (values == 1)).all()):
        return clopper_pearson(float(values.sum()), n, level)
    variance = float(values.var(ddof=1))
    if variance <= _ROUNDING:
        cover = ((1 - level) / 2) ** (1 / n)
        return _holding(mean, cover * mean, 1 - cover * (1 - mean))
    return two_ended(mean, variance, n, rollouts, level)


_ROUNDING = 1e-24  # variance of equal values that differ by rounding


def two_ended(mean: float, variance: float, n: float, rollouts: float, level: float) -> Interval:
    """Interval for a mean strictly between 0 and 1 from the variance of `n` (effective) task values.

    >>> two_ended(0.5, 0.25, 12, 1, 0.95).low > 0.2
    True
    """
    t = t_quantile((1 + level) / 2, n - 1)
    skew = abs(1 - 2 * mean)
    half = t * math.sqrt(variance / n) / (mean * (1 - mean))
    low, high = _expit(_logit(mean) - half), _expit(_logit(mean) + half)
    effective = _effective_tasks(mean, variance, n, rollouts, normal_quantile((1 + level) / 2) / t)
    tasks = effective ** (1 - skew**3) * n ** (skew**3)
    exact = clopper_pearson(mean * tasks, tasks, level)
    weight = math.sqrt(skew)
    if mean < 0.5:
        high = (1 - weight) * high + weight * exact.high
    elif mean > 0.5:
        low = (1 - weight) * low + weight * exact.low
    return _holding(mean, low, high)


def _effective_tasks(mean: float, variance: float, n: float, rollouts: float, quantile_ratio: float) -> float:
    wanted = mean * (1 - mean) * n / _smoothed(mean, variance, n) * quantile_ratio**2
    return min(max(wanted, n), n * max(rollouts, 1.0))


def smoothed_variance(values: Floats) -> float:
    """Sample variance of task values in [0, 1] with half a pseudo-task of 0/1 variance added: never 0.

    >>> round(smoothed_variance(np.zeros(5)), 4)
    0.0136
    """
    return _smoothed(float(values.mean()), float(values.var(ddof=1)), values.size)


def _smoothed(mean: float, variance: float, n: float) -> float:
    shrunk = (mean * n + 1) / (n + 2)
    return ((n - 1) * variance + shrunk * (1 - shrunk) / 2) / (n - 0.5)


def _logit(p: float) -> float:
    return math.log(p / (1 - p))


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def _holding(mean: float, low: float, high: float) -> Interval:
    return Interval(max(0.0, min(low, mean)), min(1.0, max(high, mean)))


def skewed_mean_interval(values: Floats, level: float) -> Interval | None:
    """Interval for the mean of values on any scale (lengths, counts); None below 3 values.

    Skewness-corrected t (Hall 1992): the t statistic is transformed by a cubic whose inverse has a closed form.
    Without skew it is the t interval; without spread both ends are the mean.

    >>> [round(end, 3) for end in skewed_mean_interval(np.array([1.0, 2.0, 3.0]), 0.95)]
    [-0.484, 4.484]
    """
    n = values.size
    if n < MIN_VALUES:
        return None
    if values.min() == values.max():
        return Interval(float(values[0]), float(values[0]))
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    t = t_quantile((1 + level) / 2, n - 1)
    lean = skewness(values)
    low, high = mean - sd * _hall(t, lean, n), mean - sd * _hall(-t, lean, n)
    return Interval(min(low, mean), max(high, mean))


def skewness(values: Floats) -> float:
    """Third central moment over the cubed sample deviation; 0 without spread.

    >>> skewness(np.array([1.0, 2.0, 3.0]))
    0.0
    """
    sd = float(values.std(ddof=1))
    return float((((values - values.mean()) / sd) ** 3).mean()) if sd > 0 else 0.0


def _hall(u: float, lean: float, n: int) -> float:
    standard = u / math.sqrt(n)
    if abs(lean) < 1e-6:
        return standard
    return 3 / lean * (math.cbrt(1 + lean * (standard - lean / (6 * n))) - 1)
