from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.kernels.tally import Seen, TaskSums, _places

ENTRIES = st.lists(st.tuples(st.integers(0, 6), st.sampled_from([0.0, 0.5, 1.0])), max_size=40)


@given(ENTRIES, st.integers(1, 40))
def test_sums_do_not_depend_on_how_rows_are_cut_into_batches(entries: list[tuple[int, float]], size: int) -> None:
    batched, whole = TaskSums(), TaskSums()
    for part in [entries[i : i + size] for i in range(0, len(entries), size)]:
        batched.add(np.array([c for c, _ in part], dtype=np.int64), np.array([v for _, v in part]))
    whole.add(np.array([c for c, _ in entries], dtype=np.int64), np.array([v for _, v in entries]))
    assert batched.codes().tolist() == whole.codes().tolist() == sorted({c for c, _ in entries})
    assert batched.means().tolist() == whole.means().tolist()
    assert (batched.n, batched.seen.n_at_1) == (len(entries), sum(v == 1 for _, v in entries))


def test_nothing_added_has_no_tasks() -> None:
    sums = TaskSums()
    sums.add(np.zeros(0, dtype=np.int64), np.zeros(0))
    assert sums.n == 0
    assert sums.codes().size == 0


def test_memory_is_that_of_the_tasks_with_a_value_not_of_the_highest_code() -> None:
    sums = TaskSums()
    sums.add(np.array([10**12, 5]), np.array([1.0, 0.0]))
    sums.add(np.array([10**12]), np.array([0.0]))
    assert (sums.codes().tolist(), sums.counts().tolist(), sums.means().tolist()) == ([5, 10**12], [1, 2], [0.0, 0.5])


@pytest.mark.parametrize("codes", [[3, 0, 3, 1], [900_000, 0, 900_000]])
def test_codes_are_found_with_and_without_a_sort(codes: list[int]) -> None:
    found = _places(np.array(codes))
    assert [each.tolist() for each in found] == [each.tolist() for each in np.unique(codes, return_inverse=True)]


def tally(*entries: tuple[int, float]) -> TaskSums:
    sums = TaskSums()
    for code, value in entries:
        sums.add(np.array([code]), np.array([value]))
    return sums


PARTS = [[(0, 1.0), (0, 0.0), (1, 1.0)], [(1, 1.0), (0, -2.0), (0, 0.0)], [(0, 0.1), (2, 0.1)], [(0, 0.5), (0, 0.5)]]


@pytest.mark.parametrize("parts", [PARTS, PARTS[::-1], PARTS[2:], PARTS[:2]])
def test_merged_tallies_hold_what_a_tally_of_all_their_values_holds(parts: list[list[tuple[int, float]]]) -> None:
    merged, whole = TaskSums(), tally(*(entry for part in parts for entry in part))
    for part in parts:
        merged.merge(tally(*part), np.arange(3))
    merged.merge(TaskSums(), np.arange(3))
    assert merged.sums().tolist() == whole.sums().tolist()
    assert merged.counts().tolist() == whole.counts().tolist()
    assert (merged.n, merged.seen) == (whole.n, whole.seen)


def test_values_are_counted_over_batches_that_were_read_between() -> None:
    sums = tally((0, 1.0), (0, 0.0))
    assert (sums.n, sums.seen) == (2, Seen(0.0, 1.0, n_at_1=1, n_at_0=1))
    sums.add(np.array([0, 1, 0]), np.array([1.0, 0.0, -0.5]))
    assert (sums.n, sums.seen) == (5, Seen(-0.5, 1.0, n_at_1=2, n_at_0=2))


def test_sums_of_fractions_are_rounded_once_whatever_is_read_between() -> None:
    assert tally(*[(0, 0.1)] * 10).sums().tolist() == [1.0]  # one by one, they add up to 0.9999999999999999
    sums = tally((0, 1.0), (0, 1e-20))
    assert sums.sums().tolist() == [1.0]
    sums.add(np.array([0]), np.array([-1.0]))
    assert sums.sums().tolist() == [1e-20]
    other = tally((0, 1.0), (0, 1e-20), (0, -2.0))
    assert other.sums().tolist() == [-1.0]
    sums = tally((0, 1.0), (0, 1e-20))
    assert sums.sums().tolist() == [1.0]
    sums.merge(other, np.array([0]))
    assert sums.sums().tolist() == [2e-20]


def test_sums_beyond_what_floats_count_are_exact() -> None:
    assert tally((0, 2.0**53), (0, 1.0), (0, 1.0)).sums().tolist() == [2.0**53 + 2]


@pytest.mark.parametrize(
    ("values", "unit", "binary"),
    [([0, 1], True, True), ([0, 0.5, 1], True, False), ([-0.5, 1], False, False), ([0, 2], False, False)],
)
def test_range_of_the_values_is_told(values: list[float], unit: bool, binary: bool) -> None:
    sums = tally(*((0, value) for value in values))
    assert (sums.within_unit(), sums.all_binary()) == (unit, binary)


@each_of(
    ("values", "equal"),
    [([], False), ([3.0], True), ([0.3, 0.1 + 0.2], True), ([2.0, 2.1], False), ([-1.0, 1.0], False)],
)
def test_values_are_all_equal_up_to_their_rounding(values: list[float], equal: bool) -> None:
    assert tally(*((0, value) for value in values)).all_equal() is equal
