from __future__ import annotations

import copy

import pytest
from hypothesis import given

import whileai.simulations as wai
from episodes import call, odd_rows, row
from examples import few
from tables import each_of

WRITE, FAILED = call("refund_order"), call("refund_order", "timeout")
TARGET = {"tool": "refund_order"}
LOOK = call("list_files", files="a b")


@each_of(
    ("given", "conduct", "outcome", "reward"),
    [
        (row("That is on its way.", WRITE, **TARGET), 1.0, 1.0, 1.0),
        (row("Have a nice day.", **TARGET), 1.0, 0.0, 0.0),
        (row("The refund timed out.", FAILED, **TARGET), 1.0, 1.0, 1.0),
        (row("Your refund was processed successfully.", FAILED, **TARGET), 0.0, 0.0, 0.0),
        (row("Hello there."), 1.0, None, 1.0),
        (row(""), 0.0, None, 0.0),
        (row("Both are there.", LOOK, LOOK, tool="list_files"), 0.5, 1.0, 0.5),
        (row("Both are there.", LOOK, LOOK), 0.5, None, 0.5),
    ],
)
def test_reward_is_conduct_times_outcome(given: dict, conduct: float, outcome: float | None, reward: float) -> None:
    verdict = wai.task_checklist(given)
    markers = verdict["markers"]
    assert (markers["conduct"], markers.get("outcome"), verdict["reward"]) == (conduct, outcome, reward)
    assert markers["outcome_checked"] == float(outcome is not None)
    assert list(verdict) == ["reward", "reason", "markers"]


@pytest.mark.parametrize(
    ("given", "source"),
    [
        (row("That is on its way.", WRITE, **TARGET), "outcome"),
        (row("Have a nice day.", **TARGET), "outcome"),
        (row("", **TARGET), "conduct"),
        (row("Hello there."), "conduct"),
    ],
)
def test_the_reason_is_that_of_the_part_that_decides(given: dict, source: str) -> None:
    reasons = {"outcome": wai.outcome_check(given)[1], "conduct": wai.conduct_grade(given)["reason"]}
    assert wai.task_checklist(given)["reason"] == reasons[source]


def test_bookkeeping_is_no_marker_and_every_check_is() -> None:
    markers = wai.task_checklist(row("I could not find it.", world_state="missing"))["markers"]
    assert markers == {
        "conduct": 1.0, "outcome_checked": 1.0, "outcome": 1.0, "missing_reported": 1.0, "missing_no_write": 1.0,
    }  # fmt: skip


def test_declared_tools_reach_conduct() -> None:
    verdict = wai.task_checklist(row("That is on its way.", WRITE, **TARGET), {"get_order"})
    assert (verdict["reward"], verdict["markers"]["conduct"]) == (0.0, 0.0)


@few
@given(odd_rows)
def test_odd_rows_are_graded_without_an_error_and_left_as_they_were(given: dict) -> None:
    held = copy.deepcopy(given)
    verdict = wai.task_checklist(given)
    assert verdict["reward"] in (0.0, 0.5, 1.0)
    assert {type(value) for value in verdict["markers"].values()} == {float}
    assert repr(given) == repr(held)


def test_what_is_no_row_is_worth_nothing() -> None:
    assert wai.task_checklist(None)["reward"] == 0.0
