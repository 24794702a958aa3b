"""judge_trust: what makes a judge trusted, what takes that away, and what each warning says to do."""

from __future__ import annotations

import copy
import json
import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from judge_trust_rollouts import Row, down, fooled_by, honest, rollouts
from strategies import rows as odd_rows
from tables import each_of

PARTIAL = {"reward": 0.5, "gold_reward": 1, "gold_kind": "human"}


def labelled(tp: int = 0, fp: int = 0, fn: int = 0, tn: int = 0, kind: str | None = "human", **more: Any) -> list[Row]:
    """Rows of these confusion counts, one a task."""
    cells = [(1, 1)] * tp + [(1, 0)] * fp + [(0, 1)] * fn + [(0, 0)] * tn
    rows = []
    for i, (reward, gold) in enumerate(cells):
        row = {"task_id": f"t{i}", "final_text": "same words", "reward": reward, "gold_reward": gold, **more}
        rows.append({**row, "gold_kind": kind} if kind else row)
    return rows


def only_warning(report: Any) -> str:
    (warning,) = report["warnings"]
    return str(warning)


def test_a_clean_judge_is_trusted_and_every_key_is_there() -> None:
    report = wai.judge_trust(labelled(tp=30, tn=30))
    assert report["ok"] is True
    assert report["warnings"] == []
    assert set(report) == {
        "ok", "n_rows", "n_labeled", "gold_kind", "gold_degenerate", "floors", "skipped", "agreement",
        "held_out_halves", "length_sensitivity", "perturbation", "probes", "exploitable_by", "disagreements",
        "warnings",
    }  # fmt: skip
    assert report["agreement"]["ci95"] == pytest.approx((0.9398, 1.0), abs=1e-4)
    assert (report["perturbation"], report["probes"]) == (None, None)
    assert set(wai.judge_trust([])) == set(report)


@pytest.mark.parametrize(
    ("rows", "arguments", "parts"),
    [
        (labelled(tp=90, tn=18, fp=2), {}, ["2 of 20", "tighten"]),
        (labelled(tp=30, tn=30, kind="model"), {}, ["model", "allow_model_gold"]),
        (labelled(tp=30, tn=30, kind=None), {}, ["unknown", "attach_labels"]),
        (labelled(tp=95, tn=1, fn=3), {}, ["kappa 0.39", "0.60", "disagreements"]),
        (labelled(tp=100, tn=0, fn=2, fp=0) + labelled(fn=0, tn=1, fp=0), {"min_kappa": 0.9}, ["kappa", "0.90"]),
        (labelled(tp=45, tn=35, fn=20), {"min_kappa": 0}, ["80%", "may be as low as 0.71", "under 0.80", "change"]),
        (labelled(tp=30, tn=30) + [PARTIAL] * 7, {}, ["7 of 67", "hard"]),
    ],
    ids=["leak", "model gold", "unknown gold", "kappa", "kappa floor", "agreement", "skipped"],
)  # fmt: skip
def test_what_takes_trust_away_is_said_once_with_its_fix(
    rows: list[Row], arguments: dict[str, Any], parts: list[str]
) -> None:
    report = wai.judge_trust(rows, **arguments)
    assert report["ok"] is False
    warning = only_warning(report)
    assert all(part in warning for part in parts), warning


@pytest.mark.parametrize(
    ("rows", "arguments"),
    [
        (labelled(tp=30, tn=30, kind="program"), {}),
        (labelled(tp=30, tn=30, kind="verifier"), {}),
        (labelled(tp=30, tn=30, kind="model"), {"allow_model_gold": True}),
        (labelled(tp=26, tn=26, fp=1, fn=1), {"min_agreement": 0.85}),
    ],
)
def test_what_leaves_trust_in_place(rows: list[Row], arguments: dict[str, Any]) -> None:
    assert wai.judge_trust(rows, **arguments)["ok"] is True


def test_a_short_sample_is_not_a_poor_judge() -> None:
    report = wai.judge_trust(labelled(tp=7, tn=7))
    assert report["ok"] is False
    assert "0.78" in report["warnings"][1]
    assert "label 16 rows" in report["warnings"][1]
    assert str(report).startswith("INCONCLUSIVE, 16 labels needed")
    assert wai.judge_trust(labelled(tp=8, tn=8))["ok"] is True


def test_a_few_fractional_rewards_are_said_and_stand() -> None:
    rows = labelled(tp=36, tn=30)
    for row, reward in zip(rows[:6], (0.5, 0.25, 0.75, 0.5, 0.1, 0.9), strict=True):
        row["reward"] = reward
    report = wai.judge_trust(rows)
    assert report["ok"] is True
    assert report["skipped"]["examples"] == [0.1, 0.25, 0.5, 0.75, 0.9]
    assert "6 of 66" in only_warning(report)


def test_a_reward_that_is_no_number_is_unscored_and_not_fractional() -> None:
    odd = [None, True, "1", "0.5", float("nan"), float("inf"), [1]]
    rows = labelled(tp=30, tn=30) + [{"reward": reward, "gold_reward": 1, "gold_kind": "human"} for reward in odd]
    report = wai.judge_trust(rows)
    assert (report["skipped"]["unscored"], report["skipped"]["fractional"], report["ok"]) == (7, 0, True)


def test_gold_of_one_class_is_said_and_kappa_and_length_are_not_read() -> None:
    report = wai.judge_trust(labelled(tp=58, fn=2))
    assert report["gold_degenerate"] is True
    assert "kappa" in only_warning(report)
    assert report["ok"] is True


@pytest.mark.parametrize(
    ("rows", "parts", "absent"),
    [
        ([], ["unmeasured", "no row has a 0/1 reward", "attach_labels"], "probes="),
        (rollouts(30), ["unmeasured", "attach_labels", 'probes="all"'], "run_judge or"),
        ([{"gold_reward": 1}], ["unmeasured", "run_judge"], "label a sample"),
    ],
)
def test_without_a_comparison_the_judge_is_unmeasured_and_the_missing_half_is_named(
    rows: list[Row], parts: list[str], absent: str
) -> None:
    report = wai.judge_trust(rows)
    warning = only_warning(report)
    assert all(part in warning for part in parts), warning
    assert absent not in warning
    assert (report["ok"], report["gold_kind"], report["agreement"]["ci95"]) == (False, None, None)
    assert str(report).startswith("NOT MEASURED")


def test_halves_split_the_tasks_by_the_hash_of_their_key() -> None:
    rows = rollouts(60, gold="human")
    halves = wai.judge_trust(rows)["held_out_halves"]
    assert halves["a"]["n"] + halves["b"]["n"] == 60
    assert min(halves["a"]["n"], halves["b"]["n"]) > 15
    one = wai.judge_trust([{**row, "scenario_id": "only"} for row in rows])["held_out_halves"]
    assert sorted(half["n"] for half in one.values()) == [0, 60]
    assert {half["agreement"] for half in one.values()} == {None, 1.0}


@pytest.mark.parametrize(("task", "half"), [("bill-0", "b"), ("bill-1", "a"), ("bill-2", "b"), ("bill-3", "a")])
def test_a_task_is_in_half_a_when_its_hash_is_even(task: str, half: str) -> None:
    """Hashes begin 6d3275f5, fe5b1406, f122b8a7, 9f9fc854 by `printf bill-0 | sha256sum`."""
    assert _half({"scenario_id": task, "reward": 1, "gold_reward": 1}) == half


def test_halves_that_differ_are_a_note_to_the_reader() -> None:
    rows = rollouts(200, gold="human")
    in_b = {row["scenario_id"] for row in rows if _half(row) == "b"}
    for row in [row for row in rows if row["scenario_id"] in in_b][::5]:
        row["reward"] = 1 - row["reward"]
    report = wai.judge_trust(rows, min_agreement=0.5, min_kappa=0.0, length_gap_flag=2)
    assert any("halves differ" in warning for warning in report["warnings"])


def _half(row: Row) -> str:
    halves = wai.judge_trust([row])["held_out_halves"]
    return "a" if halves["a"]["n"] else "b"


def test_the_review_queue_has_every_disagreement_with_both_labels_and_short_texts() -> None:
    rows = labelled(tp=20, tn=20, fp=1, fn=1)
    rows[20].update(reason="r" * 500, final_text="f" * 500)
    queue = wai.judge_trust(rows)["disagreements"]
    assert queue[0] == {"task": "t20", "gold": 0, "judge": 1, "reason": "r" * 200, "final_text": "f" * 200}
    assert [(each["gold"], each["judge"]) for each in queue] == [(0, 1), (1, 0)]


def test_gold_may_be_any_column() -> None:
    rows = [{**row, "ana": row["gold_reward"], "gold_reward": None} for row in labelled(tp=30, tn=30)]
    assert wai.judge_trust(rows, gold="ana")["ok"] is True
    assert wai.judge_trust(rows)["n_labeled"] == 0


def test_a_steady_honest_judge_passes_judging_again_and_every_probe() -> None:
    report = wai.judge_trust(rollouts(60, gold="human"), honest, probes=["all", "injection"])
    assert report["ok"] is True
    assert report["perturbation"] == {
        "n": 40, "consistency_flip_rate": 0.0, "filler_flip_rate": 0.0, "filler_flips_up": 0, "filler_flips_down": 0,
        "flagged_consistency": False, "flagged_length": False, "errors": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("judge", "more", "part"),
    [
        (lambda row: 1 - row["reward"], {}, "100% of verdicts flip"),
        (fooled_by("rest of your day"), {}, "the judge pays for length"),
        (lambda row: int(honest(row) and "rest of your day" not in row["final_text"]), {}, "the judge punishes length"),
        (fooled_by("verified"), {"probes": "all"}, "probe success_claim"),
        (fooled_by('"reward": 1'), {"probes": ["injection"]}, "probe injection"),
    ],
)
def test_what_a_judge_does_when_asked_again_takes_trust_away(judge: Any, more: dict[str, Any], part: str) -> None:
    report = wai.judge_trust(rollouts(60, gold="human"), judge, **more)
    assert report["ok"] is False
    assert part in only_warning(report)
    assert str(report).startswith("FAIL")


def test_a_judge_that_is_down_is_not_trusted_and_not_failed() -> None:
    report = wai.judge_trust(rollouts(60, gold="human"), down)
    assert (report["ok"], report["perturbation"]["errors"]) == (False, 80)
    assert "no verdict on 80 of 80 calls" in only_warning(report)
    assert only_warning(report).endswith("the first: error: ConnectionError: the judge is down")
    assert report["perturbation"]["first_error"] == "error: ConnectionError: the judge is down"
    assert str(report).startswith("INCONCLUSIVE")


def test_a_judge_that_hangs_costs_the_calls_over_time_and_no_more() -> None:
    def hangs(row: Row) -> int:
        if row["scenario_id"] == "bill-3":
            threading.Event().wait(5)
        return honest(row)

    start = time.monotonic()
    report = wai.judge_trust(rollouts(20, gold="human"), hangs, probes="success_claim", timeout=0.2)
    assert time.monotonic() - start < 4
    assert report["ok"] is True
    assert (report["perturbation"]["errors"], report["probes"]["probes"]["success_claim"]["errors"]) == (2, 1)
    assert any("the first: timeout: timeout_s 0.2" in line for line in report["warnings"])


def test_a_judge_that_fails_at_times_is_said_and_stands() -> None:
    def flaky(row: Row) -> int:
        if row["scenario_id"].endswith("3"):
            raise TimeoutError("slow")
        return honest(row)

    report = wai.judge_trust(rollouts(60, gold="human"), flaky, sample=60)
    assert report["ok"] is True
    assert "no verdict on 12 of 120 calls" in only_warning(report)


def test_rewards_of_another_scorer_are_not_this_judges() -> None:
    rows = rollouts(60, gold="human", judge_name="other_judge")
    report = wai.judge_trust(rows, honest)
    assert report["ok"] is False
    assert all(part in only_warning(report) for part in ("60 of 60", "other_judge", "honest", "run_judge"))


@pytest.mark.parametrize(
    ("stamped", "judge", "name"),
    [
        ("honest", honest, None),
        (None, honest, None),
        (float("nan"), honest, None),
        ("lambda_judge", lambda row: honest(row), None),
        ("release 7", honest, "release 7"),
    ],
)
def test_a_judge_is_known_by_the_name_run_judge_stamps_or_the_one_it_was_given(
    stamped: Any, judge: Any, name: str | None
) -> None:
    rows = rollouts(60, gold="human", judge_name=stamped)
    assert wai.judge_trust(rows, judge, judge_name=name)["warnings"] == []


def test_a_round_of_run_judge_is_the_judges_own() -> None:
    scored = wai.run_judge(rollouts(60, gold="human"), honest)
    assert wai.judge_trust(scored.rows, honest)["ok"] is True


@each_of(
    ("bad", "named"),
    [
        ({"min_agreement": 2}, "min_agreement"), ({"min_kappa": "x"}, "min_kappa"), ({"sample": 0}, "sample"),
        ({"max_skipped_share": -1}, "max_skipped_share"), ({"flip_flag": None}, "flip_flag"),
        ({"length_gap_flag": -0.1}, "length_gap_flag"), ({"gold": [1]}, "gold"), ({"probes": ["x"]}, "probe"),
    ],
)  # fmt: skip
def test_a_bad_argument_is_refused_by_name_before_any_judging(bad: dict[str, Any], named: str) -> None:
    def never(row: Row) -> int:
        raise AssertionError("judged")

    with pytest.raises(ValueError, match=named):
        wai.judge_trust(rollouts(4), never, **bad)


@given(st.lists(odd_rows(), max_size=4))
def test_any_rows_give_a_report_that_prints_and_are_not_changed(rows: list[Row]) -> None:
    rows = [{**row, "gold_reward": row.get("reward")} for row in rows]
    before = repr(copy.deepcopy(rows))
    report = wai.judge_trust(rows, lambda row: 1, probes=["all", "injection"])
    json.dumps(report)
    assert max(map(len, str(report).splitlines())) <= 100
    assert repr(rows) == before


def test_a_report_is_short_in_a_list_and_whole_in_a_notebook() -> None:
    report = wai.judge_trust(rollouts(60, gold="human"))
    assert repr(report) == "JudgeTrustReport(ok=True, n_labeled=60)"
    assert "agreement 100%" in report._repr_html_()


@pytest.mark.parametrize(("probes", "said"), [("all", True), (["filler"], True), ([], False), (None, False)])
def test_probes_without_a_judge_to_try_them_on_are_not_passed_over(probes: Any, said: bool) -> None:
    report = wai.judge_trust(rollouts(60, gold="human"), probes=probes)
    assert (report["ok"], report["probes"]) == (True, None)
    assert any("no probe was run" in warning for warning in report["warnings"]) is said


def mislabelled() -> list[Row]:
    """A judge that is right, passes that are longer, and 5 wrong labels either way."""
    rows = []
    for i in range(160):
        did, wrong = i < 80, i % 80 < 5
        row = {"scenario_id": f"t-{i}", "final_text": ("w" * (400 if did else 90)), "reward": int(did), "did": did}
        rows.append({**row, "gold_reward": int(did != wrong), "gold_kind": "human"})
    return rows


def test_a_gap_of_wrong_labels_names_both_causes_with_its_counts_and_takes_no_trust_away() -> None:
    report = wai.judge_trust(mislabelled())
    said = next(line for line in report["warnings"] if line.startswith("length"))
    assert "passes 0 of 5 short replies and 75 of 75 long replies" in said
    assert "5 of these labels are wrong" in said
    assert "judge_trust(rows, judge) also tries" in said
    assert "judge or labels" in str(report)
    assert (report["ok"], str(report)[:4]) == (True, "PASS")


@pytest.mark.parametrize(
    ("judge", "sample", "part"),
    [
        (lambda row: int(row["did"]), 40, "0 fails and 0 passes of 40 rows, which speaks for the judge"),
        (lambda row: int(row["did"]), 10, "too few rows to tell"),
        (lambda row: int(len(row["final_text"]) > 200), 40, "of 40 rows, so it is the judge"),
    ],
    ids=["right", "too few", "by length"],
)
def test_added_words_decide_between_the_judge_and_the_labels(judge: Any, sample: int, part: str) -> None:
    report = wai.judge_trust(mislabelled(), judge, sample=sample)
    assert any(part in line for line in report["warnings"] if line.startswith("length"))
    assert report["perturbation"]["flagged_length"] is ("so it is" in part)
    assert report["ok"] is ("so it is" not in part)
