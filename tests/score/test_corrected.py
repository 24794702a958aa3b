from __future__ import annotations

import copy
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from strategies import objects, scalars
from tables import each_of
from whileai.simulations.score.corrected import format_corrected


def judged(tasks: int = 40, k: int = 4, gold_share: float = 0.5, seed: int = 0) -> list[dict]:
    """Half of the rows pass; the judge also passes three in ten of what fails."""
    rng = np.random.default_rng(seed)
    rows = []
    for task in range(tasks):
        for _ in range(k):
            truth = int(rng.random() < 0.5)
            row = {"task_id": f"t{task}", "reward": truth or int(rng.random() < 0.3)}
            if rng.random() < gold_share:
                row |= {"gold_reward": truth, "gold_kind": "human"}
            rows.append(row)
    return rows


def labelled(*verdicts_and_labels: tuple[int, int, int], per_task: int = 4) -> list[dict]:
    """`(verdict, label, rows)`, dealt round to tasks."""
    pairs = [(verdict, label) for verdict, label, n in verdicts_and_labels for _ in range(n)]
    n_tasks = len(pairs) // per_task
    return [
        {"task_id": i % n_tasks, "reward": verdict, "gold_reward": label, "gold_kind": "human"}
        for i, (verdict, label) in enumerate(pairs)
    ]


def test_rate_is_corrected_by_the_labels_of_each_verdict() -> None:
    rows = labelled((1, 1, 15), (1, 0, 5), (0, 0, 18), (0, 1, 2))
    for row in labelled((1, 0, 60), (0, 0, 20)):
        rows.append({"task_id": row["task_id"], "reward": row["reward"]})
    report = wai.corrected_pass_rate([{**row, "task_id": i % 20} for i, row in enumerate(rows)])
    # 80 of 120 rows judged pass: 80/120 * 15/20 + 40/120 * 2/20
    assert report["pass_rate"] == round(2 / 3 * 0.75 + 1 / 3 * 0.1, 4)
    assert (report["judge_pass_rate"], report["judge_bias"]) == (0.6667, 0.1333)
    assert report["judge_weight"] == 0.65
    assert (report["n_gold_judge_pass"], report["n_gold_judge_fail"], report["n_rows"]) == (20, 20, 120)
    assert report["ok"]


def test_interval_is_narrower_than_that_of_the_labels_and_holds_the_rate() -> None:
    report = wai.corrected_pass_rate(judged(tasks=200, gold_share=0.1))
    low, high = report["ci95"]
    assert low < report["pass_rate"] < high
    gold = [row for row in judged(tasks=200, gold_share=0.1) if "gold_reward" in row]
    alone = wai.pass_at([{**row, "reward": row["gold_reward"]} for row in gold]).ci95
    assert alone is not None
    assert high - low < alone[1] - alone[0]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "no row has a 0/1 reward"),
        ([{"reward": 0.5, "gold_reward": 1}], "no row has a 0/1 reward"),
        ([{"reward": 1}], "attach_labels"),
        ([{"reward": 1, "gold_reward": True}], "attach_labels"),
        (labelled((1, 1, 9), (0, 0, 31)), "9 labelled rows that the judge passed, 10 are needed: draw 1 more"),
        (labelled((1, 1, 40)), "0 labelled rows that the judge failed"),
        (labelled((1, 1, 20), (0, 0, 20), per_task=20), "labels on 2 tasks, 3 are needed"),
    ],
)
def test_labels_that_cannot_carry_it_are_refused_with_the_reason(rows: list, said: str) -> None:
    report = wai.corrected_pass_rate(rows)
    assert said in report["reason"]
    assert (report["pass_rate"], report["ci95"], report["judge_weight"], report["ok"]) == (None, None, None, False)
    assert f"! no corrected rate: {report['reason'][:20]}" in str(report)


def test_labels_of_easy_tasks_are_refused_until_their_chances_are_recorded() -> None:
    rows = [
        {"task_id": t, "reward": int((t % 4 < 2) != (i == 0)), "gold_kind": "human"}
        for t in range(120)
        for i in range(4)
    ]
    for row in rows:
        if row["task_id"] % 4 < 2:
            row["gold_reward"] = row["reward"]
    refused = wai.corrected_pass_rate(rows)
    assert "not drawn by chance" in refused["reason"]
    report = wai.corrected_pass_rate([{**row, "gold_chance": 0.5} for row in rows])
    assert (report["reason"], report["weights"]) == (None, "chance")


@each_of("odd", ["x", "", float("nan"), float("inf"), [1], 0, -0.5, 2])
def test_chances_that_no_labelled_row_can_use_are_refused_and_not_passed_over(odd: object) -> None:
    rows = [{**row, "gold_chance": odd} for row in labelled((1, 1, 20), (0, 0, 20))]
    report = wai.corrected_pass_rate(rows)
    assert "40 of 40 labelled rows without a gold_chance" in report["reason"]
    assert (report["pass_rate"], report["ci95"], report["ok"]) == (None, None, False)


def test_chances_of_none_are_chances_not_recorded() -> None:
    rows = [{**row, "gold_chance": None} for row in labelled((1, 1, 20), (0, 0, 20))]
    assert wai.corrected_pass_rate(rows)["weights"] == "verdict"


@pytest.mark.parametrize("odd", [None, 0, 5e-324, -0.5, 1.5, float("nan"), "often"])
def test_chance_missing_on_a_labelled_row_is_refused(odd: object) -> None:
    rows = [{**row, "gold_chance": 0.5} for row in labelled((1, 1, 20), (0, 0, 20))]
    rows[3]["gold_chance"] = odd
    assert "1 of 40 labelled rows without a gold_chance" in wai.corrected_pass_rate(rows)["reason"]


def test_rows_drawn_half_as_often_weigh_twice() -> None:
    rows = labelled((1, 1, 10), (1, 0, 10), (0, 0, 20))
    weighed = [{**row, "pi": 1.0 if row["gold_reward"] else 0.5} for row in rows]
    assert wai.corrected_pass_rate(rows)["pass_rate"] == 0.25
    assert wai.corrected_pass_rate(weighed, chance="pi")["pass_rate"] == round(0.5 / 3, 4)


@pytest.mark.parametrize(("kind", "ok"), [("human", True), ("program", True), ("model", False), (None, False)])
def test_labels_of_a_model_or_of_nobody_known_are_no_measurement(kind: str | None, ok: bool) -> None:
    rows = [{**row, "gold_kind": kind} for row in labelled((1, 1, 20), (0, 0, 20))]
    report = wai.corrected_pass_rate(rows)
    assert (report["ok"], len(report["warnings"])) == (ok, int(not ok))
    assert report["pass_rate"] == 0.5
    assert wai.corrected_pass_rate(rows, allow_model_gold=True)["ok"]


def test_rows_without_a_verdict_are_left_out_labelled_or_not() -> None:
    rows = labelled((1, 1, 20), (0, 0, 20))
    report = wai.corrected_pass_rate([*rows, {"gold_reward": 1}, {"reward": 0.5}, {}, "no row"])
    assert (report["n_rows"], report["n_gold"], report["n_left_out"]) == (40, 40, 3)
    assert report["pass_rate"] == wai.corrected_pass_rate(rows)["pass_rate"]


def test_every_task_counts_alike_whatever_its_rollouts() -> None:
    rows = [{"task_id": "many", "reward": i % 2, "gold_reward": 1} for i in range(40)]
    rows += [{"task_id": t, "reward": i % 2, "gold_reward": 0} for t in "abc" for i in range(4)]
    assert wai.corrected_pass_rate(rows)["pass_rate"] == 0.25


def test_report_prints_the_rate_beside_the_judges() -> None:
    report = wai.corrected_pass_rate(labelled((1, 1, 20), (0, 0, 15), (0, 1, 5)))
    text = str(report)
    assert text == format_corrected(dict(report))
    assert text.startswith("pass rate 0.625 [")
    assert "judge alone 0.500" in text
    assert "40 rows on 10 tasks, 40 labels on 10 tasks (20 judged pass, 20 judged fail; gold: human)" in text


@few
@given(
    st.lists(
        objects({"reward": scalars, "gold_reward": scalars, "gold_kind": scalars, "gold_chance": scalars}) | scalars,
        max_size=6,
    ),
    st.integers(0, 3),
)
def test_odd_rows_never_raise_and_are_left_as_they_were(odd: list, seed: int) -> None:
    rows = [*odd, *judged(tasks=20, seed=seed)]
    before = copy.deepcopy(rows)
    report = wai.corrected_pass_rate(rows)
    assert repr(rows) == repr(before)
    assert json.dumps(report, allow_nan=False)
    assert str(report)
