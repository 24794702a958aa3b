"""audit_grades: how often a judge overturns a verifier, what the judge is shown, and what the report then says."""

from __future__ import annotations

import copy
import inspect
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from strategies import rows as odd_rows
from tables import each_of
from whileai.simulations.score.audit.sides import reason_kind

Row = dict[str, Any]


def graded(fails: int = 30, passes: int = 10, right: int = 6, **more: Any) -> list[Row]:
    """Rows of an exact-text verifier: the first `right` failures are right answers with another spelling."""
    rows = []
    for i in range(fails + passes):
        failed = i < fails
        said = f"{i}.0" if i < right else str(i) if not failed else "none"
        rows.append({
            "scenario_id": f"sum-{i}", "rollout_index": i % 2, "prompt": f"What is {i}?", "final_text": said,
            "privileged": {"reference": str(i)}, "reward": int(not failed), "judge_status": "ok",
            "reason": f"exact: text differs ({said} for {i})" if failed else "same", "judge_name": "exact", **more,
        })  # fmt: skip
    return rows


def numeric(row: Row) -> dict[str, Any]:
    try:
        same = float(row["final_text"]) == float(row["privileged"]["reference"])
    except ValueError:
        same = False
    return {"reward": int(same), "reason": "same number" if same else "another number"}


def test_the_rate_its_interval_and_what_it_means_for_all_failures() -> None:
    report = wai.audit_grades(graded(fails=80, right=20), judge=numeric, sample=80)
    assert (report["false_negatives"], report["n_checked"], report["fn_rate"]) == (20, 80, 0.25)
    assert report["fn_ci95"] == pytest.approx((0.1681, 0.3548), abs=1e-4)  # Wilson 1927 for 20 of 80
    assert report["estimated_wrong_fails"] == 20
    assert (report["verifier"], report["judge"], report["n_rows"]) == ("exact", "numeric", 90)
    assert report["reasons"] == {"text differs": {"n": 80, "fn": 20}}
    assert report["examples"][0] == {
        "scenario_id": "sum-0", "rollout_index": 0, "verifier_reason": "exact: text differs (0.0 for 0)",
        "judge_reason": "same number",
    }  # fmt: skip
    assert len(report["examples"]) == 5


def test_a_sample_is_carried_to_all_failures() -> None:
    report = wai.audit_grades(graded(fails=200, right=200), judge=lambda row: 1)
    assert (report["n_failed"], report["n_sampled"], report["estimated_wrong_fails"]) == (200, 40, 200)
    again = wai.audit_grades(graded(fails=200, right=200), judge=lambda row: 1)
    other = wai.audit_grades(graded(fails=200, right=200), judge=lambda row: 1, seed=1)
    assert report["examples"] == again["examples"] != other["examples"]


def test_passes_are_checked_only_when_asked_for() -> None:
    report = wai.audit_grades(graded(), judge=lambda row: 0)
    assert (report["fp_rate"], report["fp_ci95"], report["n_passes_sampled"]) == (None, None, 0)
    report = wai.audit_grades(graded(), judge=lambda row: 0, passes=10)
    assert (report["false_positives"], report["fp_rate"]) == (10, 1.0)
    assert any("10 of 10" in warning for warning in report["warnings"])


@pytest.mark.parametrize(("reward", "overturned"), [(1, 30), (0.5, 30), (0.49, 0), (True, 30), (False, 0)])
def test_a_judge_reward_of_one_half_is_a_pass(reward: float, overturned: int) -> None:
    assert wai.audit_grades(graded(), judge=lambda row: reward)["false_negatives"] == overturned


def test_the_judge_sees_the_rollout_and_the_verdict_only_as_the_verifiers() -> None:
    seen: list[Row] = []

    def look(row: Row) -> int:
        seen.append(row)
        return 0

    (row,) = graded(fails=1, passes=0)
    row.update(judge_meta={"x": 1}, failure_class="f")
    report = wai.audit_grades([row], judge=look, question="Same number?")
    (shown,) = seen
    assert not {"reward", "reason", "judge_status", "judge_meta", "judge_name", "failure_class"} & set(shown)
    assert shown["privileged"] == {"reference": "0", "rubric": "Same number?"}
    assert shown["audit"] == {
        "question": "Same number?", "verifier": "exact", "verifier_reason": row["reason"], "verifier_reward": 0,
    }  # fmt: skip
    assert report["question"] == "Same number?"


def test_a_rubric_on_the_row_stays() -> None:
    seen: list[Any] = []
    rows = graded(fails=1, passes=0, privileged={"rubric": {"criteria": []}, "reference": "0"})
    wai.audit_grades(rows, judge=lambda row: seen.append(row["privileged"]["rubric"]) or 0)
    assert seen == [{"criteria": []}]


def test_rows_are_left_as_they_are_whatever_the_judge_writes() -> None:
    rows = graded(fails=3)
    before = copy.deepcopy(rows)

    def vandal(row: Row) -> int:
        row["privileged"].clear()
        row["audit"].clear()
        return 1

    wai.audit_grades(rows, judge=vandal)
    assert rows == before


def test_only_the_verifiers_own_verdicts_are_audited() -> None:
    odd = [{"reward": r} for r in (0, 1, 0.5, True, None, "x", float("nan"), "0", 1.0)]
    down = [{"reward": 0, "judge_status": "timeout"}, {"reward": 1, "judge_status": "error"}]
    report = wai.audit_grades([*odd, *down, "row", None], judge=lambda row: 0)
    assert (report["n_rows"], report["n_failed"], report["n_passed"]) == (6, 2, 2)
    assert report["verifier"] is None


@each_of(
    ("reason", "kind"),
    [
        ("exact: Mismatch (3 vs 4)", "mismatch"),
        ("EXACT:mismatch: col a", "mismatch"),
        ("got 3 rows", "got # rows"),
        ("got 11.5 rows", "got # rows"),
        ("got 1,200.50 rows", "got # rows"),
        ("exactly 3 rows", "exactly # rows"),
        ("other: exact: x", "other"),
        ("", "(no reason)"),
        (" : x", "(no reason)"),
        ("exact:", "(no reason)"),
        ("(3 rows)", "(no reason)"),
    ],
)
def test_a_reason_is_keyed_without_what_varies(reason: str, kind: str) -> None:
    assert reason_kind(reason, "exact") == kind


@given(st.text() | st.text("0123456789.,:( ").map(lambda text: text * 50), st.none() | st.text())
def test_any_reason_has_a_kind(reason: str, verifier: str | None) -> None:
    assert reason_kind(reason, verifier)


def test_kinds_are_ordered_by_how_often_they_are_overturned() -> None:
    rows = graded(fails=9, passes=0, right=0)
    for row, reason in zip(rows, ["a"] * 2 + ["b"] * 4 + ["c"] * 3, strict=True):
        row["reason"] = reason
    report = wai.audit_grades(rows, judge=lambda row: row["scenario_id"] in ("sum-6", "sum-7", "sum-0"))
    assert list(report["reasons"]) == ["c", "a", "b"]


def test_warnings_come_in_order_and_each_says_what_to_do() -> None:
    def flaky(row: Row) -> int:
        if row["scenario_id"] in ("sum-0", "sum-25"):
            raise TimeoutError("slow")
        return numeric(row)["reward"] if row["audit"]["verifier_reward"] == 0 else 0

    rows = graded(fails=16, passes=10)
    report = wai.audit_grades(rows, judge=flaky, passes=10)
    starts = [
        "VERIFIER: ",
        "only 15 failed rows",
        "the judge failed 9 of 9",
        "the judge gave no verdict on 2 of 26",
        "these",
    ]
    assert [w[: len(s)] for w, s in zip(report["warnings"], starts, strict=True)] == starts
    assert "5 of 15 (33%" in report["warnings"][0]
    assert "'text differs'" in report["warnings"][0]
    assert "judge_agreement" in report["warnings"][-1]
    assert report["judge_errors"] == 2


@pytest.mark.parametrize(("right", "warned"), [(3, False), (4, True)])
def test_a_rate_at_fn_warn_does_not_warn_and_one_over_it_does(right: int, warned: bool) -> None:
    report = wai.audit_grades(graded(fails=30, right=right), judge=numeric)
    assert any(warning.startswith("VERIFIER") for warning in report["warnings"]) is warned


@pytest.mark.parametrize(
    ("rows", "parts"),
    [([], ["0 rows", "passed 0"]), (graded(fails=0), ["failed 0", "passed 10"])],
)
def test_without_a_failure_the_summary_says_so_and_is_the_first_warning(rows: list[Row], parts: list[str]) -> None:
    report = wai.audit_grades(rows, judge=numeric)
    assert report["warnings"] == [report["summary"]]
    assert all(part in report["summary"] for part in parts)
    assert (report["fn_rate"], report["fn_ci95"], report["estimated_wrong_fails"]) == (None, None, None)
    assert (report["reasons"], report["examples"], report["judge"]) == ({}, [], None)


def test_a_judge_that_is_down_says_nothing_of_the_verifier() -> None:
    def down(row: Row) -> int:
        raise ConnectionError("down")

    report = wai.audit_grades(graded(), judge=down)
    assert (report["n_checked"], report["judge_errors"], report["fn_rate"]) == (0, 30, None)
    assert report["warnings"][0] == report["summary"]
    assert "0 of 30" in report["summary"]


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ({"sample": 0}, "sample"), ({"sample": 2.5}, "sample"), ({"passes": -1}, "passes"), ({"fn_warn": 2}, "fn_warn"),
        ({"question": " "}, "question"),
    ],
)  # fmt: skip
def test_a_bad_argument_is_refused_by_name(bad: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        wai.audit_grades(graded(), judge=numeric, **bad)


def test_the_judge_is_asked_for_by_name() -> None:
    with pytest.raises(TypeError, match="judge"):
        wai.audit_grades(graded())
    assert inspect.signature(wai.audit_grades).parameters["judge"].kind is inspect.Parameter.KEYWORD_ONLY


def test_the_block_is_summary_reasons_examples_and_the_report_adds_its_warnings() -> None:
    report = wai.audit_grades(graded(), judge=numeric)
    lines = wai.format_audit(report).splitlines()
    assert lines[0] == (
        "judge overturned 6 of 30 (20%, [0.10, 0.37]) of the failures checked: about 6 of all 30 are right"
    )
    assert lines[1] == "  text differs: 6 of 30 overturned"
    assert lines[2] == "  sum-0#0: verifier 'exact: text differs (0.0…', judge 'same number'"
    assert len(lines) == 7
    assert str(report).splitlines()[:7] == lines
    assert str(report).splitlines()[7].startswith("! VERIFIER")
    assert max(map(len, str(report).splitlines())) <= 100


@pytest.mark.parametrize(
    ("report", "text"),
    [
        ({}, ""),
        ({"summary": "s"}, "s"),
        ({"summary": "s", "reasons": {"a": {"n": 2, "fn": 1}}, "examples": []}, "s\n  a: 1 of 2 overturned"),
        ({"examples": [{}]}, "  row: verifier '(no reason)', judge '(no reason)'"),
    ],
)
def test_any_dict_of_these_keys_formats(report: Row, text: str) -> None:
    assert wai.format_audit(report) == text


@few
@given(st.lists(odd_rows(), max_size=4))
def test_any_rows_give_a_report_that_prints_and_are_not_changed(rows: list[Row]) -> None:
    before = repr(copy.deepcopy(rows))
    report = wai.audit_grades(rows, judge=lambda row: 1, passes=4)
    json.dumps(report, default=str)
    assert max(map(len, str(report).splitlines())) <= 100
    assert repr(rows) == before
