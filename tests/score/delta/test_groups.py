from __future__ import annotations

from typing import Any

import pytest

import whileai.simulations as wai


def grouped(rows: Any, key: str, **passes: list[int]) -> list[dict]:
    found: list[dict] = []
    for start, (name, each) in enumerate(passes.items()):
        found += rows(each, start=100 * start, **{key: name})
    return found


def test_groups_are_the_row_key_as_sorted_text_with_both_row_counts(rows: Any) -> None:
    before = grouped(rows, "tier", b=[1] * 6, a=[2] * 6) + rows([1], start=900, tier=None)
    report = wai.delta_report(before, grouped(rows, "tier", b=[3] * 6, a=[2] * 5), by="tier")
    assert list(report["groups"]) == ["a", "b"]
    assert [(entry["rows_a"], entry["rows_b"]) for entry in report["groups"].values()] == [(24, 20), (24, 24)]
    assert (report["by_source"], report["groups"]["b"]["delta"]) == ("given", 0.5)


@pytest.mark.parametrize("by", ["hard", "marker:hard"])
def test_a_marker_groups_by_its_value(rows: Any, by: str) -> None:
    side = rows([1] * 6, markers={"hard": [1, 0, True, "1", None, 0]})
    assert list(wai.delta_report(side, side, by=by)["groups"]) == ["0.0", "1.0"]


def test_a_callable_groups_by_its_value_under_its_name(rows: Any) -> None:
    def parity(row: dict) -> int:
        return int(row["task_id"][1:]) % 2

    report = wai.delta_report(rows([1] * 6), rows([1] * 6), by=parity)
    assert (report["by"], list(report["groups"])) == ("parity", ["0", "1"])


def test_category_then_slice_group_on_their_own_when_two_values_are_shared(rows: Any) -> None:
    one = grouped(rows, "category", a=[1] * 6)
    two = grouped(rows, "slice", a=[1] * 6, b=[1] * 6)
    assert wai.delta_report(one, one)["groups"] is None
    report = wai.delta_report(two, two)
    assert (report["by"], report["by_source"]) == ("slice", "auto")
    off = wai.delta_report(two, two, by=False)
    assert (off["by"], off["groups"], off["by_source"], off["slice_min_tasks"]) == (None, None, None, None)


def test_grouping_wanted_and_not_found_is_said(rows: Any) -> None:
    warnings = wai.delta_report(rows([1] * 6), rows([1] * 6), by=True)["warnings"]
    assert any("category or slice" in warning for warning in warnings)


def test_a_group_that_fell_is_listed_and_leaves_the_gate_open(rows: Any) -> None:
    before, after = grouped(rows, "tier", a=[3] * 8, b=[1] * 8), grouped(rows, "tier", a=[1] * 8, b=[3] * 8)
    report = wai.delta_report(before, after, "pass_at_1", by="tier")
    assert (report["ok"], report["groups_down"]) == (True, ["a"])
    assert any("group a fell" in warning for warning in report["warnings"])


def test_weak_groups_come_worst_first_and_few_tasks_are_marked(rows: Any) -> None:
    before = grouped(rows, "tier", full=[4] * 8, flat=[3] * 8, worse=[1] * 8, few=[2] * 3, gain=[2] * 8)
    after = grouped(rows, "tier", full=[4] * 8, flat=[3] * 8, worse=[0] * 8, few=[2] * 3, gain=[3] * 8)
    report = wai.delta_report(before, after, by="tier")
    reasons = {name: entry["weak_reasons"] for name, entry in report["groups"].items()}
    assert reasons == {"few": [], "flat": ["no_gain"], "full": [], "gain": [], "worse": ["low", "no_gain"]}
    assert report["groups_weak"] == ["worse", "flat"]
    assert [name for name, entry in report["groups"].items() if entry["low_n"]] == ["few"]
    assert report["slice_min_tasks"] == 6


def test_a_low_rate_is_the_strong_one_where_lower_is_better(rows: Any) -> None:
    before, after = (
        grouped(rows, "tier", good=[1] * 8, bad=[2] * 8),
        grouped(rows, "tier", good=[0] * 8, bad=[4] * 8),
    )
    report = wai.delta_report(before, after, by="tier", lower_is_better="pass_at_1")
    assert (report["groups_weak"], report["groups_down"]) == (["bad"], ["bad"])


def test_as_many_groups_as_tasks_stay_cheap_and_print_short(rows: Any) -> None:
    side = [{**row, "tier": row["task_id"]} for row in rows([1] * 3000, k=2)]
    report = wai.delta_report(side, side, by="tier")
    assert len(report["groups"]) == 3000
    assert "and 2960 more groups" in str(report)
