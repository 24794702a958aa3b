"""The difference of two means over different tasks (Welch t, Satterthwaite 1946 degrees of freedom)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.intervals import MIN_VALUES, Interval, smoothed_variance
from whileai.simulations.kernels.quantiles import t_quantile

Floats = NDArray[np.float64]


def welch_interval(a: Floats, b: Floats, level: float, *, unit: bool) -> Interval | None:
    """Interval for mean(b) - mean(a), task values of each side; None unless both sides have 3.

    With `unit` the values lie in [0, 1] and each side's variance has half a pseudo-task of 0/1 variance, so that
    unanimous sides do not claim certainty.

    >>> a, b = np.array([0.0, 0.25, 0.5, 0.25]), np.array([0.75, 1.0, 0.5, 0.75])
    >>> [round(end, 3) for end in welch_interval(a, b, 0.95, unit=True)]
    [0.051, 0.949]
    """
    if min(a.size, b.size) < MIN_VALUES:
        return None
    spread = smoothed_variance if unit else lambda values: float(values.var(ddof=1))
    parts = [spread(values) / values.size for values in (a, b)]
    delta = float(b.mean() - a.mean())
    total = sum(parts)
    if total == 0:
        return Interval(delta, delta)
    df = 1 / sum((part / total) ** 2 / (values.size - 1) for part, values in zip(parts, (a, b), strict=True))
    half = t_quantile((1 + level) / 2, df) * math.sqrt(total)
    if unit:
        return Interval(min(max(-1.0, delta - half), delta), max(min(1.0, delta + half), delta))
    return Interval(delta - half, delta + half)
