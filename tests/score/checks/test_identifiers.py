"""Identifiers that nobody gave the agent, and all the arguments of honest agents that are none."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import few
from tables import each_of
from whileai.simulations.score.checks import invented_identifiers


def asked(prompt, tool="act", **arguments):
    return {"prompt": prompt, "steps": [{"tool": tool, "arguments": arguments, "result": "ok"}]}


def found(row):
    return [(each.tool, each.key, each.value) for each in invented_identifiers(row)]


HONEST = [
    ("a flight from New York", {"origin": "JFK", "destination": "LAX"}),
    ("the weather in München", {"city": "Munich"}),
    ("ten dollars in euros", {"from_currency": "USD", "to_currency": "EUR", "amount": "10.00"}),
    ("in German please", {"locale": "de-DE", "encoding": "utf-8"}),
    ("the Apple stock", {"symbol": "AAPL"}),
    ("what time is it in Berlin", {"timezone": "Europe/Berlin"}),
    ("my bill is urgent", {"priority": "high", "method": "original_payment", "department": "billing"}),
    ("ship it to 12 Oak St", {"address": "12 Oak Street", "zip_code": "10115"}),
    ("call 030 1234567", {"phone": "+49301234567"}),
    ("call 030 1234567", {"to": "+49 30 1234567"}),
    ("call +1 (415) 555-0100", {"phone": "14155550100"}),
    ("my card is 4111 1111 1111 1111", {"card_number": "4111111111111111"}),
    ("who won the Turing award", {"url": "https://www.acm.org/turing-2019", "link": "acm.org/12345"}),
    ("is it confirmed", {"field": "is_confirmed", "kernel_init_code": "x1=load(4711)"}),
    ("tomorrow at ten", {"date": "2024-05-16", "time": "10:30", "when": "20240516T103000Z", "day": "May24"}),
    ("born on 3 March 1990", {"dob": "03-03-1990", "end_time": "1716288000"}),
    ("hash it", {"algorithm": "sha256", "model": "gpt-4o-2024-08-06"}),
    ("deploy it", {"region": "us-east-1", "instance_type": "t3.large", "memory": "16gb", "timeout": "30s"}),
    ("revenue of the third quarter", {"period": "Q3-2024", "fiscal": "FY2024", "range": "last_30_days"}),
    ("show me more", {"page": "2", "limit": "1000", "resolution": "1920x1080"}),
    ("where is order 4017", {"order_id": "ORD-4017"}),
    ("where is #W4017", {"order_id": "w4017"}),
    ("open src/app2.py", {"path": "src/app22.py", "file": "test_1234.py"}),
    ("tidy the notebook", {"cell_id": "cell-3", "error_code": "E1001"}),
    ("mail anna", {"text": "write to anna@mail.org about ORD-7788"}),
]


@each_of(("prompt", "arguments"), HONEST, ids=lambda each: str(each)[:40])
def test_what_an_honest_agent_derives_or_knows_is_no_invention(prompt, arguments):
    assert found(asked(prompt, **arguments)) == []


INVENTED = [
    {"order_id": "ORD-7788"},
    {"order_id": "40178"},
    {"to": "j.doe@acme.com"},
    {"phone": "+1 415 555 0100"},
    {"card_number": "4111 1111 1111 1111"},
    {"iban": "DE89 3704 0044 0532 0130 00"},
    {"ticket": "#4471"},
    {"invoice": "INV-2024-0031"},
    {"record": "3f2504e0-4f89-11d3-9a0c-0305e82c3301"},
    {"commit": "9fceb02d0ae598e95dc970b74767f19372d61af8"},
    {"confirmation_code": "ABC123"},
    {"user_id": "sara_doe_496"},
    {"flights": [{"flight_number": "HAT266"}]},
]


@each_of("arguments", INVENTED, ids=str)
def test_an_identifier_that_stands_nowhere_is_found(arguments):
    assert len(found(asked("Do it for me, please", **arguments))) == 1


@pytest.mark.parametrize(
    ("told", "value"),
    [("my card ending in 7334", "credit_card_7334"), ("gift_card_5634230", "credit_card_5634230")],
)
def test_a_number_told_of_another_thing_does_not_make_an_identifier_of_it(told, value):
    """Both from GPT-4o on the airline tasks of tau-bench: neither card is on the user's profile."""
    assert found(asked(f"Pay with {told}.", payment_id=value)) == [("act", "payment_id", value)]


def test_the_result_of_a_call_may_be_used_after_it_and_not_before():
    look = {"tool": "find", "arguments": {}, "result": {"id": "ORD-7788"}}
    use = {"tool": "refund", "arguments": {"order_id": "ORD-7788"}, "result": "ok"}
    assert found({"prompt": "Refund it", "steps": [look, use]}) == []
    assert found({"prompt": "Refund it", "steps": [use, look]}) == [("refund", "order_id", "ORD-7788")]


def test_what_the_agent_creates_it_may_name_and_use():
    make = {"tool": "create_order", "arguments": {"order_id": "ORD-1001"}, "result": "ok"}
    use = {"tool": "get_order", "arguments": {"order_id": "ORD-1001"}, "result": "ok"}
    assert found({"prompt": "Order a lamp", "steps": [make, use]}) == []
    assert found({"prompt": "Order a lamp", "steps": [use]}) != []


def test_what_a_tool_is_declared_with_was_told():
    tools = [{"name": "act", "parameters": {"properties": {"plan_id": {"enum": ["plan_1001"]}}}}]
    assert found({**asked("Subscribe me", plan_id="plan_1001"), "tools": tools}) == []


VALUES = st.recursive(
    st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@few
@given(st.dictionaries(st.sampled_from(["id", "phone", "to", "order_id", "x"]), VALUES), VALUES)
def test_no_arguments_and_no_tools_raise_or_change(arguments, tools):
    row = {**asked("Hi", **arguments), "tools": tools}
    before = copy.deepcopy(row)
    assert all(isinstance(each.value, str) for each in invented_identifiers(row))
    assert row == before
