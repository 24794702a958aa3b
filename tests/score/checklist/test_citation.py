from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.rows.calls import Call
from whileai.simulations.score.checklist.citation import cited


@pytest.mark.parametrize(
    ("result", "reply", "value"),
    [
        ({"state": "delivered"}, "It was Delivered in May.", "delivered"),
        ({"policy": "final_sale"}, "That is a final sale.", "final_sale"),
        ({"order": {"lines": [{"days": 74}, {"total": 1250}]}}, "The total was $1,250.", "1250"),
        ({"fee": 74.5}, "The fee of $74.5 stays.", "74.5"),
        ({"a": "paid", "b": "paid in full"}, "It is paid in full.", "paid in full"),
        ("Order shipped on 2026-01-04", "It shipped on 2026-01-04.", None),
        (["2026-01-04"], "It shipped on 2026-01-04.", "2026-01-04"),
    ],
)
def test_the_longest_value_named_in_whole_words_is_cited(result: object, reply: str, value: str | None) -> None:
    assert cited(reply, [Call("get_order", result=result)]) == value


@each_of("nothing", ["ok", "True", True, False, None, "none", "null", "status", "74", 74, "", "---"])
def test_words_that_say_nothing_are_never_cited(nothing: object) -> None:
    assert cited("ok true false none null status 74 ---", [Call("get_order", result={"x": nothing})]) is None


@pytest.mark.parametrize("reply", ["It is shippable.", "You ship it.", "Unshipped."])
def test_a_part_of_a_word_is_no_citation(reply: str) -> None:
    assert cited(reply, [Call("get_order", result={"state": "shipped"})]) is None


def test_what_the_agent_passed_to_the_read_itself_is_no_citation() -> None:
    read = Call("get_order", {"order": {"id": "ORD-4017"}}, result={"id": "ORD-4017", "state": "shipped"})
    assert cited("I cannot refund ORD-4017.", [read]) is None
    assert cited("I cannot refund ORD-4017, it has shipped.", [read]) == "shipped"
