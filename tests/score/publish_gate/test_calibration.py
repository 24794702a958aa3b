"""The difficulty stamp: measured, carried, and left off."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import whileai.simulations as wai
from whileai.simulations.schema.types import PolicyRef


def task(rewards, **extra):
    return [{"task_id": "a", "prompt": "p", "reward": reward, **extra} for reward in rewards]


@pytest.mark.parametrize(("passes", "n"), [(2, 8), (0, 8), (8, 8), (8, 16)], ids=str)
def test_the_interval_is_wilsons(passes, n):
    rows = task([1] * passes + [0] * (n - passes))
    wai.calibrate(rows)
    ends = binomtest(passes, n).proportion_ci(method="wilson")
    assert rows[0]["calibration"]["pass_rate_ci95"] == pytest.approx([ends.low, ends.high], abs=1.1e-4)
    assert wai.calibration_of(rows[0]).n == n


@given(st.lists(st.sampled_from([0, 1, 0.5, True, None, "1", "x", float("nan")])))
def test_only_labelled_rows_vote_and_are_stamped(rewards):
    rows = task(rewards)
    report = wai.calibrate(rows)
    labelled = [reward for reward in rewards if reward in ("1",) or (reward in (0, 1) and reward is not True)]
    stamped = [row for row in rows if "calibration" in row]
    assert report["n_stamped"] == len(stamped) == len(labelled)
    assert report["n_stamped"] + report["n_unstamped"] == report["n_rows"] == len(rows)
    if labelled:
        assert stamped[0]["calibration"]["pass_rate"] == pytest.approx(sum(map(int, labelled)) / len(labelled))


def test_nothing_but_the_stamp_changes():
    rows = [*task([1, 0]), "no row", {"reward": None}]
    before = copy.deepcopy(rows)
    wai.calibrate(rows, policy="Be brief.")
    assert [
        {k: v for k, v in row.items() if k != "calibration"} if isinstance(row, dict) else row for row in rows
    ] == before


@pytest.mark.parametrize(
    ("policy", "model", "named"),
    [
        (PolicyRef(name="s", version="v2"), "m", {"name": "s", "model": "m", "prompt_hash": None, "version": "v2"}),
        ({"model": "own"}, "m", {"name": "", "model": "own", "prompt_hash": None, "version": None}),
        (None, None, {"name": "", "model": None, "prompt_hash": None, "version": "m7"}),
    ],
    ids=["ref", "dict", "row"],
)
def test_the_student_is_the_one_named_else_the_rows_own(policy, model, named):
    rows = task([1, 0], model_version="m7")
    wai.calibrate(rows, policy, model)
    assert rows[0]["calibration"]["student"] == named


def test_a_policy_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="policy"):
        wai.calibrate(task([1]), policy=5)


@pytest.mark.parametrize(("n", "kept"), [(16, True), (4, False), (2, False), (16.5, False), (True, False)], ids=str)
def test_a_stamp_over_more_rollouts_keeps_its_numbers(n, kept):
    rows = task([1, 0, 0, 0], calibration={"task_id": "a", "n": n, "pass_rate": 0.5})
    report = wai.calibrate(rows)
    assert report["n_carried"] == (4 if kept else 0)
    assert rows[0]["calibration"]["pass_rate"] == (0.5 if kept else 0.25)


def test_calibrating_twice_changes_nothing():
    rows = task([1, 0, 0])
    first = wai.calibrate(rows)
    stamped = copy.deepcopy(rows)
    assert wai.calibrate(rows) == first
    assert rows == stamped


@pytest.mark.parametrize("policy", [{"nme": "student"}, {"temperature": 1}, {"name": "a", "verison": "2"}])
def test_a_policy_with_a_wrong_key_is_refused(policy: dict) -> None:
    with pytest.raises(ValueError, match="it takes name, model, prompt_hash, version"):
        wai.calibrate([{"task_id": "a", "reward": 1}], policy)


def test_text_is_no_rows() -> None:
    with pytest.raises(TypeError, match="rows must be an iterable of dicts"):
        wai.calibrate("abc")


NAMED = {"name": "s", "model": "m", "prompt_hash": "h", "version": "v"}
CARRIED = {
    "task_id": "elsewhere", "student": NAMED, "n": 16, "pass_rate": 0.5, "mean_kl": 0.25, "pass_rate_ci95": [0.28, 0.72]
}  # fmt: skip


def test_a_kept_stamp_is_kept_whole():
    rows = task([1, 0], calibration=CARRIED)
    wai.calibrate(rows)
    assert [row["calibration"] for row in rows] == [CARRIED, CARRIED]


def test_a_kept_stamp_takes_the_student_that_is_named_and_the_kl_that_is_measured():
    rows = task([1, 0], calibration=CARRIED, logprob=-2.0, n_tokens=2, base=-3.0)
    wai.calibrate(rows, {"name": "other"}, ref="base")
    named = {"name": "other", "model": None, "prompt_hash": None, "version": None}
    assert rows[0]["calibration"] == {**CARRIED, "student": named, "mean_kl": 0.5}


def test_a_kept_stamp_without_a_task_or_a_student_names_the_rows_task_and_nobody():
    rows = task([1], calibration={"n": 2, "pass_rate": 1})
    wai.calibrate(rows)
    nobody = {"name": "", "model": None, "prompt_hash": None, "version": None}
    kept = {"task_id": "a", "student": nobody, "n": 2, "pass_rate": 1, "mean_kl": None, "pass_rate_ci95": None}
    assert rows[0]["calibration"] == kept


def test_the_block_says_what_was_stamped_for_whom_and_how_often_tasks_are_solved():
    rows = [*task([1, 0, None]), *({"task_id": "b", "reward": 1, "calibration": CARRIED} for _ in range(2))]
    assert str(wai.calibrate(rows, {"name": "s", "version": "v2"})).splitlines() == [
        "4 of 5 rows stamped, of 2 tasks: 2 keep the stamp they carried",
        "student: name s, version v2",
        "pass@1 0.750 -",
    ]
    assert "student: as each row says" in str(wai.calibrate(rows))


def test_the_block_gives_the_mean_kl_where_it_was_asked_for():
    rows = task([1, 0], logprob=-2.0, n_tokens=2, base=-3.0)
    assert str(wai.calibrate(rows, ref="base")).splitlines()[-1] == "mean KL 0.500 nats a token"


@pytest.mark.parametrize(("rate", "kept"), [(0, True), (1, True), (-0.1, False), (1.5, False), (True, False)], ids=str)
def test_a_stamp_whose_rate_is_none_is_measured_again(rate, kept):
    rows = task([1, 0, 0, 0], calibration={"n": 16, "pass_rate": rate})
    wai.calibrate(rows)
    assert rows[0]["calibration"]["pass_rate"] == (rate if kept else 0.25)
