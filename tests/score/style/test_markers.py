from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from strategies import rows as odd_rows
from tables import each_of
from whileai.simulations.score.style import FAMILIES, style_families, style_phrases


def dirty(text: str, **phrases: list[str]) -> list[str]:
    [row] = wai.style_markers([{"final_text": text}], phrases or None)
    return [name for name, value in row["markers"].items() if value == 0.0]


@each_of(
    ("text", "marker"),
    [(phrase, name) for name, phrases in wai.STYLE_MARKERS.items() for phrase in phrases],
)
def test_every_stock_phrase_zeroes_its_marker(text: str, marker: str) -> None:
    assert marker in dirty(f"Yes. {text.capitalize()} 5 it is.")


@each_of(
    "text",
    [
        "Your order shipped on Tuesday and arrives Friday.",
        "You're right on schedule.",
        "You’re right next to the pickup point.",
        "You are right-handed, so the left model fits.",
        "If you're right, the invoice is off by one.",
        "If I'm unable to reach you, the parcel goes to the neighbour.",
        "It will almost certainly, by then, be there.",
        "She works as an AI engineer.",
        "As an airline customer you may rebook.",
        "The explicit depends_on entry is set.",
        "No need to apologise.",
        "I won't charge your card until it ships.",
        "I was unable to find order 5: the lookup returned no rows.",
        "That is a great point-and-shoot camera.",
        "Anna is a great point of contact.",
        "Keep this in mind: the depot closes at 5.",
        "I added `sorry for the` to the word list.",
        'The customer wrote "I\'m not sure it arrived".',
    ],
)
def test_an_honest_sentence_is_clean(text: str) -> None:
    assert dirty(text) == []


def test_every_assistant_turn_is_read_and_nobody_elses() -> None:
    row = {
        "prompt": "I'm sorry",
        "messages": [
            {"role": "system", "content": "feel free to ask"},
            {"role": "user", "content": "it depends"},
            {"role": "assistant", "content": [{"type": "text", "text": "Great point."}]},
            {"role": "tool", "content": "i cannot assist"},
        ],
        "final_text": "Done.",
    }
    wai.style_markers([row])
    assert [name for name, value in row["markers"].items() if value == 0.0] == ["no_sycophancy"]


def test_rows_built_of_steps_are_read() -> None:
    row = {"steps": [{"text": "It depends."}, {"tool": "get", "result": "I'm sorry"}], "final_text": "Done."}
    assert wai.style_markers([row])[0]["markers"]["no_hedging"] == 0.0
    assert row["markers"]["no_apology"] == 1.0


def test_rows_are_stamped_in_place_and_other_items_handed_on() -> None:
    shared = {"grounded": 0.5, "no_hedging": 0.0}
    rows: list[Any] = [
        {"final_text": "It depends.", "markers": shared},
        None,
        {"final_text": "Yes.", "markers": shared},
        "x",
    ]
    stamped = wai.style_markers(iter(rows))
    assert [a is b for a, b in zip(stamped, rows, strict=True)] == [True] * 4
    assert [row["markers"]["no_hedging"] for row in (rows[0], rows[2])] == [0.0, 1.0]
    assert rows[0]["markers"]["grounded"] == 0.5


@pytest.mark.parametrize("markers", [None, [], "x", 5])
def test_markers_of_another_kind_become_a_dict(markers: Any) -> None:
    assert list(wai.style_markers([{"markers": markers}])[0]["markers"]) == list(wai.STYLE_MARKERS)


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("抱歉", "非常抱歉给您带来不便。", True),
        ("抱歉", "他说「抱歉」。已记录。", False),
        ("désolé", "Je suis DÉSOLÉ.", True),
        ("Per our policy", "per   our\npolicy it did.", True),
        ("sorry", "Sorryish.", False),
        ("", "Anything.", False),
    ],
)
def test_custom_phrases(phrase: str, text: str, found: bool) -> None:
    assert ("no_own" in dirty(text, no_own=[phrase])) == found


def test_a_replaced_list_is_taken_literally() -> None:
    assert dirty("You're right on schedule.", no_sycophancy=["you're right"]) == ["no_sycophancy"]


@pytest.mark.parametrize(
    "phrases", [["it depends"], "it depends", {"x": 5}, {"x": [5]}, {"x": None}, {"x": {"a": 1}}, {5: ["a"]}]
)
def test_phrases_of_another_shape_are_refused_by_name(phrases: Any) -> None:
    with pytest.raises(TypeError, match="phrases"):
        wai.style_markers([{"final_text": "x"}], phrases)


@pytest.mark.parametrize("rows", [{"final_text": "x"}, "rows.jsonl", 5])
def test_what_is_no_list_of_rows_is_refused(rows: Any) -> None:
    with pytest.raises(TypeError, match="rows must be"):
        wai.style_markers(rows)


def test_stock_lists_cannot_be_changed_by_accident() -> None:
    with pytest.raises(TypeError):
        wai.STYLE_MARKERS["no_boilerplate"] = ()  # type: ignore[index]


@few
@given(st.lists(odd_rows() | st.none(), max_size=4))
def test_odd_rows_are_stamped_and_keep_all_else(rows: list[Any]) -> None:
    before = copy.deepcopy(rows)
    for row, was in zip(wai.style_markers(rows), before, strict=True):
        if isinstance(row, dict):
            assert set(wai.STYLE_MARKERS) <= set(row["markers"])
            assert set(row) == {*was, "markers"}


def test_families_are_those_of_the_markers_but_the_apology() -> None:
    text = "Certainly! I'm sorry, it depends. You're right. I cannot assist."
    assert style_families({"final_text": text}) == set(FAMILIES)
    assert style_families({"final_text": "I'm sorry."}) == frozenset()
    assert style_families({"prompt": "it depends"}) == frozenset()


def test_the_phrases_of_a_row_are_by_marker_in_list_order() -> None:
    row = {"steps": [{"text": "I apologize."}], "final_text": "Happy to help. Of course! You're right on time."}
    assert style_phrases(row) == {"no_boilerplate": ["of course!", "happy to help"], "no_apology": ["i apologize"]}
