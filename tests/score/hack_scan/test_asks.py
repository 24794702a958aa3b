from __future__ import annotations

from typing import Any

import numpy as np

from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.hack_scan.asks import Asks, upper_median


def asks(**rewards: list[Any]) -> Asks:
    rows = [{"task_id": ask, "reward": reward} for ask, listed in rewards.items() for reward in listed]
    return Asks(RowTable(rows), "reward")


def test_asks_whose_rewards_differ_come_first_those_of_one_size_together() -> None:
    found = asks(a=[1, 1, 1], b=[0, 1, 1], c=[0, 1], d=[0, 0], e=[1, 0, 0], f=[1])
    assert [row["task_id"] for row in found.rows] == list("ccbbbeeefddaaa")
    assert (found.live, found.n_live_asks) == (8, 3)
    assert found.rewards.tolist() == [0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1]


def test_support_counts_each_ask_once() -> None:
    found = asks(a=[1, 1], b=[0, 0, 0], c=[0.4, 0.4], d=[0, 1], e=[1]).support()
    assert found == {"sat": 0.4, "dead": 0.2, "mixed": 0.2, "capacity": 0.2}
    beyond = asks(a=[2, 2], b=[-1, -1]).support()
    assert (beyond["sat"], beyond["dead"]) == (0.5, 0.5)


def test_equal_fractions_do_not_differ_where_their_float_mean_is_off() -> None:
    found = asks(a=[0.1] * 7, b=[0.7] * 3)
    assert (found.live, found.support()["capacity"]) == (0, 0.0)


def test_counters() -> None:
    found = asks(a=[1, 0, 1], b=[1, 1], c=[0], d=["1", True, None, "x", 0]).counts()
    assert found == {
        "n_graded": 8, "n_groups": 4, "n_groups_multi": 3, "rollouts_per_group": 2, "effective_rollouts": 5,
    }  # fmt: skip


def test_distinct_is_the_upper_median_over_asks_of_two_or_more() -> None:
    found = asks(a=[1, 0], b=[1, 0], c=[1])
    assert found.distinct([1, 1, 1, 2, 1]) == 2
    assert asks(a=[1]).distinct([5]) == 1
    assert asks().distinct([]) == 0


def test_upper_median() -> None:
    assert [upper_median(np.array(values)) for values in ([3], [2, 1], [5, 1, 2, 9])] == [3, 2, 5]


def test_rows_that_name_no_ask_are_said_with_the_likely_key() -> None:
    (said,) = Asks(RowTable([{"task": "a", "reward": 1}, {"task_id": "b", "reward": 0}]), "reward").warnings()
    assert (
        said == "1 of 2 rows has no scenario_id, task_id or prompt and counts as one task: rename 'task' to 'task_id'"
    )
    assert not Asks(RowTable([{"messages": [{"role": "user", "content": "Hi"}], "reward": 1}]), "reward").warnings()
