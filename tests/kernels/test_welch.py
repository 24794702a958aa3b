from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from whileai.simulations.kernels.welch import welch_interval


def test_off_the_unit_scale_it_is_welchs_interval() -> None:
    a, b = np.array([3.0, 5.0, 9.0, 4.0]), np.array([8.0, 12.0, 11.0])
    want = stats.ttest_ind(b, a, equal_var=False).confidence_interval(0.95)
    assert welch_interval(a, b, 0.95, unit=False) == pytest.approx((want.low, want.high))


def test_rates_use_the_smoothed_variance_by_the_written_formula() -> None:
    a, b = np.array([0.0, 0.25, 0.5, 0.25]), np.array([0.75, 1.0, 0.5, 0.75, 1.0])
    parts = []
    for x in (a, b):
        r = (x.sum() + 1) / (x.size + 2)
        parts.append(((x.size - 1) * x.var(ddof=1) + r * (1 - r) / 2) / (x.size - 0.5) / x.size)
    df = sum(parts) ** 2 / (parts[0] ** 2 / 3 + parts[1] ** 2 / 4)
    half = stats.t.ppf(0.975, df) * math.sqrt(sum(parts))
    delta = b.mean() - a.mean()
    assert welch_interval(a, b, 0.95, unit=True) == pytest.approx((delta - half, delta + half))


def test_unanimous_sides_do_not_claim_certainty() -> None:
    low, high = welch_interval(np.zeros(3), np.ones(3), 0.95, unit=True)
    assert high - low > 0.4
    assert high == 1.0


@pytest.mark.parametrize(("n_a", "n_b"), [(2, 9), (9, 2), (0, 5)])
def test_each_side_needs_three_tasks(n_a: int, n_b: int) -> None:
    assert welch_interval(np.full(n_a, 0.5), np.full(n_b, 0.5), 0.95, unit=True) is None


@pytest.mark.parametrize("unit", [1e-160, 1e70])
def test_interval_scales_with_the_unit(unit: float) -> None:
    a, b = np.array([3.0, 5.0, 9.0, 4.0]), np.array([8.0, 12.0, 11.0])
    low, high = welch_interval(a, b, 0.95, unit=False)
    assert welch_interval(unit * a, unit * b, 0.95, unit=False) == pytest.approx((unit * low, unit * high))


def test_values_without_spread_off_the_unit_scale_differ_by_exactly_their_difference() -> None:
    assert welch_interval(np.full(3, 2.0), np.full(4, 5.0), 0.95, unit=False) == (3.0, 3.0)
