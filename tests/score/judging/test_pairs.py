"""Preference pairs: which rows pair, and what the report says of them."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import json_values, objects
from whileai.simulations.score.judging import build_preference_pairs
from whileai.simulations.score.judging.matching import apart, matched

Row = dict[str, Any]


def row(reward: Any, text: str = "ok", prompt: str = "q", **more: Any) -> Row:
    return {"prompt": prompt, "reward": reward, "final_text": text, **more}


def by_hand(scores: list[float], lengths: list[int], margin: float, most: int) -> list[tuple[int, int]]:
    """The rule of the page, read literally."""
    used: set[int] = set()
    pairs: list[tuple[int, int]] = []
    for chosen in range(len(scores)):
        if chosen in used or len(pairs) == most:
            continue
        open_ = [
            place for place in range(len(scores))
            if place not in used and place != chosen and apart(scores[chosen], scores[place], margin)
        ]  # fmt: skip
        if open_:
            rejected = min(open_, key=lambda place: (abs(lengths[place] - lengths[chosen]), place))
            used |= {chosen, rejected}
            pairs.append((chosen, rejected))
    return pairs


candidates = st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.integers(0, 8)), max_size=14)


@given(candidates, st.sampled_from([0.25, 0.5, 1.0]), st.integers(0, 8))
def test_matching_is_the_rule_read_literally(rows: list[tuple[float, int]], margin: float, most: int) -> None:
    ranked = sorted(rows, key=lambda item: -item[0])
    scores, lengths = [score for score, _ in ranked], [length for _, length in ranked]
    assert list(matched(scores, lengths.__getitem__, margin, most)) == by_hand(scores, lengths, margin, most)
    assert list(matched(scores, None, margin, most)) == by_hand(scores, [0] * len(scores), margin, most)


def test_one_prompt_with_many_rollouts_is_paired_in_one_go() -> None:
    rows = [row(i % 2, "x" * (i * 7919 % 1000)) for i in range(20_000)]
    pairs, report = build_preference_pairs(rows, max_pairs_per_prompt=20_000)
    assert (len(pairs), report["prompts_seen"]) == (10_000, 1)


@given(st.lists(objects({"prompt": st.sampled_from(["a", "A "]), "reward": st.sampled_from([0, 1, 0.5])},
                        judge_status=st.sampled_from(["ok", "error", None]), lineage=json_values,
                        messages=json_values, steps=json_values), max_size=5))  # fmt: skip
def test_odd_rows_neither_raise_nor_change(rows: list[Row]) -> None:
    before = repr(rows)
    pairs, report = build_preference_pairs(rows, 5, 0.5)
    assert repr(rows) == before
    assert report["pairs"] == len(pairs)
    assert str(report)


@pytest.mark.parametrize("margin", [0, -1, float("nan"), "1", None])
def test_a_margin_that_is_no_difference_is_refused(margin: Any) -> None:
    with pytest.raises(ValueError, match="min_margin"):
        build_preference_pairs([], min_margin=margin)


def test_a_margin_reached_up_to_rounding_counts() -> None:
    pairs, _ = build_preference_pairs([row(0.7), row(0.4)], min_margin=0.3)
    assert pairs[0]["margin"] == 0.3


def test_a_reply_that_is_the_last_message_counts_once() -> None:
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "four"}]
    pairs, _ = build_preference_pairs([row(1, "four", messages=messages), row(0, "five5", messages=messages)])
    assert pairs[0]["length_delta"] == 4 - (4 + 5)


CALL = {"tool": "get", "arguments": {"id": 1}, "result": "x"}


@pytest.mark.parametrize(
    ("good", "bad", "differs"),
    [
        ({"steps": [CALL]}, {"steps": [CALL]}, False),
        ({"steps": [CALL]}, {"steps": [{**CALL, "arguments": {}}]}, True),
        ({"steps": [{"text": "Hm."}, CALL]}, {"steps": [CALL]}, False), ({"steps": [{"text": "Hm."}]}, {}, True),
        ({}, {}, False), ({"final_text": "no"}, {}, True),
    ],
)  # fmt: skip
def test_the_first_turn_is_the_first_call_else_the_first_words(good: Row, bad: Row, differs: bool) -> None:
    pairs, _ = build_preference_pairs([{**row(1), **good}, {**row(0), **bad}])
    assert pairs[0]["first_turn_differs"] is differs


def test_a_chat_without_a_prompt_is_grouped_by_what_was_asked() -> None:
    def chat(text: str) -> list[Row]:
        return [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": text}]

    pairs, _ = build_preference_pairs([{"reward": r, "messages": chat(str(r))} for r in (1, 0)])
    assert pairs[0]["prompt"] == "Hi"


@pytest.mark.parametrize(
    ("rows", "word"),
    [([], "grade rows first"), ([row(1), row(1)], "at least 1 apart"), ([row(0.5), row(1)], "partial")],
)
def test_no_pairs_is_explained(rows: list[Row], word: str) -> None:
    assert word in build_preference_pairs(rows)[1]["note"]


def test_the_report_is_plain_json_and_prints_its_warnings_last() -> None:
    rows = [row(r, "x" * (1 + 9 * r), prompt=str(i), model_version=f"m{r}") for i in range(3) for r in (1, 0)]
    before = copy.deepcopy(rows)
    _, report = build_preference_pairs(rows)
    assert json.loads(json.dumps(report))["length"] == {
        "median_delta": 9, "chosen_longer": 3, "chosen_longer_frac": 1.0,
    }  # fmt: skip
    assert [line[:2] for line in str(report).splitlines()][-2:] == ["! ", "! "]
    assert rows == before


def test_rewards_of_numpy_take_part() -> None:
    rows = [{"prompt": "a", "final_text": str(i), "reward": r} for i, r in enumerate([np.float32(1), np.int64(0)])]
    assert [pair["margin"] for pair in build_preference_pairs(rows)[0]] == [1.0]
