"""The power that the paired sign-flip test really has with few tasks, and the count at which it has the power asked.

The normal formula with its t term takes differences to be normal and p-values to be continuous. With few tasks neither
holds: pass rates take k + 1 values, and p comes in steps of 2^-n. Here differences are drawn (same seed every time) and
`signflip.paired_test` is worked out for all of the draws at once.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]

_FEWEST_UNCHECKED = 60  # tasks from which the formula is within 2 points of its power; measured
_RUNS = 4000  # evaluations drawn at each count
_SLACK = 1.5  # standard errors of those draws by which the power may look short
_MOST_LISTED = 8  # tasks up to which every subset is listed; beyond, the step between two p-values no longer matters
_STEPS = 16  # steps of a whole-number grid from 0 to the largest difference
_TOGETHER = 100  # evaluations worked out at once, so that their terms stay in the near cache
_FAR = 1e3  # sds from 0 at which every difference is a gain
_MOST_STEPS = 64  # rollouts above which a task's pass rate is as good as continuous
_NEWTON_STEPS = 50
_CLOSE = 1e-6
_TIE = 1e-9
_ROUNDING = 1e-12  # by which a p that is alpha may look larger


def binomial_differences(base: float, effect: float, k: int) -> Draw:
    """Draws of the change in passes of k rollouts, every task going from `base` to `base + effect`."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
        after, before = rng.binomial(k, base + effect, shape), rng.binomial(k, base, shape)
        return (after - before).astype(np.float64)

    return draw


def rate_differences(sd: float, effect: float, k: int) -> Draw:
    """Draws of the change in passes of k rollouts whose rate has that mean and sd, as near to normal as can be.

    Normal draws where k is so large that its steps do not matter, or where no change of k rollouts has that sd.
    """
    sd = max(sd, effect / _FAR)
    chances = _chances(sd, effect, k) if k <= _MOST_STEPS else None
    if chances is None:
        return lambda rng, shape: rng.normal(effect / sd, 1.0, shape)
    ends = chances.cumsum()[:-1]
    return lambda rng, shape: (np.searchsorted(ends, rng.random(shape), side="right") - k).astype(np.float64)


def tasks_reaching(start: int, draw: Draw, alpha: float, power: float) -> int:
    """The first count from `start` on at which the test has the power; a `start` of 60 or more is right unchecked.

    >>> tasks_reaching(5, binomial_differences(0.6, 0.4, 4), alpha=0.05, power=0.8)
    6
    """
    if start >= _FEWEST_UNCHECKED:
        return start
    enough = power - _SLACK * math.sqrt(power * (1 - power) / _RUNS)
    short, step = start - 1, 1
    while reached_power(short + step, draw, alpha) < enough:
        short, step = short + step, step * 2
    found = range(short + 1, short + step)
    return short + 1 + bisect_left(found, True, key=lambda tasks: reached_power(tasks, draw, alpha) >= enough)


def reached_power(tasks: int, draw: Draw, alpha: float) -> float:
    """The share of drawn evaluations in which the two-sided test at `alpha` shows a gain.

    >>> round(reached_power(5, binomial_differences(0.6, 0.4, 4), alpha=0.05), 1)
    0.5
    """
    return float((gain_p(draw(np.random.default_rng(0), (_RUNS, tasks))) <= alpha / 2 + _ROUNDING).mean())


def gain_p(differences: Floats) -> Floats:
    """The one-sided mid-p of a gain of each row, shape (evaluations,), for differences of shape (evaluations, tasks).

    >>> gain_p(np.array([[0.25, 0.5, 0.25, 0.75, 0.5, 0.25], [1.0, 1.0, 0.0, 1.0, 1.0, -1.0]])).round(4).tolist()
    [0.0078, 0.1094]
    """
    return _listed(differences) if differences.shape[1] <= _MOST_LISTED else _summed(_whole(differences))


def _listed(differences: Floats) -> Floats:
    """From the means of every subset of tasks, interpolated at 0 between its neighbours as `signflip` does."""
    n = differences.shape[1]
    subsets = (np.arange(1, 2**n)[:, None] >> np.arange(n)) & 1
    means = differences @ subsets.T / subsets.sum(axis=1)
    below, at = (means < -_TIE).sum(axis=1), (np.abs(means) <= _TIE).sum(axis=1)
    rank = 0.5 + below + at / 2
    between = (at == 0) & (below > 0) & (below < means.shape[1])
    means = means[between]
    low = np.where(means < 0, means, -np.inf).max(axis=1)
    high = np.where(means > 0, means, np.inf).min(axis=1)
    at_low, at_high = ((np.abs(means - end[:, None]) <= _TIE).sum(axis=1) / 2 for end in (low, high))
    rank[between] += (at_high * -low - at_low * high) / (high - low)
    p: Floats = rank / 2**n
    return p


def _whole(differences: Floats) -> NDArray[np.int64]:
    """On a grid of whole numbers, unchanged where they are small whole numbers."""
    most = float(np.abs(differences).max())
    unit = 1.0 if most <= _STEPS and (differences == np.rint(differences)).all() else most / _STEPS
    return np.rint(differences / (unit or 1.0)).astype(np.int64)


def _summed(differences: NDArray[np.int64]) -> Floats:
    """From the chance that a random subset sums to below 0, plus half of the chance of 0.

    The sum has the characteristic function exp(i t total / 2) prod cos(t d / 2); with L the largest sum of |d|, it is
    inverted at the 2 L + 1 frequencies of its whole-number range, of which those at t and -t are taken together.
    """
    sizes = np.abs(differences)
    most = int(sizes.sum(axis=1).max())
    wave, period = np.arange(1, most + 1), 2 * most + 1
    half = np.pi * wave / period
    weights = (np.cos(half) - (-1.0) ** wave) / np.sin(half) / period
    cosines = np.cos(np.outer(np.arange(sizes.max() + 1), half))
    p = np.full(len(differences), 0.5)
    for at in range(0, len(p), _TOGETHER):
        few = slice(at, at + _TOGETHER)
        terms = weights * np.sin(np.outer(differences[few].sum(axis=1), half))
        for size in sizes[few].T:
            terms *= cosines[size]
        p[few] -= terms.sum(axis=1)
    return p


def _chances(sd: float, effect: float, k: int) -> Floats | None:
    """The chances of most entropy of -k..k steps of 1/k with that mean and sd, by Newton; None where there are none."""
    away = (np.arange(-k, k + 1) / k - effect) / sd
    moments, wanted = np.stack([away, away**2]), np.array([0.0, 1.0])
    slopes = np.array([0.0, -0.5])
    for _ in range(_NEWTON_STEPS):
        log_total, chances = _normalised(slopes @ moments)
        found = moments @ chances
        if np.abs(wanted - found).max() < _CLOSE:
            return chances
        spread = (moments * chances) @ moments.T - np.outer(found, found)
        step = np.linalg.lstsq(spread, wanted - found, rcond=None)[0]
        while _normalised((slopes + step) @ moments)[0] - (slopes + step) @ wanted > log_total - slopes @ wanted:
            step /= 2
            if np.abs(step).max() < _CLOSE**2:
                return None
        slopes = slopes + step
    return None


def _normalised(logs: Floats) -> tuple[float, Floats]:
    """The log of the sum of exponentials, and their shares of it."""
    top = float(logs.max())
    shares = np.exp(logs - top)
    return top + math.log(shares.sum()), shares / shares.sum()
