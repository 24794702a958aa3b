from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import few
from strategies import json_values, rows
from whileai.simulations.score.preflight import coverage_gap, format_coverage_gap

TOOLS = [{"name": name} for name in ("lookup_order", "issue_refund", "cancel_order")]
POLICY = """You are the support agent.

1. Look up the order before discussing it.
2. Refunds over $200 must be escalated to a human.
3. Never invent tracking details.
"""
LOOK_UP, OVER_200, TRACKING = (
    "Look up the order before discussing it.",
    "Refunds over $200 must be escalated to a human.",
    "Never invent tracking details.",
)
ASKS = ["Where is order 4473?", "I want a refund please", "Still no refund!"]
WORLD = {"rows_per_rule", "rules_with_no_rows", "rules_the_world_never_triggers"}


def gap(asks: object = ASKS, **options: object) -> dict:
    return coverage_gap(asks, **{"tools": TOOLS, "system_prompt": POLICY, **options})


def episode(under: str | None, *statuses: str, **fields: object) -> dict:
    steps = [{"tool": "lookup_order", "arguments": {}, "result": {"status": status}} for status in statuses]
    dimensions = {} if under is None else {"scenario_dimensions": {"rule": under}}
    return {"prompt": "p", "final_text": "f", "steps": steps, **dimensions, **fields}


def test_the_lists_worth_reading_and_the_counts_behind_them() -> None:
    found = gap()
    assert (found["untested_tools"], found["untested_rules"]) == ([], [OVER_200, TRACKING])
    assert found["axes"]["tool"] == {
        "counts": {"lookup_order": 1, "issue_refund": 2, "cancel_order": 1, "unrelated": 0, "multi_tool": 1},
        "untouched": ["unrelated"],
    }
    assert found["stances"] == {"ordinary": 2, "retry": 1}
    assert (found["pressure_asks"], found["single_shot"], found["n_asks"]) == (1, True, 3)
    assert found["axes"]["history"]["counts"]["fresh"] == 3
    assert not any(found["axes"]["tool_condition"]["counts"].values())
    assert not WORLD & set(found)


def test_no_asks_leave_everything_untested() -> None:
    found = gap(None)
    assert (found["untested_rules"], found["untested_tools"]) == (
        [LOOK_UP, OVER_200, TRACKING],
        [t["name"] for t in TOOLS],
    )
    assert (found["single_shot"], found["stances"], found["per_ask"]) == (False, {}, [])
    assert "0 of 3 rules" in found["summary"]


def test_without_a_policy_the_placeholder_is_never_untested() -> None:
    found = gap(system_prompt="")
    assert (found["rules"], found["n_rules_total"], found["untested_rules"]) == (["unspecified"], 0, [])
    assert found["axes"]["rule"] == {"counts": {"unspecified": 0}, "untouched": ["unspecified"]}


@pytest.mark.parametrize(("cap", "rules"), [(1, [LOOK_UP]), (0, ["unspecified"]), (9, [LOOK_UP, OVER_200, TRACKING])])
def test_a_capped_axis_says_what_was_left_off(cap: int, rules: list[str]) -> None:
    found = gap(rule_cap=cap)
    shown = cap if cap < 3 else 3
    assert (found["rules"], found["rules_truncated"], found["n_rules_total"]) == (rules, cap < 3, 3)
    assert (f"{shown} of 3 clauses" in " ".join(found["notes"])) is (cap < 3)


def test_notes_come_in_their_order() -> None:
    notes = gap(["Where is order 4473?"], rule_cap=2, rows=[episode(OVER_200, "timeout")])["notes"]
    for note, says in zip(
        notes,
        ["2 of 3", "1 rule of the policy", "tool_condition", "shared words", "runs once", "hurried", "never triggers"],
        strict=True,
    ):
        assert says in note


def test_an_ask_run_twice_is_no_single_shot() -> None:
    assert gap(["Where is it?", "where  is IT?"])["single_shot"] is False


def test_a_rule_whose_rows_all_met_the_same_fault_is_never_triggered() -> None:
    rows = [
        episode(LOOK_UP, "ok"), episode(LOOK_UP, "ok"), episode(LOOK_UP, "not_found"),
        episode(OVER_200, "timeout"), episode(OVER_200, "ok", "timeout"),
        episode(TRACKING, "timeout"), episode(TRACKING, "error"),
        episode(None, "timeout"), episode("unspecified", "timeout"), episode(None, "denied", rule="Another rule."),
        None,
    ]  # fmt: skip
    found = gap(rows=rows)
    assert found["rows_per_rule"] == {"Another rule.": 1, LOOK_UP: 3, TRACKING: 2, OVER_200: 2}
    assert list(found["rows_per_rule"]) == sorted(found["rows_per_rule"])
    assert found["rules_with_no_rows"] == []
    stuck = [(one["rule"], one["rows"], one["outcome"]) for one in found["rules_the_world_never_triggers"]]
    assert stuck == [("Another rule.", 1, "deny"), (OVER_200, 2, "timeout")]
    assert "Refunds over $200" in found["summary"]


def test_a_result_counts_more_than_the_plan() -> None:
    plan = {"faults": {"*": {"mode": "timeout"}}}
    assert gap(rows=[episode(LOOK_UP, "ok", **plan)])["rules_the_world_never_triggers"] == []
    (stuck,) = gap(rows=[episode(LOOK_UP, **plan)])["rules_the_world_never_triggers"]
    assert stuck["outcome"] == "timeout"


def test_no_rows_still_add_their_keys() -> None:
    found = gap(rows=[])
    assert set(found) >= WORLD
    assert found["rules_with_no_rows"] == [LOOK_UP, OVER_200, TRACKING]


def test_the_block_a_person_reads() -> None:
    text = str(gap(rows=[episode(OVER_200, "timeout"), episode(OVER_200, "timeout")]))
    for part in (
        "asks: 3, each runs once",
        "rules covered: 1 of 3",
        "tools covered: 3 of 3",
        "stances: ordinary 2, retry 1",
        f"untested rule: {TRACKING}",
        "2 rows, all timeout",
    ):
        assert part in text
    assert max(map(len, text.splitlines())) <= 100
    assert format_coverage_gap({}) == "asks: 0\nrules covered: 0 of 0\ntools covered: 0 of 0"


def test_foreign_text_does_not_drive_the_terminal() -> None:
    text = str(gap(["hi \x1b[31m"], tools=[{"name": "red\x1b[31m"}], system_prompt="Never \x1b[31m print this."))
    assert "\x1b" not in text


def test_tools_are_required_by_name() -> None:
    with pytest.raises(TypeError, match="tools"):
        coverage_gap(["hi there"], system_prompt="x")  # type: ignore[call-arg]


@few
@given(st.lists(rows() | json_values, max_size=4), st.text(max_size=60))
def test_any_rows_and_any_policy_are_reported(odd: list, policy: str) -> None:
    found = coverage_gap(odd, tools=TOOLS, system_prompt=policy, rows=odd)
    assert sum(found["stances"].values()) == found["n_asks"] == len(found["per_ask"])
    assert isinstance(str(found), str)


def test_rows_without_a_rule_are_counted_in_a_note() -> None:
    found = gap(rows=[episode(None), episode(LOOK_UP), episode("Another rule."), "no row"])
    assert "2 of 3 rows carry a rule (scenario_dimensions.rule)" in found["notes"]
    assert any("1 rule of the rows not in the policy" in note for note in found["notes"])
    assert f"no rows under rule: {TRACKING}" in str(found)
    assert "no rows under rule" not in str(gap(rows=[episode(None)]))
    assert not any("carry a rule" in note for note in gap(rows=[episode(LOOK_UP)])["notes"])


def test_words_after_the_cut_of_a_long_rule_are_matched() -> None:
    rule = "Explain the situation to the person in a calm voice " * 3 + "and mention the warranty."
    found = gap(["Is there a warranty?"], tools=[], system_prompt=rule)
    assert found["untested_rules"] == []
    assert len(found["rules"][0]) <= 120
    assert any("1 of 1 rule cut at 120 characters" in note for note in found["notes"])
    assert not any("characters to be shown" in note for note in gap()["notes"])


@pytest.mark.parametrize(
    ("ask", "unread"),
    [("我的订单在哪里？", 1), ("Где мой заказ 5?", 1), ("Où est ma commande ?", 0), ("My name is 李", 0), ("4473", 0)],
)
def test_asks_in_another_script_are_said_to_be_unread(ask: str, unread: int) -> None:
    notes = " ".join(gap([ask])["notes"])
    assert (f"{unread} of 1 ask and 0 of 3 rules are in a script it does not read" in notes) is bool(unread)


def test_the_same_ask_is_placed_each_time_on_lists_of_its_own() -> None:
    first, second = gap(["Where is order 5?"] * 2)["per_ask"]
    assert first == second
    assert first["tools"] is not second["tools"]


def test_one_ask_covers_and_two_cover() -> None:
    assert "1 ask covers" in gap(["Where is it?"])["summary"]
    assert "2 asks cover" in gap(["Where is it?", "Hm?"])["summary"]


@pytest.mark.parametrize("report", [None, "text", [1]])
def test_what_is_no_report_is_refused(report: object) -> None:
    with pytest.raises(TypeError, match="report must be what coverage_gap returns"):
        format_coverage_gap(report)  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", [5, b"Be kind.", {"text": "Be kind."}, [1]])
def test_a_policy_that_is_no_text_is_refused(policy: object) -> None:
    with pytest.raises(TypeError, match="system_prompt="):
        gap(system_prompt=policy)


def test_a_policy_in_text_blocks_is_read() -> None:
    blocks = [{"type": "text", "text": line} for line in POLICY.splitlines()]
    assert gap(system_prompt=blocks)["rules"] == [LOOK_UP, OVER_200, TRACKING]
