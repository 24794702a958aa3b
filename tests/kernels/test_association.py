"""Correlations against NumPy and against each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, t

from whileai.simulations.kernels.association import fisher_above, pearson, pearson_interval, phi

numbers = st.lists(st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000)), min_size=3, max_size=40)
counts = st.tuples(*[st.integers(0, 9)] * 4)


@given(numbers)
def test_pearson_is_numpys_where_neither_column_is_constant(pairs):
    x, y = np.array(pairs, dtype=float).T
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert pearson(x, y) is None
    else:
        assert pearson(x, y) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)


@given(counts)
def test_phi_is_pearsons_correlation_of_the_two_columns(table):
    x = np.repeat([1.0, 1.0, 0.0, 0.0], table)
    y = np.repeat([1.0, 0.0, 1.0, 0.0], table)
    expected = pearson(x, y) if x.size else None
    assert phi(*table) == (None if expected is None else pytest.approx(expected, abs=1e-12))


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_the_unit_of_a_column_does_not_matter(scale):
    x, y = np.array([1.0, 2.0, 3.0, 5.0]), np.array([2.0, 1.0, 4.0, 4.0])
    assert pearson(x * scale, y / scale) == pytest.approx(pearson(x, y))


def test_two_points_or_a_constant_column_have_no_correlation():
    assert pearson(np.array([0.0, 1.0]), np.array([0.0, 1.0])) is None
    assert pearson(np.ones(9), np.arange(9.0)) is None
    assert phi(1, 0, 0, 1) is None
    assert phi(3, 0, 2, 0) is phi(3, 2, 0, 0) is phi(0, 3, 0, 2) is None
    assert phi(1, 1, 0, 1) == pytest.approx(0.5)  # three points


def test_rounding_takes_no_share_beyond_one():
    x = np.array([3.0, 8.0, 0.0, 2.0, 9.0, 4.0, 3.0])
    assert (pearson(x, 5 * x + 1), pearson(x, -5 * x - 1)) == (1.0, -1.0)
    assert fisher_above(0, 1, 1, 3) == 1.0


@given(counts)
def test_fishers_p_is_scipys(table):
    both, first, second, neither = table
    expected = fisher_exact([[both, first], [second, neither]], alternative="greater").pvalue
    assert fisher_above(*table) == pytest.approx(expected)


@pytest.mark.parametrize(("n_tasks", "share", "link"), [(60, 0.03, 0.0), (60, 0.5, 0.8), (12, 0.5, 0.0)])
def test_interval_over_tasks_covers_the_correlation_of_rows_that_share_a_fate(n_tasks, share, link):
    rng = np.random.default_rng(0)

    def drawn(n):
        task = rng.normal(size=(2, n, 1))
        x = 0.6 * task[0] + 0.8 * rng.normal(size=(n, 8))
        y = 0.6 * (task[1] + link * task[0]) + 0.8 * (link * x + rng.normal(size=(n, 8)))
        return (x > np.quantile(x, 1 - share)).ravel().astype(float), (y > 0).ravel().astype(float)

    truth = pearson(*drawn(8_000))
    tasks = np.repeat(np.arange(n_tasks), 8)
    found = [pearson_interval(*drawn(n_tasks), tasks, 0.95) for _ in range(200)]
    covered = np.mean([low <= truth <= high for low, high in found])
    assert 0.91 <= covered <= 0.99


def test_a_correlation_of_one_or_of_two_tasks_has_no_interval():
    x, y = np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0, 1.0])
    assert pearson_interval(x, x, np.arange(4), 0.95) is None
    assert pearson_interval(x, y, np.array([0, 0, 1, 1]), 0.95) is None
    low, high = pearson_interval(x, y, np.arange(4), 0.95)
    assert low < pearson(x, y) < high
    rounded = np.array([3.0, 8.0, 0.0, 2.0, 9.0, 4.0, 3.0])
    assert pearson_interval(rounded, -5 * rounded - 1, np.arange(7), 0.95) is None
    assert pearson_interval(x, np.ones(4), np.arange(4), 0.95) is None
    assert pearson_interval(x, y, np.array([0, 1, 2, 2]), 0.95) is not None


SPREAD = np.random.default_rng(3).normal(size=(2, 24))
BALANCED = np.array([[0, 0, 1, 1] * 4, [0, 1, 0, 1] * 4], dtype=float)
ONE_OFF = np.array([[0.0] * 20 + [10, 1], [0.0] * 20 + [7, 2]]) + SPREAD[:, :22] / 50


@pytest.mark.parametrize(
    ("xy", "tasks"), [(SPREAD, np.arange(24) // 5), (BALANCED, np.arange(16)), (ONE_OFF, np.arange(22))]
)
def test_interval_is_that_of_the_influences_summed_by_task(xy, tasks):
    x, y = ((side - side.mean()) / side.std() for side in xy)
    r = np.corrcoef(x, y)[0, 1]
    sums = np.array([(x * y - r * (x**2 + y**2) / 2)[tasks == task].sum() for task in np.unique(tasks)])
    n = sums.size
    error = np.sqrt(n / (n - 1) * (sums**2).sum()) / x.size / (1 - r**2)
    df = min(n - 1, max(1, (sums**2).sum() ** 2 / (sums**4).sum()))
    half = t.ppf(0.975, df) * error
    assert pearson_interval(*xy, tasks, 0.95) == pytest.approx(
        (np.tanh(np.arctanh(r) - half), np.tanh(np.arctanh(r) + half))
    )
