"""`--workers`: the same output and the same files, whatever their number."""

from __future__ import annotations

import json
import random

import pytest
from typer.testing import CliRunner

from whileai.cli.main import app
from whileai.simulations import select_for_rl, select_for_sft
from whileai.simulations.parallel import reading


@pytest.fixture
def rollouts(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "_LEAST_BYTES", 10_000)
    monkeypatch.setattr(reading, "MOST_BYTES", 10_000)
    rng = random.Random(0)
    rows = [
        {
            "task_id": f"t{i // 8}",
            "prompt": f"Where is order {i // 8}?",
            "steps": [{"tool": "lookup", "arguments": {"id": i // 8}, "result": rng.choice(["ok", "Error: timeout"])}],
            "final_text": rng.choice(["It ships today.", "It ships on Monday.", "I am not sure, it depends."]),
            "finish_reason": rng.choice(["stop", "stop", "length"]),
            "reward": rng.choice([0, 1, 1, 0.4]),
            "category": rng.choice("ab"),
        }
        for i in range(400)
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path, rows


def wai(*arguments):
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code in (0, 1), (done.output, done.exception)
    return done.output


def same(tmp_path, *arguments, output=None):
    texts, files = [], []
    for workers in (1, 2):
        target = tmp_path / "out.jsonl"
        more = () if output is None else (output, target)
        texts.append(wai(*arguments, *more, "--workers", workers))
        files.append(target.read_bytes() if output else b"")
    assert texts[0] == texts[1]
    assert files[0] == files[1]
    return texts[0], files[0]


@pytest.mark.parametrize("command", [("report",), ("check", "--json"), ("duplicates",), ("scan",)])
def test_reports_do_not_depend_on_the_workers(rollouts, tmp_path, command):
    same(tmp_path, command[0], rollouts[0], *command[1:])


def test_compare_does_not_depend_on_the_workers(rollouts, tmp_path):
    path, rows = rollouts
    after = tmp_path / "after.jsonl"
    after.write_text("".join(json.dumps({**row, "reward": 1 if row["reward"] else 0}) + "\n" for row in rows))
    text, _ = same(tmp_path, "compare", path, after, "--by", "category", "--json")
    assert set(json.loads(text)["groups"]) == {"a", "b"}


def test_rows_that_are_written_do_not_depend_on_the_workers(rollouts, tmp_path):
    path, rows = rollouts
    held_out = tmp_path / "eval.jsonl"
    held_out.write_text(json.dumps(rows[9]) + "\n")
    _, stamped = same(tmp_path, "check", path, output="--stamp")
    assert len(stamped.splitlines()) == len(rows)
    _, clean = same(tmp_path, "decontaminate", path, "--against", held_out, output="-o")
    assert len(clean.splitlines()) == len(rows) - 8


def test_a_selection_that_is_written_does_not_depend_on_the_workers(rollouts, tmp_path):
    same(tmp_path, "select", rollouts[0], "--truncated", "penalize", "--target", 120, "--json", output="-o")


@pytest.mark.parametrize("truncated", ["drop", "keep", "penalize"])
def test_a_selection_for_rl_by_two_workers_is_that_of_the_library(rollouts, tmp_path, truncated):
    path, rows = rollouts
    selected, report = select_for_rl(rows, truncated=truncated, target=120)
    as_told(tmp_path, selected, report, "select", path, "--truncated", truncated, "--target", 120)


@pytest.mark.parametrize("rule", ["top_per_prompt", "random_per_prompt"])
def test_a_selection_for_sft_by_two_workers_is_that_of_the_library(rollouts, tmp_path, rule):
    path, rows = rollouts
    selected, report = select_for_sft(rows, select=rule)
    as_told(tmp_path, selected, report, "select", path, "--mode", "sft", "--select", rule)


def as_told(tmp_path, selected, report, *arguments):
    """Two workers write these rows and print this report."""
    target = tmp_path / "out.jsonl"
    text = wai(*arguments, "--json", "-o", target, "--workers", 2)
    assert [json.loads(line) for line in target.read_bytes().splitlines()] == json.loads(json.dumps(selected))
    shown = json.loads(text[: text.rindex("}") + 1])
    assert json.loads(json.dumps(report)) == {key: shown[key] for key in report}
