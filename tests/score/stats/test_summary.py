from __future__ import annotations

import numpy as np
import pytest

import whileai.simulations as wai
from whileai.simulations.defaults import SKEWED_MEAN_MIN_TASKS
from whileai.simulations.kernels.intervals import skewed_mean_interval, unit_mean_interval
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.stats.summary import MarkerTally


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


@pytest.mark.parametrize(("rewards", "which"), [([1], "the one row that applies"), ([1] * 3, "all 3 rows that apply")])
def test_a_constant_metric_is_warned_of_in_these_words(rewards: list, which: str) -> None:
    found = wai.metric_summary([{"task_id": str(at), "reward": reward} for at, reward in enumerate(rewards)])
    assert found["warning"] == (
        f"{which} scored 1 on pass_at_1: it has not been shown to be able to come out any other way, so it must not "
        "guard a release"
    )


def test_markers_are_summarised_by_name_or_in_the_order_asked_for() -> None:
    found = wai.marker_summary(marked({"a": [1], "b": [0]}) + marked({"a": [0.5]}, "k"))
    assert list(found) == ["k", "m"]
    assert found["m"] == {
        "metric": "marker:m", "n_tasks": 2, "n_rows": 2, "n_rows_at_1": 1, "n_rows_at_0": 1, "mean": 0.5, "ci95": None,
        "degenerate": False, "note": "no interval on m: it has 2 tasks, an interval needs 3",
    }  # fmt: skip
    assert "note" not in found["k"]
    asked = wai.marker_summary(marked({"a": [1, 0]}), ["n", "m"])
    assert [summary.get("note") for summary in asked.values()] == [
        "no interval on n: it has 0 tasks, an interval needs 3",
        "no interval on m: it has 1 task, an interval needs 3",
    ]
    assert (list(asked), asked["n"]["mean"]) == (["n", "m"], None)


def test_three_tasks_have_an_interval_and_two_have_none() -> None:
    assert wai.metric_summary(marked({"a": [1], "b": [0]}), "marker:m")["ci95"] is None
    assert wai.metric_summary(marked({"a": [1], "b": [0], "c": [0]}), "marker:m")["ci95"] is not None


def test_the_cap_of_the_interval_is_the_harmonic_mean_of_rows() -> None:
    values = {str(task): [1, 0] for task in range(10)} | {"four": [1, 0, 1, 0], "eight": [1] * 8}
    wanted = unit_mean_interval(np.array([0.5] * 11 + [1]), 12 / (10 / 2 + 1 / 4 + 1 / 8), 0.95)
    assert wai.metric_summary(marked(values), "marker:m")["ci95"] == pytest.approx(wanted)


def test_only_a_skewed_mean_of_few_tasks_is_said_to_cover_less() -> None:
    even = {str(task): [float(task)] for task in range(9)}
    assert "note" not in wai.metric_summary(marked(even), "marker:m")
    lean = {str(task): [1.0] for task in range(8)} | {"last": [-400.0]}
    note = wai.metric_summary(marked(lean), "marker:m")["note"]
    assert note == "m: skewed over 9 tasks: the interval covers less than it says"
    many = {str(task): [1.0] for task in range(SKEWED_MEAN_MIN_TASKS - 1)} | {"last": [400.0]}
    assert "note" not in wai.metric_summary(marked(many), "marker:m")


def test_an_unknown_metric_and_names_in_one_text_are_refused_in_these_words() -> None:
    with pytest.raises(ValueError, match=r"^metric 'x' is not known: use 'pass_at_1' or 'marker:NAME'$"):
        wai.metric_summary([], "x")
    with pytest.raises(TypeError, match=r"^names must be a list of marker names, got the text 'x': use \['x'\]$"):
        wai.marker_summary([], "x")


def test_marker_tallies_of_parts_merge_into_that_of_all_rows() -> None:
    parts = [marked({"a": [1, 0], "b": [0.5]}), marked({"b": [1], "c": [0]}) + marked({"d": [3]}, "k")]
    one, other = tallies = [MarkerTally(), MarkerTally()]
    for tally, part in zip(tallies, parts, strict=True):
        tally.add(RowTable(part, tally.index))
    one.merge(other, one.index.absorb(other.index))
    assert one.result() == wai.marker_summary(parts[0] + parts[1])


def test_metric_that_no_row_has_is_summarised_with_no_rows() -> None:
    found = wai.metric_summary(marked({"a": [1]}), "marker:k")
    assert (found["n_rows"], found["mean"], found["ci95"], found["degenerate"]) == (0, None, None, False)


def test_note_is_left_out_where_there_is_nothing_to_say() -> None:
    assert "note" not in wai.metric_summary(marked({"a": [1], "b": [0]}), "marker:m")
    assert "note" not in wai.metric_summary(marked({"a": [1], "b": [0], "c": [0]}), "marker:m")
    constant = wai.metric_summary(marked({"a": [1, 1]}), "marker:m")
    assert constant["warning"].startswith("all 2 rows that apply scored 1 on m: ")


def test_tallies_use_the_index_they_are_given() -> None:
    index = Tasks()
    assert MarkerTally(index).index is index
