"""How two columns go together."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from whileai.simulations.kernels.intervals import MIN_VALUES, Interval
from whileai.simulations.kernels.quantiles import t_quantile

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MIN_POINTS = 3  # fewer points give no correlation


def pearson(x: Floats, y: Floats) -> float | None:
    """Pearson's correlation of two columns of finite numbers, shape (n,); None under 3 points or for a constant one.

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])), 3)
    0.982
    """
    if x.size < MIN_POINTS or x.min() == x.max() or y.min() == y.max():
        return None
    left, right = _unit_spread(x), _unit_spread(y)
    scale = math.sqrt(float(left @ left) * float(right @ right))
    return max(-1.0, min(1.0, float(left @ right) / scale))


def pearson_interval(x: Floats, y: Floats, tasks: Ints, level: float) -> Interval | None:
    """Interval over tasks for `pearson(x, y)`, which it holds; None where that is None or +-1, or below 3 tasks.

    `tasks` numbers the task of each point. The variance is that of the influences of the points (Hampel 1974) summed
    by task, on Fisher's scale, with as many degrees of freedom as tasks carry it (Satterthwaite 1946): of a thing that
    is there in few tasks little is known.

    >>> x, y = np.array([0, 0, 1, 1, 1, 0, 1, 0.0]), np.array([0, 0, 1, 1, 0, 0, 1, 1.0])
    >>> [round(end, 2) for end in pearson_interval(x, y, np.arange(8), 0.95)]
    [-0.63, 0.95]
    """
    found = pearson(x, y)
    if found is None or abs(found) == 1:
        return None
    left, right = (side / math.sqrt(float((side**2).mean())) for side in (_unit_spread(x), _unit_spread(y)))
    influences = left * right - found * (left**2 + right**2) / 2
    sums = np.bincount(np.unique(tasks, return_inverse=True)[1], weights=influences)
    squares, n = sums**2, sums.size
    total, fourth = float(squares.sum()), float((squares**2).sum())
    if n < MIN_VALUES or not fourth:
        return None
    error = math.sqrt(n / (n - 1) * total) / x.size / (1 - found**2)
    half = error * t_quantile((1 + level) / 2, min(n - 1.0, max(1.0, total**2 / fourth)))
    middle = math.atanh(found)
    return Interval(min(math.tanh(middle - half), found), max(math.tanh(middle + half), found))


def _unit_spread(values: Floats) -> Floats:
    """Values about their mean, scaled to at most 1, so that no product overflows or vanishes."""
    scaled = values / np.abs(values).max()
    centred = scaled - scaled.mean()
    return np.asarray(centred / np.abs(centred).max())


def phi(both: int, first_only: int, second_only: int, neither: int) -> float | None:
    """Pearson's correlation of two yes/no columns from their 2 x 2 counts; None under 3 points or for a constant one.

    >>> phi(5, 0, 0, 5), phi(2, 2, 2, 2), phi(4, 0, 4, 0)
    (1.0, 0.0, None)
    """
    first, second = both + first_only, both + second_only
    n = first + second_only + neither
    if n < MIN_POINTS or not (0 < first < n and 0 < second < n):
        return None
    return (both * neither - first_only * second_only) / math.sqrt(first * (n - first) * second * (n - second))


def fisher_above(both: int, first_only: int, second_only: int, neither: int) -> float:
    """One-sided p of Fisher's exact test that two yes/no columns go together, from their 2 x 2 counts.

    >>> round(fisher_above(3, 0, 0, 3), 3)
    0.05
    """
    first, second = both + first_only, both + second_only
    n = first + second_only + neither
    shared = np.arange(both, min(first, second) + 1)
    log_chances = _log_choose(first, shared) + _log_choose(n - first, second - shared) - _log_choose(n, second)
    return min(1.0, float(np.exp(log_chances).sum()))


def _log_choose(n: int, k: NDArray[np.int64] | int) -> Floats:
    return np.asarray(gammaln(n + 1) - gammaln(np.asarray(k) + 1) - gammaln(n - np.asarray(k) + 1))
