from __future__ import annotations

from typing import Any

import pytest

import whileai.simulations as wai


def warnings_of(*sides: list[dict], **asked: Any) -> str:
    return "\n".join(wai.delta_report(*sides, **asked)["warnings"])


@pytest.mark.parametrize(
    ("asked", "fragment"),
    [
        ({"run_std": 0.01}, "run_std_runs"),
        ({"run_std": 0.01, "run_std_runs": 2}, "2 re-runs"),
        ({"run_std": 0.9}, "re-run band of"),
        ({"target": "ghost"}, "marker:ghost"),
        ({"proxy": "ghost"}, "proxy marker:ghost"),
        ({"proxy": "pass_at_1"}, "is the target itself"),
        ({"target": "pass_at_1"}, "runs=3"),
    ],
)
def test_what_was_asked_and_cannot_be_had_is_said(rows: Any, asked: dict, fragment: str) -> None:
    assert fragment in warnings_of(rows([1] * 6), rows([3] * 6), **asked)


def test_settings_that_differ_are_named_with_both_values(rows: Any) -> None:
    sides = [
        rows([2] * 6, sampling={"temperature": t, "max_tokens": 10 * t}, judge_meta={"version": f"v{t}"})
        for t in (1, 2)
    ]
    said = warnings_of(*sides)
    assert all(part in said for part in ("temperature was 1 before and 2 after", "10", "20", "v1 before and v2 after"))


def test_the_token_cap_is_named_when_the_cut_shares_differ(rows: Any) -> None:
    before = rows([2] * 10, finish_reason="stop")
    after = rows([2] * 9, finish_reason="stop") + rows([2], start=9, finish_reason="length")
    assert "token cap cut 0.0% of rows before and 10.0% after" in warnings_of(before, after)


def test_short_tasks_are_counted_and_two_runs_against_one_are_told_apart(rows: Any) -> None:
    short = rows([2] * 3, k=2) + rows([2] * 3, start=3)
    assert "k=4 before and k=2 after: 3 of 6 paired tasks" in warnings_of(rows([2] * 6), short)
    twice = [row for run in (0, 1) for row in rows([2] * 6, lineage={"eval_run": run})]
    assert "different numbers of eval runs" in warnings_of(twice, rows([2] * 6))


def test_family_error_is_warned_about_from_four_metrics_with_a_flag(rows: Any) -> None:
    sides = [rows([passed] * 6, markers={name: [1] * 6 for name in "abc"}) for passed in (1, 3)]
    assert "19%" in warnings_of(*sides)
    assert "flag one; read them after Holm (none is left)" in warnings_of(*sides)
    assert "19%" not in warnings_of(sides[0], sides[0])


def test_a_floor_for_others_only_names_the_bare_metrics(rows: Any) -> None:
    sides = [rows([passed] * 6, markers={"a": [1] * 6}) for passed in (1, 3)]
    assert "no re-run floor for pass_at_1" in warnings_of(*sides, run_std={"a": 0.1})


def test_a_clean_report_has_no_warnings(rows: Any) -> None:
    assert warnings_of(rows([1, 2] * 5), rows([3, 3] * 5), run_std=0.01, run_std_runs=5) == ""


def test_small_numbers_are_not_printed_as_zero(rows: Any) -> None:
    before, after = (rows([2] * 12, markers={"cost": [cost] * 12}) for cost in (0.0002, 0.0003))
    said = warnings_of(before, after, must_not_regress="cost", lower_is_better="cost")
    assert "marker:cost +0.0001 [0.0001, 0.0001]: a must_not_regress guard failed" in said
    assert "marker:cost +0.0001 is inside the re-run band" in warnings_of(before, after, target="cost", run_std=0.0009)


def test_the_note_of_a_target_is_shown_beside_those_of_the_guards(rows: Any) -> None:
    before = rows([2] * 12, markers={"polite": [0, 1] * 6, "safe": [1, 0] * 6})
    after = rows([2] * 12, markers={"polite": [1, 1, 0, *[None] * 9], "safe": [1, 0] * 6})
    said = warnings_of(before, after, target="polite", must_not_regress="safe")
    assert "marker:polite: fewer than 5 shared tasks (3)" in said
    assert "guard marker:safe" not in said
