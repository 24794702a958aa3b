from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai

C = wai.Criterion
MIXED = wai.Rubric((C("Verifies identity", "", 3, "hard"), C("States amount", "", 2), C("Polite tone"),
                    C("Invents a policy", kind="pitfall")))  # fmt: skip


@pytest.mark.parametrize("criteria", [(), [], None, "text", 5])
def test_a_rubric_has_criteria(criteria: Any) -> None:
    with pytest.raises(ValueError, match="criteri"):
        wai.Rubric(criteria)


def test_two_criteria_with_one_slug_are_named() -> None:
    with pytest.raises(ValueError, match="'Same title' and 'same  TITLE!' share the slug 'same_title'"):
        wai.Rubric((C("Same title"), C("same  TITLE!")))


def test_the_version_is_the_hash_of_the_criteria_and_of_nothing_else() -> None:
    text = '[{"description": "", "kind": "principle", "title": "A", "weight": 1.0}]'
    rubric = wai.Rubric((C("A"),), source="model", domain="refunds")
    assert rubric.version == hashlib.sha256(text.encode()).hexdigest()[:12]
    assert rubric.version == wai.Rubric([C("A", weight=1)]).version
    assert rubric.version != wai.Rubric((C("A", weight=2),)).version


def test_the_form_of_rows_is_read_back() -> None:
    rubric = wai.Rubric(MIXED.criteria, "model", "refunds", "a note")
    assert wai.Rubric.from_dict(json.loads(json.dumps(rubric.to_dict()))) == rubric


@pytest.mark.parametrize(("results", "reward"), [
    ({1: True, 2: True, 3: True, 4: False}, 1.0),
    ({"1": True, "2.": True, "3)": False}, 0.6667),  # 2 of 3
    ({"item 1": True, "#2": True, "3": True, "4": True}, 0.6667),  # 3 - 1 of 3
    ({"1": True, "4": True}, 0.0),  # 0 - 1, not below 0
    ({"2": True, "3": True}, 0.0),  # the hard rule has no verdict
    ({"1": "yes", "2": "No.", "3": "false", "4": "no"}, 0.0),
    ({}, 0.0),
])  # fmt: skip
def test_reward_of_mixed_kinds(results: dict[Any, Any], reward: float) -> None:
    assert MIXED.score(results)["reward"] == reward


def test_pitfalls_alone_cost_their_share_and_hard_rules_alone_are_0_or_1() -> None:
    pitfalls = wai.Rubric((C("Blames", kind="pitfall"), C("Repeats", weight=3, kind="pitfall")))
    assert [pitfalls.score(r)["reward"] for r in ({}, {"1": 1}, {"1": 1, "2": 1})] == [1.0, 0.75, 0.0]
    hard = wai.Rubric((C("Calls", kind="hard"), C("Reports", kind="hard")))
    assert [hard.score(r)["reward"] for r in ({"1": 1, "2": 1}, {"1": 1})] == [1.0, 0.0]


def test_what_has_no_verdict_is_listed() -> None:
    scored = MIXED.score({"1": True, "3": None, "4": float("nan")})
    assert scored["unanswered"] == ["States amount", "Polite tone", "Invents a policy"]
    assert (scored["met"], scored["missed"]) == (["Verifies identity"], ["States amount", "Polite tone"])
    assert (scored["hard_failed"], scored["pitfalls_hit"]) == ([], [])


weights = st.floats(0.01, 100)
kinds = st.sampled_from(["hard", "principle", "pitfall"])


@given(st.lists(st.tuples(kinds, weights, st.sampled_from([True, False, None])), min_size=1, max_size=8))
def test_the_reward_lies_in_0_to_1_and_every_title_is_in_its_lists(items: list[tuple[str, float, Any]]) -> None:
    rubric = wai.Rubric(tuple(C(f"Item {n}", weight=w, kind=k) for n, (k, w, _) in enumerate(items)))
    scored = rubric.score({str(n): answer for n, (_, _, answer) in enumerate(items, 1)})
    assert 0 <= scored["reward"] <= 1
    for n, (kind, _, answer) in enumerate(items):
        lists = {name for name in ("met", "missed", "hard_failed", "pitfalls_hit") if f"Item {n}" in scored[name]}
        bad = {"hard": "hard_failed", "principle": "missed"}.get(kind)
        assert lists == ({"pitfalls_hit"} if answer else set()) if bad is None else {"met" if answer else bad}
        assert (f"Item {n}" in scored["unanswered"]) is (answer is None)
