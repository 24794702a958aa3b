from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tables import each_of
from whileai.simulations.kernels.intervals import (
    clopper_pearson,
    skewed_mean_interval,
    skewness,
    unit_mean_interval,
    wilson,
)

UNIT = st.integers(0, 64).map(lambda i: i / 64)  # exact under 1 - x


@each_of(("c", "n"), [(0, 5), (1, 5), (3, 7), (8, 10), (10, 10), (17, 300)])
@each_of("level", [0.8, 0.95, 0.99])
def test_clopper_pearson_is_scipys_exact_interval(c: int, n: int, level: float) -> None:
    want = stats.binomtest(c, n).proportion_ci(level, method="exact")
    assert clopper_pearson(c, n, level) == pytest.approx((want.low, want.high), abs=1e-9)


@pytest.mark.parametrize(("c", "n"), [(0, 5), (1, 5), (3, 7), (8, 10), (10, 10), (17, 300)])
def test_wilson_is_scipys_wilson_interval(c: int, n: int) -> None:
    want = stats.binomtest(c, n).proportion_ci(0.95, method="wilson")
    assert wilson(c, n, 0.95) == pytest.approx((want.low, want.high), abs=1e-9)


def test_wilson_without_trials_says_nothing() -> None:
    assert wilson(0, 0, 0.95) == (0.0, 1.0)


def test_all_or_nothing_tasks_get_the_exact_binomial_over_tasks() -> None:
    want = stats.binomtest(3, 10).proportion_ci(0.95, method="exact")
    got = unit_mean_interval(np.array([1.0] * 3 + [0.0] * 7), 8, 0.95)
    assert got == pytest.approx((want.low, want.high), abs=1e-9)


def test_equal_tasks_leave_room_for_a_kind_not_seen() -> None:
    # c = (0.05 / 2) ** (1 / 4) = 0.39764; low = c v, high = 1 - c (1 - v)
    c = 0.025**0.25
    assert unit_mean_interval(np.full(4, 0.75), 8, 0.95) == pytest.approx((c * 0.75, 1 - c * 0.25))


def test_at_one_half_both_ends_are_the_logit_delta_interval() -> None:
    # values 0.25, 0.5, 0.75, 0.5: s2 = 0.125 / 3; half = t(3) sqrt(s2 / 4) / 0.25 on the logit scale
    half = stats.t.ppf(0.975, 3) * math.sqrt(0.125 / 3 / 4) / 0.25
    want = (1 / (1 + math.exp(half)), 1 / (1 + math.exp(-half)))
    assert unit_mean_interval(np.array([0.25, 0.5, 0.75, 0.5]), 4, 0.95) == pytest.approx(want)


def test_far_end_blends_logit_and_exact_ends_by_the_written_formula() -> None:
    x, k, z, n = np.array([0.0, 0.25, 0.0, 0.5, 0.0]), 4, stats.norm.ppf(0.975), 5
    m, s2, t = x.mean(), x.var(ddof=1), stats.t.ppf(0.975, 4)
    d = 1 - 2 * m
    half = t * math.sqrt(s2 / n) / (m * (1 - m))
    logit = math.log(m / (1 - m))
    r = (x.sum() + 1) / (n + 2)
    v = ((n - 1) * s2 + r * (1 - r) / 2) / (n - 0.5)
    star = min(max(m * (1 - m) * n / v * (z / t) ** 2, n), n * k)
    f = star ** (1 - d**3) * n ** (d**3)
    exact = stats.beta.ppf(0.975, m * f + 1, f - m * f)
    high = (1 - math.sqrt(d)) / (1 + math.exp(-(logit + half))) + math.sqrt(d) * exact
    assert unit_mean_interval(x, k, 0.95) == pytest.approx((1 / (1 + math.exp(-(logit - half))), high))


@given(st.lists(UNIT, min_size=3, max_size=40), st.floats(1, 64))
def test_unit_interval_mirrors_and_holds_the_mean_with_some_width(values: list[float], rollouts: float) -> None:
    x = np.array(values)
    low, high = unit_mean_interval(x, rollouts, 0.95)
    assert 0 <= low <= x.mean() <= high <= 1
    assert high - low > 0
    mirrored = unit_mean_interval(1 - x, rollouts, 0.95)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-6)


@pytest.mark.parametrize("find", [lambda x: unit_mean_interval(x, 4, 0.95), lambda x: skewed_mean_interval(x, 0.95)])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_no_interval_below_three_values(find, n: int) -> None:
    assert find(np.full(n, 0.5)) is None


def test_large_samples_come_to_the_t_interval() -> None:
    x = np.random.default_rng(1).beta(3, 2, 3000)
    half = stats.t.ppf(0.975, x.size - 1) * x.std(ddof=1) / math.sqrt(x.size)
    assert unit_mean_interval(x, 8, 0.95) == pytest.approx((x.mean() - half, x.mean() + half), abs=0.002)


def test_without_skew_the_mean_interval_is_the_t_interval() -> None:
    x = np.array([10.0, 12.0, 14.0, 16.0, 18.0])
    want = stats.t.interval(0.95, 4, loc=x.mean(), scale=stats.sem(x))
    assert skewed_mean_interval(x, 0.95) == pytest.approx(want)


def test_skewed_interval_leans_with_the_skew_and_ignores_scale() -> None:
    x = np.array([1.0, 1.0, 2.0, 3.0, 12.0])
    low, high = skewed_mean_interval(x, 0.95)
    assert high - x.mean() > x.mean() - low
    assert skewed_mean_interval(1000 * x, 0.95) == pytest.approx((1000 * low, 1000 * high))


def test_equal_values_off_the_unit_scale_have_both_ends_at_the_value() -> None:
    assert skewed_mean_interval(np.full(5, 37.5), 0.95) == (37.5, 37.5)


def test_skewness_is_third_moment_over_cubed_sample_deviation() -> None:
    # (-1, -1, 2) about the mean; sd^3 = 3 ** 1.5; third moment = (-1 - 1 + 8) / 3 = 2
    assert skewness(np.array([0.0, 0.0, 3.0])) == pytest.approx(2 / 3**1.5)


@pytest.mark.parametrize("x", [[1.0, 1.0, 2.0, 3.0, 12.0], [0.0, 9.0, 10.0, 10.0]], ids=["right", "left"])
def test_the_ends_of_the_skewed_interval_are_where_halls_cubic_is_the_t_quantile(x: list[float]) -> None:
    values = np.array(x)
    n, g, t = values.size, skewness(values), stats.t.ppf(0.975, values.size - 1)
    for end, wanted in zip(skewed_mean_interval(values, 0.95), (t, -t), strict=True):
        w = (values.mean() - end) / values.std(ddof=1)
        assert w + g * w**2 / 3 + g**2 * w**3 / 27 + g / (6 * n) == pytest.approx(wanted / math.sqrt(n))


@pytest.mark.parametrize("lean", [1e-5, -1e-5])
def test_a_trace_of_skew_moves_the_interval_by_a_trace(lean: float) -> None:
    x = np.array([10.0, 12.0, 14.0, 16.0, 18.0 + lean])
    want = stats.t.interval(0.95, 4, loc=x.mean(), scale=stats.sem(x))
    assert skewed_mean_interval(x, 0.95) == pytest.approx(want, abs=1e-4)
