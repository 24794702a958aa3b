"""Coverage of the corrected pass rate on a quick grid; `full_corrected.py` measures the whole of it."""

from __future__ import annotations

import functools
import math

import corrected_cells
import numpy as np
import pytest
from corrected_cells import CorrectedCell, MeasuredCorrection

from whileai.simulations.kernels.corrected import corrected_rate, draw_p_value
from whileai.simulations.score.corrected import DRAW_P_MIN

QUICK = 300
MORE = 3  # times as many for a cell close to its bar: its Monte Carlo error is then .008
USABLE = 5  # expected labels of the rarer verdict, below which fewer than one sample in a hundred is usable
TRUTHS = [(0.5, 2.0), (0.3, math.inf)]


@functools.cache
def thousand(draw: str) -> MeasuredCorrection:
    return corrected_cells.measure_correction(CorrectedCell((0.9, 0.2), 100, 100, draw), 1000)


@pytest.mark.parametrize("draw", corrected_cells.DRAWS)
@pytest.mark.parametrize("judge", corrected_cells.JUDGES)
def test_corrected_interval_holds_the_truth_however_labels_are_drawn(judge: tuple[float, float], draw: str) -> None:
    grid = corrected_cells.corrected_cells([judge], [100], [20, 100], [draw], TRUTHS)
    found = [corrected_cells.settle_correction(cell, QUICK, MORE, refusals=False) for cell in grid]
    assert grid
    assert [m for m in found if not m.reached()] == []


def test_a_verdict_without_a_miss_among_few_labels_is_not_taken_for_perfect() -> None:
    grid = [cell for cell in corrected_cells.lopsided_cells() if cell.fewest_labels() >= USABLE]
    found = [corrected_cells.settle_correction(cell, QUICK, MORE, refusals=False) for cell in grid]
    assert len(grid) == 14
    assert [m for m in found if not m.reached()] == []


@pytest.mark.parametrize("draw", ["by verdict", "failures four times"])
def test_labels_drawn_by_verdict_leave_no_bias(draw: str) -> None:
    assert abs(thousand(draw).bias) < 0.006


def test_a_good_judge_narrows_the_interval_of_the_labels_alone() -> None:
    found = corrected_cells.measure_correction(CorrectedCell((0.97, 0.03), 300, 50), QUICK)
    assert found.width < 0.75 * found.gold_width


@pytest.mark.parametrize("draw", ["even", "by verdict", "by task"])
def test_labels_drawn_by_chance_are_seldom_refused(draw: str) -> None:
    assert thousand(draw).refused_draws <= 0.01


def test_labels_of_easy_tasks_are_mostly_refused_where_their_correction_would_be_wrong() -> None:
    rng = np.random.default_rng(0)
    refused, rates = [], []
    for _ in range(200):
        sample = corrected_cells.easy_draw(300, 100, 4, rng)
        p_value = draw_p_value(sample)
        refused.append(p_value is not None and p_value < DRAW_P_MIN)
        rates.append(corrected_rate(sample, 0.95).rate)
    assert np.mean(rates) > 0.58
    assert np.mean(refused) > 0.75


def test_simulated_rates_are_those_of_the_draws() -> None:
    cell = CorrectedCell((0.9, 0.2), 50_000, 2000, "failures four times", 0.3)
    sample = cell.sample(np.random.default_rng(0))
    assert sample.gold.mean() == pytest.approx(0.3, abs=0.01)
    assert sample.judge.mean() == pytest.approx(0.3 * 0.9 + 0.7 * 0.2, abs=0.01)
    assert sample.labelled.sum() == pytest.approx(2000, abs=150)
