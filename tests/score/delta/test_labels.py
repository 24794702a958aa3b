from __future__ import annotations

from typing import Any

import pytest

import whileai.simulations as wai


def rewarded(*per_task: list[Any], n: int = 6) -> list[dict]:
    return [{"task_id": f"t{i}", "reward": reward} for i in range(n) for reward in per_task[i % len(per_task)]]


def test_minus_one_for_a_fail_is_the_first_warning_and_names_the_mend() -> None:
    before, after = rewarded([1, -1, -1, -1]), rewarded([1, 1, -1, -1])
    first = wai.delta_report(before, after, target="pass_at_1", must_not_regress="pass_at_1")["warnings"][0]
    assert first == (
        "6 of 24 graded rows before and 12 of 24 after are 0/1; the others are in no pass rate: write 0 for -1; "
        "guard and target pass_at_1: judged on the 0/1 part alone"
    )


def test_partial_rewards_are_counted_by_side_and_are_not_rows_lost() -> None:
    said = wai.delta_report(rewarded([0, 0.2, 1]), rewarded([0, 1, 1]))["warnings"]
    assert said[0].startswith("12 of 18 graded rows before and 18 of 18 after are 0/1")
    assert said[0].endswith("grade 0/1 or set a threshold")
    assert "k=2 before and k=3 after: 6 of 6 paired tasks" in "\n".join(said)
    assert "rows lost" not in "\n".join(said)


def test_rows_that_are_gone_are_still_rows_lost() -> None:
    assert "rows lost" in "\n".join(wai.delta_report(rewarded([0, 1]), rewarded([0, 1, 1]))["warnings"])


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (rewarded([0.3, 0.7]), rewarded([0, 1]), "no reward on the before side is 0/1 (grade 0/1 or set a threshold)"),
        (rewarded([0, 1]), rewarded([True, False]), "no reward on the after side is 0/1 (write 1 and 0 for True"),
        (rewarded([True]), rewarded([False]), "no reward on either side is 0/1 (write 1 and 0 for True and False)"),
        (rewarded([-1]), rewarded([0, 1]), "no reward on the before side is 0/1 (write 0 for -1)"),
        (rewarded([0, 1]), [], "the after side has no rows"),
        (rewarded([0, 1]), rewarded([None]), "the after side has no graded rows"),
        ([], [], "both sides have no rows"),
    ],
)
def test_a_side_without_a_label_is_told_why(before: list, after: list, said: str) -> None:
    report = wai.delta_report(before, after)
    text = "\n".join(report["warnings"])
    assert said in text
    assert not any(false in text for false in ("two evals", "0 shared tasks", "add tasks both sides run"))


def test_a_side_without_rows_is_still_the_cause_situations() -> None:
    report = wai.delta_report(rewarded([0, 1]), [])
    assert (report["not_comparable"], report["ok"]) == (["situations"], False)


def test_some_booleans_among_labels_are_counted() -> None:
    said = wai.delta_report(rewarded([0, 1, True]), rewarded([0, 1, 1]))["warnings"]
    assert "on 6 of 18 rows before and 0 of 18 rows after: write 1 and 0 for True and False" in said[0]


def test_a_marker_target_without_a_value_on_a_side_says_so(rows: Any) -> None:
    sides = rows([1] * 6, markers={"safe": [1] * 6}), rows([1] * 6)
    said = "\n".join(wai.delta_report(*sides, target="safe", markers=["safe"])["warnings"])
    assert "marker:safe has no verdict: no row after has a value of it" in said
