from __future__ import annotations

import json
import random
import re
from types import SimpleNamespace

import pytest
from scipy.stats import chi2

import whileai.simulations as wai
from tables import each_of
from whileai.simulations.score.stats.variance import stability
from whileai.simulations.score.stats.variance_text import shared_draws_notes


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


LEFT_OUT = (
    "{} left out: give one list a run, or by= the key that holds the run (lineage.eval_run and "
    "lineage.scoring_run_id are looked for)"
)


def test_the_block_gives_the_deviation_the_band_the_runs_and_the_stability() -> None:
    assert str(wai.eval_variance(*RUNS)).splitlines() == [
        "pass_at_1: run_std 0.2500 over 3 runs, mean 0.5000",
        "  noise band 1.5212: what two single runs differ by at 95% (t, df 2)",
        "  runs: run_1 0.5000, run_2 0.7500, run_3 0.2500",
        "  tasks in every run: 4",
        "  high_variance: 25.00 points",
    ]
    named = run("1100") + lineage("1", eval_run="A")
    assert str(wai.eval_variance(named)).splitlines() == [
        "pass_at_1: no spread over 1 run",
        "  runs: A 1.0000",
        "  tasks in every run: 1",
        "- 4 rows name no run and are left out: give one list a run, or by= the key that holds the run",
        "  (lineage.eval_run and lineage.scoring_run_id are looked for)",
        "- 1 run gives no distribution: evaluate 3 times or more",
    ]
    twice = wai.eval_variance(run("1010") * 2, run("1110") + run("1010"))
    assert str(twice).splitlines()[3:] == [
        "  tasks in every run: 4",
        "  drawing rollouts gives 0.0884 of run_std by itself",
        "  high_variance: 8.84 points",
        "- 2 runs give no distribution: evaluate 3 times or more",
    ]


def test_the_notes_in_their_words() -> None:
    assert wai.eval_variance(run("1100"))["notes"] == [
        LEFT_OUT.format("4 rows name no run and are"),
        "0 runs give no distribution: evaluate 3 times or more",
    ]
    assert wai.eval_variance(run("1"))["notes"][0] == LEFT_OUT.format("1 row names no run and is")
    assert wai.eval_variance(run("10"), run("101"), run("11"))["notes"] == [
        "the runs do not cover the same tasks: 2 of 3 are in every run, so run_std holds task differences too"
    ]
    noise = wai.eval_variance(drawn(1), drawn(1), drawn(1))["rollout_std"]
    assert wai.eval_variance(drawn(1), drawn(1), drawn(1))["notes"] == [
        f"run_std 0.0000 is well under the {noise:.4f} that drawing rollouts gives by itself: the runs look cached or "
        "share seeds; draw each run anew"
    ]


def test_the_numbers_of_a_marker_by_hand() -> None:
    first, second = run("10", markers={"a": 1.5, "b": 2}), run("101", markers={"a": 2.5, "b": 2, "c": 1})
    report = wai.eval_variance(first, second, metric="marker:a")
    assert (report["metric"], report["mean"], report["means"]) == ("marker:a", 2.0, {"run_1": 1.5, "run_2": 2.5})
    assert report["run_std_by_metric"] == {"pass_at_1": 0.1179, "marker:a": 0.7071, "marker:b": 0.0}
    assert (report["run_std_points"], report["stability"], report["tasks_in_every_run"]) == (70.71, "high_variance", 2)


def test_rollout_std_is_the_root_of_the_mean_variance_of_the_runs() -> None:
    # run 1: p(1-p)/(k-1) is .25 in each of two tasks, over 2^2: .125; run 2: .25 in one of them: .0625
    report = wai.eval_variance(run("10") + run("01"), run("10") + run("11"), [{"task_id": "t0", "reward": None}])
    assert report["rollout_std"] == pytest.approx(((0.125 + 0.0625) / 2) ** 0.5, abs=5e-5)


@pytest.mark.parametrize(
    ("runs", "refusal"),
    [
        ((), "eval_variance needs rows: one list a run, or one list whose rows name their run"),
        (({"task_id": "a"},), "argument 1 is a dict: each run is an iterable of rows"),
        ((RUNS[0], "x"), "argument 2 is a str: each run is an iterable of rows; load_rows(path) reads a file"),
        ((RUNS[0], b"x"), "argument 2 is a bytes: each run is an iterable of rows; load_rows(path) reads a file"),
        ((RUNS,), "argument 1 is a list of row lists: give each run as its own argument, eval_variance(*runs)"),
        (({"rows": []},), "argument 1 is a dict: each run is an iterable of rows; give its rows"),
        (
            (SimpleNamespace(trajectories=[]),),
            "argument 1 is a SimpleNamespace: each run is an iterable of rows; give its trajectories",
        ),
    ],
)
def test_a_refusal_names_the_argument_and_what_to_give(runs: tuple, refusal: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(refusal)}$"):
        wai.eval_variance(*runs)


def test_a_row_names_its_run_before_its_lineage_does() -> None:
    rows = run("1", seed=0, lineage={"seed": 1}) + run("0", seed=2) + lineage("0", scoring_run_id="")
    assert wai.eval_variance(rows, by="seed")["means"] == {"0": 1.0, "2": 0.0}
    assert wai.eval_variance(rows)["n_runs"] == 0


@pytest.mark.parametrize(("std", "name"), [(0.00347, "very_stable"), (0.0035, "stable"), (0.007, "high_variance")])
def test_stability_is_the_first_band_the_points_are_below(std: float, name: str) -> None:
    assert stability(std) == name


def test_tasks_of_runs_are_matched_by_name() -> None:
    first, other = run("110"), [{"task_id": task, "reward": 1} for task in ("t2", "new", "t0")]
    report = wai.eval_variance(first, other, other[::-1])
    assert report["tasks_in_every_run"] == 2
    assert report["notes"] == [
        "the runs do not cover the same tasks: 2 of 4 are in every run, so run_std holds task differences too"
    ]
    assert (wai.eval_variance(first, [])["noise_band_df"], wai.eval_variance(first, other)["noise_band_df"]) == (
        None,
        1,
    )


@each_of("n", [3, 6])
def test_runs_are_called_cached_below_the_lowest_twentieth_of_honest_ones(n: int) -> None:
    least = 0.02 * (chi2.ppf(0.05, n - 1) / (n - 1)) ** 0.5
    assert [len(list(shared_draws_notes(std, 0.02, n))) for std in (0.99 * least, 1.01 * least)] == [1, 0]


def test_long_names_are_cut_and_no_runs_are_none() -> None:
    rows = [{"run": f"{name}" * 70, "task_id": t, "markers": {"m" * 60: t}} for name in "abc" for t in (0, 1)]
    lines = str(wai.eval_variance(rows, metric="marker:" + "m" * 60, by="run")).splitlines()
    assert lines[0].startswith(f"marker:{'m' * 32}…: run_std 0.0000 over 3 runs")
    shown = [line for line in lines if line.startswith(("  runs", "    "))]
    assert shown == [f"  runs: {'a' * 39}… 0.5000, {'b' * 39}…", f"    0.5000, {'c' * 39}… 0.5000"]
    assert "  runs: none" in str(wai.eval_variance([])).splitlines()
