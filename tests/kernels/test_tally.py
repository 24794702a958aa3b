from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai.simulations.kernels.tally import TaskSums, _places

ENTRIES = st.lists(st.tuples(st.integers(0, 6), st.sampled_from([0.0, 0.5, 1.0])), max_size=40)


@given(ENTRIES, st.integers(1, 40))
def test_sums_do_not_depend_on_how_rows_are_cut_into_batches(entries: list[tuple[int, float]], size: int) -> None:
    batched, whole = TaskSums(), TaskSums()
    for part in [entries[i : i + size] for i in range(0, len(entries), size)]:
        batched.add(np.array([c for c, _ in part], dtype=np.int64), np.array([v for _, v in part]))
    whole.add(np.array([c for c, _ in entries], dtype=np.int64), np.array([v for _, v in entries]))
    assert batched.codes().tolist() == whole.codes().tolist() == sorted({c for c, _ in entries})
    assert batched.means().tolist() == whole.means().tolist()
    assert (batched.n, batched.n_at_1) == (len(entries), sum(v == 1 for _, v in entries))


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
