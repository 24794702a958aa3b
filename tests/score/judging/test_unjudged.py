"""Why a judge gave no verdict: its own words, never those of the judge before it."""

from __future__ import annotations

from typing import Any

import pytest

from whileai.simulations.score.judging import run_judge
from whileai.simulations.score.judging.unjudged import unjudged_text, why_unjudged

ROW = {"final_text": "Done.", "reward": 0, "reason": "policy missed", "judge_meta": {"error": "of an earlier run"}}


def burns(row: dict[str, Any]) -> Any:
    raise RuntimeError("the gpu is on fire")


@pytest.mark.parametrize(
    ("judge", "cause"),
    [
        (burns, "error: RuntimeError: the gpu is on fire"),
        (lambda row: "PASS", "invalid_result: returned_type str"),
        (lambda row: {"verdict": "yes"}, "missing_reward: returned_keys ['verdict']"),
        (lambda row: {"reward": None, "reason": "the server answered 401"}, "invalid_result: the server answered 401"),
        (lambda row: {"reward": 7, "reason": "good"}, "invalid_result: good; reward_out_of_range 7.0"),
        (lambda row: {"reward": None, "reason": "policy missed"}, "invalid_result"),
    ],
    ids=["raised", "text", "no reward", "said why", "out of range", "nothing of its own"],
)
def test_the_cause_is_what_this_judge_said(judge: Any, cause: str) -> None:
    scored = run_judge([ROW], judge, quiet=True)
    shown = why_unjudged(ROW, scored[0])
    assert shown.startswith(cause)
    assert "policy missed" not in shown
    assert "earlier" not in shown


def test_nothing_is_said_where_every_row_has_a_verdict_and_a_cause_is_safe_to_print() -> None:
    assert unjudged_text([ROW], run_judge([ROW], lambda row: 1).rows) is None
    odd = run_judge([ROW, ROW], lambda row: {"reward": None, "reason": "\x1b[31m" + "x" * 999}).rows
    shown = unjudged_text([ROW, ROW], odd) or ""
    assert shown.startswith("no verdict on 2 of 2 rows; the first: invalid_result: ")
    assert "\x1b" not in shown
    assert len(shown) < 400
