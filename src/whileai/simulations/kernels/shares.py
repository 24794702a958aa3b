"""The interval of a share of rows whose tasks have unequal counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.intervals import MIN_VALUES, Interval, two_ended, unit_mean_interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_LEAST_TASKS = 2.0  # effective tasks, so that there is a degree of freedom


def share_interval(sums: Floats, counts: Ints, level: float) -> Interval | None:
    """Interval over tasks for `sum(sums) / sum(counts)`, which it holds; None below 3 tasks.

    `sums` and `counts` have shape (tasks,): rows with the property, and rows, of each task. With equal counts it is
    `unit_mean_interval` of the task means. Otherwise the share is a ratio: its variance is that of the residuals
    weighted by count (linearisation; Cochran 1977, section 6.3), at Kish's effective number of tasks (1965).

    >>> [round(end, 3) for end in share_interval(np.array([1.0, 2.0, 0.0, 1.0]), np.array([4, 2, 3, 1]), 0.95)]
    [0.021, 0.937]
    """
    n = counts.size
    if n < MIN_VALUES:
        return None
    means, rollouts = sums / counts, n / float((1 / counts).sum())
    share = float(sums.sum() / counts.sum())
    if counts.min() == counts.max() or means.min() == means.max():
        found = unit_mean_interval(means, rollouts, level)
    else:
        residuals = (sums - share * counts) / counts.mean()
        effective = max(float(counts.sum() ** 2 / (counts.astype(float) ** 2).sum()), _LEAST_TASKS)
        variance = float((residuals**2).sum()) / (n - 1) * effective / n
        found = two_ended(share, variance, effective, rollouts, level)
    return None if found is None else Interval(min(found.low, share), max(found.high, share))
