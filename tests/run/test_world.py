from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import whileai.simulations as wai
from run.toolsets import CALENDAR, DEVELOPER, SHOP, TEXT, TOOLSETS, schema
from whileai.simulations.rows.failure import call_failed
from whileai.simulations.run.current import current_rollout, current_world, entered
from whileai.simulations.run.situations import Situation, plan_situations
from whileai.simulations.run.world import World
from whileai.simulations.score.optimize.faults import fault_kind

STATES = ["entity exists", "entity missing", "entity already acted on", "duplicate entity", "partially completed"]


def planted(tools: list[dict[str, Any]], tool: str, state: str) -> Situation:
    plan = plan_situations(tools, fault_rate=0, dimensions={"tool": [tool], "world_state": [state]})
    return next(one for one in plan if one.wanted)


def test_a_record_reads_the_same_through_every_rollout_of_a_situation() -> None:
    one = planted(SHOP, "get_order", "entity exists")
    answers = [World(SHOP, situation=one, rollout_index=n).call("get_order", one.arguments) for n in range(3)]
    assert answers[0] == answers[1] == answers[2]
    other = World(SHOP, situation=one).call("get_order", {"order_id": "1111"})
    assert other["order"] == "1111"


@pytest.mark.parametrize("tool", ["cancel_order", "issue_refund"])
def test_a_change_is_seen_by_what_is_read_after_it(tool: str) -> None:
    there = World(SHOP)
    assert there.call(tool, {"order_id": "5257"})["ok"] is True
    state = {"cancel_order": "cancelled", "issue_refund": "refunded"}[tool]
    assert there.call("get_order", {"order_id": "5257"})["status"] == state
    assert there.call("get_order", {"order_id": "5258"})["status"] != state


def test_a_field_that_was_set_is_read_back() -> None:
    there = World(SHOP)
    there.call("change_address", {"order_id": "5257", "city": "Porto"})
    assert there.call("get_order", {"order_id": "5257"})["city"] == "Porto"
    files = World(DEVELOPER)
    files.call("write_file", {"path": "notes/a.md", "content": "new text"})
    assert files.call("read_file", {"path": "notes/a.md"})["content"] == "new text"


def test_the_same_change_twice_was_done_already() -> None:
    there = World(SHOP)
    there.call("cancel_order", {"order_id": "5257"})
    again = there.call("cancel_order", {"order_id": "5257"})
    assert again["status"] == "already_done"
    assert again["reason"] == "already_acted_on"
    assert not call_failed(again)


def test_what_was_deleted_is_gone_and_what_was_made_is_listed() -> None:
    there = World(CALENDAR)
    made = there.call("create_event", {"title": "Lunch", "start_time": "2026-03-12T12:00:00"})
    assert made["status"] == "created"
    listed = there.call("list_events", {"date": "2026-03-12"})["results"]
    assert [one["title"] for one in listed if one["id"] == made["event_id"]] == ["Lunch"]
    assert there.call("delete_event", {"event_id": made["event_id"]})["status"] == "deleted"
    assert there.call("delete_event", {"event_id": made["event_id"]})["status"] == "not_found"
    assert made["event_id"] not in [one["id"] for one in there.call("list_events", {"date": "2026-03-12"})["results"]]


@pytest.mark.parametrize("tool", ["get_order", "cancel_order", "change_address"])
def test_a_missing_record_is_not_found_and_others_are(tool: str) -> None:
    one = planted(SHOP, tool, "entity missing")
    there = World(SHOP, situation=one)
    answer = there.call(tool, one.arguments)
    assert answer == {"status": "not_found", "missing": [one.entity]}
    assert call_failed(answer)
    assert not call_failed(there.call("get_order", {"order_id": "1"}))


def test_what_was_done_already_is_said_by_look_and_change() -> None:
    one = planted(SHOP, "issue_refund", "entity already acted on")
    there = World(SHOP, situation=one)
    assert there.call("get_order", one.arguments)["note"] == "already refunded"
    assert there.call("issue_refund", one.arguments)["status"] == "already_done"


def test_a_duplicate_is_told_by_a_look() -> None:
    one = planted(SHOP, "cancel_order", "duplicate entity")
    assert one.twin in World(SHOP, situation=one).call("get_order", one.arguments)["note"]


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("timeout", "timeout"), ("malformed", "malformed"), ("stale", "stale"), ("permission_denied", "deny")],
)
def test_a_fault_comes_first_and_the_graders_know_it(mode: str, kind: str) -> None:
    there = World(SHOP, faults={"cancel_order": {"mode": mode, "rate": 1.0}})
    answer = there.call("cancel_order", {})
    assert call_failed(answer)
    assert fault_kind({"steps": [{"tool": "cancel_order", "arguments": {}, "result": answer}]}) == kind
    assert there.log == [{"tool": "cancel_order", "arguments": {}, "result": answer, "fault": mode}]
    assert not call_failed(there.call("get_order", {"order_id": "5"}))
    assert there.log[1]["fault"] is None


def test_answers_under_a_fault_are_the_documented_ones() -> None:
    answers = {
        mode: World(SHOP, condition=mode).call("get_order", {"order_id": "5257"})
        for mode in ("timeout", "malformed_result", "stale_result", "permission_denied")
    }
    assert answers["timeout"]["status"] == "timeout"
    assert answers["timeout"]["error"]
    assert answers["malformed_result"] == {"status": "ok", "data": "<<garbled resp0nse"}
    assert answers["stale_result"]["stale"] is True
    assert answers["stale_result"]["as_of"] == "3 days ago"
    assert answers["stale_result"]["order"] == "5257"
    assert answers["permission_denied"] == {"status": "permission_denied"}


def test_a_rate_is_the_share_of_calls_that_fail() -> None:
    failed = 0
    for number in range(400):
        there = World(SHOP, scenario_id=str(number), faults={"*": {"mode": "timeout", "rate": 0.3}})
        failed += call_failed(there.call("get_order", {"order_id": "5"}))
    assert failed / 400 == pytest.approx(0.3, abs=0.09)  # four standard errors


def test_a_fault_changes_nothing() -> None:
    there = World(SHOP, faults={"cancel_order": {"mode": "timeout"}})
    there.call("cancel_order", {"order_id": "5257"})
    assert there.call("get_order", {"order_id": "5257"})["status"] != "cancelled"


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({}, {"status": "rejected", "reason": "missing_required", "missing": ["city"]}),
        ({"city": 3}, {"status": "rejected", "reason": "invalid", "invalid": {"city": "must be of type string"}}),
        (
            {"city": "Oslo", "unit": "kelvin"},
            {"status": "rejected", "reason": "invalid", "invalid": {"unit": "must be one of celsius, fahrenheit"}},
        ),
    ],
    ids=["missing", "type", "enum"],
)
def test_arguments_that_do_not_fit_are_rejected(arguments: dict[str, Any], wanted: dict[str, Any]) -> None:
    answer = World(CALENDAR).call("get_weather", arguments)
    assert answer == wanted
    assert call_failed(answer)


def test_an_unknown_tool_is_an_error_that_names_the_tools() -> None:
    answer = World(SHOP).call("fly", {})
    assert answer["reason"] == "unknown_tool"
    assert "get_order" in answer["error"]


RETURNS = {
    "type": "object",
    "required": ["customer_id", "email", "orders", "state"],
    "additionalProperties": False,
    "properties": {
        "customer_id": {"type": "string"},
        "email": {"type": "string", "format": "email"},
        "age": {"type": "integer", "minimum": 18, "maximum": 99},
        "state": {"type": "string", "enum": ["active", "blocked"]},
        "orders": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object", "required": ["total"], "properties": {"total": {"type": "number"}}},
        },
    },
}


@pytest.mark.parametrize("state", STATES)
def test_an_answer_obeys_the_schema_a_tool_declares(state: str) -> None:
    tools = [schema("get_customer", ["customer_id"], RETURNS, customer_id=TEXT)]
    one = planted(tools, "get_customer", state)
    answer = World(tools, situation=one).call("get_customer", one.arguments)
    if state == "entity missing":
        assert answer["status"] == "not_found"
    else:
        jsonschema.validate(answer, RETURNS)
        assert answer["customer_id"] == one.entity


def test_an_answer_has_the_fields_and_types_of_a_declared_example() -> None:
    example = SHOP[0]["returns"]
    answer = World(SHOP).call("get_order", {"order_id": "5257"})
    assert {name: type(value) for name, value in answer.items()} == {
        name: type(value) for name, value in example.items()
    }
    assert answer["order"] == "5257"


@settings(max_examples=15)
@given(
    st.sampled_from([schema_["name"] for tools, _ in TOOLSETS.values() for schema_ in tools]),
    st.dictionaries(st.text(max_size=8), st.recursive(st.none() | st.integers() | st.text(max_size=9), st.lists)),
    st.sampled_from(STATES),
)
def test_any_arguments_get_an_answer(name: str, arguments: dict[str, Any], state: str) -> None:
    tools = [schema_ for tools, _ in TOOLSETS.values() for schema_ in tools]
    answer = World(tools, world_state=state).call(name, arguments)
    assert isinstance(answer, dict)


def test_nothing_in_an_argument_is_executed() -> None:
    tools = [schema("calculate", ["expression"], expression=TEXT)]
    there = World(tools)
    assert there.call("calculate", {"expression": "2 * (3 + 4)"})["result"] == 14
    for hostile in ("__import__('os').getcwd()", "9**9**9", "(" * 90, "1/0", "a"):
        assert there.call("calculate", {"expression": hostile})["status"] == "error"


def test_world_answers_from_the_running_rollout() -> None:
    there = wai.world(SHOP)
    running = World(SHOP, faults={"*": {"mode": "timeout"}})
    assert not call_failed(there.call("get_order", {"order_id": "5"}))
    with entered(running, 3):
        assert there.call("get_order", {"order_id": "5"})["status"] == "timeout"
        assert (current_world.get(), current_rollout.get()) == (running, 3)
        assert there.log == running.log
    assert current_world.get() is None
    assert current_rollout.get() == 0
    assert not call_failed(there.call("get_order", {"order_id": "5"}))


@pytest.mark.parametrize("bad", [3, "tools", [3]])
def test_what_is_no_tool_is_refused(bad: Any) -> None:
    with pytest.raises(TypeError, match="tools="):
        wai.world(bad)
