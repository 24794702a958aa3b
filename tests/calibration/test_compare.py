"""False alarms, coverage and power of the comparisons on a quick grid; `full_compare.py` measures the whole of it."""

from __future__ import annotations

import combined_cells as combined
import compare_cells as compare
import numpy as np
import pytest

from whileai.simulations.kernels.signflip import paired_test

QUICK = 600


@pytest.mark.parametrize("tasks", [5, 8, 20])
@pytest.mark.parametrize("truth", compare.NULLS)
def test_paired_false_alarms_stay_at_six_of_a_hundred(truth: str, tasks: int) -> None:
    assert compare.verdicts(truth, compare.NULLS[truth], tasks, QUICK).at_most(0.06)


@pytest.mark.parametrize(("tasks", "bar"), [(8, 0.25), (10, 0.38), (20, 0.74)])
def test_even_gain_of_a_fifth_is_found(tasks: int, bar: float) -> None:
    assert compare.verdicts("", compare.gained_evenly(0.2), tasks, QUICK).at_least(bar)


@pytest.mark.parametrize("effect", [0.0, 0.1])
def test_paired_interval_holds_the_effect(effect: float) -> None:
    assert compare.shifted_coverage("", compare.beta(3, 2), effect, 10, QUICK).at_least(0.92)


def test_verdict_and_p_never_disagree() -> None:
    assert compare.contradictions(300) == 0


@pytest.mark.parametrize("tasks", [3, 8])
def test_these_tasks_p_keeps_its_level(tasks: int) -> None:
    assert compare.these_tasks("", compare.beta(3, 2), tasks, 2000).at_most(0.06)


@pytest.mark.parametrize("sizes", [(3, 3), (5, 20), (20, 20)])
def test_unpaired_false_alarms_stay_at_their_bar(sizes: tuple[int, int]) -> None:
    assert compare.unpaired("", compare.beta(0.5, 0.5), *sizes, 2000).at_most(0.065)


def test_re_run_floor_combined_keeps_its_level_and_finds_a_gain() -> None:
    assert combined.floor("", 50, 0.02, 1500).at_most(0.075)
    assert combined.floor("", 50, 0.0, 1500, gain=0.1).at_least(0.30)


def test_seeds_combined_keep_their_level() -> None:
    assert combined.seeds("", 50, 3, 1, 0.03, 1500).at_most(0.075)


def test_adjusted_flags_over_ten_markers_are_rarely_false() -> None:
    found = combined.family(0.5, 20)
    assert found["Holm"].at_most(0.06)
    assert found["max statistic"].at_most(0.06)


def test_a_small_p_is_that_of_many_more_draws() -> None:
    """Holm holds each of ten metrics to a tenth of the level, and all of them are drawn from one seed."""
    rng = np.random.default_rng(7)
    ratios = []
    while len(ratios) < 12:
        d = np.round(rng.normal(size=30) + 0.45, 2)
        many = paired_test(d, 0.95, 100_000, 1)
        found = paired_test(d, 0.95, 2000, 0)
        assert many is not None
        assert found is not None
        if 0.001 < many.p_value < 0.02:
            ratios.append(found.p_value / many.p_value)
    assert 0.85 < np.mean(ratios) < 1.15
