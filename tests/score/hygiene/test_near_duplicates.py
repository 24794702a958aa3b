"""Asks that say nearly the same, against all pairs compared one by one."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

import whileai.simulations as wai
from whileai.simulations.rows.words import words


def asked(*prompts):
    return [{"prompt": prompt} for prompt in prompts]


@pytest.mark.parametrize(
    ("left", "right", "pairs"),
    [
        ("Where is my order 4473 please", "where is my order 4473, please?", 1),
        ("請取消我的訂單多謝", "請取消我的訂單", 0),  # 7 of 9 characters
        ("请取消我的订单谢", "请取消我的订单", 1),  # 7 of 8
        ("मेरा ऑर्डर रद्द करें", "मेरा ऑर्डर रद्द करें!", 1),
        ("???", "!!!", 0),
    ],
    ids=range(5),
)
def test_words_of_any_script_are_compared(left, right, pairs):
    report = wai.near_duplicate_prompts(asked(left, right))
    assert (report["n_prompts"], report["n_pairs"]) == (2, pairs)


def test_pairs_are_those_of_every_two_compared():
    rng = random.Random(0)
    prompts = [" ".join(rng.choices("abcdefghij", k=rng.randint(1, 9))) for _ in range(300)]
    distinct = list(dict.fromkeys(prompts))
    held = [set(words(prompt)) for prompt in distinct]
    pairs = [
        (i, j) for i, j in combinations(range(len(held)), 2) if len(held[i] & held[j]) / len(held[i] | held[j]) >= 0.8
    ]
    report = wai.near_duplicate_prompts(asked(*prompts))
    assert report["n_pairs"] == len(pairs) > 50
    assert report["n_prompts_involved"] == len({place for pair in pairs for place in pair})
    assert [(e["a"], e["b"]) for e in report["examples"]] == [(distinct[i], distinct[j]) for i, j in pairs[:5]]


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan"), "0.8", True])
def test_a_threshold_that_is_no_share_is_refused(threshold):
    with pytest.raises(ValueError, match="threshold"):
        wai.near_duplicate_prompts(asked("a"), threshold=threshold)
