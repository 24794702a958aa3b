from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few

UP = {"moved", "moved_unreplicated"}
HEADLINES = {
    "moved": "PASS",
    "moved_unreplicated": "INCONCLUSIVE",
    "within_eval_noise": "NO DIFFERENCE (within eval noise)",
    "no_change_detected": "NO DIFFERENCE",
    "insufficient_data": "INSUFFICIENT DATA",
    "unresolved": "UNRESOLVED (one training seed per arm)",
    "moved_the_wrong_way": "FAIL",
    "target_not_measured": "TARGET NOT MEASURED",
}


def _side(passes: list[int], marks: list[Any], runs: int) -> list[dict[str, Any]]:
    return [
        {
            "task_id": task,
            "reward": int(rollout < passed),
            "markers": {"m": mark, "refusal": int(rollout < passed)},
            "lineage": {"eval_run": rollout % runs},
        }
        for task, (passed, mark) in enumerate(zip(passes, marks, strict=True))
        for rollout in range(4)
    ]


@st.composite
def _comparisons(draw: st.DrawFn) -> dict[str, Any]:
    n, runs = draw(st.integers(0, 14)), draw(st.integers(1, 2))
    passes = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    marks = st.lists(st.sampled_from([0, 0.5, 1, 7.5, None]), min_size=n, max_size=n)
    before, after = (_side(draw(passes), draw(marks), runs) for _ in range(2))
    missing = draw(st.integers(0, 8))
    names = st.sampled_from(["pass_at_1", "m", "refusal", "ghost"])
    seeds = st.lists(passes.map(lambda each: _side(each, [0] * n, 1)), min_size=1, max_size=3)
    return {
        "before": before,
        "after": after[4 * missing :] if missing < 3 else after,
        "target": draw(st.none() | names),
        "proxy": draw(st.none() | names),
        "must_not_regress": draw(st.lists(names, max_size=2)),
        "run_std": draw(st.sampled_from([None, 0.0, 0.05, 0.3])),
        "train_runs": draw(st.none() | seeds),
        "alpha": draw(st.sampled_from([0.01, 0.05, 0.2])),
        "n_boot": 200,
    }


@few
@given(_comparisons())
def test_words_lists_intervals_and_p_values_never_contradict_each_other(asked: dict[str, Any]) -> None:
    report = wai.delta_report(**asked)
    for key, entry in report["metrics"].items():
        _entry_is_of_one_mind(report, key, entry)
    _report_is_of_one_mind(report)
    json.dumps(report)
    assert max(map(len, str(report).splitlines())) <= 100


def _entry_is_of_one_mind(report: dict[str, Any], key: str, entry: dict[str, Any]) -> None:
    ends, verdict, p = entry["ci95"], entry["verdict"], entry["p_value"]
    above, below = ends is not None and ends[0] > 0, ends is not None and ends[1] < 0
    assert verdict == ("b_better" if above else "a_better" if below else verdict)
    assert (verdict in ("a_better", "b_better")) == (above or below)
    assert ends is None or ends[0] <= entry["delta"] <= ends[1]
    if p is not None and ends is not None:
        assert (above or below) == (p <= report["alpha"] + 1e-12)
        assert p <= min(entry["p_holm"], entry["p_family"])
    lower = entry["lower_is_better"]
    up, down = (below, above) if lower else (above, below)
    flagged = [name for name in ("improved", "slipped", "regressions") if key in report[name]]
    assert len(flagged) == int((up or down) and not entry["within_noise"])
    assert ("improved" in flagged) == (up and not entry["within_noise"])
    assert (key in report["within_noise"]) == entry["within_noise"]
    assert set(report["improved_holm"]) <= set(report["improved"])


def _report_is_of_one_mind(report: dict[str, Any]) -> None:
    words = report["target_verdict"] or report["headline_verdict"]
    target, headline = report["target"], report["headline_verdict"]
    if words in UP:
        assert target in report["improved"]
        assert report["run_std_by_metric"][target] is None or words == "moved"
    if report["target_verdict"] == "moved_the_wrong_way":
        assert not report["ok"]
    if not report["ok"] or report["not_comparable"]:
        assert headline.startswith(("FAIL", "NOT COMPARABLE"))
    elif target is not None:
        assert headline.startswith(HEADLINES[report["target_verdict"]])
    if headline == "PASS":
        assert report["ok"]
        assert (target or "pass_at_1") in report["improved"]
        assert not report["regressions"]
        assert not report["over_optimized"]
    assert str(report).splitlines()[0] == headline


@pytest.mark.parametrize(("n", "needed"), [(5, 7), (6, 7)])
def test_too_few_tasks_for_the_level_is_said_with_how_many_would_do(rows: Any, n: int, needed: int) -> None:
    report = wai.delta_report(rows([0] * n), rows([4] * n), "pass_at_1", alpha=0.01)
    assert report["target_verdict"] == "no_change_detected"
    assert f"{n} tasks cannot show one at level 0.99: {needed} needed" in report["headline_verdict"]
    assert any(f"{needed} are the least" in warning for warning in report["warnings"])


def test_a_run_against_itself_shows_no_difference_on_anything(rows: Any) -> None:
    side = rows([0, 1, 2, 3, 4, 2], markers={"m": [1, 2, 3, 4, 5, 6]})
    report = wai.delta_report(side, side)
    assert [entry["p_value"] for entry in report["metrics"].values()] == [1.0, 1.0]
    assert report["headline_verdict"] == "NO DIFFERENCE"


@pytest.mark.parametrize(
    ("runs", "reason"),
    [((1, 1), "1 eval run a side"), ((1, 2), "1 eval run before"), ((2, 1), "1 eval run after")],
)
def test_a_gain_on_one_run_is_inconclusive_and_says_which_side(rows: Any, runs: Any, reason: str) -> None:
    sides = [
        [row for run in range(n) for row in rows([passed] * 6, lineage={"eval_run": run})]
        for n, passed in zip(runs, (1, 3), strict=True)
    ]
    report = wai.delta_report(*sides, "pass_at_1")
    assert report["headline_verdict"] == f"INCONCLUSIVE ({reason}, rerun to confirm)"


def test_a_drop_inside_the_band_is_within_noise_and_no_failure(rows: Any) -> None:
    report = wai.delta_report(rows([3] * 6), rows([2] * 6), "pass_at_1", run_std=0.2)
    assert (report["target_verdict"], report["ok"], report["slipped"]) == ("within_eval_noise", True, [])


def test_without_a_target_a_drop_of_pass_at_1_reads_fail_with_the_gate_open(rows: Any) -> None:
    report = wai.delta_report(rows([3] * 6), rows([1] * 6))
    assert (report["headline_verdict"], report["ok"]) == ("FAIL", True)
