"""How much of the spread of a mean over tasks comes from the rollouts drawn, told from within the tasks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def rollout_variance(rollouts: Ints, passes: Ints) -> float | None:
    """Variance that redrawing the rollouts gives the mean of task pass rates, the tasks kept.

    Sum over tasks of p(1-p)/(k-1), over n^2; a task of one rollout takes the mean p(1-p) of the others. None when no
    task has two rollouts.

    >>> rollout_variance(np.array([2, 2]), np.array([1, 2])), rollout_variance(np.array([1]), np.array([1]))
    (0.0625, None)
    """
    repeated = rollouts >= 2
    if not repeated.any():
        return None
    k = rollouts[repeated]
    p = passes[repeated] / k
    single = p * (1 - p) * k / (k - 1)
    total = float((single / k).sum()) + float(single.mean()) * int((~repeated).sum())
    return total / rollouts.size**2
