"""Near pairs against all pairs compared one by one."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.kernels import similarity
from whileai.simulations.kernels.similarity import Pair, near_pairs

small_sets = st.lists(st.frozensets(st.integers(0, 12), max_size=9).map(list), max_size=30)
thresholds = st.sampled_from([-1.0, 0.0, 0.1, 0.3, 0.5, 2 / 3, 0.75, 0.8, 0.9, 1.0, 1.5])


def one_by_one(sets, threshold):
    held = [set(members) for members in sets]
    found = []
    for i, left in enumerate(held):
        for j in range(i + 1, len(held)):
            right = held[j]
            if left and right and (alike := len(left & right) / len(left | right)) >= threshold:
                found.append(Pair(i, j, alike))
    return found


def agrees(sets, threshold):
    expected = one_by_one(sets, threshold)
    found = near_pairs(sets, threshold)
    assert found.n_pairs == len(expected)
    assert set(np.flatnonzero(found.involved).tolist()) == {i for pair in expected for i in pair[:2]}
    assert found.first == expected[:5]


@given(small_sets, thresholds)
def test_pairs_are_those_of_every_two_compared(sets, threshold):
    agrees(sets, threshold)


@given(small_sets, thresholds)
def test_pairs_counted_by_their_cores_are_the_same(sets, threshold):
    long, share = similarity._LONG, similarity._ODD_SHARE
    similarity._LONG, similarity._ODD_SHARE = 1, 3
    try:
        agrees(sets, threshold)
    finally:
        similarity._LONG, similarity._ODD_SHARE = long, share


@st.composite
def near_copies(draw):
    """Sets of one to 24 members, most of which differ from an earlier one in a few."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    sets = [rng.sample(range(80), draw(st.integers(1, 24))) for _ in range(draw(st.integers(1, 6)))]
    for _ in range(draw(st.integers(0, 25))):
        copied = [member for member in rng.choice(sets) if rng.random() > 0.1]
        sets.append(list({*copied, *rng.sample(range(80), rng.randrange(3))}))
    return sets


@given(near_copies(), thresholds, st.sampled_from([1, 7, similarity._CHUNK]))
def test_pairs_of_near_copies_are_those_of_every_two_compared(sets, threshold, chunk):
    kept, similarity._CHUNK = similarity._CHUNK, chunk
    try:
        agrees(sets, threshold)
    finally:
        similarity._CHUNK = kept


@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True), max_size=12), thresholds)
def test_sets_that_need_share_but_one_member_pair_by_it(sets, threshold):
    agrees(sets, threshold)


def test_of_free_texts_few_pairs_are_compared(monkeypatch):
    compared = []
    whole = similarity._Join._compared
    monkeypatch.setattr(
        similarity._Join, "_compared", lambda join, left, right: compared.append(left.size) or whole(join, left, right)
    )
    rng = random.Random(0)
    sets = [list({int(2000 ** rng.random()) for _ in range(25)}) for _ in range(3000)]
    near_pairs(sets, 0.8)
    assert sum(compared) < 2 * len(sets)


def framed(n, slots, seed=0, frame=14, odd=0):
    """Sets of one frame whose slots hold one of so many values each; `odd` sets are free."""
    rng = random.Random(seed)
    sets = [
        [*range(frame), *(1000 * (place + 1) + rng.randrange(values) for place, values in enumerate(slots))]
        for _ in range(n)
    ]
    return sets + [rng.sample(range(frame + 40), 12) for _ in range(odd)]


@each_of("slots", [[10**6], [30, 10**6], [5, 5], [4, 4, 4, 10**6], [3, 3, 3, 3, 3]], ids=str)
@each_of("threshold", [0.6, 0.75, 0.8, 0.9])
def test_sets_of_one_frame_are_counted_exactly(slots, threshold):
    agrees(framed(120, slots, odd=30), threshold)


def test_sets_of_several_frames_that_share_members_are_counted_exactly():
    sets = framed(150, [20, 20]) + framed(150, [20, 20, 20], frame=13) + framed(150, [9], frame=12)
    agrees(sets, 0.8)


def test_twenty_thousand_sets_of_one_frame_need_no_look_at_each_pair():
    found = near_pairs([[*range(15), 100 + i] for i in range(20_000)], 0.8)
    assert found.n_pairs == 20_000 * 19_999 // 2
    assert found.involved.all()
    assert found.first[4] == Pair(0, 5, 15 / 17)


def test_empty_sets_are_like_no_other():
    assert near_pairs([[], [], [1], [1]], 0.5).first == [Pair(2, 3, 1.0)]
    assert near_pairs([], 0.5).n_pairs == 0


@pytest.mark.parametrize("n_members", [24, 30])
def test_sets_of_few_members_are_counted_exactly(n_members):
    rng = random.Random(n_members)
    agrees([rng.sample(range(30), min(n_members, 24)) for _ in range(400)], 0.8)


def test_threshold_of_one_pairs_equal_sets():
    agrees([[1, 2], [2, 1], [1], [3]], 1.0)


def test_the_product_of_all_sets_counts_sets_of_one_member():
    involved = np.zeros(3, dtype=bool)
    join = similarity._Join(similarity._Members([[1], [1], [0, 1]]), 0.8, involved)
    assert (join._multiplied(), involved.tolist()) == (1, [True, True, False])
