from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.kernels import permutation as module
from whileai.simulations.kernels.groups import Groups
from whileai.simulations.kernels.permutation import Columns, chance_floor, products, shuffled_strongest


def unit(values: np.ndarray, groups: Groups) -> np.ndarray:
    centred = groups.centred(values)
    return centred / np.sqrt(centred @ centred)


def within(column: np.ndarray, reward: np.ndarray, groups: Groups) -> float:
    """The definition: Pearson of the two after each group's mean is taken away."""
    x, y = groups.centred(column.astype(float)), groups.centred(reward)
    return float(x @ y / np.sqrt((x @ x) * (y @ y))) if (x @ x) else 0.0


def drawn(seed: int, *, partial: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray, Groups]:
    """Flags, values, a reward that varies in every group, the groups; the last group has one reward."""
    rng = np.random.default_rng(seed)
    groups = Groups(np.array([4, 4, 9, 12, 3]))
    flags = (rng.random((14, groups.n)) < 0.5).astype(np.uint8)
    reward = rng.random(groups.n) if partial else (rng.random(groups.n) < 0.5).astype(float)
    reward[groups.starts], reward[groups.starts + 1] = 0.0, 1.0
    reward[groups.starts[-1] :] = 1.0
    return flags, rng.normal(size=(2, groups.n)), reward, groups


def columns_of(seed: int, *, partial: bool = False, min_obs: int = 1) -> tuple[Columns, np.ndarray, np.ndarray, Groups]:
    flags, values, reward, groups = drawn(seed, partial=partial)
    live = groups.first(29)
    columns = Columns(flags, values, groups, unit(reward[:29], live), min_obs=min_obs)
    return columns, flags, reward, groups


@pytest.mark.parametrize("partial", [False, True])
def test_correlations_are_those_of_the_definition(partial: bool) -> None:
    flags, values, reward, groups = drawn(3, partial=partial)
    columns, *_ = columns_of(3, partial=partial)
    found = columns.correlations(columns.reward[None])[:, 0]
    assert found == pytest.approx([within(column, reward, groups) for column in [*flags, *values]], abs=1e-12)


@pytest.mark.parametrize("partial", [False, True])
def test_pairs_are_those_of_the_definition(partial: bool) -> None:
    columns, flags, reward, groups = columns_of(5, partial=partial)
    seeds = np.array([1, 4, 7, 8])
    pairs = columns.pairs(seeds, columns.reward)
    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == list(combinations(seeds.tolist(), 2))
    for first, second, n_obs, rho in zip(*pairs, strict=True):
        both = flags[first] & flags[second]
        assert n_obs == both.sum()
        assert rho == pytest.approx(within(both, reward, groups), abs=1e-5)


@each_of("partial", [False, True])
@each_of("seed", range(4))
def test_the_strongest_of_a_shuffle_is_found_by_the_whole_search(partial: bool, seed: int) -> None:
    columns, flags, _, groups = columns_of(seed, partial=partial, min_obs=3)
    shuffled = columns.live.shuffled(columns.reward, 5, np.random.default_rng(seed))
    for reward, most in zip(shuffled, columns.strongest(shuffled, 6), strict=True):
        whole = np.concatenate([reward, np.zeros(groups.n - reward.size)])
        rho = np.array([within(column, whole, groups) for column in flags])
        best = np.abs(columns.correlations(reward[None])).max()
        for first, second in combinations(sorted(np.argsort(-np.abs(rho), kind="stable")[:6]), 2):
            both = flags[first] & flags[second]
            if 3 <= both.sum() < min(flags[first].sum(), flags[second].sum()):
                best = max(best, abs(within(both, whole, groups)))
        assert most == pytest.approx(best, abs=1e-5)


def test_blocks_add_up_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    columns, *_ = columns_of(5)
    seeds, whole = np.array([1, 4, 7, 8]), columns.pairs(np.array([1, 4, 7, 8]), columns.reward)
    monkeypatch.setattr(module, "_SERIAL", 128)
    monkeypatch.setattr(module, "_LEAST_WIDTH", 8)
    monkeypatch.setattr(module, "_WIDENED", 20)
    assert columns.pairs(seeds, columns.reward).rho == pytest.approx(whole.rho, abs=1e-6)
    rng = np.random.default_rng(0)
    for p, m, n in ((4, 4, 100), (2, 3, 64), (1, 5, 7), (3, 2, 333)):
        left, right = rng.normal(size=(p, n)), rng.normal(size=(m, n))
        assert products(left, right) == pytest.approx(left @ right.T)


def test_column_without_spread_has_correlation_zero_and_the_strongest_of_none_is_zero() -> None:
    flags, values, reward, groups = drawn(3)
    flags[0], values[0] = 1, np.repeat(np.arange(5.0), groups.sizes)
    own = unit(reward[:29], groups.first(29))
    found = Columns(flags, values, groups, own).correlations(own[None])[:, 0]
    assert found[0] == found[14] == 0
    assert module._inverse_root(np.array([0.0, 0.25, 4.0])).tolist() == [0.0, 2.0, 0.5]
    none = Columns(flags[:0], values[:0], groups, own)
    assert none.strongest(own[None], 6).tolist() == [0.0]
    too_few = Columns(flags, values, groups, own, min_obs=groups.n + 1)
    assert too_few.strongest(own[None], 6) == pytest.approx(np.abs(found).max())


def test_conjunctions_have_the_fewest_rows_or_more_and_fewer_than_their_columns() -> None:
    groups = Groups(np.array([8]))
    flags = np.array([[1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 0, 0, 0], [1] + [0] * 7])
    columns = Columns(flags.astype(np.uint8), np.zeros((0, 8)), groups, unit(np.arange(8.0), groups), min_obs=2)
    pairs = columns.pairs(np.arange(4), columns.reward)
    found = {(one, other) for one, other in zip(pairs.first[columns.narrower(pairs)], pairs.second, strict=False)}
    assert columns.narrower(pairs).tolist() == [True, False, False, False, False, False]  # 0 & 1; 2 holds both of them
    assert found == {(0, 1)}


def test_two_seeds_are_a_conjunction() -> None:
    groups = Groups(np.array([8]))
    flags = np.array([[1, 1, 0, 0, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0, 0, 0]], dtype=np.uint8)
    reward = unit((flags[0] & flags[1]).astype(float), groups)
    columns = Columns(flags, np.zeros((0, 8)), groups, reward)
    assert columns.strongest(reward[None], 2) == pytest.approx([1.0])
    assert columns.strongest(reward[None], 1) == pytest.approx([within(flags[0], reward, groups)])


def test_seeds_are_the_strongest_and_ties_to_six_digits_go_by_place() -> None:
    columns, *_ = columns_of(0)
    rho = np.full(400, -0.5)
    rho[[7, 9]] = 0.5000003, 0.7
    assert columns.seeds(rho, 4).tolist() == [0, 1, 2, 9]


def test_shuffles_are_those_of_the_seed_and_sorted() -> None:
    columns, *_ = columns_of(0)
    found = shuffled_strongest(columns, 40, 6, seed=7)
    assert found.tolist() == sorted(found.tolist()) == shuffled_strongest(columns, 40, 6, seed=7).tolist()
    assert found.tolist() != shuffled_strongest(columns, 40, 6, seed=8).tolist()
    assert found.size == 40


@each_of(
    ("n", "alpha", "entry"), [(100, 0.05, 96), (19, 0.05, 19), (20, 0.05, 20), (10, 0.05, 10), (1, 0.05, 1),
                              (99, 0.1, 90), (33, 0.05, 33), (1000, 0.05, 951), (100, 1.0, 1), (100, 0.0, 100)],
)  # fmt: skip
def test_the_floor_is_exceeded_by_chance_in_at_most_alpha(n: int, alpha: float, entry: int) -> None:
    assert chance_floor(np.arange(1.0, n + 1), alpha) == entry
    if (n + 1) * alpha >= 1:
        assert (n + 1 - entry) / (n + 1) <= alpha + 1e-12  # the data is one of n + 1 that are alike


@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3000), st.integers(0, 100))
def test_products_in_blocks_are_the_matrix_product(p: int, m: int, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    left, right = rng.normal(size=(p, n)), rng.normal(size=(m, n))
    assert products(left, right) == pytest.approx(left @ right.T, abs=1e-9)
