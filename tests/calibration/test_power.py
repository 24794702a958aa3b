"""Power at the small-sample count on a quick grid; the full grid is `power_cells.power_cells()`."""

from __future__ import annotations

import math

import numpy as np
import power_cells
import pytest
from power_cells import PowerCell

QUICK = 400


@pytest.mark.parametrize("k", power_cells.ROLLOUTS)
@pytest.mark.parametrize("spread", power_cells.SPREADS)
@pytest.mark.parametrize(("base", "effect"), [(0.2, 0.5), (0.3, 0.3), (0.3, 0.5), (0.5, 0.4), (0.5, 0.5), (0.6, 0.4)])
def test_small_sample_count_reaches_the_power_asked_for_within_four_points(
    base: float, effect: float, spread: float, k: int
) -> None:
    found = power_cells.measure_power(PowerCell(base, effect, spread, k), QUICK)
    assert found.reached(), found


@pytest.mark.parametrize("k", power_cells.ROLLOUTS)
@pytest.mark.parametrize(("base", "effect", "spread"), [(0.2, 0.4, 5.0), (0.3, 0.3, math.inf), (0.5, 0.4, math.inf)])
def test_one_task_fewer_would_not_be_over_the_power_by_four_points(
    base: float, effect: float, spread: float, k: int
) -> None:
    found = power_cells.measure_power(PowerCell(base, effect, spread, k), QUICK, fewer=1)
    assert not found.over(), found


def test_normal_formula_is_short_of_the_power_for_few_tasks() -> None:
    found = power_cells.measure_power(PowerCell(0.6, 0.3, math.inf), 1000, small=False)
    assert found.power + 3 * found.error < 0.76


@pytest.mark.parametrize("spread", power_cells.SPREADS)
def test_true_sd_and_effect_are_those_of_the_draws(spread: float) -> None:
    cell = PowerCell(0.3, 0.2, spread)
    drawn = cell.differences(400_000, np.random.default_rng(0))
    assert drawn.mean() == pytest.approx(cell.effect, abs=0.003)
    assert drawn.std() == pytest.approx(cell.true_sd(), abs=0.002)
