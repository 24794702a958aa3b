"""Draws are seeded, in order, and hold the rows a probe needs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whileai.simulations.score.judge_trust.draw import balanced, drawn


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 5))
def test_a_draw_is_ascending_without_repeats_and_as_large_as_can_be(n: int, size: int, seed: int) -> None:
    places = drawn(n, size, seed)
    assert places == sorted(set(places)) == drawn(n, size, seed)
    assert len(places) == min(n, size)


@given(st.lists(st.integers(0, 1), max_size=80), st.integers(1, 60), st.integers(0, 5))
def test_a_balanced_draw_is_half_failures_or_as_near_as_the_rows_allow(labels: list[int], size: int, seed: int) -> None:
    places = balanced(labels, size, seed)
    assert places == sorted(set(places))
    assert len(places) == min(len(labels), size)
    fails, passes = (sum(labels[place] == wanted for place in places) for wanted in (0, 1))
    assert fails == labels.count(0) or fails >= size // 2
    assert passes == labels.count(1) or passes >= size // 2


def test_seeds_draw_apart() -> None:
    assert drawn(1000, 10, 0) != drawn(1000, 10, 1)
    assert balanced([0, 1] * 500, 10, 0) != balanced([0, 1] * 500, 10, 1)
