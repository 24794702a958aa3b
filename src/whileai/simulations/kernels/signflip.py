"""The paired sign-flip test of a mean difference, and the interval that inverts it with the same draws.

Flipping the signs of the differences in a set S makes the flipped sum no smaller than the observed one exactly when
the mean over S is at most 0, and, tested at theta, at most theta. The means over random subsets S are therefore the
whole null distribution for every theta at once (Hartigan 1969, typical values), so that test, interval and verdict
cannot disagree.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtr

from whileai.simulations.kernels.intervals import MIN_VALUES, Interval
from whileai.simulations.kernels.quantiles import normal_quantile, t_quantile

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_MOST_COMBINATIONS = 200_000
_MOST_LEVELS = 4096  # distinct differences beyond which the subset means are normal to any digit printed
_TIE = 9  # decimals, at the scale of the largest difference, to which means of subsets are one value
_SAME = 12  # decimals to which differences are: finer, so that their rounding splits no tie of means
_JUST_ABOVE = 1e-200  # an end that the test puts beyond 0 and rounding put at 0
_DRAWS_IN_TAILS = 40  # draws beyond the two ends of the level: fewer could give a verdict that no p supports
_DRAWS_IN_FINE_TAILS = 1000  # where that is cheap: Holm asks for a tenth of the level, and a seed is one sample
_CHEAP = 2**20  # draws times distinct differences
_MOST_DRAWS = 400_000  # beyond it (levels over .9999) the normal limit speaks for the tails


class PairedTest(NamedTuple):
    """What the paired test says: two-sided p (mid-p), the interval, and the tasks the level needs at least."""

    p_value: float
    interval: Interval
    tasks_needed: int


class SubsetMeans(NamedTuple):
    """The null distribution: distinct subset means, ascending, and their interpolated mid-distribution."""

    means: Floats
    mid: Floats
    floor: float


def paired_test(differences: Floats, level: float, draws: int, seed: int) -> PairedTest | None:
    """Test and interval for the mean of paired differences, shape (n,); None below 3.

    n tasks reach p = 2**-n at best. With fewer than the level needs, the interval is the t interval, stretched to
    reach 0, so that no verdict is read from it.

    >>> found = paired_test(np.array([0.25, 0.5, 0.25, 0.75, 0.5, 0.25]), 0.95, 2000, 0)
    >>> round(found.p_value, 4), [round(end, 3) for end in found.interval]
    (0.0156, [0.25, 0.7])
    """
    n = differences.size
    if n < MIN_VALUES:
        return None
    alpha, needed = 1 - level, least_tasks(1 - level)
    scale = _scale(differences)
    upward = differences / scale if differences.sum() >= 0 else -differences / scale
    p_value, ends = _upward_test(upward, alpha, max(draws, math.ceil(_DRAWS_IN_TAILS / alpha)), seed)
    if n < needed:
        return PairedTest(p_value, _undecided(differences, level), needed)
    low, high = scale * ends.low, scale * ends.high
    return PairedTest(p_value, Interval(low, high) if differences.sum() >= 0 else Interval(-high, -low), needed)


def _scale(differences: Floats) -> float:
    """A power of two near the largest difference: what is a tie does not depend on the unit."""
    most = float(np.abs(differences).max())
    return float(2.0 ** math.floor(math.log2(most))) if most > 0 else 1.0


def _upward_test(differences: Floats, alpha: float, draws: int, seed: int) -> tuple[float, Interval]:
    """`(p, interval)` of differences whose sum is not negative, so that swapped runs mirror each other exactly."""
    mean = float(differences.mean())
    values, counts = np.unique(np.round(differences, _SAME), return_counts=True)
    if values.size > _MOST_LEVELS or (draws > _MOST_DRAWS and _combinations(counts) > _MOST_COMBINATIONS):
        return _normal_p(differences), _normal_interval(differences, 1 - alpha)
    fine = min(math.ceil(_DRAWS_IN_FINE_TAILS / alpha), _CHEAP // values.size)
    null = subset_means(values, counts, max(draws, fine), seed)
    p_value = _p_value(null, differences, bool(abs(float(values @ counts)) < 10**-_TIE * differences.size))
    low = float(np.interp(alpha / 2, null.mid, null.means))
    high = float(np.interp(1 - alpha / 2, null.mid, null.means))
    if (p_value <= alpha) != (low > 0):  # p is alpha up to rounding: the test decides
        low = _JUST_ABOVE if p_value <= alpha else 0.0
    return p_value, Interval(min(low, mean), max(high, mean))


def least_tasks(alpha: float) -> int:
    """The fewest tasks whose smallest p, 2**-n, is at most alpha.

    >>> least_tasks(0.05), least_tasks(0.01)
    (5, 7)
    """
    return max(1, math.ceil(-math.log2(alpha) - 1e-12))


def subset_means(values: Floats, counts: Ints, draws: int, seed: int) -> SubsetMeans:
    """The means over random subsets of differences given as distinct `values` and their `counts`.

    Exact while the combinations of counts are few, else `draws` subsets: each value is in the subset a binomial
    number of times, so the cost depends on the distinct values and not on the tasks.
    """
    exact = _combinations(counts) <= _MOST_COMBINATIONS
    sums, sizes, weights = _enumerated(values, counts) if exact else _drawn(values, counts, draws, seed)
    filled = sizes > 0
    means = np.round(sums[filled] / sizes[filled], _TIE)
    distinct, place = np.unique(means, return_inverse=True)
    mass = np.bincount(place, weights=weights[filled], minlength=distinct.size)
    total = 1.0 if exact else float(filled.sum() + 1)
    empty = float(weights[~filled].sum()) if exact else 1.0
    below = np.concatenate([[0.0], np.cumsum(mass)[:-1]])
    return SubsetMeans(distinct, (empty / 2 + below + mass / 2) / total, empty / 2 / total)


def _combinations(counts: Ints) -> int:
    return math.prod(int(count) + 1 for count in counts)


def _enumerated(values: Floats, counts: Ints) -> tuple[Floats, Floats, Floats]:
    sums, sizes, weights = np.zeros(1), np.zeros(1), np.ones(1)
    for value, count in zip(values, counts, strict=True):
        taken = np.arange(count + 1, dtype=np.float64)
        chance = _half_chances(int(count))
        sums = (sums[:, None] + value * taken).reshape(-1)
        sizes = (sizes[:, None] + taken).reshape(-1)
        weights = (weights[:, None] * chance).reshape(-1)
    return sums, sizes, weights


def _half_chances(count: int) -> Floats:
    """The chance of 0..count heads of that many fair coins; from log factorials where whole numbers grow too large."""
    if count <= 64:
        return np.array([math.comb(count, heads) / 2**count for heads in range(count + 1)])
    heads = np.arange(count + 1, dtype=np.float64)
    chances: Floats = np.exp(gammaln(count + 1) - gammaln(heads + 1) - gammaln(count - heads + 1) - count * math.log(2))
    return chances


def _drawn(values: Floats, counts: Ints, draws: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """Random subsets, each with its complement: as many, and less noise."""
    rng = np.random.default_rng(seed)
    half = -(-draws // 2)
    sums, sizes = np.zeros(half), np.zeros(half)
    for value, count in zip(values, counts, strict=True):
        taken = rng.binomial(count, 0.5, half)
        sums += value * taken
        sizes += taken
    total, n = float(values @ counts), float(counts.sum())
    return np.concatenate([sums, total - sums]), np.concatenate([sizes, n - sizes]), np.ones(2 * half)


def _p_value(null: SubsetMeans, differences: Floats, balanced: bool) -> float:
    if balanced:
        return 1.0
    at_zero = float(np.interp(0.0, null.means, null.mid, left=null.floor, right=1 - null.floor))
    p_value = min(1.0, 2 * min(at_zero, 1 - at_zero))
    if at_zero > null.floor:
        return p_value
    # No subset reaches 0: the draws say "at most one in so many", the normal limit says how many.
    return max(2.0**-differences.size, min(p_value, _normal_p(differences)))


def _undecided(differences: Floats, level: float) -> Interval:
    mean, n = float(differences.mean()), differences.size
    half = t_quantile((1 + level) / 2, n - 1) * float(differences.std(ddof=1)) / math.sqrt(n)
    return Interval(min(mean - half, 0.0), max(mean + half, 0.0))


def _normal_p(differences: Floats) -> float:
    return float(2 * ndtr(-abs(float(differences.sum())) / math.sqrt(float((differences**2).sum()))))


def _normal_interval(differences: Floats, level: float) -> Interval:
    """The interval that inverts `_normal_p`; so few tasks that no p of it reaches the level give no verdict."""
    z, n = normal_quantile((1 + level) / 2), differences.size
    if n <= z * z:
        return _undecided(differences, level)
    half = z * float(differences.std()) / math.sqrt(n - z * z)
    mean = float(differences.mean())
    return Interval(mean - half, mean + half)


def these_tasks_p(passes_a: Ints, rollouts_a: Ints, passes_b: Ints, rollouts_b: Ints) -> float | None:
    """Two-sided p for "did anything change on these very tasks", from the counts of each shared task.

    Within a task the rollouts of both runs are exchangeable, so run b's passes given the total are hypergeometric
    (Mantel and Haenszel 1959), with a continuity correction of 1/4. It has power from 3 tasks on, but says nothing
    of other tasks. None when no task can vary.

    >>> round(these_tasks_p(np.array([0, 1, 0]), np.array([4, 4, 4]), np.array([3, 4, 2]), np.array([4, 4, 4])), 4)
    0.0022
    """
    k = rollouts_a + rollouts_b
    total = passes_a + passes_b
    spread = float((total * (k - total) * rollouts_a * rollouts_b / (k**2 * np.maximum(k - 1, 1))).sum())
    if spread <= 0:
        return None
    away = abs(float((passes_b - total * rollouts_b / k).sum()))
    return float(2 * ndtr(-max(away - 0.25, 0.0) / math.sqrt(spread)))
