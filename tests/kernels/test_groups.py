from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from whileai.simulations.kernels import groups as module
from whileai.simulations.kernels.groups import Groups, PackedFlags

sizes = st.lists(st.integers(1, 20), min_size=1, max_size=8)


def by_hand(values: np.ndarray, listed: list[int]) -> np.ndarray:
    return np.concatenate([part - part.mean() for part in np.split(values, np.cumsum(listed)[:-1])])


@given(sizes, st.integers(0, 1000))
def test_centred_takes_away_each_groups_mean(listed: list[int], seed: int) -> None:
    values = np.random.default_rng(seed).normal(50, 3, (2, sum(listed)))
    found = Groups(np.array(listed)).centred(values)
    assert found[0] == pytest.approx(by_hand(values[0], listed), abs=1e-9)
    assert found[1] == pytest.approx(by_hand(values[1], listed), abs=1e-9)


def test_first_groups_are_those_of_the_first_rows() -> None:
    groups = Groups(np.array([2, 3, 1]))
    assert [groups.first(n).sizes.tolist() for n in (0, 2, 5, 6)] == [[], [2], [2, 3], [2, 3, 1]]


def test_equal_values_are_exactly_zero_where_their_float_mean_is_off() -> None:
    values = np.array([0.1] * 7 + [0.7] * 3)
    assert not Groups(np.array([7, 3])).centred(values).any()


@given(sizes, st.integers(0, 1000))
def test_shuffles_keep_the_values_of_each_group(listed: list[int], seed: int) -> None:
    groups, values = Groups(np.array(listed)), np.arange(float(sum(listed)))
    for shuffled in groups.shuffled(values, 3, np.random.default_rng(seed)):
        for start, size in zip(groups.starts, groups.sizes, strict=True):
            assert sorted(shuffled[start : start + size]) == list(values[start : start + size])


def test_every_order_of_a_group_is_as_likely() -> None:
    drawn = Groups(np.array([3])).shuffled(np.arange(3.0), 12_000, np.random.default_rng(0))
    _, counts = np.unique(drawn @ [9.0, 3.0, 1.0], return_counts=True)
    assert counts.size == 6
    assert counts == pytest.approx(np.full(6, 2000), abs=5 * np.sqrt(2000 * 5 / 6))


@given(sizes, st.integers(0, 1000))
@example([8, 16, 3], 0)  # packed as they lie
@example([9, 18, 3], 0)
@example([5000, 3], 0)  # more ones than a byte counts
def test_tally_counts_what_a_loop_over_the_rows_counts(listed: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    flags = (rng.random((3, sum(listed))) < rng.random()).astype(np.uint8)
    packed = PackedFlags(flags, Groups(np.array(listed)))
    tally = packed.tally(packed.bits)
    for at, column in enumerate(flags.astype(float)):
        assert tally.n[at] == column.sum()
        assert tally.within[at] == pytest.approx((by_hand(column, listed) ** 2).sum(), abs=1e-9)
    both = packed.tally(packed.bits[:1] & packed.bits[1:2])
    assert both.n[0] == (flags[0] & flags[1]).sum()


def test_a_column_constant_within_each_group_has_no_spread_at_all() -> None:
    flags = np.repeat(np.array([[1, 0, 1]], dtype=np.uint8), [49, 7, 11], axis=1)
    packed = PackedFlags(flags, Groups(np.array([49, 7, 11])))
    assert packed.tally(packed.bits).within.tolist() == [0.0]


def test_bits_are_counted_alike_without_the_function_of_numpy_2(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = np.random.default_rng(0).integers(0, 2, (4, 500), dtype=np.uint8)
    packed = PackedFlags(flags, Groups(np.array([300, 200])))
    counted = packed.tally(packed.bits)
    monkeypatch.setattr(module, "_ones_in", module._BITS.take)
    assert packed.tally(packed.bits).n.tolist() == counted.n.tolist() == flags.sum(axis=1).tolist()
