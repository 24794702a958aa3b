"""pass^k and pass@k of the tasks that have the rollouts for them, and why there are none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import CI_LEVEL, MIN_CI_TASKS
from whileai.simulations.kernels.estimators import k_way
from whileai.simulations.kernels.intervals import unit_mean_interval
from whileai.simulations.reports import counted

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ends = tuple[float, float]


class KWay:
    """The k-way estimates of the tasks that reach `k`, short unanimous ones filled in when asked.

    `powers` and `ats` hold pass^k and pass@k of each such task, `sizes` its rollouts.
    """

    def __init__(self, n: Ints, c: Ints, k: int, unanimous_short: bool = False) -> None:
        full = n >= k
        powers, ats = k_way(n[full], c[full], k) if full.any() else (np.zeros(0), np.zeros(0))
        short = ~full & ((c == 0) | (c == n)) if unanimous_short else np.zeros(n.size, dtype=bool)
        same = (c[short] > 0).astype(np.float64)
        self.k = k
        self.n_imputed = int(short.sum())
        self.sizes = np.concatenate([n[full], n[short]])
        self.powers = np.concatenate([powers, same])
        self.ats = np.concatenate([ats, same])

    def pow_k(self) -> tuple[float | None, Ends | None]:
        """`(pass^k, its interval)`."""
        return mean_of(self.powers), interval_of(self.powers, self.sizes)

    def at_k(self) -> tuple[float | None, Ends | None]:
        """`(pass@k, its interval)`."""
        return mean_of(self.ats), interval_of(self.ats, self.sizes)


def mean_of(values: Floats) -> float | None:
    """Their mean; None without any."""
    return float(values.mean()) if values.size else None


def interval_of(values: Floats, sizes: Ints) -> Ends | None:
    """Interval for the mean of task values in [0, 1] over so many rollouts each; None under 3 tasks."""
    if values.size < MIN_CI_TASKS:
        return None
    rollouts = values.size / float((1 / sizes).sum())
    found = unit_mean_interval(values, rollouts, CI_LEVEL)
    return None if found is None else (found.low, found.high)


def draw_size(n: Ints, given: int | None) -> int:
    """The k as given, else the fewest labels of a task with two or more."""
    if given is None:
        repeated = n[n >= 2]
        return int(repeated.min()) if repeated.size else 1
    if given < 1:
        raise ValueError(f"k must be at least 1, got {given}")
    return given


def k_note(n: Ints, k: int, min_k: int, given: int | None, ways: KWay | None) -> str:
    """Why there is no pass^k and pass@k, or that k is not every task's; "" with nothing to say."""
    repeated = n[n >= 2]
    uneven = given is None and repeated.size > 0 and repeated.min() != repeated.max()
    spread = f"tasks with repeats have {repeated.min()} to {repeated.max()} graded" if uneven else ""
    if ways is None:
        if uneven:
            most = int(repeated.max())
            reached = int((n == most).sum())
            return (
                f"{spread} and the smallest size is under {min_k}: "
                f"k={most} would score the {counted(reached, 'task')} that reached it"
            )
        return f"k={k}: pass^k and pass@k need repeats of at least {min_k} a task, run each task {min_k} times"
    if not ways.powers.size:
        return f"no task has {k} graded repeats, so there is no pass^{k} or pass@{k}"
    return f"{spread}; k is the smallest" if uneven else ""
