"""Records of each format with edits, rows and replies of anything: whatever is drawn is read or reported."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.claims import of_bytes, of_packed, of_record, of_reply, of_row, of_verdict
from fuzz.values import Choose, broken, sample_records
from strategies import any_dicts, json_values, texts

FEW = settings(max_examples=max(4, settings.default.max_examples // 10))  # the long profile draws 25 times as many


@st.composite
def records(draw: st.DrawFn, name: str) -> tuple[dict, dict]:
    """A record of a format and a broken one of it."""
    choose: Choose = lambda n: draw(st.integers(0, n - 1))  # noqa: E731
    good = sample_records()[name]
    return good[choose(len(good))], broken(good[choose(len(good))], choose)


@pytest.mark.parametrize("name", sample_records())
@FEW
@given(data=st.data())
def test_a_broken_record_of_a_format_is_read_or_reported(name, data):
    good, record = data.draw(records(name))
    of_record(good, record)


lines = st.lists(any_dicts().map(lambda row: json.dumps({str(key): row[key] for key in row})) | texts, max_size=4)


@FEW
@given(lines, st.sampled_from(["x.jsonl", "x.json", "x.csv", "x.tsv"]))
def test_lines_of_anything_are_read_or_reported_packed_or_not(lines, name):
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    of_bytes(data, name)
    of_packed(data, name)


@FEW
@given(any_dicts())
def test_a_dict_of_anything_makes_the_round_trip(row):
    of_row(row)


@FEW
@given(st.lists(texts | st.sampled_from(['{"reward": 1', "}", "<think>", "</think>", "```json\n", ", "])).map("".join))
def test_a_reply_of_anything_gives_an_object_or_nothing(text):
    of_reply(text)


@FEW
@given(json_values, st.sampled_from([None, (0, 1), (1, 5)]))
def test_a_judge_result_of_anything_has_a_reward_exactly_when_it_is_ok(raw, scale):
    of_verdict(raw, scale)
    of_verdict({"reward": raw, "score": raw, "reason": raw}, scale)
