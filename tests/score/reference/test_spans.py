from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import strategies as s
from tables import each_of
from whileai.simulations.score.reference.spans import turn_logprobs


def candidate(logprob: float, rank: int, text: str) -> dict[str, Any]:
    return {"logprob": logprob, "rank": rank, "decoded_token": text}


PROBE = {"usage": {"prompt_tokens": 2}}
ENTRIES = [
    None,
    {"1": candidate(-9, 1, "<user>")},
    {"2": candidate(-1.0, 1, "it"), "9": candidate(-3.0, 5, "an")},
    {"3": candidate(-0.5, 1, "<end>")},
    {"4": candidate(-2.0, 1, "\n")},
]


def answer(entries: Any = ENTRIES, **more: Any) -> dict[str, Any]:
    return {"prompt_logprobs": entries, **more}


def test_the_token_of_the_id_counts_and_the_blank_after_the_end_does_not() -> None:
    assert turn_logprobs(PROBE, answer(prompt_token_ids=[0, 1, 2, 3, 4])) == [-1.0, -0.5]


def test_without_ids_the_candidate_ranked_last_is_the_token() -> None:
    assert turn_logprobs(PROBE, answer()) == [-3.0, -0.5]
    assert turn_logprobs(PROBE, answer(prompt_token_ids=[0, 1])) == [-3.0, -0.5]


def test_ids_may_be_keys_that_are_numbers() -> None:
    entries = [None, None, {2: candidate(-1.0, 1, "it"), 9: candidate(-3.0, 5, "an")}]
    assert turn_logprobs(PROBE, answer(entries, prompt_token_ids=[0, 1, 2])) == [-1.0]


def test_blanks_within_the_turn_count() -> None:
    entries = [None, None, {"1": candidate(-1, 1, " ")}, {"2": candidate(-2, 1, "x")}, {"3": candidate(-4, 1, " \n")}]
    assert turn_logprobs(PROBE, answer(entries)) == [-1, -2]


@each_of(("probe", "scored"), [
    ({}, answer()), ({"usage": None}, answer()), ({"usage": {"prompt_tokens": 0}}, answer()),
    ({"usage": {"prompt_tokens": "2"}}, answer()), ({"usage": {"prompt_tokens": True}}, answer()),
    ({"usage": {"prompt_tokens": 5}}, answer()), (PROBE, {}), (PROBE, None), (PROBE, answer({})), (PROBE, answer([])),
    (PROBE, answer([None, None, None])), (PROBE, answer([None, None, {}])), (PROBE, answer([None, None, {"1": None}])),
    (PROBE, answer([None, None, {"1": {"rank": 1}}])), (PROBE, answer([None, None, {"1": {"logprob": True}}])),
    (PROBE, answer([None, None, {"1": candidate(float("nan"), 1, "x")}])),
    (PROBE, answer([None, None, {"1": candidate(float("-inf"), 1, "x")}])),
    (PROBE, answer([None, None, {"1": candidate(-1, 1, "x")}], prompt_token_ids=[0, 1, 7])),
])  # fmt: skip
def test_an_answer_that_cannot_be_read_names_prompt_logprobs(probe: Any, scored: Any) -> None:
    with pytest.raises(ValueError, match="prompt_logprobs"):
        turn_logprobs(probe, scored)


@given(s.json_values, s.json_values, s.json_values)
def test_no_answer_gives_anything_but_numbers_or_a_value_error(probe: Any, entries: Any, ids: Any) -> None:
    for sent in (probe, PROBE):
        try:
            found = turn_logprobs(sent, {"prompt_logprobs": entries, "prompt_token_ids": ids})
        except ValueError:
            continue
        assert all(isinstance(value, float) for value in found)


@pytest.mark.parametrize("last", [candidate(0.01, 1, "x"), candidate(5, 1, "x"), candidate(-1, 1, " \n")])
def test_what_is_no_logprob_or_no_token_is_refused(last: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"at most 0|nothing is left"):
        turn_logprobs(PROBE, answer([None, None, {"1": last}]))


def test_a_logprob_that_rounding_put_above_zero_is_zero() -> None:
    assert turn_logprobs(PROBE, answer([None, None, {"1": candidate(1e-6, 1, "x")}])) == [0.0]
