from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.score.grounding.context import Context
from whileai.simulations.score.grounding.normal import normal


def holds(told: list, value: str) -> bool:
    return Context(told).holds(normal(value), len(told))


@each_of(
    ("told", "value"),
    [
        ("Refund ORD 4017", "ORD-4017"),
        ("Refund ORD 4017", "ord_4017"),
        ("Refund ORD-4017-2", "ORD 4017"),
        ("call 555-123-4567", "5551234567"),
        ("call 5551234567", "555-123-4567"),
        ("user janedoe", "jane-doe"),
        ("It is O’Brien", "O'Brien"),
        ("order ORD‑4017", "ORD-4017"),
        ("ＯＲＤ-4017", "ord-4017"),
        ("I live at 12 Oak St,\n Springfield", "12 Oak St, Springfield"),
        ("sandwiches", "sand"),
        ("room 12, seat 40178 and 4017", "4017"),
        ("two 40178-4017", "4017"),
        (r'{"name": "Zo\u00eb Br\u00fcn"}', "Zoë Brün"),
        (r'{"content": "{\"name\": \"Zo\\u00eb\"}"}', "Zoë"),
        (r'{"mood": "\ud83d\ude00 fine"}', "😀 fine"),
        (r'{"address": "12 Oak St\nSpringfield", "path": "a\/b"}', "12 Oak St Springfield"),
        ({"orders": [{"id": 40178}]}, "40178"),
        ({"payment_methods": {"card_44": {}}}, "card_44"),
        ([{"type": "text", "text": "Ghent"}], "Ghent"),
    ],
)
def test_a_value_that_was_told_is_held(told: object, value: str) -> None:
    assert holds([told], value)


@each_of(
    ("told", "value"),
    [
        ("Refund ORD-40178", "ORD-4017"),
        ("Refund ORD 40178", "ORD-4017"),
        ("lot 7714", "714"),
        ("lot 7714", "7 14-"),
        ("this and that", "sand"),
        ("go to_day", "today"),
        ("P-90121", "P-90112"),
        ({"first": "Jane", "last": "Doe"}, "Jane Doe"),
        ({"a": 40, "b": 17}, "4017"),
        ("", "abc"),
        (None, "none"),
    ],
)
def test_a_value_that_was_not_told_is_not_held(told: object, value: str) -> None:
    assert not holds([told], value)


def test_nothing_is_held_across_two_texts() -> None:
    assert not holds(["ORD", "4017"], "ORD 4017")
    assert not holds(["a\x01", "b\x01ORD-"], "a b")


def test_a_value_is_held_from_its_text_on() -> None:
    context = Context(["one\x01two", {"id": "ORD-5"}, "ord 5"])
    assert [context.holds("ord-5", before) for before in range(4)] == [False, False, True, True]
    assert [context.holds("ord_5", before) for before in range(4)] == [False, False, True, True]


def test_a_value_of_separators_alone_asks_for_nothing() -> None:
    assert Context([]).holds("---", 0)


alphabet = "ab1 -_B2\n"


def by_pattern(told: list[str], value: str) -> bool:
    """The rule as a pattern: separators anywhere, but between two letters only where the value has one."""
    marks = list(re.finditer(r"[^ _-]", value))
    if not marks:
        return True
    pattern = r"(?<![0-9])" if marks[0][0].isdigit() else ""
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        pattern += mark[0]
        if after is not None:
            apart = after.start() > mark.end() or not (mark[0].isalpha() and after[0].isalpha())
            pattern += "[ _-]*" if apart else ""
    pattern += r"(?![0-9])" if marks[-1][0].isdigit() else ""
    return any(re.search(pattern, normal(text)) for text in told)


@given(st.lists(st.text(alphabet, max_size=12), max_size=3), st.text(alphabet, min_size=1, max_size=5))
def test_held_is_what_the_rule_says_as_a_pattern(told: list[str], value: str) -> None:
    assert holds(told, value) == by_pattern(told, normal(value))


@given(st.lists(st.text(alphabet, max_size=12), max_size=4), st.lists(st.text(alphabet, max_size=5), max_size=4))
def test_one_pass_over_many_values_says_the_same(told: list[str], values: list[str]) -> None:
    spelled = {normal(value) for value in values}
    one_by_one, at_once = Context(told), Context(told)
    at_once.look_for(spelled)
    assert at_once._first.keys() == spelled
    for before in range(len(told) + 1):
        assert [one_by_one.holds(v, before) for v in spelled] == [at_once.holds(v, before) for v in spelled]
