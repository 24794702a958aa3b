from __future__ import annotations

from typing import Any

import pytest

import whileai.simulations as wai


def test_metrics_are_pass_at_1_then_the_shared_markers_by_name(rows: Any) -> None:
    before = rows([1] * 6, markers={"z": [1] * 6, "a": [0] * 6, "only": [1] * 6})
    after = rows([2] * 6, markers={"a": [1] * 6, "z": [1] * 6})
    assert list(wai.delta_report(before, after)["metrics"]) == ["pass_at_1", "marker:a", "marker:z"]


def test_listed_markers_keep_their_order_and_an_uncarried_one_has_no_data(rows: Any) -> None:
    side = rows([1] * 6, markers={"a": [1] * 6})
    report = wai.delta_report(side, side, markers=["ghost", "marker:a", "a"])
    assert list(report["metrics"]) == ["pass_at_1", "marker:ghost", "marker:a"]
    assert report["metrics"]["marker:ghost"]["verdict"] == "insufficient_data"


def test_a_drop_is_the_gain_where_lower_is_better_and_numbers_stay_raw(rows: Any) -> None:
    before, after = (rows([2] * 8, markers={"refusal": values}) for values in ([1, 1, 0, 1] * 2, [0] * 8))
    report = wai.delta_report(before, after, target="refusal")
    entry = report["metrics"]["marker:refusal"]
    assert (entry["delta"], entry["verdict"], entry["gain_verdict"]) == (-0.75, "a_better", "b_better")
    assert report["improved"] == ["marker:refusal"] == report["lower_is_better"]


def test_a_mapping_forces_a_built_in_name_back(rows: Any) -> None:
    before, after = (rows([2] * 8, markers={"refusal": values}) for values in ([1] * 8, [0] * 8))
    report = wai.delta_report(before, after, lower_is_better={"refusal": False, "pass_at_1": True})
    assert report["slipped"] == ["marker:refusal"]
    assert report["lower_is_better"] == ["pass_at_1"]


def test_a_direction_for_what_is_not_compared_names_the_metrics_there_are(rows: Any) -> None:
    with pytest.raises(ValueError, match=r"marker:latency.*pass_at_1"):
        wai.delta_report(rows([1] * 6), rows([1] * 6), lower_is_better={"latency": False})


def test_missing_marker_values_are_left_out_and_never_zero(rows: Any) -> None:
    before = rows([1] * 6, markers={"m": [1, 1, 1, 1, 1, 1]})
    after = rows([1] * 6, markers={"m": [1, None, float("nan"), "word", 1, True]})
    entry = wai.delta_report(before, after)["metrics"]["marker:m"]
    assert (entry["n_only_a"], entry["n_paired"], entry["mean_b"]) == (3, 3, 1.0)
