from __future__ import annotations

import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from whileai.simulations.kernels.signflip import paired_test, these_tasks_p
from whileai.simulations.kernels.welch import welch_interval

COUNTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=14)


def run(passes: list[int], k: int = 4, prefix: str = "t") -> list[dict]:
    return [{"task_id": f"{prefix}{task}", "reward": int(r < n)} for task, n in enumerate(passes) for r in range(k)]


def test_paired_comparison_is_the_kernels_on_task_differences() -> None:
    before, after = [1, 2, 0, 3, 1, 1, 2, 0], [3, 2, 1, 4, 2, 3, 2, 1]
    want = paired_test((np.array(after) - np.array(before)) / 4, 0.95, 2000, 0)
    found = wai.compare_runs(run(before), run(after))
    assert (found["p_value"], found["ci95"]) == (want.p_value, tuple(want.interval))
    same = np.full(8, 4)
    assert found["p_value_these_tasks"] == these_tasks_p(np.array(before), same, np.array(after), same)


def test_other_tasks_are_compared_by_welch() -> None:
    before, after = [1, 2, 0, 3], [3, 2, 1, 4, 2]
    want = welch_interval(np.array(before) / 4, np.array(after) / 4, 0.95, unit=True)
    found = wai.compare_runs(run(before), run(after, prefix="u"))
    assert (found["paired"], found["p_value"], found["ci95"]) == (False, None, tuple(want))
    assert "unpaired task means" in found["note"]


@given(COUNTS, st.sampled_from([0.8, 0.95, 0.99, 0.9999]))
def test_verdict_interval_and_p_agree_and_delta_lies_within(counts: list[tuple[int, int]], level: float) -> None:
    before, after = run([a for a, _ in counts]), run([b for _, b in counts])
    found = wai.compare_runs(before, after, level=level, min_paired=3)
    low, high = found["ci95"]
    assert -1 <= low <= found["delta"] <= high <= 1
    better = {"b_better": low > 0, "a_better": high < 0, "no_difference_detected": low <= 0 <= high}
    assert better[found["verdict"]]
    if "cannot reach" not in found["note"]:
        assert (found["verdict"] != "no_difference_detected") == (found["p_value"] <= 1 - level)


@given(COUNTS)
def test_swapped_runs_give_the_mirrored_answer(counts: list[tuple[int, int]]) -> None:
    before, after = run([a for a, _ in counts]), run([b for _, b in counts])
    one, other = wai.compare_runs(before, after), wai.compare_runs(after, before)
    assert other["p_value"] == one["p_value"]
    assert other["ci95"] == pytest.approx((-one["ci95"][1], -one["ci95"][0])) if one["ci95"] else other["ci95"] is None


@given(st.randoms())
def test_order_of_rows_changes_nothing(order: random.Random) -> None:
    before, after = run([1, 2, 0, 3, 1, 1, 2]), run([3, 2, 1, 4, 2, 3, 2])
    want = wai.compare_runs(before, after)
    order.shuffle(before)
    order.shuffle(after)
    assert wai.compare_runs(before, after) == want


def test_too_few_tasks_for_the_level_give_no_verdict_and_say_how_many_would() -> None:
    found = wai.compare_runs(run([0] * 6), run([4] * 6), level=0.99)
    assert found["verdict"] == "no_difference_detected"
    assert "7 are the least" in found["note"]


@pytest.mark.parametrize(
    "given_arguments",
    [{"n_boot": 0}, {"n_boot": "3"}, {"seed": None}, {"seed": -1}, {"min_paired": float("nan")}, {"level": "0.95"},
     {"level": 1}],
)  # fmt: skip
def test_bad_arguments_are_refused_by_name(given_arguments: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=f"^{next(iter(given_arguments))} must"):
        wai.compare_runs(run([1]), run([1]), **given_arguments)


def test_answer_is_plain_json_and_rows_stay_as_they_were() -> None:
    before, after = run([1, 2, 0, 3, 1]), run([3, 2, 1, 4, 2])
    kept = json.dumps([before, after])
    found = wai.compare_runs(iter(before), (row for row in after))
    assert json.loads(json.dumps(found))["n_paired"] == 5
    assert json.dumps([before, after]) == kept
