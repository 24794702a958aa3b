"""How rollouts are spent over asks."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai.simulations.run.knobs import POLICIES
from whileai.simulations.run.repeats import Repeats, undecided


def spent(policy: str, k: int, n_asks: int, budget: int | None, differing: set[int]) -> Counter[int]:
    """Rollouts by ask, when the rewards of these asks differ."""
    rounds = Repeats(policy, k).rounds(n_asks, budget, lambda ask: 0.25 if ask in differing else 0.0)
    return Counter(ask for cells in rounds for ask, _ in cells)


@pytest.mark.parametrize("policy", ["none", "fixed"])
def test_fixed_plays_each_ask_k_times_and_the_budget_cuts_the_last(policy: str) -> None:
    assert spent(policy, 4, 5, None, set()) == dict.fromkeys(range(5), 4)
    assert spent(policy, 4, 5, 10, set()) == {0: 4, 1: 4, 2: 2}


def test_adaptive_stops_where_rewards_agree_and_goes_on_with_further_asks() -> None:
    assert spent("adaptive", 4, 100, 16, {0, 2}) == {0: 4, 1: 2, 2: 4, 3: 2, 4: 2, 5: 2}


def test_successive_keeps_those_that_differ_and_at_least_half() -> None:
    assert spent("successive", 8, 4, 32, {3}) == {3: 8, 0: 4, 1: 2, 2: 2}
    assert spent("successive", 8, 4, None, {0, 1, 2}) == {0: 8, 1: 8, 2: 8, 3: 2}


@given(
    policy=st.sampled_from(POLICIES),
    k=st.integers(1, 9),
    n_asks=st.integers(0, 12),
    budget=st.none() | st.integers(0, 60),
    differing=st.sets(st.integers(0, 11)),
)
def test_no_ask_is_played_more_than_k_times_nor_any_rollout_twice(
    policy: str, k: int, n_asks: int, budget: int | None, differing: set[int]
) -> None:
    rounds = list(Repeats(policy, k).rounds(n_asks, budget, lambda ask: float(ask in differing)))
    cells = [cell for one in rounds for cell in one]
    assert len(cells) == len(set(cells))
    assert len(cells) <= (n_asks * k if budget is None else budget)
    assert all(0 <= ask < n_asks and 0 <= n < k for ask, n in cells)
    assert all(rounds)
    if budget is not None and budget <= n_asks and policy in ("none", "fixed"):
        assert len(cells) == budget


def test_undecided_is_largest_at_one_half() -> None:
    assert undecided([1, 0, 1, 0]) == 0.25 > undecided([1, 1, 1, 0]) == 0.1875 > undecided([0, 0]) == 0.0
