from __future__ import annotations

import pytest

import whileai.simulations as wai
from tables import each_of


@each_of(
    ("dims", "words"),
    [
        ({"tool": "refund_order", "stance": "Adversarial"}, ["adversarial", "no write"]),
        ({"tool": "unrelated"}, ["unrelated", "change nothing"]),
        ({"intent_known": False}, ["vague", "ask back"]),
        ({"world_state": "missing"}, ["missing"]),
        ({"world_state": "already_done"}, ["already"]),
        ({"world_state": "duplicate"}, ["duplicate", "look", "ask"]),
        ({"tool": "refund_order", "history": "prior_partial_action"}, ["read", "; ", "refund_order"]),
        ({"history": "prior_partial_action"}, ["read"]),
        ({"tool": "refund_order"}, ["refund_order succeeds", "report"]),
        ({"tool": "refund_order", "tool_condition": "odd"}, ["refund_order succeeds"]),
        ({"tool": "refund_order", "tool_condition": "Timeout"}, ["refund_order", "timed out", "do not claim"]),
        ({"tool": "refund_order", "tool_condition": "permission_denied"}, ["refund_order", "denied", "do not claim"]),
        ({"tool": "refund_order", "tool_condition": "malformed_result"}, ["refund_order", "malformed", "say"]),
        ({"tool": "refund_order", "tool_condition": "stale"}, ["refund_order", "how old"]),
        ({"ask_family": "tool"}, ["tool call succeeds"]),
    ],
)
def test_the_sentence_uses_the_plain_words_of_its_rule(dims: dict, words: list[str]) -> None:
    sentence = wai.expected_outcome(dims)
    assert [word for word in words if word not in sentence] == []
    assert "\n" not in sentence


@pytest.mark.parametrize("dims", [None, {}, "tool", {"tool": "multi_tool"}, {"tool_condition": "timeout"}])
def test_without_a_rule_nothing_is_expected(dims: object) -> None:
    assert wai.expected_outcome(dims) is None


def test_control_characters_in_a_tool_name_are_shown_not_obeyed() -> None:
    assert "\x1b" not in wai.expected_outcome({"tool": "refund\x1b[31m"})


def test_braces_in_a_tool_name_are_no_format() -> None:
    assert wai.expected_outcome({"tool": "{0}{tool}"}).startswith("{0}{tool} succeeds")
