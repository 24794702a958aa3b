"""Hostile text costs in proportion to its length, whatever is repeated in it."""

from growth import outgrows
from tables import each_of
from whileai.simulations import conduct_grade, trace_flags
from whileai.simulations.rows.claims import (
    admits_miss,
    asks_back,
    declines,
    leaves_open,
    says_already_done,
    says_missing,
    sentences,
    success_claims,
)
from whileai.simulations.rows.sentences import clauses

SHORT, LONG = 5_000, 20_000
PATTERNS = [
    " ", "\n", ". ", "a ", "no ", "not ", "0 ", "if ", "and ", "i ran ", "i ", "fix the ", "there is no ", "all tests ",
    "only ", "sorry for ", "needs ", "please ", "when you ", "days ago ", "turned it ", "ran out ", "`", '"', "“", "A-",
    "。", "1/", "is now ", "i created your ",
]  # fmt: skip


def hidden(text):
    call = {"tool": "cancel_order", "arguments": {"id": "x"}, "result": {"status": "timeout"}}
    return conduct_grade({"prompt": "Cancel it", "steps": [call], "final_text": text})


def claimed(text):
    return trace_flags({"prompt": text, "final_text": text})


@each_of(
    "function",
    [
        sentences, clauses, admits_miss, says_missing, says_already_done, declines, asks_back, leaves_open,
        success_claims, hidden, claimed,
    ],
)  # fmt: skip
def test_cost_grows_with_the_length_of_a_text(function):
    slow = []
    for pattern in PATTERNS:
        text = pattern * LONG
        if outgrows(function, text[:SHORT], text[:LONG]):
            slow.append(pattern)
    assert slow == []
