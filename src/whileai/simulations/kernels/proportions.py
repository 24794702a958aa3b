"""Tests and sizes for shares of independent trials."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, ndtr

from whileai.simulations.kernels.intervals import Interval, wilson
from whileai.simulations.kernels.quantiles import normal_quantile

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
_GRID = 100  # steps of a share in `resolvable_share`
_NEAR = 1e-9  # rounding


def two_proportion_p(hits_a: int, n_a: int, hits_b: int, n_b: int) -> float:
    """Two-sided p that two shares are equal: pooled z test with the N - 1 factor, 1.0 when all or none are hits.

    Pearson 1947; Campbell 2007 finds that this keeps its level down to expected counts of 1.

    >>> round(two_proportion_p(2, 12, 9, 12), 4), two_proportion_p(3, 3, 9, 9)
    (0.005, 1.0)
    """
    n, hits = n_a + n_b, hits_a + hits_b
    variance = hits * (n - hits) / n * (1 / n_a + 1 / n_b) / (n - 1)
    if not variance:
        return 1.0
    return float(2 * ndtr(-abs(hits_a / n_a - hits_b / n_b) / math.sqrt(variance)))


def difference_interval(hits_a: int, n_a: int, hits_b: int, n_b: int, level: float) -> Interval:
    """Interval for how much greater the share of b is than that of a: Wilson's ends, squared and added (Newcombe 1998).

    >>> [round(end, 4) for end in difference_interval(48, 80, 56, 70, 0.95)]
    [0.0524, 0.3339]
    """
    a, b = hits_a / n_a, hits_b / n_b
    ends_a, ends_b = wilson(hits_a, n_a, level), wilson(hits_b, n_b, level)
    low = b - a - math.hypot(b - ends_b.low, ends_a.high - a)
    high = b - a + math.hypot(ends_b.high - b, a - ends_a.low)
    return Interval(low, high)


def clustered_two_proportion_p(hits: Bools, of_b: Bools, clusters: Ints) -> float:
    """Two-sided p that two shares are equal when the trials of a cluster may be alike.

    `hits`, the side `of_b` and the cluster codes have shape (n,). The score of the pooled test with its variance summed
    by cluster (Rao and Scott 1992; Boos 1992), or the test of independent trials where that finds less.

    >>> hits, of_b = np.array([True] * 10 + [False] * 10), np.arange(20) < 10
    >>> round(clustered_two_proportion_p(hits, of_b, np.arange(20)), 4)
    0.0
    >>> round(clustered_two_proportion_p(hits, of_b, np.arange(20) // 5), 4)
    0.0455
    """
    n_b, hits_b = int(of_b.sum()), int((hits & of_b).sum())
    independent = two_proportion_p(int(hits.sum()) - hits_b, hits.size - n_b, hits_b, n_b)
    off = np.bincount(clusters, (hits - hits.mean()) * (of_b - of_b.mean()))
    spread = math.sqrt(float(off @ off))
    if spread <= _NEAR:
        return 1.0
    return max(independent, float(2 * ndtr(-abs(float(off.sum())) / spread)))


def sign_test_p(up: int, down: int) -> float:
    """Two-sided exact p of the sign test that moves go either way alike; 1.0 without a move.

    >>> sign_test_p(5, 0), sign_test_p(3, 3)
    (0.0625, 1.0)
    """
    return min(1.0, 2 * float(bdtr(min(up, down), up + down, 0.5)))


def excess_p(hits: int, n: int, share: float) -> float:
    """One-sided exact p of so many hits or more when each of n trials is one with chance `share`.

    >>> round(excess_p(4, 40, 0.1), 4), excess_p(0, 40, 0.1)
    (0.5769, 1.0)
    """
    return float(bdtrc(hits - 1, n, share))


def resolvable_share(n: int, null: float, alpha: float, power: float) -> float:
    """The smallest share on a grid of 0.01 above `null` that n trials tell from it, 1.0 when none is.

    Normal approximation for one proportion, two-sided at `alpha` with `power` (Miller 2024, arXiv:2411.00640,
    section 5).

    >>> [resolvable_share(n, 0.1, 0.05, 0.8) for n in (1, 4, 8)]
    [0.92, 0.61, 0.46]
    """
    z, z_power = normal_quantile(1 - alpha / 2), normal_quantile(power)
    for step in range(math.floor(null * _GRID + _NEAR) + 1, _GRID):
        share = step / _GRID
        needed = (z * math.sqrt(null * (1 - null)) + z_power * math.sqrt(share * (1 - share))) / (share - null)
        if needed**2 <= n:
            return share
    return 1.0


def trials_for_bound(share: float, bound: float, level: float, most: int) -> int | None:
    """The fewest trials at which the low end of Wilson's interval for this share reaches `bound`; None beyond `most`.

    >>> trials_for_bound(1.0, 0.8, 0.95, 200), trials_for_bound(0.82, 0.8, 0.95, 200)
    (16, None)
    """
    if share < bound:
        return None
    return next((n for n in range(1, most + 1) if wilson(share * n, n, level).low >= bound), None)
