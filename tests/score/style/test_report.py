from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from strategies import rows as odd_rows

KEYS = ["clean", "ci95", "hits", "top_phrases", "reward_corr", "degenerate"]
TEXTS = {"d": "It depends.", "c": "Certainly! It depends.", "-": "Tuesday."}


def graded(said: str, rewards: str, tasks: str | None = None) -> list[dict[str, Any]]:
    """One row a letter: what is said, the reward ("-" is none), the task (each its own without `tasks`)."""
    return [
        {"task_id": task, "final_text": TEXTS[words]} | ({} if reward == "-" else {"reward": int(reward)})
        for words, reward, task in zip(said, rewards, tasks or map(str, range(len(said))), strict=True)
    ]


def test_shares_hits_and_phrases_are_counted_by_rows() -> None:
    hedging = wai.style_report(graded("ddd-", "1110", "AAAB"))["markers"]["no_hedging"]
    assert (hedging["clean"], hedging["hits"], hedging["top_phrases"]) == (0.25, 3, [("it depends", 3)])


def test_correlation_is_pearsons_over_labelled_rows() -> None:
    rows = graded("ddd--d--", "1101001-")
    found = wai.style_report(rows)["markers"]["no_hedging"]["reward_corr"]
    assert found == round(float(np.corrcoef([1, 1, 1, 0, 0, 1, 0], [1, 1, 0, 1, 0, 0, 1])[0, 1]), 3)


@pytest.mark.parametrize(
    ("said", "rewards"), [("d-", "10"), ("dddd", "1010"), ("dd--", "1111"), ("d-d-", "----"), ("", "")]
)
def test_no_correlation_under_three_labels_or_for_a_constant(said: str, rewards: str) -> None:
    assert wai.style_report(graded(said, rewards))["markers"]["no_hedging"]["reward_corr"] is None


@pytest.mark.parametrize(
    ("said", "rewards", "threshold", "flagged"),
    [
        ("dd--", "1100", 0.3, True),
        ("dd--", "1100", 1.0, True),
        ("dd--", "0011", 0.3, False),
        ("dd--", "1010", 0.3, False),
        ("dd--", "1010", 0.0, True),
        ("dddd------", "1110010000", 0.5833, True),  # phi = (3*5 - 1*1) / sqrt(4*6*4*6) = 14/24 = 0.58333
        ("dddd------", "1110010000", 0.5834, False),
    ],
)
def test_a_flag_needs_a_correlation_at_or_above_the_threshold_unrounded(
    said: str, rewards: str, threshold: float, flagged: bool
) -> None:
    report = wai.style_report(graded(said, rewards), threshold=threshold)
    assert ("flagged" in report["markers"]["no_hedging"]) == flagged
    assert len(report["warnings"]) == flagged
    assert report["threshold"] == threshold


@pytest.mark.parametrize(
    ("name", "tic"),
    [("no_slang", "slang:"), ("brand_voice", "brand_voice:"), ("answered", "refusal:"), ("no_", "no_:")],
)
def test_the_warning_names_the_tic(name: str, tic: str) -> None:
    [warning] = [
        text
        for text in wai.style_report(graded("dd--", "1100"), {name: "it depends"})["warnings"]
        if not text.startswith("hedging")
    ]
    assert warning.startswith(tic)


def test_with_equal_counts_the_interval_is_that_of_marker_summary() -> None:
    rows = graded("d--d--dd", "10101010", "AABBCCDD")
    report = wai.style_report(rows)
    summary = wai.marker_summary(wai.style_markers(copy.deepcopy(rows)), ["no_hedging"])["no_hedging"]
    assert report["markers"]["no_hedging"]["ci95"] == summary["ci95"]


def test_the_interval_holds_the_share_of_rows_with_unequal_counts() -> None:
    hedging = wai.style_report(graded("ddddddd--", "1" * 9, "AAAAAABCD"))["markers"]["no_hedging"]
    low, high = hedging["ci95"]
    assert low <= hedging["clean"] == 2 / 9 <= high


@pytest.mark.parametrize(
    ("said", "degenerate"), [("ddd", True), ("---", True), ("dd-", False), ("d", True), ("", False)]
)
def test_degenerate_is_the_same_on_every_row(said: str, degenerate: bool) -> None:
    report = wai.style_report(graded(said, "1" * len(said)))
    hedging = report["markers"]["no_hedging"]
    assert hedging["degenerate"] is degenerate
    assert hedging["ci95"] is None or not degenerate
    assert any("no_hedging" in note for note in report["notes"]) == degenerate


def test_a_name_the_table_has_is_not_listed_as_not_stamped() -> None:
    report = wai.style_report([], {"no_secrets": ["key"], "argument_grounding": ["x"]})
    assert "no_secrets" not in report["not_stamped"]["trace_markers"]
    assert report["not_stamped"]["mark_grounding"] == []
    assert "not stamped here: 6 markers" in str(report)
    assert "mark_grounding" not in str(report)


def test_the_names_not_stamped_are_those_of_the_trace_markers() -> None:
    [row] = wai.trace_markers([{"final_text": "Done.", "markers": {}}])
    assert wai.style_report([])["not_stamped"]["trace_markers"] == list(row["markers"])


def test_phrases_are_ranked_by_rows_then_text_and_five_at_most() -> None:
    rows = [{"final_text": "b a. a"}, {"final_text": "f e d c b"}, {"final_text": "A"}]
    marker = wai.style_report(rows, {"x": list("fedcbaz")})["markers"]["x"]
    assert marker["top_phrases"] == [("a", 2), ("b", 2), ("c", 1), ("d", 1), ("e", 1)]


def test_print_says_all_there_is_to_a_marker() -> None:
    lines = str(wai.style_report(graded("ddc---", "111000"), {"no_never": ["synergy"]})).splitlines()
    assert lines[0] == "style 6 rows, 6 graded"
    assert lines[2] == 'no_hedging  clean 0.500  [0.118, 0.882]  hits 3  corr +1.00  flagged  "it depends" 3'
    assert lines[6] == "no_never  clean 1.000  hits 0  no interval: constant, see the note below"
    assert lines[7].startswith("warning: boilerplate: ") or lines[7].startswith("warning: hedging: ")
    assert lines[-1].endswith("argument_grounding")


def test_print_without_rows_labels_or_tasks() -> None:
    assert "no_hedging  clean none  hits 0\n" in str(wai.style_report([]))
    two = str(wai.style_report(graded("d-", "--")))
    assert "grade the rows first" in two
    assert "no_hedging  clean 0.500  hits 1  no interval: under 3 tasks" in two


def test_foreign_names_and_phrases_cannot_reach_the_terminal() -> None:
    shown = str(wai.style_report([{"final_text": "a\x1b[31m b"}], {"n\x1b[2J": ["a\x1b[31m b"]}))
    assert "\x1b" not in shown
    assert "n\\x1b[2J" in shown


def test_repr_is_short() -> None:
    assert repr(wai.style_report(graded("d-", "1-"))) == "StyleReport(n=2, n_graded=1)"


@pytest.mark.parametrize("threshold", [None, "x", float("nan"), -0.1, 1.5, True])
def test_a_threshold_of_another_kind_is_refused_by_name(threshold: Any) -> None:
    with pytest.raises(ValueError, match="threshold must"):
        wai.style_report([], threshold=threshold)


@few
@given(st.lists(odd_rows() | st.none(), max_size=4))
def test_odd_rows_give_every_key_as_json_and_stay_as_they_were(rows: list[Any]) -> None:
    before = copy.deepcopy(rows)
    report = wai.style_report(rows)
    assert repr(rows) == repr(before)
    assert report["n"] == sum(isinstance(row, dict) for row in rows)
    assert all(list(marker)[:6] == KEYS for marker in report["markers"].values())
    json.dumps(report, allow_nan=False)
    assert str(report).startswith("style ")
