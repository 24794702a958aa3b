"""The length check: what it compares, and that a gap alone does not flag."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from whileai.simulations.score.judge_trust.length import length_sensitivity


def checked(groups: list[tuple[int, int, int, int]], flag: float = 0.15) -> dict[str, Any]:
    """Of groups (gold, length, rows, of them passed)."""
    rows, test, gold = [], [], []
    for label, length, n, passed in groups:
        rows += [{"final_text": "w" * length}] * n
        test += [1.0] * passed + [0.0] * (n - passed)
        gold += [float(label)] * n
    return length_sensitivity(rows, np.array(test), np.array(gold), flag)


def test_long_replies_that_pass_where_short_ones_do_not_are_flagged() -> None:
    found = checked([(1, 40, 12, 0), (1, 400, 12, 12), (0, 100, 12, 0)])
    entry = found["gold_1"]
    assert (entry["n"], entry["median_chars"]) == (24, 400)
    assert (entry["judge_pass_short"], entry["judge_pass_long"], entry["gap_long_minus_short"]) == (0.0, 1.0, 1.0)
    assert entry["p_value"] < 1e-4
    assert (found["max_gap"], found["flagged"]) == (1.0, True)


def test_a_bias_against_length_is_flagged_too_and_on_either_label() -> None:
    found = checked([(0, 40, 12, 12), (0, 400, 12, 0)])
    assert found["gold_0"]["gap_long_minus_short"] == -1.0
    assert (found["max_gap"], found["flagged"]) == (1.0, True)


@pytest.mark.parametrize(("short", "long"), [(12, 15), (11, 14), (15, 15)], ids=["gap .2", "another gap .2", "no gap"])
def test_a_gap_that_chance_gives_is_shown_and_not_flagged(short: int, long: int) -> None:
    found = checked([(1, 40, 15, short), (1, 400, 15, long)])
    assert found["max_gap"] == pytest.approx((long - short) / 15, abs=1e-4)
    assert found["flagged"] is False


def test_a_small_gap_is_not_flagged_however_sure() -> None:
    found = checked([(1, 40, 2000, 1700), (1, 400, 2000, 1900)])
    assert found["gold_1"]["p_value"] < 1e-6
    assert found["flagged"] is False
    assert checked([(1, 40, 2000, 1700), (1, 400, 2000, 1900)], flag=0.05)["flagged"] is True


def of_tasks(tasks: int, per: int, alike: bool) -> bool:
    """Whether a judge is flagged that passes all replies of the long half of the tasks and none of the short half."""
    rows = [
        {"scenario_id": f"t{task}" if alike else f"t{task}-{i}", "final_text": "w" * (40 if task < tasks / 2 else 400)}
        for task in range(tasks)
        for i in range(per)
    ]
    test = np.array([len(row["final_text"]) > 40 for row in rows], dtype=float)
    return length_sensitivity(rows, test, np.ones(len(rows)), 0.15)["flagged"]


def test_rows_of_one_task_are_no_more_than_one_example() -> None:
    assert of_tasks(4, 12, alike=False)
    assert not of_tasks(4, 12, alike=True)
    assert of_tasks(24, 2, alike=True)


@pytest.mark.parametrize(
    ("groups", "note"), [([(1, 40, 2, 1), (1, 50, 3, 1)], "6 rows"), ([(1, 40, 20, 9)], "shorter"), ([], "6 rows")]
)
def test_a_label_that_cannot_be_split_says_why(groups: list[tuple[int, int, int, int]], note: str) -> None:
    found = checked(groups)
    assert note in found["gold_1"]["note"]
    assert (found["max_gap"], found["flagged"]) == (0.0, False)


WRONG_LABELS = [(1, 90, 8, 0), (1, 400, 32, 32), (0, 90, 32, 0), (0, 400, 8, 8)]  # (gold, length, rows, passed)


def test_a_gap_that_wrong_labels_would_give_as_well_is_not_held_against_the_judge() -> None:
    found = checked(WRONG_LABELS)  # the judge says what length says, and so do passes and fails
    assert (found["gold_1"]["n_short"], found["gold_1"]["n_long"]) == (8, 32)
    assert (found["gold_1"]["gap_long_minus_short"], found["max_gap"]) == (1.0, 1.0)
    assert found["gold_1"]["labels_may_explain"] is True
    assert (found["flagged"], found["labels_may_explain"]) == (False, True)


@pytest.mark.parametrize(
    "groups",
    [
        [(1, 90, 20, 10), (1, 400, 20, 20), (0, 90, 20, 0), (0, 400, 20, 10)],
        [(1, 90, 30, 22), (1, 400, 10, 10), (0, 90, 10, 0), (0, 400, 30, 20)],
        [(1, 90, 10, 10), (1, 200, 40, 40), (0, 90, 25, 0), (0, 400, 30, 30)],
    ],
    ids=["passes no longer", "passes shorter", "disputed longer than any pass"],
)
def test_a_gap_that_wrong_labels_would_not_give_is_flagged(groups: list[tuple[int, int, int, int]]) -> None:
    found = checked(groups)
    assert (found["flagged"], found["labels_may_explain"]) == (True, False)


def test_a_length_is_all_the_agent_said() -> None:
    turns = [{"role": "user", "content": "u" * 99}, {"role": "assistant", "content": "a" * 30}]
    row = {"messages": [*turns, {"role": "assistant", "content": "b" * 20}], "final_text": "b" * 20}
    found = length_sensitivity([row] * 6, np.ones(6), np.ones(6), 0.15)
    assert found["gold_1"]["median_chars"] == 50
