from __future__ import annotations

import json
import random
from types import SimpleNamespace

import pytest

import whileai.simulations as wai


def run(rewards: str, **extra: object) -> list[dict]:
    return [{"task_id": f"t{i}", "reward": int(r), **extra} for i, r in enumerate(rewards)]


def lineage(rewards: str, **keys: object) -> list[dict]:
    return run(rewards, lineage=keys)


RUNS = [run("1100"), run("1110"), run("1000")]


def test_spread_band_and_labels_by_hand() -> None:
    report = wai.eval_variance(*RUNS)
    assert report["means"] == {"run_1": 0.5, "run_2": 0.75, "run_3": 0.25}
    assert (report["run_std"], report["run_std_points"], report["noise_band_df"]) == (0.25, 25.0, 2)
    assert report["noise_band"] == pytest.approx(4.3027 * 2**0.5 * 0.25, abs=1e-4)
    assert report["notes"] == []


def test_eval_run_wins_over_scoring_run_and_zero_is_a_run() -> None:
    rows = lineage("11", eval_run=0, scoring_run_id="x") + lineage("10", scoring_run_id="x") + lineage("10", eval_run=0)
    assert wai.eval_variance(rows)["means"] == {"0": 0.75, "x": 0.5}


def test_by_reads_the_row_then_its_lineage_and_empty_is_absent() -> None:
    rows = run("1", seed=0) + lineage("0", seed=1) + run("1", seed="", lineage={"seed": 2}) + run("1", seed=None)
    report = wai.eval_variance(rows, by="seed")
    assert report["means"] == {"0": 1.0, "1": 0.0, "2": 1.0}
    assert any(note.startswith("1 row names no run") for note in report["notes"])


def test_lineage_that_is_no_mapping_names_no_run() -> None:
    report = wai.eval_variance(run("10", lineage="eval_run"))
    assert (report["n_runs"], report["means"], report["run_std_by_metric"]) == (0, {}, {"pass_at_1": None})
    assert "no spread over 0 runs" in str(report)


def test_run_without_values_has_no_mean_and_is_not_counted() -> None:
    report = wai.eval_variance(*RUNS, [{"task_id": "t0", "reward": None}])
    assert (report["means"]["run_4"], report["n_runs"], report["run_std"]) == (None, 3, 0.25)
    assert report["tasks_in_every_run"] == 0
    assert "0 of 4" in report["notes"][0]


def test_only_markers_of_every_run_have_a_deviation_of_their_own() -> None:
    runs = [run("10", markers={"a": v, "b": 1} if v else {"a": v}) for v in (0, 1, 1)]
    assert wai.eval_variance(*runs)["run_std_by_metric"].keys() == {"pass_at_1", "marker:a"}
    assert wai.eval_variance(*runs, metric="marker:b")["run_std_by_metric"]["marker:b"] == 0.0


@pytest.mark.parametrize("rows", [[RUNS[0]], [[]], []])
def test_unknown_metric_is_refused_whatever_the_rows(rows: list) -> None:
    with pytest.raises(ValueError, match="not known"):
        wai.eval_variance(*(rows or [RUNS[0]]), metric="reward")


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (({"task_id": "a"},), "argument 1 is a dict"),
        ((RUNS[0], b"x"), "argument 2 is a bytes"),
        ((RUNS[0], 3), "argument 2 is a int"),
        ((SimpleNamespace(rows=[]),), "give its rows"),
        (({"trajectories": []},), "give its trajectories"),
        ((RUNS,), r"eval_variance\(\*runs\)"),
    ],
)
def test_what_is_no_run_is_a_type_error_that_says_what_to_give(runs: tuple, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        wai.eval_variance(*runs)


def drawn(seed: int, tasks: int = 40, k: int = 4) -> list[dict]:
    rng = random.Random(seed)
    return [{"task_id": t, "reward": int(rng.random() < 0.5)} for t in range(tasks) for _ in range(k)]


def test_cached_runs_are_told_by_the_spread_their_rollouts_would_give() -> None:
    report = wai.eval_variance(drawn(1), drawn(1), drawn(1))
    assert report["run_std"] == 0.0
    assert report["rollout_std"] == pytest.approx((0.25 / 160) ** 0.5, abs=0.006)
    assert any("cached" in note for note in report["notes"])


def test_runs_drawn_anew_are_called_cached_in_about_one_of_twenty() -> None:
    reports = [wai.eval_variance(*(drawn(3 * i + j) for j in range(3))) for i in range(200)]
    assert sum(any("cached" in note for note in report["notes"]) for report in reports) <= 20


def test_rollout_std_is_unknown_for_single_rollouts_and_values_beyond_zero_and_one() -> None:
    assert wai.eval_variance(*RUNS)["rollout_std"] is None
    counted = [[{"task_id": "a", "markers": {"n": v}} for v in (2, 5)]] * 2
    assert wai.eval_variance(*counted, metric="marker:n")["rollout_std"] is None


def test_report_prints_within_100_columns_escapes_labels_and_is_plain() -> None:
    rows = [row for i in range(12) for row in lineage("10", eval_run=f"\x1b[31mrun {i}")]
    report = wai.eval_variance(rows)
    assert "\x1b" not in str(report)
    assert max(map(len, str(report).splitlines())) <= 100
    assert json.loads(json.dumps(report)) == report
    assert repr(report) == "EvalVarianceReport(run_std=0.0000, n_runs=12)"
