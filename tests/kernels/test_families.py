from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from whileai.simulations.kernels.families import holm, step_down_p


def test_holm_multiplies_by_the_hypotheses_left_and_never_falls() -> None:
    # sorted .005 .01 .02 .04 times 4 3 2 1: .02 .03 .04 .04
    assert holm(np.array([0.02, 0.005, 0.04, 0.01])) == pytest.approx([0.04, 0.02, 0.04, 0.03])


def test_holm_is_capped_at_1_and_leaves_one_p_alone() -> None:
    assert holm(np.array([0.9, 0.8])).tolist() == [1.0, 1.0]
    assert holm(np.array([0.03])).tolist() == [0.03]


def test_step_down_matches_every_sign_pattern_by_hand() -> None:
    d = np.array([[0.5, 0.25], [0.25, -0.5], [0.75, 0.25], [0.5, 0.5]])
    scale = np.sqrt((d**2).sum(axis=0))
    seen = np.abs(d.sum(axis=0)) / scale
    nulls = np.array(
        [np.abs((np.array(s)[:, None] * d).sum(axis=0)) / scale for s in itertools.product((-1, 1), repeat=4)]
    )
    first, second = (0, 1) if seen[0] > seen[1] else (1, 0)

    def mid_p(null: np.ndarray, value: float) -> float:
        return float((null > value + 1e-9).mean() + (np.abs(null - value) <= 1e-9).mean() / 2)

    found = step_down_p(d, 100, 0)
    assert found[first] == pytest.approx(mid_p(nulls.max(axis=1), seen[first]))
    assert found[second] == pytest.approx(max(found[first], mid_p(nulls[:, second], seen[second])))


def test_copies_of_one_metric_cost_nothing() -> None:
    column = np.random.default_rng(0).choice([-0.25, 0, 0.25, 0.5], 40)
    alone = step_down_p(column[:, None], 2000, 1)
    assert step_down_p(np.repeat(column[:, None], 10, axis=1), 2000, 1) == pytest.approx(np.repeat(alone, 10))


def test_many_tasks_meet_the_normal_limit() -> None:
    d = np.random.default_rng(3).normal(0.02, 1, (5000, 1))
    z = abs(d.sum()) / np.sqrt((d**2).sum())
    assert step_down_p(d, 20_000, 0)[0] == pytest.approx(2 * stats.norm.sf(z), abs=0.015)


def test_a_metric_that_did_not_move_has_p_1() -> None:
    assert step_down_p(np.zeros((6, 2)), 100, 0).tolist() == [1.0, 1.0]


def test_the_family_rate_of_false_flags_is_held() -> None:
    rng = np.random.default_rng(7)
    flagged = sum((step_down_p(rng.choice([-0.25, 0.0, 0.25], (20, 8)), 400, i) <= 0.05).any() for i in range(300))
    assert flagged <= stats.binom.ppf(0.9999, 300, 0.05)


def test_twelve_tasks_try_every_pattern_and_thirteen_draw() -> None:
    # all of one sign: the two patterns that are as extreme tie, half of 2 in 4,096
    assert step_down_p(np.ones((12, 1)), 1, 0).tolist() == [1 / 4096]
    # the one draw is less extreme: (0 + 1/2) / (1 + 1)
    assert step_down_p(np.ones((13, 1)), 1, 0).tolist() == [0.25]


@pytest.mark.parametrize(("tasks", "wanted"), [(2048, 1 / 16), (2049, 2 * stats.norm.sf(2))])
def test_signs_are_drawn_up_to_2048_tasks_and_the_normal_limit_beyond(tasks: int, wanted: float) -> None:
    """Four tasks moved alike: the two extreme ones of sixteen patterns tie, where a normal exceeds 2 either way."""
    moved = np.zeros((tasks, 1))
    moved[:4] = 1
    assert step_down_p(moved, 4000, 0)[0] == pytest.approx(wanted, abs=0.008)


def test_over_many_tasks_metrics_of_other_tasks_are_independent_and_copies_are_one() -> None:
    moved = np.zeros((3000, 3))
    moved[:1500, 0] = moved[:1500, 2] = np.where(np.arange(1500) < 790, 1, -1)
    moved[1500:, 1] = np.where(np.arange(1500) < 770, 1, -1)
    two_sided = 2 * stats.norm.sf(np.array([80, 40]) / np.sqrt(1500))
    first = 1 - (1 - two_sided[0]) ** 2
    wanted = [first, max(first, two_sided[1]), first]
    assert step_down_p(moved, 20_000, 0) == pytest.approx(wanted, abs=0.01)
