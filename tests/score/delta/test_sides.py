from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import numpy as np
import pytest

import whileai.simulations as wai
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.delta.sides import Side, balance, number_by_name


def tables(before: list[dict], after: list[dict]) -> tuple[RowTable, RowTable]:
    index = Tasks()
    made = RowTable(before, index), RowTable(after, index)
    for table in made:
        assert table.tasks.size == len(table)
    return made


def test_balance_cuts_shared_tasks_to_the_rows_both_have_and_leaves_the_others(rows: Any) -> None:
    before = rows([1] * 3, k=5) + rows([1], k=4, start=9)
    after = rows([1] * 3, k=2)
    cut, other, told = balance(*tables(before, after), seed=0)
    assert Counter(row["task_id"] for row in cut.rows) == {"t0": 2, "t1": 2, "t2": 2, "t9": 4}
    assert other.rows == after
    assert told == {"rows_dropped": {"before": 9, "after": 0}, "tasks_trimmed": 3}


def test_balance_keeps_rows_in_order_and_draws_them_by_seed(rows: Any) -> None:
    before = [{**row, "n": n} for n, row in enumerate(rows([0] * 20, k=6))]
    draws = [balance(*tables(before, rows([0] * 20, k=3)), seed=seed)[0].rows for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]
    assert [row["n"] for row in draws[0]] == sorted(row["n"] for row in draws[0])


def test_the_draw_of_a_task_does_not_depend_on_the_other_tasks(rows: Any) -> None:
    def kept(more: list[dict]) -> list[int]:
        before = more + [{**row, "n": n} for n, row in enumerate(rows([0], k=8, start=50))]
        table, _, _ = balance(*tables(before, rows([0], k=3, start=50)), seed=4)
        return [row["n"] for row in table.rows if row["task_id"] == "t50"]

    assert kept([]) == kept(rows([1, 2, 3]))


def test_balance_draws_every_row_about_equally_often(rows: Any) -> None:
    before = [{**row, "n": row_number % 4} for row_number, row in enumerate(rows([0] * 2000, k=4))]
    table, _, _ = balance(*tables(before, rows([0] * 2000, k=1)), seed=0)
    drawn = np.bincount([row["n"] for row in table.rows])
    assert drawn.sum() == 2000
    assert abs(drawn - 500).max() < 5 * np.sqrt(2000 * 3 / 16)


def test_runs_are_the_stamps_as_text_in_natural_order() -> None:
    stamps: list[Any] = [10, "2", 2, None, "", "b"]
    table = RowTable([{"task_id": "a", "reward": 1, "lineage": {"eval_run": stamp}} for stamp in stamps] + [{}])
    side = Side("before", table)
    assert side.runs == ["2", "10", "b"]
    assert side.run_of.tolist() == [1, 0, 0, -1, -1, 2, -1]


def test_generators_are_read_once_and_rows_stay_as_they_are(rows: Any) -> None:
    before, after = rows([1, 2] * 5), rows([2, 3] * 5, k=5)
    held = copy.deepcopy((before, after))
    report = wai.delta_report(
        (row for row in before), iter([*after, "noise", None]), train_runs=[iter(after)], balance_rollouts=True
    )
    assert report["n_paired_tasks"] == 10
    assert (before, after) == held


def test_config_holds_plain_values_only() -> None:
    report = wai.delta_report(
        [{"task_id": "a", "reward": 1, "sampling": {"temperature": np.float64(0.5), "max_tokens": np.int64(9)}}], []
    )
    found = report["config"]["before"]
    assert (type(found["temperature"]), type(found["max_tokens"])) == (float, int)


def same_rows_said(before: list[dict], after: list[dict]) -> bool:
    return "both sides hold the same rows: is the second path right?" in wai.delta_report(before, after)["warnings"]


def test_the_same_rows_twice_are_pointed_out(rows: Any) -> None:
    side = rows([1, 2, 3] * 2, markers={"polite": [1, 0] * 3}, final_text="done")
    assert same_rows_said(side, side)
    assert same_rows_said(side, [dict(row) for row in side])
    assert not same_rows_said([], [])


@pytest.mark.parametrize("changed", [{"reward": 1}, {"markers": {"polite": 0}}, {"final_text": "x"}, {"task_id": "z"}])
def test_one_other_value_makes_other_rows(rows: Any, changed: dict) -> None:
    side = rows([0] * 6, markers={"polite": [1] * 6}, final_text="done")
    assert not same_rows_said(side, [*side[:-1], {**side[-1], **changed}])


def test_the_same_rewards_of_another_policy_are_other_rows(rows: Any) -> None:
    assert not same_rows_said(rows([4] * 6, policy_version="a"), rows([4] * 6, policy_version="b"))


def test_balance_draws_graded_rows_before_ungraded_ones(rows: Any) -> None:
    before = [{**row, "reward": row["reward"] if n % 4 == 2 else None} for n, row in enumerate(rows([4] * 12))]
    after = rows([1, 0] * 6, k=1)
    cut, _, told = balance(*tables(before, after), seed=0)
    assert [row["reward"] for row in cut.rows] == [1] * 12
    assert told["rows_dropped"] == {"before": 36, "after": 0}
    assert wai.delta_report(before, after, balance_rollouts=True)["n_paired_tasks"] == 12


def test_balance_still_keeps_as_many_rows_as_both_have_when_fewer_are_graded(rows: Any) -> None:
    before = [{**row, "n": n, "reward": 1 if n == 3 else None} for n, row in enumerate(rows([0], k=5))]
    kept = balance(*tables(before, rows([0], k=2)), seed=0)[0].rows
    assert len(kept) == 2
    assert 3 in [row["n"] for row in kept]
    assert kept[0]["n"] < kept[1]["n"]


def test_tasks_are_numbered_by_name_over_all_tables(rows: Any) -> None:
    before, after = tables(rows([0, 0], k=1, start=8)[::-1], [*rows([0], k=1, start=7), {"reward": 1}])
    number_by_name([before, after], before.index)
    assert before.index is after.index
    assert before.index.names == ["", "t7", "t8", "t9"]
    assert (before.tasks.tolist(), after.tasks.tolist()) == ([3, 2], [1, 0])
