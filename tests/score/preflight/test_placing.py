from __future__ import annotations

import pytest

from whileai.simulations.score.dimensions.clauses import all_clauses, whole_clauses
from whileai.simulations.score.dimensions.tools import read_tools
from whileai.simulations.score.preflight.placing import Places, content_words

POLICY = """
1. Look up the order before discussing it.
2. Refunds over $200 must be escalated to a human.
3. Refunds are only allowed within 30 days of delivery.
4. Never invent tracking details.
5. Ask the customer to confirm before you cancel an order.
"""
PLACES = Places(
    read_tools([{"name": name} for name in ("lookup_order", "issue_refund", "cancel_order")]), whole_clauses(POLICY)
)
LOOK_UP, OVER_200, IN_30_DAYS, TRACKING, CONFIRM = all_clauses(POLICY)


@pytest.mark.parametrize(
    ("ask", "tools", "rules"),
    [
        ("Where is order 4473?", ["lookup_order", "cancel_order"], [LOOK_UP, CONFIRM]),
        ("I would like a refund", ["issue_refund"], []),
        ("My refund is over the limit", ["issue_refund"], [OVER_200]),
        ("A refund, 30 days after delivery?", ["issue_refund"], [IN_30_DAYS]),
        ("Do you have any tracking for me?", [], [TRACKING]),
        ("What is the weather like in Lisbon today?", [], []),
        ("", [], []),
    ],
)
def test_an_ask_lands_on_tools_and_rules(ask: str, tools: list[str], rules: list[str]) -> None:
    placed = PLACES.place(ask)
    assert (placed.tools, placed.rules) == (tools, rules)


def test_a_condition_of_one_word_can_still_be_met() -> None:
    assert Places([], whole_clauses("Only refunds.")).place("Only refunds, or other things too?").rules == [
        "Only refunds."
    ]
    assert Places([], whole_clauses("Refunds: 5%")).place("a refund").rules == ["Refunds: 5%"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Please tell me where the customers' orders are", {"customer", "order"}),
        ("Don't ever share a guest's e-mail", {"share", "guest", "e-mail"}),
        ("over $200, unless more than 5%", {"over", "$200", "unles", "more"}),
        ("gas bus pass", {"gas", "bus", "pass"}),
        ("Überweisung für später", {"überweisung", "für", "später"}),
        ("lookup_order", {"lookup", "order"}),
    ],
)
def test_content_words_leave_out_function_words(text: str, words: set[str]) -> None:
    assert content_words(text) == words


@pytest.mark.parametrize("piece", ["-", "a-", "a'", "$", "$$a", "_"])
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    assert isinstance(content_words(piece * 200_000), frozenset)
