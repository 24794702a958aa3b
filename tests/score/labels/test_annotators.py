from __future__ import annotations

import copy
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from strategies import json_values, objects, scalars


def labelled(*votes: str, people: str = "abc") -> list[dict]:
    """A row each vote text: one character a person, `-` for no label."""
    return [
        {
            "prompt": f"ask {place}",
            "gold_labels": [
                {"annotator": who, "label": int(v)} for who, v in zip(people, row, strict=False) if v != "-"
            ],
        }
        for place, row in enumerate(votes)
    ]


def test_krippendorff_known_value_of_three_people() -> None:
    # 12 labels, 6 passes. Disagreeing pairs: rows 2 and 3 have 4 ordered pairs each over m - 1 = 2: D_o = 4 / 12;
    # D_e = 2 * 6 * 6 / (12 * 11) = 72 / 132; alpha = 1 - (4/12) / (72/132) = 0.3889.
    report = wai.annotator_agreement(labelled("111", "001", "110", "000"))
    assert (report["alpha"], report["alpha_note"]) == (0.3889, None)


def test_krippendorff_takes_rows_that_some_left_out() -> None:
    # Pairable labels: 11, 01, 000, 11 -> n = 9 with 5 passes; D_o = 2 / 9, D_e = 2 * 5 * 4 / (9 * 8).
    report = wai.annotator_agreement(labelled("11-", "0-1", "000", "-11", "--1"))
    assert report["alpha"] == round(1 - (2 / 9) / (40 / 72), 4)


def test_krippendorff_is_given_for_more_than_two_people_only() -> None:
    assert "alpha" not in wai.annotator_agreement(labelled("11", "01"))
    assert wai.annotator_agreement(labelled("111", "11-"))["alpha"] == 1.0
    apart = wai.annotator_agreement(labelled("1--", "-1-", "--0"))
    assert (apart["alpha"], apart["alpha_note"]) == (None, "no row has labels of two people")


def test_without_the_extra_the_rest_is_there_and_the_note_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "krippendorff", None)
    report = wai.annotator_agreement(labelled("111", "010"))
    assert report["alpha"] is None
    assert "whileai[agreement]" in report["alpha_note"]
    assert report["unanimous"] == 0.5
    assert "whileai[agreement]" in str(report)


def test_pair_with_the_most_shared_rows_is_compared_the_first_met_of_several() -> None:
    assert wai.annotator_agreement(labelled("1-1", "0-0", "11-"))["pair"] == ["a", "c"]
    assert wai.annotator_agreement(labelled("-11", "11-"))["pair"] == ["b", "c"]


def test_latest_label_of_a_person_is_their_vote() -> None:
    records = [{"annotator": "a", "label": 0}, {"annotator": "b", "label": 1}, {"annotator": "a", "label": 1}]
    report = wai.annotator_agreement([{"gold_labels": records}])
    assert (report["unanimous"], report["per_annotator"]["a"]) == (1.0, {"labels": 2, "pass_share": 0.5})


def test_first_twenty_split_rows_are_listed_with_a_short_prompt() -> None:
    rows = labelled(*["10"] * 25)
    rows[0] = {**rows[0], "prompt": None, "messages": [{"role": "user", "content": "x" * 200}]}
    report = wai.annotator_agreement(rows)
    assert len(report["disagreements"]) == 20
    assert report["disagreements"][0] == {"prompt": "x" * 160, "labels": {"a": 1, "b": 0}}
    assert report["multi_labeled"] == 25


def test_report_prints_a_line_a_person() -> None:
    lines = str(wai.annotator_agreement(labelled("11", "10", people="a\x07"))).splitlines()
    assert lines == [
        "\\x07: 2 labels, pass share 0.500",
        "a: 2 labels, pass share 1.000",
        "2 rows with two people or more, unanimous 0.500  kappa 0.000 (\\x07 and a)",
        "1 split row listed in disagreements: settle it in the guideline",
    ]


records = st.lists(objects({"annotator": scalars, "label": scalars}) | scalars, max_size=5)


@given(st.lists(objects({"gold_labels": records, "prompt": json_values}) | scalars, max_size=5))
def test_odd_records_are_passed_over_and_left_as_they_were(rows: list) -> None:
    before = copy.deepcopy(rows)
    report = wai.annotator_agreement(rows)
    assert repr(rows) == repr(before)
    assert str(report)
    assert json.dumps(report, allow_nan=False)
