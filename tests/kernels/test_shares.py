from __future__ import annotations

import numpy as np
import pytest

from whileai.simulations.kernels.intervals import two_ended, unit_mean_interval
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


def test_unequal_counts_by_cochrans_variance_of_a_ratio_at_kishs_number_of_tasks() -> None:
    sums, counts = np.array([1.0, 2.0, 0.0, 3.0, 2.0]), np.array([4, 2, 3, 6, 5])
    ratio = 8 / 20
    of_ratio = sum((y - ratio * x) ** 2 for y, x in zip(sums, counts, strict=True)) / 4 / 5 / 4**2
    kish = 20**2 / (16 + 4 + 9 + 36 + 25)
    harmonic = 5 / (1 / 4 + 1 / 2 + 1 / 3 + 1 / 6 + 1 / 5)
    wanted = two_ended(ratio, of_ratio * kish, kish, harmonic, 0.95)
    assert share_interval(sums, counts, 0.95) == pytest.approx((wanted.low, wanted.high))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_unanimous_tasks_of_unequal_counts_are_at_the_harmonic_mean_of_rows(share: float) -> None:
    counts = np.array([2, 4, 8])
    wanted = unit_mean_interval(np.full(3, share), 3 / (1 / 2 + 1 / 4 + 1 / 8), 0.95)
    assert share_interval(share * counts, counts, 0.95) == pytest.approx((wanted.low, wanted.high))
