from __future__ import annotations

import numpy as np
import pytest

from whileai.simulations.kernels.rollout_noise import rollout_variance


def test_variance_is_the_unbiased_binomial_one_over_the_squared_task_count() -> None:
    found = rollout_variance(np.array([4, 8]), np.array([3, 4]))
    assert found == pytest.approx((0.75 * 0.25 / 3 + 0.5 * 0.5 / 7) / 4)


def test_task_of_one_rollout_takes_the_mean_of_the_others() -> None:
    found = rollout_variance(np.array([2, 1]), np.array([1, 1]))
    assert found == pytest.approx((0.25 + 0.5) / 4)


def test_single_rollouts_everywhere_tell_nothing() -> None:
    assert rollout_variance(np.array([1, 1]), np.array([0, 1])) is None


def test_variance_is_that_of_evaluations_redrawn_on_the_same_tasks() -> None:
    rng = np.random.default_rng(0)
    p, k = rng.beta(3, 2, 30), np.resize([2, 3, 6], 30)
    passes = rng.binomial(k, p, (4000, 30))
    told = np.mean([rollout_variance(k, row) for row in passes])
    assert told == pytest.approx((passes / k).mean(axis=1).var(), rel=0.08)
