from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies as s
import whileai.simulations as wai
from whileai.simulations.score.rubric.answers import answers_of, says_yes, truth

CRITERIA = tuple(map(wai.Criterion, ("Verifies identity", "Polite tone", "Polite closing", "态度礼貌")))


def placed(key: Any) -> int | None:
    found = answers_of({key: True}, CRITERIA)
    return found.index(True) if True in found else None


@pytest.mark.parametrize(("key", "place"), [
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


@pytest.mark.parametrize(("value", "by_truth", "by_model"), [
    (True, True, True), (False, False, False), (1, True, True), (0, False, False), (-1, False, False),
    (0.5, True, True), ("yes", True, True), ("Yes.", True, True), ("MET", True, True), ("pass", True, True),
    ("1", True, True), ("no", False, False), ("not met", False, False), ("0", False, False), ("", False, False),
    ("partly", True, False), ("yes and no", True, False), (None, None, None), ([], None, None),
    (float("nan"), None, None), ({"met": True, "reason": "x"}, True, True), ({"value": "no"}, False, False),
    ({"reason": "x"}, None, None), ({}, None, None),
])  # fmt: skip
def test_what_counts_as_a_yes(value: Any, by_truth: bool | None, by_model: bool | None) -> None:
    assert truth(value) is by_truth
    assert says_yes(value) is by_model


@given(st.dictionaries(s.texts | st.integers(), s.json_values))
def test_any_answers_are_read_without_an_error(results: dict[Any, Any]) -> None:
    assert len(answers_of(results, CRITERIA)) == len(CRITERIA)
