"""The best single text against a look at every text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai.simulations.score.decontaminate import overlap as module
from whileai.simulations.score.decontaminate.overlap import Overlaps

said = st.lists(st.sampled_from("abcd"), max_size=14)


def one_by_one(texts, n, row):
    """`(text, covered words)` by marking each word of each shared n-gram; ties to the earlier text."""
    best = None
    for place, text in enumerate(texts):
        grams = {tuple(text[i : i + n]) for i in range(len(text) - n + 1)}
        covered = {i + k for i in range(len(row) - n + 1) if tuple(row[i : i + n]) in grams for k in range(n)}
        if covered and (best is None or len(covered) > best[1]):
            best = place, len(covered)
    return best


def agrees(texts, n, row):
    found = Overlaps(texts, n).best(row)
    assert (None if found is None else (found.text, found.covered)) == one_by_one(texts, n, row)


@given(st.lists(said, max_size=12), st.integers(1, 4), said)
def test_the_best_text_is_that_of_a_look_at_each(texts, n, row):
    agrees(texts, n, row)


@given(st.lists(said, max_size=12), st.integers(1, 4), said, st.integers(0, 3))
def test_texts_looked_at_by_class_give_the_same(texts, n, row, long):
    before, module._LONG = module._LONG, long
    try:
        agrees(texts, n, row)
    finally:
        module._LONG = before


@pytest.mark.parametrize("seed", range(5))
def test_texts_of_one_frame_give_the_same(seed):
    rng = random.Random(seed)
    frame = [f"f{i}" for i in range(16)]

    def written():
        text = list(frame)
        for place in rng.sample(range(16), 3):
            text[place] = f"w{rng.randrange(9)}"
        return text

    texts = [written() for _ in range(200)]
    for _ in range(20):
        agrees(texts, 4, written())


def test_the_first_shared_gram_is_shown():
    assert Overlaps([["a", "b", "c"]], 2).best(["x", "b", "c"]).gram == ("b", "c")
