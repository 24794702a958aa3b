from __future__ import annotations

import itertools

import numpy as np
import pytest

from growth import cpu_seconds
from tables import each_of
from whileai.simulations.kernels import reached
from whileai.simulations.kernels.power import model_sd, small_sample_tasks
from whileai.simulations.kernels.reached import (
    Draw,
    binomial_differences,
    gain_p,
    rate_differences,
    reached_power,
    tasks_reaching,
)
from whileai.simulations.kernels.signflip import paired_test

DRAWS = {
    "one rollout": binomial_differences(0.3, 0.4, 1),
    "four rollouts": binomial_differences(0.4, 0.3, 4),
    "no ties": rate_differences(0.9, 0.9, 1000),
}


def sized(base: float, effect: float, k: int, alpha: float = 0.05, power: float = 0.8) -> int:
    start = small_sample_tasks(model_sd(base, effect, k), effect, alpha, power)
    return tasks_reaching(start, binomial_differences(base, effect, k), alpha, power)


@each_of(("name", "tasks"), [(name, n) for name in DRAWS for n in (5, 6, 8, 9, 14) if n <= 8 or name != "no ties"])
def test_p_is_that_of_the_test_that_is_run(name: str, tasks: int) -> None:
    drawn = DRAWS[name](np.random.default_rng(1), (60, tasks))
    tests = [paired_test(row, 0.95, 2000, 0) for row in drawn]
    p = gain_p(drawn)
    assert np.minimum(1, 2 * np.minimum(p, 1 - p)) == pytest.approx([found.p_value for found in tests if found])


@pytest.mark.parametrize("tasks", [9, 12])
def test_p_of_rounded_differences_has_the_same_power(tasks: int) -> None:
    drawn = DRAWS["no ties"](np.random.default_rng(1), (600, tasks))
    run = [found.interval.low > 0 for row in drawn if (found := paired_test(row, 0.95, 2000, 0))]
    assert np.mean(gain_p(drawn) < 0.025) == pytest.approx(np.mean(run), abs=0.02)


def test_power_with_one_rollout_is_that_of_the_exact_sign_test() -> None:
    up, down = 0.8 * 0.6, 0.2 * 0.4
    chances = {1: up, 0: 1 - up - down, -1: down}
    exact = 0.0
    for signs in itertools.product(chances, repeat=7):
        found = paired_test(np.array(signs, dtype=float), 0.95, 2000, 0)
        assert found is not None
        exact += float(np.prod([chances[sign] for sign in signs])) * (found.interval.low > 0)
    assert reached_power(7, binomial_differences(0.4, 0.4, 1), 0.05) == pytest.approx(exact, abs=0.025)


@pytest.mark.parametrize(
    ("base", "effect", "k", "least"),
    [(0.6, 0.4, 4, 6), (0.3, 0.5, 4, 7), (0.6, 0.4, 1, 16), (0.5, 0.5, 4, 6), (0.2, 0.6, 4, 6)],
)
def test_count_that_misses_its_power_is_raised(base: float, effect: float, k: int, least: int) -> None:
    assert abs(sized(base, effect, k) - least) <= (k == 1)


@pytest.mark.parametrize(("alpha", "power"), [(0.01, 0.8), (0.05, 0.95), (0.1, 0.9), (0.001, 0.9)])
def test_other_levels_and_powers_are_reached_too(alpha: float, power: float) -> None:
    draw = binomial_differences(0.2, 0.4, 1)
    assert reached_power(sized(0.2, 0.4, 1, alpha, power), draw, alpha) > power - 0.02


def test_count_that_has_its_power_stays() -> None:
    assert (sized(0.6, 0.3, 4), sized(0.6, 0.05, 4)) == (10, 369)


@pytest.mark.parametrize(
    ("sd", "mean", "k"), [(0.7, 0.3, 1), (0.3, 0.3, 4), (0.9, 0.3, 4), (0.33, 0.85, 4), (0.7, 0.3, 64)]
)
def test_rate_differences_have_their_mean_and_sd_on_the_grid(sd: float, mean: float, k: int) -> None:
    drawn = rate_differences(sd, mean, k)(np.random.default_rng(0), (400, 500)) / k
    assert (drawn.mean(), drawn.std()) == (pytest.approx(mean, abs=0.006), pytest.approx(sd, abs=0.006))
    assert set(np.unique(drawn * k)) <= set(range(-k, k + 1))


@pytest.mark.parametrize(("sd", "k"), [(0.01, 4), (0.99, 4), (0.05, 1000), (1e-320, 4)])
def test_sd_that_no_grid_has_is_drawn_normal(sd: float, k: int) -> None:
    drawn = rate_differences(sd, 0.3, k)(np.random.default_rng(0), (100, 200))
    assert np.unique(drawn).size == drawn.size
    assert drawn.std() == pytest.approx(1, abs=0.02)
    assert drawn.mean() == pytest.approx(0.3 / max(sd, 0.3 / 1000), abs=0.03)


@each_of("needed", [3, 9, 10, 11, 23, 58, 70])
def test_search_finds_the_first_count_that_reaches_the_power(needed: int) -> None:
    enough = 0.8 - 1.5 * (0.8 * 0.2 / 4000) ** 0.5
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reached, "reached_power", lambda tasks, draw, alpha: enough if tasks >= needed else enough - 1e-9)
        assert tasks_reaching(9, DRAWS["no ties"], 0.05, 0.8) == max(needed, 9)
        assert tasks_reaching(60, DRAWS["no ties"], 0.05, 0.8) == 60


def test_losses_alone_have_all_subsets_below_and_nothing_has_a_half() -> None:
    losses = np.array([[-0.5, -0.25, -0.75]])
    assert gain_p(losses).tolist() == [1 - 0.5 / 8]
    assert gain_p(np.zeros((1, 3))).tolist() == gain_p(np.zeros((1, 12))).tolist() == [0.5]


@each_of(
    ("differences", "whole"),
    [
        ([[1.0, -2.0, 3.0]], [[1, -2, 3]]),
        ([[1.0, 16.0]], [[1, 16]]),
        ([[17.0, 34.0]], [[8, 16]]),
        ([[0.5, -1.0]], [[8, -16]]),
        ([[0.0, 0.0]], [[0, 0]]),
    ],
)
def test_differences_are_put_on_a_grid_of_sixteen_steps(differences: list[list[float]], whole: list[list[int]]) -> None:
    assert reached._whole(np.array(differences)).tolist() == whole


@each_of("tasks", [5, 8, 9, 12])
def test_p_that_equals_alpha_is_a_verdict_here_too(tasks: int) -> None:
    def gains(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
        return np.ones(shape)

    found = paired_test(np.ones(tasks), 1 - 2.0**-tasks, 2000, 0)
    assert found is not None
    assert found.interval.low > 0
    assert reached_power(tasks, gains, 2.0**-tasks) == 1
    assert reached_power(tasks, gains, 0.9 * 2.0**-tasks) == 0


def test_power_is_from_the_same_draws_every_time() -> None:
    one, again = (reached_power(6, DRAWS["one rollout"], 0.05) for _ in range(2))
    assert one == again


@pytest.mark.parametrize("draw", [binomial_differences(0.5, 0.03, 200), rate_differences(0.7, 0.3, 64)])
def test_search_is_quick(draw: Draw) -> None:
    assert cpu_seconds(lambda power: tasks_reaching(45, draw, 0.05, power), 0.8) < 5
