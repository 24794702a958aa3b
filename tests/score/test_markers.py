from __future__ import annotations

import copy
import time
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from strategies import rows as odd_rows
from tables import each_of
from whileai.simulations.score import markers


@pytest.fixture(autouse=True)
def already_told() -> None:
    """The deprecation is issued once a process; the tests of it clear the memory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wai.behavioral_markers([])
        wai.mark_rows([])


def tripped(text: str) -> list[str]:
    return [name for name, value in wai.row_markers({"final_text": text}).items() if value]


@each_of(
    ("text", "name"),
    [
        ("Certainly! It shipped.", "boilerplate"),
        ("**Of course!** It shipped.", "boilerplate"),
        ("Of course, it shipped.", "boilerplate"),
        ("Yes, of course! It shipped.", "boilerplate"),
        ("Sure thing. It shipped.", "boilerplate"),
        ("Done.\nAbsolutely, it shipped.", "boilerplate"),
        ("Here's a summary.", "boilerplate"),
        ("Checked. Here is your label.", "boilerplate"),
        ("Here’s how it works.", "boilerplate"),
        ("It shipped. I hope that helps!", "boilerplate"),
        ("Please let me know\nif it arrives.", "boilerplate"),
        ("Feel free to call.", "boilerplate"),
        ("As an AI, I cannot taste it.", "self_reference"),
        ("As an AI language model I checked.", "self_reference"),
        ("As a large language model, I checked.", "self_reference"),
        ("I’m an AI.", "self_reference"),
        ("I'm just a language model.", "self_reference"),
        ("I am an assistant.", "self_reference"),
        ("I'm a virtual assistant and I checked.", "self_reference"),
        ("I don't have personal opinions.", "self_reference"),
        ("I do not have any feelings.", "self_reference"),
        ("It depends on the depot.", "hedging"),
        ("It is important to remember the fee.", "hedging"),
        ("In general, refunds take 5 days.", "hedging"),
        ("Refunds take 5 days in general.", "hedging"),
        ("Generally speaking, yes.", "hedging"),
        ("Keep in mind the strike.", "hedging"),
        ("It shipped. That said, it may be late.", "hedging"),
        ("It shipped; that being said, it may be late.", "hedging"),
        ("To some extent.", "hedging"),
        ("I can not help with refunds.", "refusal"),
        ("I can’t do that.", "refusal"),
        ("I'm not able to change it.", "refusal"),
        ("I will not help.", "refusal"),
        ("I won't be able to.", "refusal"),
        ("That is against my principles.", "refusal"),
        ("I must politely refuse.", "refusal"),
        ("You are absolutely right.", "sycophancy"),
        ("You're right about the total.", "sycophancy"),
        ("You’re right - I missed it.", "sycophancy"),
        ("Fantastic question.", "sycophancy"),
        ("My apologies for the wait.", "sycophancy"),
        ("I'm so sorry.", "sycophancy"),
        ("Thank you for pointing it out.", "sycophancy"),
    ],
)
def test_a_tic_trips_its_marker_alone(text: str, name: str) -> None:
    assert tripped(text) == [name]


@each_of(
    "text",
    [
        "It shipped on Tuesday.",
        "It will almost certainly arrive on Friday.",
        "I'm quite sure. It shipped.",
        "You can, of course, cancel at any time.",
        "The depot here is the main one.",
        "As an airline customer you may rebook.",
        "She joined as an AI engineer.",
        "I am an AI-safety reviewer's proxy.",
        "I am an assistant manager's delegate.",
        "I don't have personal access to that account.",
        "The explicit depends_on entry is set.",
        "It was left at General Hospital, in General Hospital wing B.",
        "The ticket covers in general admission.",
        "I'll keep in mind your preference for email.",
        "The email that said your order shipped was wrong.",
        "The sign that said, stop, was gone.",
        "I won't charge your card until it ships.",
        "I will not send it twice.",
        "I can't find order 5: the lookup returned no rows.",
        "I can't help but notice that the total is off by 5.",
        "If I'm unable to reach you, the parcel goes to the neighbour.",
        "You are right on schedule.",
        "You're right next to the pickup point.",
        "If you're right, the invoice is off by one.",
        "Anna is a great point of contact.",
        "They made excellent points.",
        "No need to apologise.",
        'The customer wrote "it depends", then “I\'m so sorry”.',
        "```\nfeel free to\n```",
        "",
    ],
)
def test_an_honest_sentence_trips_nothing(text: str) -> None:
    assert tripped(text) == []


def test_the_reply_alone_is_read() -> None:
    turns = [
        {"role": "assistant", "content": "It depends."},
        {"role": "assistant", "content": [{"type": "text", "text": "I apologize."}]},
        {"role": "user", "content": "I cannot help"},
    ]
    assert wai.row_markers({"messages": turns, "prompt": "as an ai"})["sycophancy"] == 1
    assert sum(wai.row_markers({"messages": turns}).values()) == 1
    assert sum(wai.row_markers({"messages": turns, "final_text": "Done."}).values()) == 0


@pytest.mark.parametrize("row", [None, "It depends.", 5, {}, {"final_text": None}])
def test_what_has_no_text_trips_nothing(row: Any) -> None:
    assert wai.row_markers(row) == dict.fromkeys(wai.STOCK_MARKERS, 0)


def test_names_pick_and_order() -> None:
    assert list(wai.row_markers({}, ["refusal", "hedging"])) == ["refusal", "hedging"]
    assert tuple(wai.row_markers({}, [])) == wai.STOCK_MARKERS


@pytest.mark.parametrize(
    "call",
    [
        lambda names: wai.row_markers({}, names),
        lambda names: wai.behavioral_markers([{}], names),
        lambda names: wai.mark_rows([], names),
    ],
)
def test_an_unknown_name_is_a_key_error_that_lists_the_known_ones(call: Any) -> None:
    with pytest.raises(KeyError, match=r"'verbosity'.*boilerplate, self_reference, hedging, refusal, sycophancy"):
        call(["hedging", "verbosity"])
    with pytest.raises(TypeError, match="names must be a list"):
        call("hedging")


def test_rates_are_shares_of_the_rows() -> None:
    rows = [{"final_text": "It depends."}, None, {"final_text": "Yes."}, {"final_text": "Keep in mind the fee."}]
    assert wai.behavioral_markers(rows, ["hedging", "refusal"]) == {"hedging": 0.6667, "refusal": 0.0}
    assert wai.behavioral_markers([], ["anything"]) == {"anything": 0.0}


def test_extra_detectors_give_floats_or_nothing() -> None:
    answers = {"text": " 0.5 ", "flag": True, "words": "many", "nan": float("nan"), "none": None, "count": 3}
    extra: dict[str, Any] = {name: lambda row, answer=answer: answer for name, answer in answers.items()}
    extra["broken"] = lambda row: row["missing"]
    [row] = wai.mark_rows([{}], ["refusal"], extra)
    assert row["markers"] == {"refusal": 0, "text": 0.5, "flag": 1.0, "count": 3.0}


@pytest.mark.parametrize("extra", [["x"], {"x": 5}])
def test_extra_of_another_kind_is_refused(extra: Any) -> None:
    with pytest.raises(TypeError, match="extra must"):
        wai.mark_rows([{}], None, extra)


@pytest.mark.parametrize("rows", [{"final_text": "x"}, "rows.jsonl", 5])
def test_what_is_no_list_of_rows_is_refused(rows: Any) -> None:
    with pytest.raises(TypeError, match="rows must be"):
        wai.mark_rows(rows)


@few
@given(st.lists(odd_rows() | st.none(), max_size=4))
def test_rows_come_back_as_marked_copies_and_stay_as_they_were(rows: list[Any]) -> None:
    before = copy.deepcopy(rows)
    marked = wai.mark_rows(iter(rows), None, {"own": lambda row: row.pop("prompt")})
    assert repr(rows) == repr(before)
    for row, copied in zip(rows, marked, strict=True):
        if row is None:
            assert copied is None
        else:
            assert copied is not row
            assert set(wai.STOCK_MARKERS) <= set(copied["markers"])


@pytest.mark.parametrize("markers", [None, [], "x"])
def test_markers_of_another_kind_are_empty(markers: Any) -> None:
    assert wai.mark_rows([{"markers": markers}], ["refusal"]) == [{"markers": {"refusal": 0}}]


def test_lines_are_whole_percents_highest_first_and_ties_as_given() -> None:
    report = {"b": 0.25, "a": 0.25, "c": 0.999, "\x1b[2J": 0.0}
    assert wai.format_markers(report).split("\n") == ["  c: 100%", "  b: 25%", "  a: 25%", "  \\x1b[2J: 0%"]


@pytest.mark.parametrize(
    ("call", "instead"), [(wai.behavioral_markers, "style_report"), (wai.mark_rows, "style_markers")]
)
def test_the_deprecation_is_told_once_and_points_at_the_caller(call: Any, instead: str) -> None:
    markers._deprecated.cache_clear()
    with pytest.warns(DeprecationWarning, match=f"{call.__name__}.*{instead}") as told:
        call([])
    assert [warning.filename for warning in told] == [__file__]
    call([])


@pytest.mark.parametrize("unit", ["\n", "\n ", "* ", "(", "here is ", "i can't help ", "you are right on ", '"a'])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = " certainly here said general right can" + unit * (200_000 // len(unit))
    start = time.process_time()
    wai.row_markers({"final_text": text})
    assert time.process_time() - start < 5
