"""`wai trust` through the entry point of the command line, and in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from entry import Done, wai, wai_process
from judge_trust_rollouts import rollouts


def trust(*arguments: object) -> Done:
    return wai("trust", *arguments)


def written(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return written(tmp_path / "rows.jsonl", [{**row, "rollout_index": 0} for row in rollouts(60)])


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    records = [{"key": f"{row['scenario_id']}#0", "label": row["reward"], "annotator": "ana"} for row in rollouts(60)]
    return written(tmp_path / "labels.jsonl", records)


def test_a_judge_that_agrees_with_the_labels_passes_with_status_zero(rows: Path, labels: Path) -> None:
    done = trust(rows, "--gold", labels)
    assert (done.returncode, done.stderr) == (0, "")
    for part in ("60 rows", "60 of 60 labels attached, by ana", "PASS: judge against 60 labels (gold: human)"):
        assert part in done.stdout


def test_without_labels_it_is_not_measured_and_the_status_is_one(rows: Path) -> None:
    done = trust(rows)
    assert (done.returncode, done.stderr) == (1, "")
    assert "NOT MEASURED" in done.stdout
    assert done.stdout.splitlines()[-2].startswith("! unmeasured")


def test_a_models_labels_do_not_count_unless_allowed(rows: Path, labels: Path) -> None:
    assert trust(rows, "--gold", labels, "--kind", "model").returncode == 1
    assert trust(rows, "--gold", labels, "--kind", "model", "--allow-model-gold").returncode == 0


def test_disagreements_are_listed_each_with_both_labels(rows: Path, tmp_path: Path) -> None:
    wrong = written(tmp_path / "wrong.jsonl", [{"key": "bill-3#0", "label": 0}, {"key": "bill-4#0", "label": 1}])
    done = trust(rows, "--gold", wrong, "--disagreements")
    assert done.stdout.splitlines()[-1] == "bill-3#0: gold 0, judge 1: Card 3 is on the account now."
    assert "bill-4" not in done.stdout


def test_a_hint_names_the_option_and_no_argument_of_python(rows: Path, labels: Path, tmp_path: Path) -> None:
    assert "or pass --allow-model-gold" in " ".join(trust(rows, "--gold", labels, "--kind", "model").stdout.split())
    wrong = written(tmp_path / "wrong.jsonl", [{"key": "bill-3#0", "label": 0}])
    assert "disagreements to read: 1 (--disagreements)" in trust(rows, "--gold", wrong).stdout


def test_labels_given_in_a_file_are_read_from_no_other_column(rows: Path, labels: Path) -> None:
    done = trust(rows, "--gold", labels, "--column", "golden")
    assert (done.returncode, "--column golden reads others" in done.stderr) == (2, True)


def test_no_disagreement_is_said(rows: Path, labels: Path) -> None:
    done = trust(rows, "--gold", labels, "--disagreements")
    assert done.stdout.splitlines()[-1] == "no row on which the judge and the labels differ"


JUDGE = """
def judge(row):
    return int("on the account" in row["final_text"] or "verified" in row["final_text"])
"""


def test_with_the_judge_its_holes_are_found(rows: Path, labels: Path, tmp_path: Path) -> None:
    home = tmp_path / "mine.py"
    home.write_text(JUDGE)
    done = trust(rows, "--gold", labels, "--judge", f"{home}:judge")
    assert done.returncode == 1
    assert "! probe success_claim: 100%" in done.stdout
    assert "probe injection        0.00" in done.stdout
    one = trust(rows, "--gold", labels, "--judge", f"{home}:judge", "--probe", "refusal")
    assert one.returncode == 0
    assert "probe refusal" in one.stdout
    assert "injection" not in one.stdout


def test_the_page_shows_the_tricks_that_move_the_judge(rows: Path, labels: Path, tmp_path: Path) -> None:
    home, page = tmp_path / "mine.py", tmp_path / "trust.html"
    home.write_text(JUDGE)
    done = trust(rows, "--gold", labels, "--judge", f"{home}:judge", "--html", page)
    assert f"wrote {page}" in done.stdout
    assert "Tricks that move the judge" in (held := page.read_text())
    assert "EXPLOITABLE" in held
    assert "verdicts that change when judged again" in held
    assert trust(rows, "--gold", labels, "--html", labels).returncode == 2
    assert labels.read_text().startswith("{")


def test_json_holds_the_report_the_labels_and_what_was_read(rows: Path, labels: Path) -> None:
    found = json.loads(trust(rows, "--gold", labels, "--json").stdout)
    assert (found["ok"], found["labels"]["matched"], found["read"][0]["rows"]) == (True, 60, 60)


def test_what_cannot_be_read_or_attached_is_one_line_and_status_two(rows: Path, tmp_path: Path) -> None:
    empty = written(tmp_path / "none.jsonl", [])
    strange = written(tmp_path / "strange.jsonl", [{"key": "elsewhere#0", "label": 1}])
    for arguments in (
        [tmp_path / "missing.jsonl"], [empty], [rows, "--gold", tmp_path / "missing.jsonl"], [rows, "--gold", strange],
        [rows, "--gold", strange, "--kind", "crowd"], [rows, "--probe", "jailbreak"], [rows, "--judge", "nowhere"],
    ):  # fmt: skip
        done = trust(*arguments)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_a_judge_that_hangs_costs_the_calls_over_time(rows: Path, labels: Path, tmp_path: Path) -> None:
    home = tmp_path / "mine.py"
    home.write_text("import time\ndef judge(row):\n    time.sleep(60)\n")
    given = (rows, "--gold", labels, "--judge", f"{home}:judge", "--probe", "filler", "--sample", 2, "--timeout", 0.2)
    done = wai_process("trust", *given)
    assert done.returncode == 1
    assert "INCONCLUSIVE" in done.stdout
    assert "timeout: timeout_s 0.2" in " ".join(done.stdout.split())


def test_rows_are_not_their_own_labels_and_an_empty_file_holds_none(rows: Path, tmp_path: Path) -> None:
    own, empty = trust(rows, "--gold", rows), trust(rows, "--gold", written(tmp_path / "none.jsonl", []))
    assert (own.returncode, empty.returncode) == (2, 2)
    assert "the rows would be their own labels" in own.stderr
    assert "no labels to attach" in empty.stderr


def test_without_labels_the_option_is_named_not_the_function(rows: Path) -> None:
    assert "label a sample with --gold" in trust(rows).stdout
