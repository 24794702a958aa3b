from __future__ import annotations

import numpy as np
import pytest

import whileai.simulations as wai
from whileai.simulations.kernels.intervals import skewed_mean_interval


def marked(values: dict[str, list[object]], name: str = "m") -> list[dict]:
    return [{"task_id": task, "markers": {name: value}} for task, given in values.items() for value in given]


def test_mean_is_of_task_means_and_the_interval_holds_it() -> None:
    found = wai.metric_summary(marked({"a": [1, 0, 0, 0], "b": [1], "c": [0]}), "marker:m")
    assert found["mean"] == pytest.approx((0.25 + 1 + 0) / 3)
    assert found["ci95"][0] < found["mean"] < found["ci95"][1]
    assert (found["n_rows_at_1"], found["n_rows_at_0"]) == (2, 4)


def test_counts_off_the_unit_scale_get_the_skew_corrected_interval() -> None:
    found = wai.metric_summary(marked({"a": [10], "b": [12, 14], "c": [50]}), "marker:m")
    assert found["ci95"] == pytest.approx(skewed_mean_interval(np.array([10.0, 13.0, 50.0]), 0.95))


def test_skewed_mean_over_few_tasks_says_that_it_covers_less() -> None:
    values = {str(i): [1.0] for i in range(8)} | {"last": [400.0]}
    assert "covers less than it says" in wai.metric_summary(marked(values), "marker:m")["note"]


def test_values_equal_to_nine_decimals_are_degenerate() -> None:
    found = wai.metric_summary(marked({"a": [0.3], "b": [0.1 + 0.2], "c": [0.3]}), "marker:m")
    assert found["degenerate"]
    assert found["ci95"] is None
    assert "must not guard" in found["warning"]


def test_equal_task_means_of_different_rows_are_not_degenerate() -> None:
    found = wai.metric_summary(marked({t: [0, 1] for t in "abc"}), "marker:m")
    assert not found["degenerate"]
    assert found["ci95"][0] < 0.5 < found["ci95"][1]


@pytest.mark.parametrize("metric", ["reward", "pass@1", "marker"])
def test_unknown_metric_is_refused(metric: object) -> None:
    with pytest.raises(ValueError, match="not known"):
        wai.metric_summary([], metric)


def test_marker_name_is_everything_after_the_first_colon() -> None:
    found = wai.metric_summary([{"task_id": "a", "markers": {"lie:big": 1}}], "marker:lie:big")
    assert found["n_rows"] == 1


def test_marker_names_given_as_one_text_are_refused() -> None:
    with pytest.raises(TypeError, match=r"\['m'\]"):
        wai.marker_summary(marked({"a": [1]}), names="m")
