"""What of a text was thought, and what was said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.rows.thoughts import opening_thought, spoken, tag_pattern, thought_end, without_thoughts

TAGS = re.compile(tag_pattern("think(?:ing)?|plan"), re.IGNORECASE)
scraps = st.lists(st.sampled_from(["<think>", "</think>", "<THINK>", "</Think>", "a", " ", "\n", "<"])).map("".join)


@each_of(("text", "said", "cut"), [
    ("Done.", "Done.", False),
    ("a < b", "a < b", False),
    ("", "", False),
    ("<think>x</think>Done.<think>y", "Done.", True),
    ("<Think>x\n</THINK> ", "", False),
    ("<think>never closed", "", True),
    ("<think>a<think>b</think>c", "c", False),
    ("<think>a<think>b</think>c</think>d", "d", False),
    ("the template opened it</think>\n\nDone.", "Done.", False),
    ("no end of it</think>", "", False),
    ("<thinking>is another tag</thinking>", "<thinking>is another tag</thinking>", False),
])  # fmt: skip
def test_what_stands_in_a_thought_is_not_said(text: str, said: str, cut: bool) -> None:
    assert spoken(text) == (said, cut)
    assert without_thoughts(text) == said


@pytest.mark.parametrize(("text", "said"), [
    ("<think>a</think>\n\nb", "b"), ("a <think>b</think> c", "a c"), ("a<think>b</think>\nc", "a\nc"),
    ("a<think>b</think><think>c</think> d", "a d"), ("<think>1</think>x<think>2</think>y", "xy"),
    ("<think>1</think> <think>2</think> y", "y"), ("x</think> y", "y"),
])  # fmt: skip
def test_blanks_after_a_thought_stay_only_where_they_part_words(text: str, said: str) -> None:
    assert without_thoughts(text) == said


def test_other_names_end_at_their_own_tag() -> None:
    assert spoken("<plan>a</think>b</PLAN>c<thinking>d</thinking>", TAGS) == ("c", False)
    opening = TAGS.search("<plan>a</think>")
    assert opening is not None
    assert thought_end(opening) is None


@each_of(("text", "thought", "rest"), [
    ("<think>a</think> b", "a", "b"), ("  <THINK>a</think>b", "a", "b"), ("a\n</think>\nb", "a", "b"),
    ("<think>a", "a", ""), ("b <think>a</think>", "", "b <think>a</think>"), ("<think></think>b", "", "b"),
    ("b", "", "b"), ("", "", ""), ("<think>a</think>b</think>c", "a", "b</think>c"),
])  # fmt: skip
def test_thought_that_a_text_opens_with(text: str, thought: str, rest: str) -> None:
    assert opening_thought(text) == (thought, rest)


@given(scraps)
def test_nothing_is_said_that_was_not_written_and_no_tag_is(text: str) -> None:
    said, cut = spoken(text)
    assert TAGS.search(said) is None
    letters = iter(text)
    assert all(letter in letters for letter in said)
    last = text.lower().rfind("<think>")
    assert cut == (last > text.lower().rfind("</think>"))


@pytest.mark.parametrize("scrap", ["<think>", "</think>", "<think>a</think>", "a<think> </think>", "<plan>"])
def test_tags_without_end_are_read_once(scrap: str) -> None:
    text = scrap * 50_000
    assert set(spoken(text)[0]) <= set(scrap)
    assert len(spoken(text, TAGS)[0]) <= len(text)
    assert len(opening_thought(text)[1]) <= len(text)
