from __future__ import annotations

from typing import Any

import pytest
from scipy import stats

import whileai.simulations as wai
from whileai.simulations.score.delta.comparable import proportions_p, selection_bound


def causes(before: list[dict], after: list[dict], **more: Any) -> list[str]:
    return wai.delta_report(before, after, **more)["not_comparable"]


def test_half_of_the_tasks_shared_is_one_eval_and_less_is_not(rows: Any) -> None:
    assert causes(rows([1] * 10), rows([1] * 5)) == []
    assert causes(rows([1] * 11), rows([1] * 5)) == ["situations"]


def test_proportions_p_is_the_pooled_z_test() -> None:
    chi2 = stats.chi2_contingency([[40, 40], [60, 20]], correction=False)
    assert proportions_p((40, 80), (60, 80)) == pytest.approx(chi2.pvalue)
    assert proportions_p((0, 0), (3, 5)) is None


def test_selection_bound_sums_dropped_over_kept() -> None:
    config = {"before": {"graded_share": 0.75}, "after": {"graded_share": 0.0}}
    assert selection_bound(config) == pytest.approx(1 / 3 + 1)
    assert selection_bound({"before": {"graded_share": None}, "after": {"graded_share": None}}) is None


def test_an_answered_gap_within_the_re_run_band_is_a_warning(rows: Any) -> None:
    before, after = rows([2] * 20, final_text="<think>"), rows([2] * 20, final_text="Done.")
    assert causes(before, after) == ["answered"]
    report = wai.delta_report(before, after, run_std=0.9)
    assert report["not_comparable"] == []
    assert any("<think>" in warning for warning in report["warnings"])


def test_a_blank_reply_is_no_answer(rows: Any) -> None:
    report = wai.delta_report(rows([2] * 20, final_text=""), rows([2] * 20, final_text="Done."))
    assert report["config"]["before"]["answered_share"] == 0.0
    assert report["not_comparable"] == ["answered"]


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("seed", "callable-writer", []),
        ("template", "w1", ["writer_model"]),
        ("pinned", "w1", []),
        ("w1", "w2", ["writer_model"]),
    ],
)
def test_writers_that_are_no_model_are_one(rows: Any, first: str, second: str, found: list[str]) -> None:
    assert causes(rows([1] * 6, writer_model=first), rows([1] * 6, writer_model=second)) == found


def test_a_setting_the_rows_of_a_side_disagree_on_is_never_compared(rows: Any) -> None:
    mixed = rows([1] * 3, user_model="u1") + rows([1] * 3, start=3, user_model="u2")
    report = wai.delta_report(mixed, rows([1] * 6, user_model="u3"))
    assert report["not_comparable"] == []
    assert report["config"]["before"]["mixed"] == ["user_model"]


def test_a_user_served_by_the_changed_agent_is_warned_about(rows: Any) -> None:
    sides = [rows([1] * 6, policy_version=f"m@{sha}", user_model="m", lineage={}) for sha in ("aa", "bb")]
    warnings = wai.delta_report(*sides)["warnings"]
    assert any("user_model is the agent's own served name" in warning for warning in warnings)


def test_two_prompts_are_a_cause_that_leaves_the_gate_open(rows: Any) -> None:
    sides = [rows([2] * 6, policy_version=f"m@{sha}") for sha in ("aa", "bb")]
    report = wai.delta_report(*sides)
    assert (report["ok"], report["headline_verdict"]) == (True, "NOT COMPARABLE (prompt_hash)")


def test_few_ungraded_rows_are_a_warning_with_both_shares(rows: Any) -> None:
    before, after = rows([2, 0, 1, 3] * 5, k=5), rows([4] * 20, k=5)
    for row in before[::10]:
        row["reward"] = None
    report = wai.delta_report(before, after)
    assert report["not_comparable"] == []
    assert any("90.0%" in warning and "verdict" in warning for warning in report["warnings"])


def test_the_token_cap_is_blamed_only_for_silence_on_the_side_it_cut() -> None:
    def side(silent: int, cut: int) -> list[dict[str, Any]]:
        rows = [{"task_id": f"t{n % 20}", "reward": n % 2, "final_text": "Done." * (n >= silent)} for n in range(100)]
        return [{**row, "finish_reason": "length" if n < cut else "stop"} for n, row in enumerate(rows)]

    answered = side(silent=0, cut=0)
    assert "raise max_tokens" in str(wai.delta_report(side(silent=40, cut=40), answered)["warnings"])
    said = str(wai.delta_report(side(silent=40, cut=0), side(silent=0, cut=10))["warnings"])
    assert "0% before and 10% after, which is not why" in said
