from __future__ import annotations

import copy
import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
import whileai.simulations as wai
from examples import few


def row(privileged: Any, reply: str = "The return was refused because the seal was broken twice.", **more: Any) -> dict:
    return {"scenario_id": "refund-9", "rollout_index": 1, "final_text": reply, "privileged": privileged, **more}


@pytest.mark.parametrize(
    ("privileged", "field"),
    [
        ({"reference": "the seal was   BROKEN twice"}, "reference"),
        ({"principle": ["never say", "The Seal was broken"]}, "principle"),
        ({"hidden_state": {"order": {"notes": ["n/a", {"text": "broken\ntwice."}]}}}, "hidden_state.order.notes.text"),
        ({"hidden_state": "refused because", "reference": "seal was broken"}, "reference"),
    ],
)
def test_a_quote_is_found_and_its_field_named(privileged: dict, field: str) -> None:
    assert [hit["field"] for hit in wai.leak_report([row(privileged)])["leaked"]] == [field]


@pytest.mark.parametrize(
    "privileged",
    [
        {"reference": "the seal was broken three times"},
        {"reference": "the broken seal was refused twice"},
        {"reference": "the return was refused because the seal was broken twice, as the photos show"},
        {"rubric": {"a": "the seal was broken twice"}, "reference": "no refund here"},
    ],
)
def test_what_is_no_whole_quote_is_not_found(privileged: dict) -> None:
    report = wai.leak_report([row(privileged)])
    assert (report["n_checked"], report["n_leaked"]) == (1, 0)
    assert report["summary"] == "checked 1 of 1 row: none quotes privileged text"


def test_only_what_the_agent_said_is_searched() -> None:
    secret = "parcel lost in transit"
    chat = [
        {"role": "user", "content": secret},
        {"role": "assistant", "tool_calls": [{"id": "a", "name": "note", "arguments": {"text": secret}}]},
        {"role": "tool", "tool_call_id": "a", "content": secret},
        {"role": "assistant", "content": "Let me check."},
    ]
    assert wai.leak_report([row({"reference": secret}, "Let me check.", messages=chat)])["n_leaked"] == 0
    chat.append({"role": "assistant", "content": [{"type": "text", "text": f"It says: {secret}."}]})
    assert wai.leak_report([row({"reference": secret}, "Bye.", messages=chat)])["n_leaked"] == 1


def test_a_quote_does_not_lie_across_two_turns() -> None:
    steps = [{"text": "We found the parcel"}, {"text": "lost in transit"}]
    assert wai.leak_report([row({"reference": "parcel lost in transit"}, "Bye.", steps=steps)])["n_leaked"] == 0


def test_typographic_apostrophes_do_not_hide_a_quote() -> None:
    report = wai.leak_report([row({"principle": "don't mention the recall"}, "I don’t mention the recall.")])
    assert report["leaked"][0]["needle"] == "don't mention the recall"


@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_blank_values_never_count(blank: str) -> None:
    assert wai.leak_report([row({"reference": blank})], min_len=0)["n_checked"] == 0


@pytest.mark.parametrize(
    ("rows", "says", "says_not"),
    [
        ([], ["0 of 0 rows", "nothing about leaks"], ["trajectories", "block"]),
        ([{"prompt": "hi"}], ["0 of 1 row,", "no row carries"], ["trajectories"]),
        ([{"scenario_id": None}], ["0 of 1 row,", "data.trajectories", "export scrubs"], []),
        ([row({"reference": "short"})], ["0 of 1 row,", "12 characters"], ["trajectories", "no row carries", "export"]),
    ],
)
def test_a_report_on_nothing_says_why(rows: list, says: list[str], says_not: list[str]) -> None:
    report = wai.leak_report(rows)
    assert (report["checked"], report["rate"], report["n_leaked"]) == (False, 0.0, 0)
    assert all(part in report["summary"] for part in says)
    assert not any(part in report["summary"] for part in says_not)


def test_all_hits_count_and_twenty_are_listed() -> None:
    secret = "x" * 100
    rows = [row({"reference": secret}, secret, scenario_id=str(i)) for i in range(25)] + [
        row({"reference": secret}),
        {},
    ]
    report = wai.leak_report(SimpleNamespace(trajectories=rows))
    assert (report["n_rows"], report["n_checked"], report["n_leaked"], report["rate"]) == (27, 26, 25, 0.9615)
    assert [hit["scenario_id"] for hit in report["leaked"]] == [str(i) for i in range(20)]
    assert {hit["needle"] for hit in report["leaked"]} == {"x" * 80}
    assert report["summary"] == "checked 26 of 27 rows: 25 quote privileged text (96% of the checked)"


def test_it_prints_itself_and_is_a_dict() -> None:
    secret = "<b>seal</b> & broken\x1b[31m"
    report = wai.leak_report([row({"reference": secret}, f"Well: {secret}")])
    assert str(report).splitlines()[1] == r"  refund-9 r1: reference = '<b>seal</b> & broken\x1b[31m'"
    assert "&lt;b&gt;seal&lt;/b&gt; &amp; broken" in report._repr_html_()
    assert repr(report) == "LeakReport(n_leaked=1, n_checked=1)"
    assert json.loads(json.dumps(report)) == report
    assert wai.format_leak_report({}) == ""


def test_missing_names_are_none_in_the_report_and_dashes_in_print() -> None:
    report = wai.leak_report([{"final_text": "the seal was broken", "privileged": {"reference": "seal was broken"}}])
    assert (report["leaked"][0]["scenario_id"], report["leaked"][0]["rollout_index"]) == (None, None)
    assert str(report).splitlines()[1] == "  - r-: reference = 'seal was broken'"


@pytest.mark.parametrize("rows", [{"a": 1}, "rows.jsonl", 5, None])
def test_what_holds_no_rows_is_refused(rows: Any) -> None:
    with pytest.raises(TypeError, match="leak_report needs rows"):
        wai.leak_report(rows)


@few
@given(st.lists(strategies.rows() | strategies.scalars, max_size=3), strategies.json_values)
def test_any_rows_can_be_read_and_stay_as_they_are(rows: list, privileged: Any) -> None:
    rows = [{**row, "privileged": {"hidden_state": privileged}} if isinstance(row, dict) else row for row in rows]
    before = str(copy.deepcopy(rows))
    report = wai.leak_report(rows, min_len=0)
    assert report["n_leaked"] <= report["n_checked"] <= report["n_rows"] == sum(isinstance(r, dict) for r in rows)
    assert str(rows) == before
