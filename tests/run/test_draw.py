from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whileai.simulations.run.draw import below, draw, pick, picks


def test_draws_are_uniform() -> None:
    drawn = np.array([draw("uniform", number) for number in range(4000)])
    observed, _ = np.histogram(drawn, bins=10, range=(0, 1))
    assert ((observed - 400) ** 2 / 400).sum() < 27.9  # chi-square, 9 degrees of freedom, p = 0.001


def test_a_draw_is_a_known_number_in_every_process() -> None:
    assert draw("a", 1) == 0.5058861624664538


@given(st.integers(1, 1000), st.text())
def test_below_stays_below(n: int, part: str) -> None:
    assert 0 <= below(n, part) < n


def test_parts_do_not_run_into_each_other() -> None:
    assert draw("ab", "c") != draw("a", "bc")


def test_picks_are_different_items() -> None:
    assert sorted(picks(range(20), 20, "all")) == list(range(20))
    assert pick("abc", 5) == pick("abc", 5)
