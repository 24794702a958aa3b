from __future__ import annotations

import math
from typing import Any

import pytest
from scipy import stats

import whileai.simulations as wai


def runs(rows: Any, passes: list[list[int]], **extra: Any) -> list[dict]:
    return [row for i, each in enumerate(passes) for row in rows(each, lineage={"eval_run": i}, **extra)]


def test_floor_off_the_rows_is_the_pooled_sd_of_run_means(rows: Any) -> None:
    before = runs(rows, [[2] * 6, [3] * 6, [1] * 6])  # run means .5, .75, .25: sd .25
    after = runs(rows, [[2] * 6, [2] * 6])  # sd 0, one degree of freedom
    report = wai.delta_report(before, after)
    assert report["run_std"] == pytest.approx(math.sqrt(2 * 0.0625 / 3))
    assert (report["run_std_df"], report["run_std_source"]) == (3, "eval_run")
    assert report["noise_band"] == pytest.approx(stats.t.ppf(0.975, 3) * report["run_std"] * math.sqrt(1 / 3 + 1 / 2))
    assert any("difference, not a distribution" in warning for warning in report["warnings"])


def test_a_run_mean_is_over_tasks_and_unstamped_rows_are_in_no_run(rows: Any) -> None:
    lopsided = rows([4], k=4, lineage={"eval_run": 0}) + rows([0], k=1, start=1, lineage={"eval_run": 0})
    before = lopsided + rows([2, 2], lineage={"eval_run": 1}) + rows([0, 0])
    report = wai.delta_report(before, before)
    assert report["repeats"]["run_means"]["before"] == [0.5, 0.5]
    assert report["run_std"] == 0


def test_a_metric_without_two_runs_on_a_side_has_no_floor_and_borrows_none(rows: Any) -> None:
    before = runs(rows, [[2] * 6, [3] * 6])
    for row in before[:24]:
        row["markers"] = {"m": 1}
    report = wai.delta_report(before, before)
    assert report["run_std_by_metric"]["marker:m"] is None
    assert report["metrics"]["marker:m"]["noise_note"] == "no_replicate_floor"
    assert any("marker:m" in warning for warning in report["warnings"])


def test_band_is_at_the_level_asked_for(rows: Any) -> None:
    report = wai.delta_report(rows([1] * 6), rows([2] * 6), run_std=0.1, alpha=0.2)
    assert report["noise_band"] == pytest.approx(stats.norm.ppf(0.9) * 0.1 * math.sqrt(2))
    assert report["noise_rule"].startswith("1.28 x run_std")


def test_delta_on_the_band_is_not_inside_it(rows: Any) -> None:
    report = wai.delta_report(rows([1] * 6), rows([1] * 6), run_std=0.0)
    assert (report["noise_band"], report["within_noise"]) == (0.0, [])


def test_a_mapping_of_nothing_is_no_floor(rows: Any) -> None:
    report = wai.delta_report(rows([1] * 6), rows([3] * 6), run_std={"pass_at_1": None})
    assert (report["run_std_source"], report["replicated"]) == (None, False)
    assert "noise_note" not in report["metrics"]["pass_at_1"]


def test_noise_rule_is_always_in_words(rows: Any) -> None:
    assert wai.delta_report([], [])["noise_rule"] == "1.96 x run_std x sqrt(1/1 + 1/1)"
