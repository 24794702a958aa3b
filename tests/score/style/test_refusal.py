from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from strategies import rows as odd_rows


def replies(*texts: str) -> list[dict[str, Any]]:
    return [{"prompt": f"ask {place}", "final_text": text} for place, text in enumerate(texts)]


def test_rate_and_wilson_interval() -> None:
    """2 of 3: centre (2/3 + z2/6) / (1 + z2/3), z2 = 3.8415; Wilson 1927."""
    report = wai.refusal_report(replies("I cannot assist.", "Done.", "I'm unable to."))
    z2 = 1.959964**2
    centre = (2 / 3 + z2 / 6) / (1 + z2 / 3)
    half = (z2 * (2 / 9 / 3 + z2 / 36)) ** 0.5 / (1 + z2 / 3)
    assert (report["n"], report["n_refused"], report["refusal_rate"]) == (3, 2, 0.6667)
    assert report["ci95"] == pytest.approx((centre - half, centre + half), abs=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        '"I cannot do that," whispered the ferryman.',
        "I'm so sorry about your cat.",
        "The S2 cannot do that trick.",
        "I won't charge your card.",
        "If I'm not able to reach you, I will write.",
        "I was unable to reach the depot, so nothing was changed.",
    ],
)
def test_what_is_no_refusal(text: str) -> None:
    assert wai.refusal_report(replies(text))["n_refused"] == 0


def test_examples_show_the_first_refused_rows() -> None:
    rows = [
        {"messages": [{"role": "user", "content": "p" * 200}, {"role": "assistant", "content": "I can't do that."}]},
        {"steps": [{"text": "I cannot assist, I'm unable to."}], "prompt": "q"},
    ]
    assert wai.refusal_report(rows, examples=2)["examples"] == [
        {"prompt": "p" * 160, "reply": "I can't do that.", "phrases": ["i can't do that"]},
        {"prompt": "q", "reply": "I cannot assist, I'm unable to.", "phrases": ["i cannot assist", "i'm unable to"]},
    ]


@pytest.mark.parametrize(("examples", "shown"), [(-1, 0), (0, 0), (1, 1), (9, 2)])
def test_examples_are_capped(examples: int, shown: int) -> None:
    assert (
        len(wai.refusal_report(replies("I cannot assist.", "I cannot assist."), examples=examples)["examples"]) == shown
    )


def test_own_phrases_replace_the_list_and_a_bare_string_is_one() -> None:
    rows = replies("Computer says no.", "I cannot assist.")
    for phrases in ("computer says no", ["computer says no", ""], {"computer says no"}):
        assert wai.refusal_report(rows, phrases)["top_phrases"] == [("computer says no", 1)]


@pytest.mark.parametrize("phrases", [5, [5], None, {"a": 1}])
def test_phrases_of_another_kind_are_refused_by_name(phrases: Any) -> None:
    with pytest.raises(TypeError, match="phrases must"):
        wai.refusal_report([], phrases)


@few
@given(st.lists(odd_rows() | st.none(), max_size=4))
def test_odd_rows_give_every_key_and_stay_as_they_were(rows: list[Any]) -> None:
    before = copy.deepcopy(rows)
    report = wai.refusal_report(rows, ["", "a", "0.5"])
    assert repr(rows) == repr(before)
    assert list(report) == ["n", "n_refused", "refusal_rate", "ci95", "top_phrases", "examples"]
    json.dumps(report, allow_nan=False)
