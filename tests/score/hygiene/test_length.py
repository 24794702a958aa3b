from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from strategies import json_values, messages, texts

OPEN = "The parcel left the depot and will reach you soon with the note attached " * 3
KEYS = ["n", "median_chars", "max_chars", "n_truncated", "n_groups_multi", "n_groups_wide_spread", "max_spread"]


def said(task: str, *lengths: int) -> list[dict[str, Any]]:
    return [{"task_id": task, "final_text": "x" * (length - 1) + "."} for length in lengths]


def test_every_key_of_no_rows() -> None:
    report = wai.length_report([])
    assert list(report) == KEYS
    assert report == dict.fromkeys(KEYS, 0) | {"max_spread": 4.0}
    assert type(report["median_chars"]) is float


def test_the_median_of_an_even_number_is_the_mean_of_the_middle_two() -> None:
    report = wai.length_report(said("a", 11, 21, 31) + said("b", 100))
    assert (report["n"], report["median_chars"], report["max_chars"]) == (4, 26.0, 100)
    assert (report["n_groups_multi"], report["n_groups_wide_spread"]) == (1, 0)


@pytest.mark.parametrize(
    ("lengths", "max_spread", "wide"),
    [
        ((10, 10, 40), 4.0, 0),
        ((10, 10, 41), 4.0, 1),
        ((10, 10, 40), 3, 1),
        ((10, 1000), 2, 0),
        ((10, 1000), 1.5, 1),
        ((3, 3, 3, 1), 0.3, 1),
    ],
)
def test_an_ask_is_wide_strictly_above_the_spread(lengths: tuple[int, ...], max_spread: float, wide: int) -> None:
    report = wai.length_report(said("a", *lengths), max_spread=max_spread)
    assert report["n_groups_wide_spread"] == wide
    assert report["max_spread"] is max_spread


def test_a_median_of_zero_is_not_wide() -> None:
    rows = [{"task_id": "a", "final_text": text} for text in ("", "", "long")]
    assert wai.length_report(rows)["n_groups_wide_spread"] == 0


@pytest.mark.parametrize("spread", [-1, float("nan"), "4", None, True])
def test_a_spread_that_is_none_is_refused(spread: Any) -> None:
    with pytest.raises(ValueError, match="max_spread"):
        wai.length_report([], max_spread=spread)


@pytest.mark.parametrize(
    ("row", "chars"),
    [
        ({"messages": [{"role": "assistant", "content": "Looking."}, {"role": "tool", "content": "x" * 99}]}, 8),
        ({"messages": [{"role": "assistant", "content": "All done."}], "final_text": "All done.\n"}, 9),
        ({"messages": [{"role": "assistant", "content": "Looking."}], "final_text": "All done."}, 17),
        ({"messages": [{"role": "assistant", "content": [{"type": "text", "text": "All done."}]}]}, 9),
        ({"steps": [{"text": "Looking.", "tool": "find", "result": "x" * 99}], "final_text": "All done."}, 17),
        ({"messages": [{"role": "assistant", "content": None, "tool_calls": []}]}, 0),
        ({"prompt": "a long prompt"}, 0),
    ],
)
def test_a_length_is_what_the_agent_said(row: dict, chars: int) -> None:
    assert wai.length_report([row])["max_chars"] == chars


def test_cut_rows_are_counted() -> None:
    rows = [{"final_text": OPEN}, {"final_text": OPEN + "."}, {"final_text": "Yes.", "finish_reason": "length"}]
    assert wai.length_report(rows)["n_truncated"] == 2


def test_without_id_and_prompt_the_first_user_turn_is_the_ask() -> None:
    rows = [{"messages": [{"role": "user", "content": ask}], "final_text": "Yes."} for ask in ("a", "a", "b")]
    assert wai.length_report(rows)["n_groups_multi"] == 1


def test_what_is_no_row_is_not_counted_and_one_row_alone_is_refused() -> None:
    assert wai.length_report(["text", None, {"final_text": "Yes."}])["n"] == 1
    with pytest.raises(TypeError, match="wrap one row in a list"):
        wai.length_report({"final_text": "Yes."})


columns = {
    "messages": st.lists(messages, max_size=3) | json_values,
    "final_text": texts | json_values,
    "task_id": texts,
}


@given(st.lists(st.fixed_dictionaries({}, optional=columns) | json_values, max_size=4))
def test_odd_rows_are_read_and_left_as_they_were(rows: list) -> None:
    held = copy.deepcopy(rows)
    report = wai.length_report(rows)
    assert repr(rows) == repr(held)
    assert report["n_truncated"] <= report["n"] == sum(isinstance(row, dict) for row in rows)
    assert report["median_chars"] <= report["max_chars"]
