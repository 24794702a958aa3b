from __future__ import annotations

import itertools

import numpy as np
import pytest

from whileai.simulations.kernels.estimators import k_way, pass_at_k, pass_pow_k


@pytest.mark.parametrize("n", range(1, 8))
def test_k_way_estimates_are_shares_of_all_draws(n: int) -> None:
    for c in range(n + 1):
        outcomes = [1] * c + [0] * (n - c)
        for k in range(1, n + 1):
            draws = list(itertools.combinations(outcomes, k))
            assert pass_pow_k(n, c, k) == pytest.approx(sum(map(all, draws)) / len(draws))
            assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, draws)) / len(draws))


def test_k_way_reads_each_task_by_its_own_counts() -> None:
    powers, ats = k_way(np.array([8, 4, 8, 5]), np.array([4, 0, 4, 5]), 4)
    assert powers == pytest.approx([1 / 70, 0, 1 / 70, 1])
    assert ats == pytest.approx([69 / 70, 0, 69 / 70, 1])


def test_large_groups_stay_exact() -> None:
    # C(99999, 2) / C(100000, 2) = 99998 / 100000
    assert pass_pow_k(100_000, 99_999, 2) == 0.99998
    assert pass_at_k(100_000, 1, 50_000) == 0.5
