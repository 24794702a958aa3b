from __future__ import annotations

import json
import math

import numpy as np
import pytest
from rich.cells import cell_len

from tables import each_of
from whileai.simulations.kernels.intervals import unit_mean_interval
from whileai.simulations.score.overview import Overview, overview
from whileai.simulations.score.overview.advice import tasks_for_half_width
from whileai.simulations.score.overview.ungraded import why_ungraded


def rows(spec: dict[str, list[object]]) -> list[dict]:
    return [{"task_id": task, "reward": reward} for task, rewards in spec.items() for reward in rewards]


def test_every_row_is_counted_once() -> None:
    report = overview(rows({"a": [1, 0, 0.5, None], "b": [True, "x"], "c": []}))
    counts = [report[key] for key in ("rows", "passed", "failed", "partial", "ungraded")]
    assert counts == [6, 1, 1, 1, 3]
    assert report["graded"] + report["ungraded"] == report["rows"]
    assert sum(report["ungraded_why"].values()) == report["ungraded"]


def test_tasks_fall_into_the_bins_of_their_pass_rate() -> None:
    spec = {"never": [0] * 10, "hard": [1] + [0] * 9, "low edge": [1, 1] + [0] * 8, "high edge": [1] * 8 + [0, 0]}
    report = overview(rows({**spec, "easy": [1] * 9 + [0], "always": [1] * 10}))["difficulty"]
    assert [entry["n"] for entry in report["bins"]] == [1, 1, 1, 0, 1, 1, 1]
    assert report["n_in_band"] == 2


def test_draw_sizes_asked_for_are_given_below_the_usual_four() -> None:
    report = overview(rows({t: [1, 1, 0, 0] for t in "abc"}), [2, 3])
    assert [draw["k"] for draw in report["k_way"]] == [2, 3]
    assert report["k_way"][0]["pass_pow_k"] == pytest.approx(1 / 6)


@each_of(
    ("row", "reason", "fix"),
    [
        ({}, "no reward key", "grade them"),
        ({"score": 1}, "no reward key", "they have 'score': rename it to 'reward'"),
        ({"rewrad": 1}, "no reward key", "they have 'rewrad': rename it to 'reward'"),
        ({"reward": None}, "reward is null", "grade them"),
        ({"reward": True}, "reward is true or false", "write 1 and 0 for true and false"),
        ({"reward": math.nan}, "reward is not finite", "grade them"),
        ({"reward": "great"}, "reward is text, not a number", "write numbers, not 'great'"),
        ({"reward": None, "judge_status": "timeout"}, "judge status timeout", "run the judge on them again"),
        ({"qwen_reward": None, "judge_status": "ok"}, "qwen_reward is null", "grade them"),
    ],
)
def test_an_ungraded_row_says_why_and_what_to_do(row: dict, reason: str, fix: str) -> None:
    assert why_ungraded(row) == (reason, fix)


@each_of(
    ("given", "said"),
    [
        ([{"reward": 1}, {"reward": 0}], "all rows have no scenario_id, task_id or prompt"),
        ([{"task": "t1", "reward": 1}, {"task": "t2", "reward": 0}], "rename 'task' to 'task_id'"),
        ([{"task_id": t, "reward": r} for t in "abc" for r in (1, 1)], "check the judge first"),
        ([{"task_id": t, "reward": r} for t in "abc" for r in (1, -1)], "rewards are -1 and 1: write 0 for -1"),
        ([{"task_id": t, "reward": r} for t in "abc" for r in (1, 0.5)], "rest on 3 of 6 graded rows"),
        ([{"task_id": "a", "reward": r, "finish_reason": f} for r, f in ((1, "stop"), (0, "length"))],
         "50% of rows were cut"),
        ([{"task_id": "a", "reward": r, "final_text": f} for r, f in ((1, "x"), (0, "<think>y"))], "no spoken reply"),
        ([{"task_id": t, "reward": 1, "policy_version": v} for t in "abc" for v in "xy"], "disagree on policy_version"),
        ([{"task_id": t, "reward": 1, "model_version": v} for t in "abc" for v in "xy"],
         "2 values of model_version (x, y)"),
        ([{"task_id": t, "reward": 1, "step": v} for t in "abc" for v in (0, 20)], "2 values of step (0, 20)"),
    ],
)  # fmt: skip
def test_what_misleads_is_said_above_the_rates(given: list[dict], said: str) -> None:
    report = overview(given)
    assert any(said in line for line in report["warnings"]), report["warnings"]
    text = str(report)
    assert text.index("! ") < text.index("pass@1")


def test_task_ids_that_stand_for_other_prompts_in_another_file_are_said() -> None:
    gathered = Overview()
    for file, ask in (("math", "1 + 1"), ("code", "sort"), ("math", "1 + 1")):
        gathered.add([{"task_id": "0", "prompt": ask, "reward": 1}], file)
    warnings = gathered.report()["warnings"]
    assert any("1 task ids stand for different prompts" in line for line in warnings)
    assert any("rates pool 2 files" in line for line in warnings)


@pytest.mark.parametrize(
    ("rates", "rollouts"), [(np.ones(10), 4.0), (np.array([0.0, 0.5, 1.0, 0.25]), 4.0), (np.zeros(3), 1.0)]
)
def test_tasks_asked_for_bring_the_interval_to_its_half_width(rates: np.ndarray, rollouts: float) -> None:
    need = tasks_for_half_width(rates, rollouts, 0.05)
    low, high = unit_mean_interval(np.tile(rates, -(-need // rates.size)), rollouts, 0.95)
    assert (high - low) / 2 <= 0.05
    low, high = unit_mean_interval(np.tile(rates, max(1, int(need * 0.85) // rates.size)), rollouts, 0.95)
    assert (high - low) / 2 > 0.05 or need <= 2 * rates.size


def test_whole_group_sizes_above_sixteen_are_not_the_default_draw() -> None:
    assert overview(rows({t: [1, 0] * 20 for t in "abc"}))["k_way"][0]["k"] == 16


def test_partial_rewards_have_their_mean_beside_the_pass_rate() -> None:
    report = overview(rows({"a": [0.5, 0.5], "b": [0.25, 0.75], "c": [1, 0]}))
    assert report["reward"]["mean"] == pytest.approx(0.5)
    assert "mean reward" in str(report)


def test_rows_of_which_none_is_graded_are_not_told_that_a_judge_failed() -> None:
    report = overview([{"task_id": t, "reward": None} for t in "abc"])
    assert any("ungraded and in no rate: grade them" in line for line in report["missing"])
    assert "judge" not in str(report)


def test_block_fits_a_hundred_columns_and_obeys_no_escape_sequence() -> None:
    hostile = "\x1b[2J" + "退" * 200
    text = str(
        overview(
            [{"task_id": t, "reward": 1, "markers": {hostile: v}} for t, v in zip("abcd", [0, 1, 1, 0], strict=True)]
        )
    )
    assert max(map(cell_len, text.splitlines())) <= 100
    assert "\x1b" not in text


def test_nothing_at_all_is_said_not_raised() -> None:
    report = overview([])
    assert report["rows"] == 0
    assert "no row has a 0/1 reward" in str(report)


def test_report_is_plain_json() -> None:
    report = overview(rows({t: [1, 0, 1, 0.5, None] for t in "abcd"}))
    assert json.loads(json.dumps(report)) == report


def test_batches_give_what_one_list_gives() -> None:
    given = rows({t: [1, 0, 1, None] for t in "abcdef"})
    gathered = Overview()
    for start in range(0, len(given), 5):
        gathered.add(given[start : start + 5])
    assert gathered.report() == overview(given)


@pytest.mark.parametrize(
    ("rewards", "said"), [((0, 0.5), "1 partial"), ((0, 0.5, 3), "2 neither"), ((0, -1), "1 neither")]
)
def test_only_a_reward_between_0_and_1_is_called_partial(rewards: tuple[float, ...], said: str) -> None:
    rows = [{"task_id": i, "reward": reward} for i, reward in enumerate(rewards)]
    assert f"1 fail, {said}; ungraded 0" in str(overview(rows))


def test_a_k_beyond_every_task_is_explained() -> None:
    rows = [{"task_id": task, "reward": n % 2} for task in "abcd" for n in range(4)]
    assert (
        "no pass^9 or pass@9: no task has so many graded rollouts (4 at most)" in overview(rows, ks=[2, 9])["missing"]
    )
    assert not any("pass^" in line for line in overview(rows, ks=[2])["missing"])


def test_partial_rewards_are_counted_in_words_that_agree() -> None:
    said = overview([{"task_id": "a", "reward": 1}, {"task_id": "b", "reward": 0.5}])["warnings"]
    assert any(
        line.startswith("pass rates rest on 1 of 2 graded rows with a reward of 0 or 1; 1 reward ") for line in said
    )
