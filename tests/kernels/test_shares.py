from __future__ import annotations

import numpy as np
import pytest

from whileai.simulations.kernels.intervals import unit_mean_interval
from whileai.simulations.kernels.shares import share_interval


def test_equal_counts_give_the_interval_of_task_means() -> None:
    sums, counts = np.array([0.0, 1.0, 2.0, 4.0]), np.array([4, 4, 4, 4])
    assert share_interval(sums, counts, 0.95) == unit_mean_interval(sums / 4, 4, 0.95)


def test_under_three_tasks_there_is_none() -> None:
    assert share_interval(np.array([1.0, 0.0]), np.array([1, 3]), 0.95) is None


@pytest.mark.parametrize("counts", [[1, 1, 98], [1, 2, 3, 4, 5], [1, 1, 1, 10**6], [50, 1, 1, 1]])
def test_it_holds_the_share_of_rows_however_unequal_the_tasks(counts: list[int]) -> None:
    sizes = np.array(counts)
    sums = np.where(np.arange(sizes.size) % 2 == 0, sizes, 0).astype(float)
    found = share_interval(sums, sizes, 0.95)
    assert found is not None
    assert 0 <= found.low <= sums.sum() / sizes.sum() <= found.high <= 1
    assert found.high > found.low


def test_coverage_of_the_share_under_very_unequal_counts() -> None:
    """30 tasks, counts lognormal with deviation 1.2, pass rates Beta(.15, .15): a plain t on residuals covers .83."""
    rng = np.random.default_rng(0)
    covered, runs = 0, 400
    for _ in range(runs):
        counts = np.maximum(1, np.round(4 * np.exp(rng.normal(0, 1.2, 30)))).astype(int)
        sums = rng.binomial(counts, rng.beta(0.15, 0.15, 30)).astype(float)
        found = share_interval(sums, counts, 0.95)
        assert found is not None
        covered += found.low <= 0.5 <= found.high
    assert covered / runs >= 0.92  # .95 less three standard errors of 400 runs
