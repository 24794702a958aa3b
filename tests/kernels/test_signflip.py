from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whileai.simulations.kernels import signflip
from whileai.simulations.kernels.signflip import (
    SubsetMeans,
    _half_chances,
    least_tasks,
    paired_test,
    subset_means,
    these_tasks_p,
)

DIFFERENCES = st.lists(st.integers(-4, 4).map(lambda i: i / 4), min_size=5, max_size=9)


def mid_p_by_flipping(d: np.ndarray) -> float:
    """Two-sided mid-p from every one of the 2**n sign flips, the observed one counted half on its own side."""
    flips = np.array(list(itertools.product([1, -1], repeat=d.size))) @ d
    observed = d.sum()
    if observed == 0:
        return 1.0
    above = (np.sum(flips > observed + 1e-9) + np.sum(np.abs(flips - observed) <= 1e-9) / 2) / flips.size
    return min(1.0, 2 * min(above, 1 - above))


@given(DIFFERENCES)
def test_without_subsets_of_mean_zero_p_is_the_mid_p_of_all_flips(differences: list[float]) -> None:
    # Where no subset has mean 0, H(0) lies between two subset means; at a tie it is the mid-distribution itself.
    d = np.array(differences)
    values, counts = np.unique(d, return_counts=True)
    null = subset_means(values, counts, 2000, 0)
    i = np.searchsorted(null.means, 0.0)
    if i < null.means.size and null.means[i] == 0:
        assert paired_test(d, 0.95, 2000, 0).p_value == pytest.approx(mid_p_by_flipping(d))


@given(DIFFERENCES)
def test_enumerated_null_is_the_distribution_of_all_subset_means(differences: list[float]) -> None:
    d = np.array(differences)
    values, counts = np.unique(d, return_counts=True)
    null = subset_means(values, counts, 2000, 0)
    masks = [np.array(mask, dtype=bool) for mask in itertools.product([False, True], repeat=d.size)]
    means = np.array(sorted(round(float(d[mask].mean()), 9) for mask in masks if mask.any()))
    assert null.means == pytest.approx(np.unique(means), abs=1e-9)
    for mean, mid in zip(null.means, null.mid, strict=True):
        below, at = np.sum(means < mean - 1e-9), np.sum(np.abs(means - mean) <= 1e-9)
        assert mid == pytest.approx((0.5 + below + at / 2) / 2**d.size)


@given(st.lists(st.integers(-4, 4).map(lambda i: i / 4), min_size=3, max_size=40), st.sampled_from([0.8, 0.95, 0.99]))
def test_interval_and_p_never_contradict_each_other(differences: list[float], level: float) -> None:
    d = np.array(differences)
    found = paired_test(d, level, 500, 0)
    excludes = found.interval.low > 0 or found.interval.high < 0
    if d.size >= found.tasks_needed:
        assert excludes == (found.p_value <= 1 - level + 1e-12)
    else:
        assert not excludes
    assert found.interval.low <= d.mean() <= found.interval.high


def test_equal_gains_on_five_tasks_are_a_verdict_and_on_four_are_not() -> None:
    five, four = (paired_test(np.full(n, 0.5), 0.95, 2000, 0) for n in (5, 4))
    assert (five.p_value, five.interval) == (pytest.approx(2**-5), (0.5, 0.5))
    assert (four.p_value, four.interval) == (pytest.approx(2**-4), (0.0, 0.5))


def test_run_against_itself_has_p_one_and_both_ends_zero() -> None:
    found = paired_test(np.zeros(8), 0.95, 2000, 0)
    assert (found.p_value, found.interval) == (1.0, (0.0, 0.0))


@pytest.mark.parametrize(("alpha", "n"), [(0.05, 5), (0.01, 7), (0.1, 4), (2**-5, 5), (0.001, 10), (0.5, 1), (0.9, 1)])
def test_least_tasks_is_where_two_to_the_minus_n_reaches_alpha(alpha: float, n: int) -> None:
    assert least_tasks(alpha) == n


def test_drawn_and_enumerated_nulls_agree() -> None:
    values, counts = np.array([-0.5, -0.25, 0.0, 0.25, 0.5]), np.array([3, 6, 9, 9, 5])
    exact = subset_means(values, counts, 0, 0)
    spread = np.arange(40) / 1000 + 0.0  # many levels: drawn
    drawn = subset_means(values, np.array([3, 6, 9, 9, 5]) * 1, 200_000, 1)
    assert np.interp(0.0, drawn.means, drawn.mid) == pytest.approx(np.interp(0.0, exact.means, exact.mid), abs=0.005)
    sampled = paired_test(spread, 0.95, 100_000, 2).interval
    half = stats.t.ppf(0.975, 39) * spread.std(ddof=1) / math.sqrt(40)
    assert sampled == pytest.approx((spread.mean() - half, spread.mean() + half), abs=0.0005)


def test_many_levels_come_to_the_normal_limit() -> None:
    d = np.random.default_rng(0).normal(0.05, 1.0, 20_000)
    found = paired_test(d, 0.95, 2000, 0)
    half = 1.959964 * d.std(ddof=1) / math.sqrt(d.size)
    assert found.interval == pytest.approx((d.mean() - half, d.mean() + half), abs=1e-4)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(d.mean()) / (d.std() / math.sqrt(d.size))), rel=0.02)


def test_these_tasks_p_uses_the_hypergeometric_mean_and_variance() -> None:
    # one task, k = 4 + 4, total 4: mean 2, variance 4*4*4*4/(64*7) = 4/7; passes 4 against 0
    got = these_tasks_p(np.array([0]), np.array([4]), np.array([4]), np.array([4]))
    assert got == pytest.approx(2 * stats.norm.sf((2 - 0.25) / math.sqrt(4 / 7)))
    assert stats.hypergeom(8, 4, 4).var() == pytest.approx(4 / 7)


def test_these_tasks_p_of_single_rollouts_and_of_no_difference() -> None:
    # three tasks of one rollout a side, one pass each: mean 1/2, variance 1/4 a task; all passes are those of b
    ones = np.ones(3, dtype=np.int64)
    assert these_tasks_p(0 * ones, ones, ones, ones) == pytest.approx(2 * stats.norm.sf(1.25 / math.sqrt(0.75)))
    assert these_tasks_p(ones, 4 * ones, ones, 4 * ones) == 1.0


def test_these_tasks_p_is_undefined_where_nothing_can_vary() -> None:
    assert these_tasks_p(np.array([4]), np.array([4]), np.array([4]), np.array([4])) is None


@pytest.mark.parametrize("count", [64, 65, 5000, 150_000])
def test_one_distinct_difference_on_many_tasks_is_enumerated_without_huge_integers(count: int) -> None:
    null = subset_means(np.array([0.25]), np.array([count]), 100, 0)
    assert null.means.tolist() == [0.25]
    chances = _half_chances(count)
    assert chances == pytest.approx(stats.binom.pmf(np.arange(count + 1), count, 0.5), rel=1e-7, abs=1e-300)


@given(
    st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=20, max_size=60),
    st.sampled_from([0.5, 0.95, 0.999, 0.99999]),
    st.sampled_from([1, 5, 39, 2000]),
)
def test_few_draws_and_high_levels_contradict_nothing_either(
    differences: list[float], level: float, draws: int
) -> None:
    found = paired_test(np.array(differences), level, draws, 0)
    excludes = found.interval.low > 0 or found.interval.high < 0
    assert excludes == (found.p_value <= 1 - level)


@given(st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=3, max_size=60))
def test_swapped_runs_mirror_each_other_exactly(differences: list[float]) -> None:
    one, other = (paired_test(sign * np.array(differences), 0.95, 500, 0) for sign in (1, -1))
    assert other.p_value == one.p_value
    assert other.interval == (-one.interval.high, -one.interval.low)


@pytest.mark.parametrize("unit", [1e-10, 1e-3, 1e60])
def test_test_does_not_depend_on_the_unit(unit: float) -> None:
    d = np.array([0.1, 0.3, -0.2, 0.5, 0.4, 0.3, 0.1, 0.2])
    one, other = paired_test(d, 0.95, 500, 0), paired_test(unit * d, 0.95, 500, 0)
    assert other.p_value == pytest.approx(one.p_value)
    assert other.interval == pytest.approx((unit * one.interval.low, unit * one.interval.high))


def test_p_of_a_clear_difference_is_not_held_up_by_the_number_of_draws() -> None:
    d = np.random.default_rng(0).normal(1.0, 0.5, 60)
    assert 2.0**-60 <= paired_test(d, 0.95, 2000, 0).p_value < 1e-6


def test_ends_are_the_quantiles_of_the_subset_means_and_swapped_runs_swap_them() -> None:
    # the sum is 0, and the null is not symmetric
    values, counts = np.array([-0.75, 0.125]), np.array([1, 6])
    null = subset_means(values, counts, 0, 0)
    low, high = np.interp([0.025, 0.975], null.mid, null.means)
    d = np.repeat(values, counts)
    for sign, ends in ((1, (low, high)), (-1, (-high, -low))):
        found = paired_test(sign * d, 0.95, 2000, 0)
        assert found.p_value == 1.0
        assert found.interval == pytest.approx(ends, abs=1e-8)
    gained = paired_test(np.repeat([-1.0, 0.5], counts), 0.95, 2000, 0)
    null = subset_means(np.array([-1.0, 0.5]), counts, 0, 0)
    assert gained.interval == pytest.approx(tuple(np.interp([0.025, 0.975], null.mid, null.means)))
    at_zero = np.interp(0.0, null.means, null.mid)
    assert gained.p_value == pytest.approx(2 * at_zero)


def test_too_few_tasks_have_the_t_interval_stretched_to_zero() -> None:
    d = np.array([0.5, 0.25, 0.75, 0.5])
    half = stats.t.ppf(0.995, 3) * d.std(ddof=1) / 2
    for sign in (1, -1):
        found = paired_test(sign * d, 0.99, 2000, 0)
        assert found.tasks_needed == 7
        assert found.interval == pytest.approx(sorted([sign * min(0.5 - half, 0.0), sign * (0.5 + half)]))
    assert paired_test(d[:2], 0.95, 2000, 0) is None
    assert paired_test(d[:3], 0.95, 2000, 0) is not None
    assert paired_test(d + 10, 0.95, 2000, 0).interval.low == 0.0


def test_p_that_equals_alpha_is_a_verdict() -> None:
    equal = paired_test(np.full(5, 0.5), 1 - 2.0**-5, 2000, 0)
    assert (equal.p_value, equal.interval) == (2**-5, (0.5, 0.5))
    with_a_tie = paired_test(np.array([0.2, 0.3, 0.0, 0.1, 0.4, 0.3]), 1 - 2.0**-5, 2000, 0)
    assert with_a_tie.p_value == 2**-5
    assert 0 < with_a_tie.interval.low < 1e-9


@pytest.mark.parametrize(
    ("levels", "level", "draws", "drawn"),
    [(40, 0.95, 2000, 20_000), (3000, 0.95, 2000, 2000), (3000, 0.95, 10, 800), (300, 0.95, 10, 3495)],
)
def test_tails_of_the_level_have_draws_enough(
    levels: int, level: float, draws: int, drawn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def recorded(values: np.ndarray, counts: np.ndarray, n: int, seed: int) -> SubsetMeans:
        asked.append((n, seed))
        return subset_means(values[:2], counts[:2], n, seed)

    monkeypatch.setattr(signflip, "subset_means", recorded)
    paired_test(np.arange(levels) / 1000, level, draws, 3)
    assert asked == [(drawn, 3)]


def test_a_seed_gives_the_same_subsets_and_another_others() -> None:
    one, same, other = (signflip._drawn(np.arange(5.0), np.full(5, 9), 101, seed) for seed in (1, 1, 2))
    assert [part.tolist() for part in one] == [part.tolist() for part in same]
    assert one[0].tolist() != other[0].tolist()
    assert [part.size for part in one] == [102] * 3
    assert (one[0][:51] + one[0][51:]).tolist() == [90.0] * 51  # each with its complement
    assert (one[1][:51] + one[1][51:]).tolist() == [45.0] * 51


def test_drawn_nulls_count_the_empty_subset_once() -> None:
    values, counts = np.arange(1, 41) + np.arange(40) ** 2 / 1600, np.ones(40, dtype=np.int64)
    null, same = (subset_means(values, counts, 1000, 7) for _ in range(2))
    assert null.means.tolist() == same.means.tolist()
    assert null.floor == 0.5 / 1001
    assert null.mid == pytest.approx(np.arange(1, 1001) / 1001)


def test_balanced_differences_have_p_one_whatever_the_rounding_of_their_chances() -> None:
    assert paired_test(np.repeat([-1.0, 1.0], 70), 0.95, 2000, 0).p_value == 1.0
    assert signflip._combinations(np.array([1, 2])) == 6


def test_levels_that_the_normal_limit_cannot_reach_on_so_few_tasks_are_no_verdict() -> None:
    d, level = 5 + np.arange(18) + np.arange(18) ** 2 / 400, 0.99999  # 18 < z**2 = 19.5
    half = stats.t.ppf((1 + level) / 2, 17) * d.std(ddof=1) / math.sqrt(18)
    assert paired_test(d, level, 2000, 0).interval == pytest.approx((min(0.0, d.mean() - half), d.mean() + half))


def test_high_levels_on_many_levels_and_very_many_levels_have_the_normal_limit() -> None:
    few, many = np.arange(-5, 36) / 100 + np.arange(41) ** 2 / 10_000, np.random.default_rng(0).normal(0.1, 1, 5000)
    for d, level in ((few, 0.99995), (many, 0.95)):
        z, n = stats.norm.ppf((1 + level) / 2), d.size
        half = z * d.std() / math.sqrt(n - z * z)
        found = paired_test(d, level, 2000, 0)
        assert found.interval == pytest.approx((d.mean() - half, d.mean() + half))
        assert found.p_value == pytest.approx(2 * stats.norm.sf(d.sum() / math.sqrt((d**2).sum())))
