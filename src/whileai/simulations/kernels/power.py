"""Power of a paired comparison of task means: how many tasks show a gain, and which gain a number of tasks shows.

One task's paired difference has standard deviation `sd`; a gain of `effect` is shown by the two-sided test at `alpha`
in a share `power` of evaluations once n = ((z(1 - alpha/2) + z(power)) sd / effect)^2 (Miller 2024, arXiv:2411.00640,
section 5). That is the normal formula: the t and the sign-flip test need z(1 - alpha/2)^2 / 2 tasks more
(Guenther 1981), and `kernels.reached` checks that on drawn runs where tasks are few.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from whileai.simulations.kernels.quantiles import chi_square_quantile, normal_quantile
from whileai.simulations.kernels.signflip import least_tasks

_MIN_TASKS = 2
_MOST_ROOT = 1e150  # square root of the most tasks that a float holds


class SdRange(NamedTuple):
    """Ends of the interval on a standard deviation."""

    low: float
    high: float


def model_sd(base: float, effect: float, k: int) -> float:
    """Sd of a task's difference over k rollouts a side when every task goes from `base` to `base + effect`.

    >>> round(model_sd(0.6, 0.05, 4), 4)
    0.3419
    """
    after = min(1.0, base + effect)
    return math.sqrt((base * (1 - base) + after * (1 - after)) / k)


def concentrated_sd(base: float, effect: float, k: int) -> float:
    """The same when the fewest tasks that can carry the gain do, each going from `base` to 1.

    Without room above `base` it is `model_sd`.

    >>> round(concentrated_sd(0.0, 0.127, 4), 4)
    0.333
    """
    room = 1 - base
    if room <= 0:
        return model_sd(base, effect, k)
    gain = min(room, effect)
    share = gain / room
    one_side = base * (1 - base) / k
    return math.sqrt((2 - share) * one_side + gain**2 * (1 - share) / share)


def tasks_for(sd: float, effect: float, alpha: float, power: float) -> int:
    """Tasks by the normal formula, at least 2.

    >>> tasks_for(model_sd(0.6, 0.05, 4), 0.05, alpha=0.05, power=0.8)
    367
    """
    return max(_MIN_TASKS, math.ceil(_normal_tasks(sd, effect, alpha, power)))


def small_sample_tasks(sd: float, effect: float, alpha: float, power: float) -> int:
    """Tasks at which the t and the sign-flip test have the power, at least as many as either needs to reject at all.

    >>> small_sample_tasks(model_sd(0.6, 0.3, 4), 0.3, alpha=0.05, power=0.8)
    10
    """
    tasks = _normal_tasks(sd, effect, alpha, power) + _t_term(alpha)
    return max(least_tasks(alpha), math.ceil(tasks))


def half_width(sd: float, tasks: int, alpha: float) -> float:
    """Half of the normal interval at 1 - alpha on the mean difference of that many tasks.

    >>> round(half_width(0.38, 454, alpha=0.05), 4)
    0.035
    """
    return normal_quantile(1 - alpha / 2) * sd / math.sqrt(tasks)


def detectable(tasks: float, base: float, k: int, alpha: float, power: float) -> float:
    """The least gain that many tasks show: the root of effect = z model_sd(effect) / sqrt(tasks), at most 1.

    With c = z^2 / (k tasks) it solves (1 + c) e^2 - c (1 - 2 base) e - 2 c base (1 - base) = 0 while base + e stays
    below 1, and e^2 = c base (1 - base) beyond. 0 at base 1, where the model has no variance and there is no gain.

    >>> round(detectable(140, 0.6, 4, alpha=0.05, power=0.8), 4)
    0.0801
    """
    c = _z_sum(alpha, power) ** 2 / (k * tasks)
    spread = base * (1 - base)
    if c * base > 1 - base:
        return min(1.0, math.sqrt(c * spread))
    slope = c * (1 - 2 * base)
    return (slope + math.sqrt(slope**2 + 8 * c * (1 + c) * spread)) / (2 * (1 + c))


def small_sample_detectable(tasks: float, base: float, k: int, alpha: float, power: float) -> float | None:
    """The least gain that many tasks show by the t or the sign-flip test; None when they are too few to reject.

    >>> small = [small_sample_detectable(n, 0.6, 4, alpha=0.05, power=0.8) for n in (4, 20, 140)]
    >>> [None if gain is None else round(gain, 4) for gain in small]
    [None, 0.2072, 0.0806]
    """
    if tasks < least_tasks(alpha):
        return None
    return detectable(tasks - _t_term(alpha), base, k, alpha, power)


def sd_range(sd: float, n: int, level: float) -> SdRange:
    """Interval on the standard deviation behind n values with sample sd `sd`: (n-1) sd^2 over chi-square quantiles.

    >>> [round(end, 3) for end in sd_range(1.0, 8, 0.95)]
    [0.661, 2.035]
    """
    tail = (1 - level) / 2
    low, high = (sd * math.sqrt((n - 1) / chi_square_quantile(p, n - 1)) for p in (1 - tail, tail))
    return SdRange(low, high)


def _normal_tasks(sd: float, effect: float, alpha: float, power: float) -> float:
    root = _z_sum(alpha, power) * sd / effect
    if root > _MOST_ROOT:
        raise ValueError(f"no number of tasks shows a gain of {effect:g} at an sd of {sd:g}: ask for a larger effect")
    return root**2


def _z_sum(alpha: float, power: float) -> float:
    return max(0.0, normal_quantile(1 - alpha / 2) + normal_quantile(power))


def _t_term(alpha: float) -> float:
    return normal_quantile(1 - alpha / 2) ** 2 / 2
