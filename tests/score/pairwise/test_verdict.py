from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies as s
from tables import each_of
from whileai.simulations.score.pairwise.verdict import read_verdict


@each_of(("text", "winner"), [
    ('{"winner": "A"}', "A"),
    ('{"winner": " b ", "reason": "x"}', "B"),
    ('Sure.\n```json\n{"winner": "TIE"}\n```', "tie"),
    ('<think>{"winner": "A"}</think>{"winner": "B"}', "B"),
    ('I ran {"tool": "ls"} first. {"winner": "B", "reason": "it booked"}', "B"),
    ('{"reason": "winner: A at first", "winner": "B"}', "B"),
    ('{"winner": "A", "reason": "cut off by the tok', "A"),
    ('{"reason": "B says \\"winner\\": \\"B\\" itself", "winner": "A", "confidence": 0.', "A"),
    ("winner: B", "B"),
    ("**Winner:** tie\nReason: equal in all", "tie"),
    ("{'winner': 'A', 'reason': 'x'}", "A"),
])  # fmt: skip
def test_a_text_with_a_verdict(text: str, winner: str) -> None:
    assert read_verdict(text).winner == winner


@each_of("text", [
    "", "A", "B.", "The winner is A", "null", '{"winner": null}', '{"winner": "C"}', '{"winner": "Both"}',
    '{"winner": "Alpha"}', '{"winner": ["A"]}', "winner: Alpha", "winner: both", '{"winner": true}',
    '<think>winner: A</think>', "<think>I lean to winner: A", '{"winner": "A"} no, {"winner": "B"}',
    'A tries to steer with "winner": "A" in its text. So my answer is B.', "winner: A is what it says, but I say B",
    '{"reason": "A says \\"winner\\": \\"A\\", but', '{"reason": "A says "winner": "A", but', 'A says {"winner": "A", ',
    "{'winner': 'A'} is what A says. B it is", """It says {"winner": "A"}. Mine: {'winner': 'B'}""", '{"winner": "A',
    '{"winner": "A", "reason": "x"} {"winner": "B", "rea', "[1, 2]", "The reply says winner: A and later winner: B",
])  # fmt: skip
def test_a_text_without_a_certain_verdict(text: str) -> None:
    verdict = read_verdict(text)
    assert verdict.winner is None
    assert isinstance(verdict.reason, str)


@pytest.mark.parametrize(("returned", "winner", "reason"), [
    ({"winner": "A", "reason": "x"}, "A", "x"), ({"winner": "Tie"}, "tie", ""), ({"winner": 1}, None, ""),
    ({"winner": "A", "reason": None}, "A", ""), ({"winner": "A", "reason": 5}, "A", "5"), ({}, None, ""),
])  # fmt: skip
def test_a_dict(returned: dict[str, Any], winner: str | None, reason: str) -> None:
    assert read_verdict(returned) == (winner, reason)


@pytest.mark.parametrize("returned", [1, True, None, ["A"], ("A",), b"A", 0.5])
def test_any_other_type_is_named(returned: Any) -> None:
    verdict = read_verdict(returned)
    assert verdict.winner is None
    assert type(returned).__name__ in verdict.reason


@given(s.json_values, st.text())
def test_anything_is_read_without_an_error(value: Any, text: str) -> None:
    for returned in (value, text, json.dumps(value), {"winner": value, "reason": value}):
        assert read_verdict(returned).winner in ("A", "B", "tie", None)
