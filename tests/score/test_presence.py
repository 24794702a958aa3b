"""Counts of present things against a plain count, in one batch and in several."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import few
from whileai.simulations.kernels.association import pearson
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.presence import Presence

NAMES = ["apology", "hedge"]
items = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from([0, 1, None, 0.5]), st.booleans(), st.booleans()), max_size=30
)


def seen_in(batches):
    seen = Presence(NAMES)
    for batch in batches:
        rows = [{"task_id": task, "reward": reward} for task, reward, *_ in batch]
        flags = np.array([pair for *_, pair in [(t, r, (a, b)) for t, r, a, b in batch]], dtype=bool).reshape(-1, 2)
        seen.add(RowTable(rows, seen.index), flags)
    return seen


@few
@given(items, st.integers(0, 30))
def test_batches_add_up_to_the_whole(rows, cut):
    whole, parts = seen_in([rows]), seen_in([rows[:cut], rows[cut:]])
    assert (whole.n, whole.n_graded) == (parts.n, parts.n_graded) == (len(rows), sum(r in (0, 1) for _, r, *_ in rows))
    for name in NAMES:
        assert whole.hits(name) == parts.hits(name)
        assert whole.correlation(name) == parts.correlation(name)
        assert whole.absent(name).means().tolist() == parts.absent(name).means().tolist()


@given(items)
def test_the_correlation_is_pearsons_over_labelled_rows(rows):
    labelled = [(reward, float(hit)) for _, reward, hit, _ in rows if reward in (0, 1)]
    expected = pearson(*np.array(labelled, dtype=float).T) if len(labelled) >= 3 else None
    assert seen_in([rows]).correlation("apology") == (None if expected is None else pytest.approx(expected, abs=1e-12))
