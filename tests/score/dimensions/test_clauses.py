"""Clauses of a policy, by the table of the spec and by policies as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.score.dimensions import policy_sections
from whileai.simulations.score.dimensions.clauses import LONGEST, SHORTEST, all_clauses


@each_of(
    ("policy", "clauses"),
    [
        ("You are a support agent for Northwind. Never promise a delivery date.", ["Never promise a delivery date."]),
        ("You are a helpful assistant.", []),
        ("You're Ava! Be brief and kind.", ["Be brief and kind."]),
        ("Your role is to help at example.com; never share data", ["never share data"]),
        ("Act as a clerk.\nFor refunds; ask a manager first", ["For refunds", "ask a manager first"]),
        ("You are not allowed to refund. Ask a manager.", ["You are not allowed to refund.", "Ask a manager."]),
        ("Act as soon as the customer confirms.", ["Act as soon as the customer confirms."]),
        (
            "Refunds need a receipt; store credit does not expire; escalate anything else",
            ["Refunds need a receipt", "store credit does not expire", "escalate anything else"],
        ),
        ("Do A; never share a customer's email", ["Do A; never share a customer's email"]),
        ("No. Never refund an order twice. Ask first.", ["No. Never refund an order twice. Ask first."]),
        ("- Be kind\n- Be kind.\n- Ask why?", ["Be kind.", "Ask why?"]),
        (
            "- Refunds over two hundred\n  need a human\n- Never argue",
            ["Refunds over two hundred need a human", "Never argue"],
        ),
        (
            "Refunds: need a receipt\nDelivery: five days\nat most",
            ["Refunds: need a receipt", "Delivery: five days at most"],
        ),
        ("1. Look up the order\n2) Ask before cancelling", ["Look up the order", "Ask before cancelling"]),
        ("Refund policy\n\n\n### Never argue back", ["Refund policy", "Never argue back"]),
        ("Use the id, e.g. A1001, first. Never guess it.", ["Use the id, e.g. A1001, first.", "Never guess it."]),
        ("Hand over to e.g. Tom or Ann. Never guess it.", ["Hand over to e.g. Tom or Ann.", "Never guess it."]),
        (
            "退款需要收据，不接受例外情况。\n\n请先核实客户的身份信息。",
            ["退款需要收据，不接受例外情况。", "请先核实客户的身份信息。"],
        ),
        ("  \n ", []),
        (None, []),
    ],
)
def test_a_policy_falls_into_clauses(policy: str, clauses: list[str]) -> None:
    assert policy_sections(policy) == clauses


def test_a_long_clause_keeps_its_first_words() -> None:
    (clause,) = policy_sections("word " * 40)
    assert clause == ("word " * 24).strip()
    assert policy_sections("a" * 149) == ["a" * LONGEST]
    assert policy_sections("a" * 119 + "b c") == ["a" * 119 + "b"]


@pytest.mark.parametrize(("cap", "n"), [(None, 20), (16, 16), (0, 0), (99, 20)])
def test_a_cap_keeps_the_first_clauses(cap: int | None, n: int) -> None:
    policy = "\n".join(f"- Rule number {i}." for i in range(20))
    assert policy_sections(policy, cap=cap) == [f"Rule number {i}." for i in range(20)][:n]


def test_a_cap_that_is_no_count_is_refused() -> None:
    with pytest.raises(ValueError, match="cap must be a whole number of at least 0"):
        policy_sections("Be brief and kind.", cap=-1)


@given(st.text(alphabet="aB .!?;:-*#1)\n\t\u2028", max_size=300))
def test_clauses_are_distinct_and_of_bounded_length(policy: str) -> None:
    clauses = all_clauses(policy)
    assert len({clause.lower() for clause in clauses}) == len(clauses)
    assert all(SHORTEST <= len(clause) <= LONGEST and clause == " ".join(clause.split()) for clause in clauses)


@each_of("piece", ["\n \n", "# ", "You are ", "; ", ". ", "Aa: ", "a" * 9, "- \n"])
def test_a_hostile_policy_is_read_in_linear_time(piece: str) -> None:
    assert len(all_clauses(piece * 20_000)) <= 20_000


@pytest.mark.parametrize(
    "sentence",
    [
        "You are responsible for verifying identity before any change.",
        "You are in charge of refunds up to one month.",
        "You are a clerk who must never share an address.",
        "You are a clerk and you only answer questions on bills.",
        "You are an agent with a refund limit of $200.",
        "You are an agent that can give 20% off.",
    ],
)
def test_a_role_that_states_a_rule_is_a_clause(sentence: str) -> None:
    assert policy_sections(f"{sentence} Be brief.") == [sentence, "Be brief."]


@pytest.mark.parametrize(
    "role", ["You are a support agent of shop 5", "You are Ava, a kind assistant", "Your role is to help"]
)
def test_a_plain_role_is_none(role: str) -> None:
    assert policy_sections(f"{role}! Never argue.") == ["Never argue."]
