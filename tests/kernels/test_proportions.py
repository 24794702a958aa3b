"""Tests and sizes of shares, against exact enumeration and published values."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from tables import each_of
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.kernels.proportions import (
    clustered_two_proportion_p,
    difference_interval,
    excess_p,
    resolvable_share,
    sign_test_p,
    trials_for_bound,
    two_proportion_p,
)


@pytest.mark.parametrize("table", [(2, 12, 9, 12), (0, 6, 6, 6), (7, 30, 21, 30), (1, 5, 20, 25)])
def test_two_proportion_p_is_pearsons_chi_square_with_n_less_one(table: tuple[int, int, int, int]) -> None:
    hits_a, n_a, hits_b, n_b = table
    cells = [[hits_a, n_a - hits_a], [hits_b, n_b - hits_b]]
    pearson = stats.chi2_contingency(cells, correction=False).statistic
    n = n_a + n_b
    assert two_proportion_p(*table) == pytest.approx(stats.chi2.sf(pearson * (n - 1) / n, 1))


@each_of("p", [0.3, 0.5, 0.85, 0.95])
@each_of("sizes", [(3, 3), (6, 6), (10, 10), (20, 20), (3, 7), (5, 25)])
def test_two_proportion_p_under_0_025_is_as_rare_as_that(sizes: tuple[int, int], p: float) -> None:
    rejected = sum(
        stats.binom.pmf(a, sizes[0], p) * stats.binom.pmf(b, sizes[1], p)
        for a, b in itertools.product(range(sizes[0] + 1), range(sizes[1] + 1))
        if two_proportion_p(a, sizes[0], b, sizes[1]) < 0.025
    )
    assert rejected <= 0.034


def test_clustered_p_of_clusters_of_one_is_that_of_independent_trials() -> None:
    hits, of_b = np.repeat([True, False, True, False], [12, 8, 4, 16]), np.arange(40) < 20
    assert clustered_two_proportion_p(hits, of_b, np.arange(40)) == pytest.approx(
        two_proportion_p(4, 20, 12, 20), abs=2e-3
    )


@pytest.mark.parametrize("copies", [2, 5, 30])
def test_copies_of_a_trial_tell_no_more_than_the_trial(copies: int) -> None:
    hits, of_b, codes = np.repeat([True, False, True, False], [12, 8, 4, 16]), np.arange(40) < 20, np.arange(40)
    once = clustered_two_proportion_p(hits, of_b, codes)
    assert clustered_two_proportion_p(*(np.repeat(each, copies) for each in (hits, of_b, codes))) == pytest.approx(
        once, abs=3e-3
    )


def test_few_clusters_tell_little_however_many_trials_they_hold() -> None:
    hits = np.arange(400) < 200
    assert clustered_two_proportion_p(hits, hits, np.zeros(400, dtype=np.int64)) > 0.3
    assert clustered_two_proportion_p(hits, hits, np.arange(400) // 100) > 0.04
    assert clustered_two_proportion_p(hits, np.arange(400) % 2 == 0, np.arange(400) // 100) == 1.0


@pytest.mark.parametrize(
    ("hits", "n", "share"), [(4, 40, 0.1), (9, 40, 0.1), (20, 20, 0.1), (1, 20, 0.0), (0, 5, 0.3), (0, 0, 0.3)]
)
def test_excess_p_is_the_one_sided_binomial_test(hits: int, n: int, share: float) -> None:
    assert excess_p(hits, n, share) == pytest.approx(stats.binom.sf(hits - 1, n, share))


@pytest.mark.parametrize("same", [0, 9])
def test_shares_that_are_all_or_none_do_not_differ(same: int) -> None:
    assert two_proportion_p(min(same, 3), 3, same, 9) == 1.0


@pytest.mark.parametrize(("up", "down"), [(0, 0), (1, 0), (5, 0), (6, 0), (9, 2), (2, 9), (7, 7)])
def test_sign_test_p_is_the_two_sided_binomial_test(up: int, down: int) -> None:
    expected = stats.binomtest(up, up + down).pvalue if up + down else 1.0
    assert sign_test_p(up, down) == pytest.approx(expected)


def test_resolvable_share_is_the_first_of_the_grid_that_n_trials_reach() -> None:
    for n in (1, 4, 5, 8, 10, 19):
        share = resolvable_share(n, 0.1, 0.05, 0.8)
        z, power = stats.norm.ppf(0.975), stats.norm.ppf(0.8)

        def needed(p: float, z: float = z, power: float = power) -> float:
            return ((z * math.sqrt(0.09) + power * math.sqrt(p * (1 - p))) / (p - 0.1)) ** 2

        assert needed(share) <= n < needed(share - 0.01)


def test_no_share_is_resolved_when_the_grid_ends_before_it() -> None:
    assert resolvable_share(1, 0.97, 0.05, 0.8) == 1.0
    assert resolvable_share(50, 2.0, 0.05, 0.8) == 1.0


def test_trials_for_bound_is_the_first_count_whose_lower_end_reaches_it() -> None:
    n = trials_for_bound(0.9, 0.8, 0.95, 200)
    assert n is not None
    assert wilson(0.9 * n, n, 0.95).low >= 0.8 > wilson(0.9 * (n - 1), n - 1, 0.95).low
    assert trials_for_bound(0.7, 0.8, 0.95, 200) is None
    assert (trials_for_bound(0.9, 0.8, 0.95, n), trials_for_bound(0.9, 0.8, 0.95, n - 1)) == (n, None)


@pytest.mark.parametrize(
    ("table", "published"),
    [((3, 10, 9, 10), (0.1705, 0.8090)), ((0, 10, 10, 10), (0.6075, 1.0)), ((0, 29, 5, 56), (-0.0381, 0.1926))],
)
def test_difference_interval_is_newcombes(table: tuple[int, int, int, int], published: tuple[float, float]) -> None:
    """Table II of Newcombe 1998, method 10."""
    assert difference_interval(*table, 0.95) == pytest.approx(published, abs=1e-4)


@pytest.mark.parametrize(
    ("codes", "clustered"), [([0, 0, 0, 1, 1, 2, 2, 2, 3, 3], True), ([0, 1, 2, 3, 4, 4, 3, 2, 1, 0], False)]
)
def test_clustered_p_is_the_score_over_its_spread_by_cluster_or_the_independent_p(codes: list, clustered: bool) -> None:
    hits = np.array([1, 1, 1, 0, 1, 0, 0, 0, 1, 0], dtype=bool)
    of_b = np.arange(10) < 4
    score = [(hit - 0.5) * (b - 0.4) for hit, b in zip(hits, of_b, strict=True)]
    by_cluster = [sum(s for s, code in zip(score, codes, strict=True) if code == c) for c in set(codes)]
    by_score = 2 * stats.norm.sf(abs(sum(score)) / math.sqrt(sum(s * s for s in by_cluster)))
    independent = two_proportion_p(2, 6, 3, 4)
    assert (by_score > independent) == clustered
    assert clustered_two_proportion_p(hits, of_b, np.array(codes)) == pytest.approx(max(by_score, independent))
