from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from whileai.simulations.kernels.combined import Extra, combined_test, floor_extra, seeds_extra

D = np.array([0.0, 0.25, 0.5, 0.25, -0.25, 0.5])


def test_without_extra_variance_it_is_the_one_sample_t_test() -> None:
    found, truth = combined_test(D, Extra(0.0, 0.02, 2), 0.9), stats.ttest_1samp(D, 0)
    assert found is not None
    assert found.p_value == pytest.approx(truth.pvalue)
    assert found.interval == pytest.approx(truth.confidence_interval(0.9))
    assert found.df == pytest.approx(5)


def test_degrees_of_freedom_are_satterthwaite() -> None:
    tasks = D.var(ddof=1) / 6
    found = combined_test(D, Extra(0.01, 0.02, 3), 0.95)
    assert found is not None
    assert found.df == pytest.approx((tasks + 0.01) ** 2 / (tasks**2 / 5 + 0.02**2 / 3))
    half = stats.t.ppf(0.975, found.df) * math.sqrt(tasks + 0.01)
    assert found.interval == pytest.approx((D.mean() - half, D.mean() + half))


def test_a_known_floor_costs_no_degrees_of_freedom() -> None:
    found = combined_test(np.full(6, 0.25), floor_extra(0.1, 0.0, 1, 1, math.inf), 0.95)
    assert found is not None
    assert found.interval == pytest.approx((0.25 - 1.959964 * 0.1 * math.sqrt(2), 0.25 + 1.959964 * 0.1 * math.sqrt(2)))


def test_a_floor_under_its_rollouts_adds_nothing_and_runs_share_it() -> None:
    assert floor_extra(0.1, 0.02, 1, 1, 2).excess == 0
    assert floor_extra(0.1, 0.004, 3, 3, 2) == pytest.approx((0.006 * 2 / 3, 0.01 * 2 / 3, 2))


def test_seeds_add_their_spread_less_the_task_by_seed_residual() -> None:
    values = np.array([[0.2, 0.6, 0.5], [0.5, 0.8, 0.6], [0.1, 0.7, 0.1]])
    seeds, tasks = values.mean(axis=1), values.mean(axis=0)
    residual = sum(
        (values[s, t] - seeds[s] - tasks[t] + values.mean()) ** 2 for s in range(3) for t in range(3)
    ) / 4  # fmt: skip
    spread = seeds.var(ddof=1)
    assert seeds_extra([values]) == pytest.approx((max(0, spread - residual / 3) / 3, spread / 3, 2))


def test_seeds_without_spread_beyond_the_residual_add_nothing() -> None:
    assert seeds_extra([np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])]) == (0, 0, 0)


def test_seeds_of_both_arms_add_up() -> None:
    one, other = np.array([[0.0], [0.3], [0.6]]) + np.zeros(2), np.array([[0.1], [0.1], [0.2], [0.4]]) + np.zeros(2)
    excess = 0.09 / 3 + other[:, 0].var(ddof=1) / 4
    assert seeds_extra([one, other]) == pytest.approx((excess, excess, 5))


def test_three_tasks_are_enough() -> None:
    found, truth = combined_test(D[:3], Extra(0.0, 0.0, 0), 0.95), stats.ttest_1samp(D[:3], 0)
    assert found is not None
    assert found.p_value == pytest.approx(truth.pvalue)


@pytest.mark.parametrize("values", [[], [0.5, 0.25], [0.25] * 5])
def test_too_few_tasks_or_no_spread_at_all_is_no_interval(values: list[float]) -> None:
    assert combined_test(np.array(values), Extra(0.0, 0.0, 0), 0.95) is None
