from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import strategies as s
import whileai.simulations as wai
from tables import each_of
from whileai.simulations.score.rubric.answers import answers_of, truth

CRITERIA = tuple(map(wai.Criterion, ("Verifies identity", "Polite tone", "Polite closing", "态度礼貌")))


def placed(key: Any) -> int | None:
    found = answers_of({key: True}, CRITERIA)
    return found.index(True) if True in found else None


@each_of(("key", "place"), [
    ("1", 0), (2, 1), ("3.", 2), ("4)", 3), (" #2 ", 1), ("Criterion 3:", 2), ("criterion_3", 2), ("item1", 0),
    ("0", None), ("5", None), ("-1", None), ("1.5", None),
    ("Polite tone", 1), ("POLITE   tone!", 1), ("polite_tone", 1),
    ("Polite tone throughout", 1),  # begins with one
    ("2. Polite tone", 1), ("has a polite tone", 1),  # holds one
    ("Verifies", 0), ("态度礼貌吗", 3),  # begins one; is begun by one
    ("Polite", None),  # begins two
    ("polite tone and polite closing", 1),  # begins with one alone
    ("a polite tone, a polite closing", None),  # holds two
    ("Sings a song", None), ("", None), ("?", None), (None, None), ((), None),
])  # fmt: skip
def test_a_key_names_one_criterion_or_none(key: Any, place: int | None) -> None:
    assert placed(key) == place


def test_a_title_that_looks_like_a_number_of_an_item_is_a_title() -> None:
    criteria = (wai.Criterion("Rule 2"), wai.Criterion("Rule 1"))
    assert answers_of({"Rule 1": True, "2": None}, criteria) == [None, True]


def test_a_key_that_names_a_criterion_beats_one_that_paraphrases_it() -> None:
    assert answers_of({"2": False, "polite tone kept": True}, CRITERIA)[1] is False
    assert answers_of({"polite tone kept": True, "2": False}, CRITERIA)[1] is False
    assert answers_of({"2": False, "Polite tone": True}, CRITERIA)[1] is True


def test_a_key_without_a_verdict_leaves_the_other_standing() -> None:
    assert answers_of({"2": True, "Polite tone": None}, CRITERIA)[1] is True


@each_of("value", [
    True, 1, 0.5, "yes", "Yes.", "MET", "pass", "1", "0.5", "Y", "Yes, it invents a date", "true (refund issued)",
    "**Yes**: the amount is named", "`true`", "1. The order is named", "Met - both are there", "yes and politely",
    {"met": True, "reason": "x"}, {"met": None, "value": "yes"},
])  # fmt: skip
def test_an_answer_that_opens_with_a_yes_is_one(value: Any) -> None:
    assert truth(value) is truth(value, of_pitfall=True) is True


@each_of("value", [
    False, 0, -1, "no", "Not met.", "not really", "No, it did not", "never", "wrong", "0", "unmet", "failed the check",
    "false - no refund", "Not exhibited", "n", "No: not met", {"value": "no"},
])  # fmt: skip
def test_an_answer_that_opens_with_a_no_is_one(value: Any) -> None:
    assert truth(value) is truth(value, of_pitfall=True) is False


@each_of("value", [
    None, [], float("nan"), "", "unsure", "partly", "n/a", "N/A", "none", "yes and no", "yes/no", "true|false",
    "not sure", "No information", "not applicable", "not only met", "no doubt", "notable", "yesterday", "1/5",
    "85%", "Met? No", "It is met", {"reason": "x"}, {}, {"met": {"met": True}},
])  # fmt: skip
def test_an_answer_that_says_neither_leaves_the_criterion_unanswered(value: Any) -> None:
    assert truth(value) is truth(value, of_pitfall=True) is None


def test_a_pitfall_is_hit_when_it_is_exhibited_and_a_rule_is_met_when_it_is_met() -> None:
    assert truth({"met": False, "exhibited": True}, of_pitfall=True) is True
    assert truth({"met": True, "exhibited": False}, of_pitfall=True) is False
    assert truth({"met": True, "exhibited": False}) is True


@given(st.dictionaries(s.texts | st.integers(), s.json_values))
def test_any_answers_are_read_without_an_error(results: dict[Any, Any]) -> None:
    assert len(answers_of(results, CRITERIA)) == len(CRITERIA)
