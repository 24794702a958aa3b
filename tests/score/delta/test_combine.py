from __future__ import annotations

import math
import random
from typing import Any

import pytest
from scipy import stats

import whileai.simulations as wai

DIFFERENCES = [0, 1, 2, 1] * 5


def pair(rows: Any, **markers: Any) -> tuple[list[dict], list[dict]]:
    return rows([1] * 20, **markers), rows([1 + more for more in DIFFERENCES], **markers)


def test_a_floor_that_the_rollouts_explain_adds_nothing(rows: Any) -> None:
    report = wai.delta_report(*pair(rows), run_std=0.01, run_std_runs=3)
    d = [more / 4 for more in DIFFERENCES]
    half = stats.t.ppf(0.975, 19) * stats.tstd(d) / math.sqrt(20)
    assert report["combined_ci95"] == pytest.approx((0.25 - half, 0.25 + half))
    assert report["combined_p"] == pytest.approx(stats.ttest_1samp(d, 0).pvalue)


def test_a_floor_beyond_the_rollouts_widens_the_interval(rows: Any) -> None:
    report = wai.delta_report(*pair(rows), run_std=0.1, run_std_runs=6)
    after = [1 + more for more in DIFFERENCES]
    explained = sum(p / 4 * (1 - p / 4) / 3 for p in [1] * 20 + after) / 400 / 2
    tasks = stats.tvar([more / 4 for more in DIFFERENCES]) / 20
    total = tasks + (0.01 - explained) * 2
    df = total**2 / (tasks**2 / 19 + (0.01 * 2) ** 2 / 5)
    assert report["combined_df"] == pytest.approx(df)
    half = stats.t.ppf(0.975, df) * math.sqrt(total)
    assert report["combined_ci95"] == pytest.approx((0.25 - half, 0.25 + half))


def test_three_seeds_an_arm_are_combined_and_two_are_not(rows: Any) -> None:
    before, after = pair(rows)
    seeds = [after, rows([3, 2] * 10), rows([2, 2, 1, 3] * 5)]
    combined = wai.delta_report(before, after, train_runs=seeds)
    assert combined["combined_rule"].startswith("tasks + seeds")
    assert wai.delta_report(before, after, train_runs=seeds[:2])["combined_rule"] is None


def test_nothing_is_combined_without_a_floor_or_spread(rows: Any) -> None:
    assert wai.delta_report(*pair(rows))["combined_ci95"] is None
    assert wai.delta_report(rows([1] * 9), rows([1] * 9), run_std=0.0)["combined_ci95"] is None


def test_adjusted_flags_are_a_part_of_the_plain_ones(rows: Any) -> None:
    weak = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    before = rows([1] * 20, markers={name: [0.0] * 20 for name in "abc"} | {"d": [1.0] * 14 + [0.0] * 6})
    after = rows([3] * 20, markers={name: [0.0] * 19 + [1.0] for name in "abc"} | {"d": weak})
    report = wai.delta_report(before, after)
    assert report["improved_holm"] == ["pass_at_1"]
    entries = report["metrics"].values()
    assert all(entry["p_value"] <= entry["p_family"] and entry["p_value"] <= entry["p_holm"] for entry in entries)


def test_a_metric_without_a_p_has_no_adjusted_one(rows: Any) -> None:
    entry = wai.delta_report(rows([1] * 4), rows([4] * 4))["metrics"]["pass_at_1"]
    assert (entry["p_value"], entry["p_holm"], entry["p_family"]) == (None, None, None)


def test_shuffled_rows_give_the_same_report(rows: Any) -> None:
    markers = {"a": [0.25 * (i % 3) for i in range(20)], "b": [0.5 * (i % 4) for i in range(20)]}
    sides = pair(rows, markers=markers)[0], rows([1, 2, 2, 1, 3] * 4, markers={"a": markers["b"], "b": markers["a"]})
    report = wai.delta_report(*sides, n_boot=300)
    for seed in range(3):
        shuffled = [random.Random(seed).sample(side, len(side)) for side in sides]
        assert dict(wai.delta_report(*shuffled, n_boot=300)) == dict(report)
