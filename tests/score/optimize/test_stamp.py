from __future__ import annotations

import pytest

from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.optimize.stamp import Measured, pass_rate_ends, row_student


@pytest.mark.parametrize(
    ("passed", "n", "ends"),
    [
        (2, 8, [0.0715, 0.5907]),
        (4, 8, [0.2152, 0.7848]),
        (6, 8, [0.4093, 0.9285]),
        (8, 16, [0.28, 0.72]),
        (0, 8, [0.0, 0.3244]),
        (8, 8, [0.6756, 1.0]),
    ],
)
def test_ends_are_those_a_table_prints(passed: int, n: int, ends: list[float]) -> None:
    assert pass_rate_ends(passed / n, n) == ends


def test_only_labels_are_measured() -> None:
    measured = Measured(RowTable([{"task_id": "a", "reward": r} for r in (1, 0.5, True, None)]))
    assert measured.entry("a") == {"task_id": "a", "n": 1, "pass_rate": 1.0, "pass_rate_ci95": [0.2065, 1.0]}
    assert Measured(RowTable([])).entry("a") is None


def test_each_stamp_is_a_dict_of_its_own() -> None:
    measured = Measured(RowTable([{"task_id": "a", "reward": 1}]))
    one, other = measured.stamp("a", {}), measured.stamp("a", {})
    assert one is not None
    assert other is not None
    one["pass_rate_ci95"].append(0)
    assert one != other


def test_the_student_is_the_policy_version_else_the_model_version() -> None:
    assert row_student({"policy_version": 7, "model_version": "m"})["version"] == "7"
    assert row_student({"policy_version": "", "model_version": "m"})["version"] == "m"
    assert row_student({})["version"] is None
