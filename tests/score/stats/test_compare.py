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
from whileai.simulations.score.stats.compare import verdict

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


def test_what_each_side_has_is_counted_and_the_answer_rests_on_the_shared_tasks() -> None:
    before, after = run([0, 2, 1, 3, 2, 4, 1]), run([4, 4, 2, 4, 3, 4])
    found = wai.compare_runs(before + run([4], prefix="a"), after, level=0.9)
    want = paired_test(np.array([4, 2, 1, 1, 1, 0]) / 4, 0.9, 2000, 0)
    assert found == {
        "metric": "pass_at_1", "paired": True, "n_paired": 6, "n_only_a": 2, "n_only_b": 0, "paired_share": 0.75,
        "n_used": 6, "mean_a": pytest.approx(17 / 32), "mean_b": 0.875, "delta": 0.375, "ci95": tuple(want.interval),
        "p_value": want.p_value, "level": 0.9, "p_value_these_tasks": found["p_value_these_tasks"],
        "verdict": "b_better",
        "note": "2 tasks only in a and 0 only in b were dropped; the verdict rests on the 6 shared",
    }  # fmt: skip


def test_unpaired_means_are_of_all_tasks_and_rest_on_the_smaller_side() -> None:
    found = wai.compare_runs(run([1, 2, 0, 3]), run([3, 2, 1, 4, 2], prefix="u"))
    assert {key: found[key] for key in ("n_paired", "n_only_a", "n_only_b", "n_used", "paired_share", "level")} == {
        "n_paired": 0, "n_only_a": 4, "n_only_b": 5, "n_used": 4, "paired_share": 0.0, "level": 0.95,
    }  # fmt: skip
    assert (found["mean_a"], found["mean_b"], found["delta"]) == (0.375, 0.6, pytest.approx(0.225))
    assert found["note"] == "fewer than 5 shared tasks (0): unpaired task means, a weaker test"


@pytest.mark.parametrize(
    ("before", "after", "metric", "note"),
    [
        (run([1]), [], "pass_at_1", "fewer than 5 shared tasks: b has no 0/1 reward"),
        ([], run([1]), "pass_at_1", "fewer than 5 shared tasks: a has no 0/1 reward"),
        ([], [], "marker:x", "fewer than 5 shared tasks: a and b have no value of the metric"),
    ],
)
def test_a_side_without_values_has_no_mean_and_is_named(before: list, after: list, metric: str, note: str) -> None:
    found = wai.compare_runs(before, after, metric)
    assert (found["delta"], found["ci95"], found["p_value"], found["paired"]) == (None, None, None, False)
    assert (found["verdict"], found["note"]) == ("insufficient_data", note)
    assert (found["mean_a"] is None, found["mean_b"] is None) == (not before, not after)


def test_values_off_the_unit_scale_are_not_cut_at_one() -> None:
    sides = [
        [{"task_id": f"{prefix}{task}", "markers": {"m": n * task}} for task in range(6)]
        for n, prefix in ((1, ""), (9, ""), (9, "b"))
    ]
    paired, apart = (wai.compare_runs(sides[0], side, "marker:m") for side in sides[1:])
    assert paired["ci95"] == tuple(paired_test(8.0 * np.arange(6), 0.95, 2000, 0).interval)
    assert apart["ci95"] == tuple(welch_interval(1.0 * np.arange(6), 9.0 * np.arange(6), 0.95, unit=False))
    assert (paired["p_value_these_tasks"], apart["p_value_these_tasks"]) == (None, None)


def test_least_paired_tasks_below_one_are_one() -> None:
    found = wai.compare_runs(run([1, 2]), run([2, 1], prefix="u"), min_paired=0)
    assert found["paired"] is False
    assert wai.compare_runs(run([1]), run([2]), min_paired=1)["paired"] is True
    assert wai.compare_runs(run([1, 2]), run([2, 3]), min_paired=1)["delta"] == 0.25


def test_draws_and_seed_are_those_of_the_test() -> None:
    rng = np.random.default_rng(0)
    sides = [[{"task_id": t, "markers": {"m": v}} for t, v in enumerate(rng.normal(0, 1, 30))] for _ in range(2)]
    differences = np.array([b["markers"]["m"] - a["markers"]["m"] for a, b in zip(*sides, strict=True)])
    found = wai.compare_runs(*sides, "marker:m", n_boot=90_000, seed=3)
    assert found["p_value"] == paired_test(differences, 0.95, 90_000, 3).p_value
    unless_given = wai.compare_runs(*sides, "marker:m", n_boot=90_000)
    assert unless_given["p_value"] == paired_test(differences, 0.95, 90_000, 0).p_value != found["p_value"]
    assert wai.compare_runs(*sides, "marker:m", n_boot=1)["p_value"] == wai.compare_runs(*sides, "marker:m")["p_value"]


def test_half_of_the_tasks_paired_is_not_most_unpaired() -> None:
    half = wai.compare_runs(run([1, 2, 3, 2, 1]), run([2, 2, 3, 2, 4, 1, 1, 1, 1, 1]))
    assert half["paired_share"] == 0.5
    assert half["note"].startswith("0 tasks only in a and 5 only in b")
    fewer = wai.compare_runs(run([1, 2, 3, 2, 1]), run([2, 2, 3, 2, 4, 1, 1, 1, 1, 1, 1]))
    assert fewer["note"].startswith("most tasks unpaired: 0 tasks only in a and 6 only in b")


@pytest.mark.parametrize(
    ("delta", "ends", "said"),
    [
        (0.2, (0.0, 0.3), "no_difference_detected"),
        (-0.2, (-0.3, 0.0), "no_difference_detected"),
        (-0.2, (-0.3, -0.1), "a_better"),
        (2.0, (1.5, 3.0), "b_better"),
        (None, (0.1, 0.2), "insufficient_data"),
    ],
)
def test_a_verdict_needs_an_interval_on_one_side_of_zero(delta: float | None, ends: tuple, said: str) -> None:
    assert verdict(delta, ends) == said


def test_answer_rests_on_the_shared_tasks_and_every_caution_is_said() -> None:
    found = wai.compare_runs(run([0] * 6) + run([1], prefix="a"), run([4] * 6) + run([1, 2], prefix="b"), level=0.99)
    assert found["n_used"] == 6
    assert found["note"] == (
        "6 shared tasks cannot reach a verdict at level 0.99 (p is 0.0156 at best): 7 are the least; "
        "1 task only in a and 2 only in b were dropped; the verdict rests on the 6 shared"
    )
    assert wai.compare_runs(run([0] * 6), run([4] * 6))["note"] == ""


def test_interval_of_rates_ends_at_one_and_of_other_values_does_not() -> None:
    before, after = [0, 0, 0, 0, 2], [4, 4, 4, 4, 0]
    up, down = (wai.compare_runs(run(a), run(b), level=0.99) for a, b in ((before, after), (after, before)))
    assert (up["ci95"][1], down["ci95"][0]) == (1.0, -1.0)
    small, large = ([{"task_id": t, "markers": {"m": v}} for t in range(6)] for v in (0.5, 9.0))
    assert wai.compare_runs(small, large, "marker:m")["ci95"] == (8.5, 8.5)


def test_two_shared_tasks_have_a_difference_and_nothing_else() -> None:
    found = wai.compare_runs(run([1, 2]), run([2, 3]), min_paired=1)
    kept = ("delta", "ci95", "p_value", "verdict", "note")
    assert {key: found[key] for key in kept} == dict(
        zip(kept, (0.25, None, None, "insufficient_data", ""), strict=True)
    )


def test_p_of_these_tasks_is_of_rollouts_of_zero_and_one_however_many_a_side() -> None:
    before, after = [1, 0, 2], [3, 3, 2]
    found = wai.compare_runs(run(before, k=2), run(after, k=4), min_paired=1)
    assert found["p_value_these_tasks"] == these_tasks_p(
        np.array(before), np.full(3, 2), np.array(after), np.full(3, 4)
    )
    half, whole = ([{"task_id": t, "markers": {"m": v}} for t in range(6) for v in vs] for vs in ((0.5, 1), (0, 1)))
    for a, b in ((half, half), (half, whole), (whole, half)):
        assert wai.compare_runs(a, b, "marker:m")["p_value_these_tasks"] is None
