"""Coverage of the pass-rate intervals on a quick grid; `full.py` measures the whole of it."""

from __future__ import annotations

import cells
import numpy as np
import pytest

QUICK = 400
MORE = 5  # times as many for a cell near its bar: its Monte Carlo error is then .005
WIDTHS = 100  # mean widths of 36 cells together: their error is under a hundredth


@pytest.mark.parametrize("shape", cells.SHAPES)
def test_pass_rate_interval_holds_the_truth_in_94_of_100(shape: str) -> None:
    grid = [c for c in cells.pass_rate_cells((3, 5, 10, 30), (1, 4, "1-8"), (0.02, 0.3, 0.5)) if c.shape == shape]
    found = list(cells.settle(grid, QUICK, lambda _: 0.94, MORE))
    assert [m for m in found if cells.below_bar(m, 0.94)] == []
    assert min(m.least_width for m in found) > 0


@pytest.mark.parametrize(("k", "rollouts", "bar"), [(4, 4, 0.94), (8, 8, 0.94), (4, 8, 0.935), (2, 8, 0.935)])
def test_k_way_interval_holds_the_truth(k: int, rollouts: int, bar: float) -> None:
    every = cells.k_way_cells((3, 10), [(k, rollouts)], (0.3, 0.7))
    # of a symmetric family pass@k at .3 is the mirror of pass^k at .7
    mirrored = {c for c in every if c.what == "pass@k" and c.shape != "easy-and-hard"}
    grid = [c for c in every if c not in mirrored and 0.05 <= cells.truth_of(c) <= 0.95]
    found = list(cells.settle(grid, QUICK, lambda _: bar, MORE))
    assert [m for m in found if cells.below_bar(m, bar)] == []


@pytest.mark.parametrize("tasks", [5, 20, 50])
def test_pass_rate_interval_is_no_wider_than_a_tenth_over_the_t_interval(tasks: int) -> None:
    found = [cells.measure(c, WIDTHS) for c in cells.pass_rate_cells((tasks,), (4, 8), (0.3, 0.5, 0.7))]
    assert sum(m.width for m in found) <= 1.1 * sum(m.t_width for m in found)


@pytest.mark.parametrize(
    ("sigma", "tasks", "bar"), [(0.6, 10, 0.89), (0.6, 20, 0.92), (1.0, 10, 0.86), (1.0, 50, 0.90)]
)
def test_skewed_mean_interval_reaches_its_bar(sigma: float, tasks: int, bar: float) -> None:
    share, error = cells.skewed_coverage(sigma, tasks, 4000)
    assert share >= bar - 3 * error


def test_simulated_truths_are_the_moments_of_the_draws() -> None:
    rng = np.random.default_rng(0)
    for shape in cells.SHAPES:
        for what in ("pass@1", "pass^k", "pass@k"):
            cell = cells.Cell(shape, 0.3, 10, 4, 4, what)
            p = cells.difficulties(shape, 0.3, (200_000, 1), rng)
            drawn = {"pass@1": p, "pass^k": p**4, "pass@k": 1 - (1 - p) ** 4}[what].mean()
            assert cells.truth_of(cell) == pytest.approx(drawn, abs=0.005)
