"""`wai select` and `wai next-round` through the entry point."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from entry import wai

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "support_rollouts.jsonl"
PASSES = {"a": "1100", "b": "1111", "c": "1000", "d": "0000"}
ROWS = [{"task_id": task, "reward": int(r)} for task, rewards in PASSES.items() for r in rewards]


def lines(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def tasks_in(path: Path) -> list[str]:
    return [json.loads(line)["task_id"] for line in path.read_text().splitlines()]


@pytest.fixture
def rollouts(tmp_path: Path) -> Path:
    return lines(tmp_path / "rollouts.jsonl", ROWS)


def test_whole_tasks_are_written_and_the_table_adds_up(rollouts: Path, tmp_path: Path) -> None:
    out = tmp_path / "picked.jsonl"
    done = wai("select", rollouts, "-o", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert "   16  rows given\n  - 8  all rollouts of the task agree\n  = 8  selected\n" in done.stdout
    assert sorted(tasks_in(out)) == ["a"] * 4 + ["c"] * 4


def test_options_reach_the_selector(rollouts: Path, tmp_path: Path) -> None:
    out, audit = tmp_path / "picked.jsonl", tmp_path / "audit.json"
    audit.write_text(json.dumps({"fn_rate": 0.4, "fn_ci95": [0.2, 0.6], "n_checked": 15, "verifier": "exact"}))
    prior = lines(tmp_path / "prior.jsonl", [{"task_id": "a", "pass_rate": 0.95}])
    more = ("--prior", prior, "--audit", audit, "--order", "middle", "--truncated", "keep", "--endorsed", "tool:get")
    done = wai("select", rollouts, "-o", out, "--band", 0.1, 0.9, *more, "--json")
    found = json.loads(done.stdout)
    assert (found["band"], found["prior"]["dropped_solved"], found["audit"]["fn_rate"]) == ([0.1, 0.9], 1, 0.4)
    assert (found["truncated_policy"], found["hack_scan"]["endorsed"]) == ("keep", ["tool:get"])
    assert found["account"]["given"] == 16 == sum(found["account"]["dropped"].values()) + found["n_written"]
    assert [entry["source"] for entry in found["read"]] == [str(rollouts), str(prior)]


def test_demonstrations_of_the_example(tmp_path: Path) -> None:
    out = tmp_path / "sft.jsonl"
    done = wai("select", EXAMPLE, "--mode", "sft", "--target", 20, "-o", out)
    assert "SFT selection: 20 rows, target 20, top_per_prompt" in done.stdout
    assert len(out.read_text().splitlines()) == 20


def test_a_bad_record_stops_unless_it_may_be_left_out(rollouts: Path, tmp_path: Path) -> None:
    out = tmp_path / "picked.jsonl"
    rollouts.write_text(rollouts.read_text()[:-6])
    done = wai("select", rollouts, "-o", out)
    assert (done.returncode, len(done.stderr.splitlines()), out.exists()) == (2, 1, False)
    assert done.stderr.endswith("(--no-strict leaves bad records out, and counts them)\n")
    done = wai("select", rollouts, "-o", out, "--no-strict")
    assert (done.returncode, out.exists()) == (0, True)
    assert "1 bad record left out" in " ".join(done.stdout.split())


@pytest.mark.parametrize("wrong", [("--order", "easy"), ("--band", 0.9, 0.1), ("--audit", "rollouts.jsonl")])
def test_a_wrong_argument_is_one_line_and_writes_nothing(rollouts: Path, tmp_path: Path, wrong: tuple) -> None:
    out = tmp_path / "picked.jsonl"
    done = wai("select", rollouts, "-o", out, *wrong)
    assert (done.returncode, len(done.stderr.splitlines()), out.exists()) == (2, 1, False)


def test_the_next_round_keeps_what_is_solved_at_times(rollouts: Path, tmp_path: Path) -> None:
    out = tmp_path / "next.jsonl"
    done = wai("next-round", rollouts, "-o", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert "next round: 2 of 4 tasks, band 0.2..0.8" in done.stdout
    assert tasks_in(out) == ["a", "c"]
    candidates = lines(tmp_path / "tasks.jsonl", [{"task_id": "c"}, {"task_id": "new", "prompt": "Hi"}])
    found = json.loads(wai("next-round", rollouts, "-o", out, "--tasks", candidates, "--json").stdout)
    assert (found["kept"], found["unknown"], tasks_in(out)) == (1, 1, ["c", "new"])


def test_a_prior_without_rates_is_said_in_the_report(tmp_path: Path) -> None:
    prior = lines(tmp_path / "prior.jsonl", [{"task_id": "a", "final_text": "Hello."}])
    done = wai("next-round", prior, "-o", tmp_path / "next.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert "! prior: none of 1 row has a 0/1 reward or a pass_rate" in done.stdout


def test_a_prior_that_measures_nothing_is_said_and_drops_nothing(rollouts: Path, tmp_path: Path) -> None:
    prior = lines(tmp_path / "prior.jsonl", [{"task_id": "a", "reward": 0.5}])
    done = wai("select", rollouts, "-o", tmp_path / "picked.jsonl", "--prior", prior)
    assert (done.returncode, done.stderr) == (0, "")
    assert "! prior: none of 1 row has a 0/1 reward or a pass_rate" in done.stdout
    assert "= 8  selected" in done.stdout


def test_rows_may_come_from_standard_input(tmp_path: Path) -> None:
    out = tmp_path / "picked.jsonl"
    given = "".join(json.dumps(row) + "\n" for row in ROWS)
    done = wai("select", "-", "-o", out, stdin=given.encode())
    assert "standard input: row, 16 rows" in done.stdout
    assert len(out.read_text().splitlines()) == 8


def test_the_next_round_can_be_read_back(rollouts: Path, tmp_path: Path) -> None:
    first, second, picked = (tmp_path / name for name in ("nr1.jsonl", "nr2.jsonl", "picked.jsonl"))
    assert wai("next-round", rollouts, "-o", first).returncode == 0
    assert wai("next-round", first, "-o", second).returncode == 0
    assert tasks_in(first) == ["a", "c"]
    assert first.read_text() == second.read_text()
    assert "reward" not in first.read_text()
    assert wai("select", rollouts, "--prior", first, "-o", picked).returncode == 0
    assert sorted(set(tasks_in(picked))) == ["a", "c"]


def test_a_file_that_is_read_is_not_written_over(rollouts: Path, tmp_path: Path) -> None:
    prior, before = lines(tmp_path / "prior.jsonl", ROWS), rollouts.read_text()
    for command in (
        ("select", rollouts, "-o", rollouts),
        ("select", rollouts, "--prior", prior, "-o", prior),
        ("select", rollouts, "--audit", prior, "-o", prior),
        ("next-round", rollouts, "-o", rollouts),
        ("next-round", rollouts, "--tasks", prior, "-o", prior),
    ):
        done = wai(*command)
        assert (done.returncode, "is a file that is read" in done.stderr) == (2, True)
    assert before == rollouts.read_text() == prior.read_text()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--mode", "sft", "--band", 0.1, 0.9), "--band does nothing without --mode rl"),
        (("--select", "top_k_overall", "--seed", 3), "--select, --seed do nothing without --mode sft"),
        (("--order", "sprad"), "did you mean 'spread'?"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(rollouts: Path, tmp_path: Path, given: tuple, said: str) -> None:
    done = wai("select", rollouts, "-o", tmp_path / "out.jsonl", *given)
    assert (done.returncode, said in done.stderr, (tmp_path / "out.jsonl").exists()) == (2, True, False)


def test_standard_output_is_the_reports(rollouts: Path) -> None:
    for command in ("select", "next-round"):
        done = wai(command, rollouts, "-o", "-")
        assert (done.returncode, "name a file" in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["select", "next-round"])
def test_nothing_selected_writes_nothing_and_ends_with_status_1(tmp_path: Path, command: str) -> None:
    rows, out = lines(tmp_path / "rows.jsonl", [{"task_id": "a", "reward": 1}] * 4), tmp_path / "out.jsonl"
    done = wai(command, rows, "-o", out)
    assert (done.returncode, out.exists()) == (1, False)
    assert f"! nothing selected: {out} was not written" in done.stdout
    out.write_text("rows of before")
    assert "from before" in " ".join(wai(command, rows, "-o", out).stdout.split())
    assert out.read_text() == "rows of before"


@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_rows_that_nobody_graded_are_told_of_once(mode: str, tmp_path: Path) -> None:
    rows = lines(tmp_path / "rows.jsonl", [{"task_id": "a", "final_text": f"It is {i}."} for i in range(12)])
    done = wai("select", rows, "--mode", mode, "-o", tmp_path / "out.jsonl")
    said = [line for line in done.stdout.splitlines() if line.startswith("!")]
    assert said[0] == "! 12 of 12 rows without a reward: grade them first (wai grade, attach_labels)"
    assert len(said) == 2
    assert said[1].startswith("! nothing selected:")
