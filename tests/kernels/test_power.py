from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from whileai.simulations.kernels.power import (
    concentrated_sd,
    detectable,
    half_width,
    model_sd,
    sd_range,
    small_sample_detectable,
    small_sample_tasks,
    tasks_for,
)

Z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
rates = st.floats(0, 0.99)
effects = st.floats(0.01, 0.9)
rollouts = st.integers(1, 32)


@pytest.mark.parametrize(
    ("base", "effect", "k", "even", "few"),
    [(0.6, 0.05, 4, 367, 409), (0.6, 0.03, 4, 1032, 1105), (0.0, 0.127, 4, 14, 54), (0.6, 0.05, 1, 1468, 1468)],
)
def test_counts_are_those_of_the_reference(base: float, effect: float, k: int, even: int, few: int) -> None:
    counts = [tasks_for(sd(base, effect, k), effect, 0.05, 0.8) for sd in (model_sd, concentrated_sd)]
    assert counts == [even, few]


def test_model_sd_is_that_of_two_independent_binomial_rates() -> None:
    assert model_sd(0.5, 0.3, 8) ** 2 == pytest.approx((0.25 + 0.16) / 8)
    assert model_sd(0.8, 0.5, 1) ** 2 == pytest.approx(0.16)


def test_concentrated_sd_is_that_of_a_share_of_tasks_going_to_one() -> None:
    rng = np.random.default_rng(0)
    carries = rng.random(400_000) < 0.2 / 0.4
    after = np.where(carries, 1.0, 0.6)
    drawn = rng.binomial(4, after) / 4 - rng.binomial(4, 0.6, after.size) / 4
    assert concentrated_sd(0.6, 0.2, 4) == pytest.approx(drawn.std(), abs=0.002)


def test_without_room_above_the_base_a_concentrated_gain_spreads_as_an_even_one() -> None:
    assert concentrated_sd(1.0, 0.1, 4) == 0.0


def test_no_gain_is_larger_than_one() -> None:
    assert detectable(1, 0.5, 1, 0.05, 0.8) == 1.0


@given(rates, effects, rollouts)
def test_gain_carried_by_few_never_spreads_less(base: float, effect: float, k: int) -> None:
    if base + effect <= 1:
        assert concentrated_sd(base, effect, k) >= model_sd(base, effect, k) - 1e-12


def test_small_sample_count_adds_half_the_squared_quantile() -> None:
    normal = (Z * 0.38 / 0.05) ** 2
    assert small_sample_tasks(0.38, 0.05, 0.05, 0.8) == math.ceil(normal + stats.norm.ppf(0.975) ** 2 / 2)


@pytest.mark.parametrize(("alpha", "least"), [(0.05, 5), (0.01, 7)])
def test_small_sample_count_is_at_least_what_the_test_needs_to_reject(alpha: float, least: int) -> None:
    assert (small_sample_tasks(0.0, 0.9, alpha, 0.8), tasks_for(0.0, 0.9, alpha, 0.8)) == (least, 2)


def test_power_under_the_level_asks_for_the_floor_only() -> None:
    assert tasks_for(0.3, 0.05, 0.05, 0.01) == 2


@pytest.mark.parametrize(("sd", "effect"), [(1e300, 0.05), (0.3, 1e-300)])
def test_count_beyond_any_float_is_refused_in_words(sd: float, effect: float) -> None:
    with pytest.raises(ValueError, match="no number of tasks"):
        tasks_for(sd, effect, 0.05, 0.8)


@given(rates, st.integers(2, 5000), rollouts)
def test_detectable_effect_is_the_root_of_its_equation(base: float, tasks: int, k: int) -> None:
    found = detectable(tasks, base, k, 0.05, 0.8)
    assert 0 < found <= 1
    left = found - Z * model_sd(base, found, k) / math.sqrt(tasks)
    assert left == pytest.approx(0, abs=1e-9) or (found == 1 and left < 0)


def test_detectable_effect_agrees_with_a_root_finder_for_few_tasks() -> None:
    root = optimize.brentq(lambda e: e - Z * model_sd(0.2, e, 1) / 2, 1e-6, 1)
    assert detectable(4, 0.2, 1, 0.05, 0.8) == pytest.approx(root) == pytest.approx(0.7002, abs=5e-5)


@given(rates, st.integers(5, 2000), rollouts)
def test_small_sample_gain_is_shown_by_the_tasks_it_was_asked_for(base: float, tasks: int, k: int) -> None:
    gain = small_sample_detectable(tasks, base, k, 0.05, 0.8)
    assert gain is not None
    if 1e-6 < gain < 1:
        assert abs(small_sample_tasks(model_sd(base, gain, k), gain, 0.05, 0.8) - tasks) <= 1


def test_half_width_is_the_normal_one() -> None:
    assert half_width(0.38, 454, 0.05) == pytest.approx(1.959964 * 0.38 / math.sqrt(454), rel=1e-6)


def test_sd_range_holds_the_true_sd_in_95_of_100_pilots() -> None:
    drawn = np.random.default_rng(0).normal(0, 2.0, (4000, 8)).std(axis=1, ddof=1)
    held = np.mean([found.low <= 2.0 <= found.high for found in (sd_range(sd, 8, 0.95) for sd in drawn)])
    assert held == pytest.approx(0.95, abs=0.015)
