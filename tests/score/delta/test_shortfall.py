from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import whileai.simulations as wai


def sentence(report: Any) -> str:
    found = [line for line in report["warnings"] if line.startswith("no change detected")]
    return found[0] if found else ""


@pytest.mark.parametrize(("n", "alpha", "least"), [(3, 0.05, 5), (4, 0.05, 5), (6, 0.01, 7)])
def test_tasks_that_cannot_reach_the_level_are_told_only_the_least(rows: Any, n: int, alpha: float, least: int) -> None:
    said = sentence(wai.delta_report(rows([1, 3, 0, 2, 1, 2][:n]), rows([2, 2, 1, 3, 1, 2][:n]), alpha=alpha))
    assert f"{n} {'shared' if n < 5 else 'paired'} tasks" in said
    assert f"needs at least {least} tasks" in said
    assert "gain of" not in said


def test_the_gain_named_is_shown_in_that_share_of_simulated_evals(rows: Any) -> None:
    report = wai.delta_report(rows([2] * 8), rows([1, 2, 3, 2, 2, 3, 2, 2]))
    gain = float(
        re.search(r"8 paired tasks at k=4 show a pass_at_1 gain of (0\.\d+) from 0\.500 in 80%", sentence(report))[1]
    )
    rng, shown = np.random.default_rng(5), 0
    for _ in range(300):
        before, after = (rng.binomial(4, p, 8).tolist() for p in (0.5, 0.5 + gain))
        shown += wai.compare_runs(rows(before), rows(after))["verdict"] == "b_better"
    assert shown / 300 > 0.8 - 3 * 0.023 - 0.02


def test_no_gain_beyond_the_room_is_named(rows: Any) -> None:
    said = sentence(wai.delta_report(rows([3] * 6), rows([3, 3, 4, 3, 2, 3])))
    assert "6 paired tasks at k=4 do not show even the whole pass_at_1 gain of 0.250 from 0.750" in said


def test_the_count_is_above_the_tasks_in_hand_and_the_normal_one_stands_beside(rows: Any) -> None:
    report = wai.delta_report(rows([1, 2, 3, 1, 2, 0]), rows([2, 2, 3, 1, 1, 1]))
    needed, normal = map(int, re.search(r"seen needs (\d+) tasks \((\d+) by the normal", sentence(report)).groups())
    assert needed > normal == report["tasks_needed"] > 6


def test_a_marker_target_is_sized_by_its_own_name_tasks_and_direction(rows: Any) -> None:
    before = rows([2] * 12, markers={"refusal": [1, 0, 1, 1] * 3}) + rows([2] * 5, start=50)
    after = rows([2] * 12, markers={"refusal": [1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1]}) + rows([2] * 5, start=50)
    said = sentence(wai.delta_report(before, after, target="refusal"))
    assert "12 paired tasks at k=4 show a marker:refusal drop of" in said
    assert "pass" not in said


def test_a_metric_that_is_no_rate_has_no_binomial_gain(rows: Any) -> None:
    sides = [rows([2] * 6, markers={"words": words}) for words in ([10, 20, 30, 40, 50, 60], [11, 19, 31, 39, 51, 59])]
    said = sentence(wai.delta_report(*sides, target="words"))
    assert "leave a change of marker:words anywhere within [" in said


def test_at_the_ceiling_the_assumed_base_is_named_or_nothing_said(rows: Any) -> None:
    said = sentence(wai.delta_report(rows([4] * 11 + [3]), rows([4] * 12)))
    assert "a room of 0.021 is too little" in said
    assert "sized at an assumed base of 0.6" in said
    assert sentence(wai.delta_report(rows([4] * 12), rows([4] * 12))) == ""


def test_a_gain_hidden_by_seeds_alone_says_so(rows: Any) -> None:
    before, after = rows([1] * 12), rows([3, 2] * 6)
    report = wai.delta_report(before, after, train_runs=[rows([0] * 12), rows([4] * 12)])
    assert "and 12 are in hand: the spread of training seeds hides it" in sentence(report)


def test_tasks_whose_differences_spread_more_than_the_model_show_less(rows: Any) -> None:
    report = wai.delta_report(rows([8, 0] * 6, k=16), rows([1, 9] * 6, k=16))
    said = sentence(report)
    gain = float(re.search(r"gain of (0\.\d+) from", said)[1])
    assert gain > 2 * report["detectable_effect"]
    needed = int(re.search(r"gain of 0\.062 seen needs (\d+) tasks", said)[1])
    assert needed > 12
