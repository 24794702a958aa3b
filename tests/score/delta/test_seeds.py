from __future__ import annotations

import math
from typing import Any

import pytest
from scipy import stats

import whileai.simulations as wai


def test_interval_adds_the_seed_spread_in_quadrature(rows: Any) -> None:
    base, seeds = rows([1, 0, 1, 2] * 3), [rows([3, 2, 3, 4] * 3), rows([3, 3, 3, 4] * 3), rows([3, 2, 2, 4] * 3)]
    report = wai.delta_report(base, seeds[0], train_runs=seeds)
    means = [0.75, 0.8125, 0.6875]
    half = (report["metrics"]["pass_at_1"]["ci95"][1] - report["metrics"]["pass_at_1"]["ci95"][0]) / 2
    wide = math.sqrt(half**2 + stats.t.ppf(0.975, 2) ** 2 * stats.tvar(means) / 3)
    assert report["train_delta"] == pytest.approx(0.5)
    assert report["train_ci95"] == pytest.approx((0.5 - wide, 0.5 + wide))
    assert (report["train_df"], report["train_runs"]) == (2, {"before": None, "after": 3})


def test_a_seed_without_a_measured_row_is_no_seed(rows: Any) -> None:
    ungraded = [{"task_id": "t0", "reward": None}]
    report = wai.delta_report(rows([1] * 6), rows([3] * 6), "pass_at_1", train_runs=[rows([3] * 6), ungraded, []])
    assert report["train_runs"]["after"] == 1
    assert report["target_verdict"] == "unresolved"
    assert report["eval_runs"]["after"] == 3


def test_a_dropped_target_fails_the_gate_though_the_seeds_leave_it_unresolved(rows: Any) -> None:
    report = wai.delta_report(rows([3] * 6), rows([1] * 6), "pass_at_1", train_runs=[rows([1] * 6)])
    assert (report["target_verdict"], report["ok"], report["headline_verdict"]) == ("unresolved", False, "FAIL")


def test_seeds_the_other_way_take_the_word_moved(rows: Any) -> None:
    seeds = [rows([0] * 12), rows([0] * 11 + [1])]
    report = wai.delta_report(rows([2] * 12), rows([3] * 12), "pass_at_1", run_std=0.01, train_runs=seeds)
    assert report["train_ci95"][1] < 0
    assert report["target_verdict"] == "no_change_detected"
    assert any("the other way" in warning for warning in report["warnings"])


def test_no_graded_row_gives_seeds_without_numbers() -> None:
    report = wai.delta_report([], [], train_runs={"before": None, "after": [[], []]})
    assert (report["train_runs"], report["train_delta"]) == ({"before": None, "after": 0}, None)


def test_no_floor_from_row_sets_asks_for_one(rows: Any) -> None:
    arms = {"before": [rows([1] * 6), rows([1] * 6)], "after": [rows([3] * 6), rows([3] * 6)]}
    report = wai.delta_report(rows([1] * 6), rows([3] * 6), "pass_at_1", train_runs=arms)
    assert report["headline_verdict"] == "INCONCLUSIVE (no re-run floor)"
    assert any("run_std=" in warning and "run_std_runs" in warning for warning in report["warnings"])


def test_the_across_seed_interval_of_a_rate_stays_within_its_range(rows: Any) -> None:
    report = wai.delta_report(rows([1] * 6), rows([3] * 6), train_runs=[rows([0] * 6), rows([4] * 6)])
    assert report["train_ci95"] == (-1.0, 1.0)
    words = [rows([1] * 6, markers={"words": [size] * 6}) for size in (0, 100, 50)]
    report = wai.delta_report(words[2], words[2], target="words", train_runs=words[:2])
    assert report["train_ci95"][1] > 100
