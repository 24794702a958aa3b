"""Tallies of parts, merged, are the tally of the whole, to the last digit."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from examples import few
from whileai.simulations.kernels.exact import ExactSums
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.score.checks import Checks
from whileai.simulations.score.overview import Overview

numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.1, 0.3, 1e300, -1e300, 5e-324, 1.0, 0.0])
rows = st.fixed_dictionaries(
    {"task_id": st.sampled_from(["a", "b", "c", ""])},
    optional={
        "reward": st.sampled_from([0, 1, 0.1, 0.7, None, True, "x"]),
        "markers": st.dictionaries(st.sampled_from("mn"), st.floats(0, 1), max_size=2),
        "prompt": st.sampled_from(["p", "q"]),
        "final_text": st.sampled_from(["It depends.", "Done.", ""]),
        "finish_reason": st.sampled_from(["stop", "length", "error"]),
        "sampling": st.sampled_from([{"temperature": 1}, {"temperature": 0.5}]),
        "judge_status": st.sampled_from(["ok", "error"]),
        "step": st.integers(0, 2),
    },
)


@few
@given(st.lists(st.tuples(st.integers(0, 3), numbers), max_size=30), st.integers(0, 30))
def test_sums_are_exact_and_do_not_depend_on_the_split(values, cut):
    codes = np.array([code for code, _ in values], dtype=np.int64)
    held = np.array([value for _, value in values])
    whole, one, two = TaskSums(), TaskSums(), TaskSums()
    whole.add(codes, held)
    one.add(codes[:cut], held[:cut])
    two.add(codes[cut:], held[cut:])
    one.merge(two, np.arange(4))
    assert one.sums().tolist() == whole.sums().tolist()
    assert whole.sums().tolist() == [math.fsum(held[codes == code]) for code in whole.codes().tolist()]
    assert (one.counts().tolist(), one.seen) == (whole.counts().tolist(), whole.seen)


def test_exact_sums_keep_what_rounding_loses():
    sums = ExactSums()
    for value in (1e16, 1.0, -1e16):
        sums.add(np.array([0]), np.array([value]), size=1)
    assert sums.values(1).tolist() == [1.0]


@few
@given(st.lists(st.lists(rows, max_size=6), max_size=3), st.lists(st.integers(0, 20), max_size=3))
def test_merged_parts_of_files_are_the_whole(files, cuts):
    for make in (Overview, Checks):
        whole, merged = make(), make()
        for number, held in enumerate(files):
            file = f"f{number}"
            whole.add([dict(row) for row in held], file)
            ends = [0, *sorted(min(cut, len(held)) for cut in cuts), len(held)]
            for start, stop in pairwise(ends):
                part = make()
                part.add([dict(row) for row in held[start:stop]], file)
                merged.merge(part)
        assert json.dumps(merged.report()) == json.dumps(whole.report())


@few
@given(st.lists(rows, max_size=8), st.lists(rows, max_size=8), st.lists(rows, max_size=8))
@example([{"task_id": "a", "prompt": "p"}], [{"task_id": "a", "prompt": "q"}], [{"task_id": "a", "prompt": "p"}])
def test_it_does_not_matter_which_parts_are_merged_first(one, two, three):
    def of(held, file):
        found = Overview()
        found.add(held, file)
        return found

    left, right, rest = of(one, "f"), of(two, "f"), of(three, "g")
    left.merge(right)
    left.merge(rest)
    other, rest = of(one, "f"), of(three, "g")
    behind = of(two, "f")
    behind.merge(rest)
    other.merge(behind)
    assert json.dumps(left.report()) == json.dumps(other.report())
