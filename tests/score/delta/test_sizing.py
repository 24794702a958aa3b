from __future__ import annotations

import math
from typing import Any

import pytest
from scipy import stats

import whileai.simulations as wai

Z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)


def test_tasks_needed_is_sized_from_the_sd_of_the_paired_differences(rows: Any) -> None:
    report = wai.delta_report(rows([1, 2, 3, 1] * 5), rows([2, 2, 3, 1] * 5))
    sd = stats.tstd([0.25, 0, 0, 0] * 5)
    assert report["tasks_needed"] == math.ceil((Z * sd / 0.0625) ** 2)
    assert report["tasks_needed_source"] == "rows"


def test_tasks_needed_sizes_the_drop_where_lower_is_better(rows: Any) -> None:
    before, after = (rows([2] * 8, markers={"refusal": values}) for values in ([1, 1, 0, 1] * 2, [0, 1, 0, 1] * 2))
    report = wai.delta_report(before, after, target="refusal")
    assert report["tasks_needed"] == math.ceil((Z * stats.tstd([-1, 0, 0, 0] * 2) / 0.25) ** 2)


@pytest.mark.parametrize(
    ("before", "after", "base", "gain", "k"),
    [
        ([4] * 9 + [3], [4] * 10, 0.6, 0.025, 4),  # at the ceiling: sized at base 0.6
        ([1] * 8, [2] * 8, 0.6, 0.25, 4),  # no spread in the differences
        ([1] * 2, [2] * 2, 0.25, 0.25, 4),  # under 3 shared tasks: the measured base
    ],
)
def test_the_binomial_model_answers_where_the_rows_cannot(
    rows: Any, before: list[int], after: list[int], base: float, gain: float, k: int
) -> None:
    report = wai.delta_report(rows(before), rows(after))
    sd = math.sqrt((base * (1 - base) + (base + gain) * (1 - base - gain)) / k)
    assert report["tasks_needed"] == max(2, math.ceil((Z * sd / gain) ** 2))
    assert report["tasks_needed_source"] == "model"


def test_no_sizing_for_what_is_no_gain_between_0_and_1(rows: Any) -> None:
    scale = [rows([2] * 6, markers={"words": values}) for values in ([10] * 6, [30, 20, 10, 40, 20, 10])]
    assert wai.delta_report(*scale, target="words")["tasks_needed"] is None
    assert wai.delta_report(rows([3] * 6), rows([1] * 6))["tasks_needed"] is None
    assert wai.delta_report([], [])["detectable_effect"] is None


def test_ceiling_counts_the_tasks_with_room(rows: Any) -> None:
    def at_ceiling(before: list[int]) -> bool:
        return wai.delta_report(rows(before), rows(before), ceiling_pass_rate=1.0)["ceiling"]

    assert at_ceiling([4] * 24 + [0] * 6)
    assert not at_ceiling([4] * 15 + [0] * 15)
    assert not at_ceiling([4] * 40 + [0] * 20)
