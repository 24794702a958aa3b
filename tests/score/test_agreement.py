from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from strategies import json_values, objects, scalars
from tables import each_of
from whileai.simulations.score.agreement import format_agreement


def judged(tp: int = 0, fp: int = 0, fn: int = 0, tn: int = 0, kind: str | None = "human") -> list[dict]:
    pairs = [(1, 1)] * tp + [(1, 0)] * fp + [(0, 1)] * fn + [(0, 0)] * tn
    return [{"reward": r, "gold_reward": g, **({"gold_kind": kind} if kind else {})} for r, g in pairs]


def test_rates_are_the_closed_forms_of_the_counts() -> None:
    report = wai.judge_agreement(judged(20, 5, 10, 15))
    assert (report["n"], report["agreement"], report["kappa"]) == (50, 0.7, 0.4)
    assert (report["pass_when_gold_fail"], report["fail_when_gold_pass"]) == (0.25, 0.3333)
    assert (report["judge_pass_rate"], report["gold_pass_rate"]) == (0.5, 0.6)
    assert report.ci95 == pytest.approx((0.5625, 0.8090), abs=1e-4)  # Wilson 1927: 35 of 50
    assert report.kappa_ci95 == pytest.approx((0.1384, 0.6308), abs=1e-4)


@pytest.mark.parametrize(
    ("n_gold_failures", "leaked", "warned"), [(20, 2, True), (21, 2, False), (30, 3, True), (9, 0, False)]
)
def test_leak_is_said_from_one_gold_failure_in_ten(n_gold_failures: int, leaked: int, warned: bool) -> None:
    report = wai.judge_agreement(judged(tp=50, fp=leaked, tn=n_gold_failures - leaked))
    assert [f"{leaked} of {n_gold_failures}" in w for w in report["warnings"]] == [True] * warned


@each_of(
    ("kinds", "reported", "ok"),
    [
        (["human"], "human", True),
        (["verifier", "program"], "program", True),
        (["human", "program"], "mixed", True),
        (["human", "model"], "model", False),
        (["model", None], "mixed", False),
        (["crowd"], "crowd", False),
        ([None], "unknown", False),
        ([float("nan")], "unknown", False),
    ],
)
def test_kinds_decide_whether_the_judge_was_measured(kinds: list, reported: str, ok: bool) -> None:
    rows = [row for kind in kinds for row in judged(tp=30, tn=30, kind=kind)]
    report = wai.judge_agreement(rows)
    assert (report["gold_kind"], report["ok"], len(report["warnings"])) == (reported, ok, 0 if ok else 1)
    assert wai.judge_agreement(rows, allow_model_gold=True)["ok"]


def test_row_labelled_by_a_person_and_a_program_measures_the_judge() -> None:
    records = [{"label": 1, "kind": "human"}, {"label": 1, "kind": "verifier"}]
    row = {"reward": 1, "gold_reward": 1, "gold_kind": "mixed"}
    assert wai.judge_agreement([{**row, "gold_labels": records}] * 60)["ok"]
    assert not wai.judge_agreement([row] * 60)["ok"]


@each_of("odd", [True, "1", 0.5, None, float("nan"), float("inf"), [1], 2, -1, 10**400])
def test_only_the_numbers_zero_and_one_are_compared(odd: object) -> None:
    report = wai.judge_agreement([{"reward": 1, "gold_reward": odd}, {"reward": odd, "gold_reward": 1}, *judged(1)])
    assert (report["n"], report["n_skipped"]) == (1, 2)


def test_missing_half_is_named_with_the_counts_of_both() -> None:
    (neither,) = wai.judge_agreement([{}])["warnings"]
    assert "run_judge" in neither
    assert "attach_labels" in neither
    (apart,) = wai.judge_agreement([{"reward": 1}, {"reward": 0}, {"gold_reward": 1}])["warnings"]
    assert "2 rows" in apart
    assert "1 row " in apart


def test_second_pass_takes_the_first_twin_and_never_a_row_without_identity() -> None:
    gold = [{"rollout_id": "a", "reward": 0}, {"rollout_id": "a", "reward": 1}, {"reward": 1}]
    report = wai.judge_agreement([{"rollout_id": "a", "reward": 1}, {"reward": 1}], gold)
    assert (report["confusion"]["fp"], report["n"], report["n_unmatched"]) == (1, 1, 1)


def test_second_pass_matches_an_index_that_became_a_float() -> None:
    rows = [{"task_id": "t", "rollout_index": 1, "reward": 1}]
    assert wai.judge_agreement(rows, [{"task_id": "t", "rollout_index": 1.0, "reward": 1}])["n"] == 1


def test_report_prints_the_rates_with_their_intervals_and_the_warnings_last() -> None:
    report = wai.judge_agreement(judged(5, 1, 0, 4, kind="\x1b[31m"))
    text = str(report)
    assert text == format_agreement(dict(report))
    assert text.startswith("agreement 0.900 [0.596, 0.982] on 10 rows  kappa 0.800 [")
    assert "passed 1 of 5 gold failures, failed 0 of 5 gold passes" in text
    assert "\x1b" not in text
    assert "agreement - - on 0 rows" in str(wai.judge_agreement([]))


rows = st.lists(
    objects({
        "reward": scalars, "gold_reward": scalars, "gold_kind": scalars, "rollout_id": scalars, "prompt": json_values,
        "gold_labels": st.lists(objects({"label": scalars, "kind": scalars})), "rollout_index": scalars,
    }) | scalars,
    max_size=6,
)  # fmt: skip


@few
@given(rows, st.none() | rows)
def test_odd_rows_are_counted_and_left_as_they_were(given_rows: list, second: list | None) -> None:
    before = copy.deepcopy(given_rows)
    report = wai.judge_agreement(given_rows, "gold_reward" if second is None else second)
    assert repr(given_rows) == repr(before)
    n_rows = sum(isinstance(row, dict) for row in given_rows)
    assert report["n"] + report["n_skipped"] + report["n_unmatched"] == n_rows
    assert str(report)
    assert json.dumps(report, allow_nan=False)
