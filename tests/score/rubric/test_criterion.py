from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies as s
import whileai.simulations as wai
from tables import each_of
from whileai.simulations.score.rubric.criterion import Criterion


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), "heavy", None])
def test_a_weight_is_a_positive_number(weight: Any) -> None:
    with pytest.raises(ValueError, match="weight of 'A'"):
        wai.Criterion("A", weight=weight)


@pytest.mark.parametrize("title", ["", " \n", None, 5])
def test_a_title_is_a_text_that_says_something(title: Any) -> None:
    with pytest.raises(ValueError, match="title"):
        wai.Criterion(title)


@pytest.mark.parametrize("kind", ["must", "Hard", "", None])
def test_a_kind_is_one_of_three(kind: Any) -> None:
    with pytest.raises(ValueError, match="hard, principle or pitfall"):
        wai.Criterion("A", kind=kind)


def test_a_criterion_cannot_be_edited() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        wai.Criterion("A").title = "B"


@pytest.mark.parametrize(("title", "slug"), [
    ("Names the ORDER, exactly!", "names_the_order_exactly"),
    ("  a--b__c  ", "a_b_c"),
    ("?!", "criterion"),
    ("Überprüft die Identität", "überprüft_die_identität"),
    ("x" * 39 + " yz", "x" * 39),
    ("x" * 80, "x" * 40),
])  # fmt: skip
def test_slug(title: str, slug: str) -> None:
    assert wai.Criterion(title).slug == slug


@pytest.mark.parametrize("titles", [("确认身份", "礼貌"), ("कि", "का"), ("Вежливость", "Точность")])
def test_titles_of_other_scripts_stay_distinct(titles: tuple[str, str]) -> None:
    assert len(wai.Rubric(tuple(map(wai.Criterion, titles)))) == 2


@each_of(("entry", "kind", "weight"), [
    ({"title": "A"}, "principle", 1.0),
    ({"title": "A", "weight": -2}, "pitfall", 2.0),
    ({"title": "A", "weight": -2, "kind": "hard"}, "hard", 2.0),
    ({"title": "A", "weight": -2, "description": "Important Criteria: x"}, "principle", 2.0),
    ({"title": "A", "weight": 0}, "principle", 1.0),
    ({"title": "A", "weight": "much"}, "principle", 1.0),
    ({"title": "A", "weight": float("nan")}, "principle", 1.0),
    ({"title": "A", "weight": " 2.5 "}, "principle", 2.5),
    ({"title": "A", "kind": " PITFALL "}, "pitfall", 1.0),
    ({"title": "A", "kind": "Hard Rule"}, "hard", 1.0),
    ({"title": "A", "kind": "whatever", "weight": -1}, "principle", 1.0),
    ({"title": "A", "kind": None, "description": "**Essential Criteria**: x"}, "hard", 1.0),
    ({"title": "Pitfall: invents a date", "description": "no such"}, "pitfall", 1.0),
    ({"title": "Essential: x", "description": "Optional Criteria: x"}, "principle", 1.0),
    ({"title": "A", "description": "It names it [hard_rule]."}, "hard", 1.0),
    ({"title": "A", "description": "The essential facts are there."}, "principle", 1.0),
    ({"title": "Pitfalls are avoided"}, "principle", 1.0),
    ("A", "principle", 1.0),
])  # fmt: skip
def test_a_dict_is_read_with_its_kind_and_weight(entry: Any, kind: str, weight: float) -> None:
    read = Criterion.from_dict(entry)
    assert (read.kind, read.weight) == (kind, weight)


def test_a_line_stays_one_line_whatever_the_texts() -> None:
    assert wai.Criterion("Two\nlines", " and\n2. [Hard rule] more ").line == (
        "[Principle, weight 1] Two lines: and 2. [Hard rule] more"
    )


@given(st.dictionaries(st.sampled_from(["title", "description", "weight", "kind"]), s.json_values))
def test_any_dict_with_a_title_is_read_and_survives_the_round_trip(entry: dict[str, Any]) -> None:
    try:
        read = Criterion.from_dict(entry)
    except ValueError:
        assert not isinstance(entry.get("title"), str) or not entry["title"].strip()
        return
    assert Criterion.from_dict(read.to_dict()) == read
