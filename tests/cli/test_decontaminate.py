"""`wai decontaminate` and `wai duplicates` through the entry point, and in a process of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from entry import wai

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "support_rollouts.jsonl"


def lines(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def train(tmp_path: Path) -> Path:
    asks = ["Where is order 4473?", "Cancel order 9911.", "Track parcel 5."]
    return lines(tmp_path / "train.jsonl", [{"prompt": ask, "reward": 1, "id": i} for i, ask in enumerate(asks)])


def test_rows_of_the_evaluation_set_are_left_out_and_named(train: Path, tmp_path: Path) -> None:
    held_out = lines(tmp_path / "eval.jsonl", [{"question": "x"}, {"prompt": "cancel order 9911."}])
    out = tmp_path / "clean.jsonl"
    done = wai("decontaminate", train, "--against", held_out, "-o", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 rows against 2 evaluation rows (1 text): 1 dropped (33.3%), 2 kept" in done.stdout
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == [0, 2]
    found = json.loads(wai("decontaminate", train, "--against", held_out, "-o", out, "--json").stdout)
    assert found["matches"] == [{"index": 1, "rule": "exact", "source": str(held_out), "eval_row": 1}]


def test_what_cannot_be_read_writes_no_file(train: Path, tmp_path: Path) -> None:
    out = tmp_path / "clean.jsonl"
    for arguments in ([train, "--against", tmp_path / "none.jsonl"], [tmp_path / "none.jsonl", "--against", train]):
        done = wai("decontaminate", *arguments, "-o", out)
        assert (done.returncode, len(done.stderr.splitlines()), out.exists()) == (2, 1, False)


def test_neither_side_is_written_over(train: Path, tmp_path: Path) -> None:
    held_out = lines(tmp_path / "eval.jsonl", [{"prompt": "cancel order 9911."}])
    before = train.read_bytes(), held_out.read_bytes()
    for out in (train, held_out, tmp_path / ".." / tmp_path.name / train.name):
        done = wai("decontaminate", train, "--against", held_out, "-o", out)
        assert (done.returncode, done.stdout) == (2, "")
        assert "would be written over" in done.stderr
    assert (train.read_bytes(), held_out.read_bytes()) == before


def test_an_evaluation_set_without_rows_is_an_error(train: Path, tmp_path: Path) -> None:
    out, empty = tmp_path / "clean.jsonl", tmp_path / "empty.jsonl"
    empty.write_text("")
    done = wai("decontaminate", train, "--against", empty, "-o", out)
    assert (done.returncode, done.stdout, out.exists()) == (2, "", False)
    assert "empty.jsonl" in done.stderr
    held_out = lines(tmp_path / "eval.jsonl", [{"prompt": "cancel order 9911."}])
    both = wai("decontaminate", train, "--against", held_out, "--against", empty, "-o", out)
    assert both.returncode == 0
    assert "! no rows in" in both.stdout


def test_an_evaluation_record_that_cannot_be_read_is_said_and_strict_refuses_it(train: Path, tmp_path: Path) -> None:
    held_out = lines(tmp_path / "eval.jsonl", [{"prompt": "cancel order 9911."}])
    held_out.write_text(held_out.read_text() + "{broken\n")
    asked = ("decontaminate", train, "--against", held_out, "-o", tmp_path / "clean.jsonl")
    done = wai(*asked)
    assert (done.returncode, done.stderr) == (0, "")
    assert "! --against: 1 of 2 records could not be read and were left out" in done.stdout
    assert wai(*asked, "--strict").returncode == 2


def test_a_field_that_no_row_has_is_an_error_with_the_one_meant(train: Path, tmp_path: Path) -> None:
    held_out = lines(tmp_path / "eval.jsonl", [{"prompt": "cancel order 9911."}])
    out = tmp_path / "clean.jsonl"
    done = wai("decontaminate", train, "--against", held_out, "-o", out, "--field", "promt")
    assert (done.returncode, out.exists()) == (2, False)
    assert "did you mean 'prompt'?" in done.stderr


def test_what_was_written_is_said(train: Path, tmp_path: Path) -> None:
    held_out = lines(tmp_path / "eval.jsonl", [{"prompt": "cancel order 9911."}])
    out = tmp_path / "clean.jsonl"
    assert wai("decontaminate", train, "--against", held_out, "-o", out).stdout.endswith(f"wrote 2 rows to {out}\n")
    found = json.loads(wai("decontaminate", train, "--against", held_out, "-o", out, "--json").stdout)
    assert (found["n_written"], found["output"]) == (2, str(out))


def test_printed_rows_count_from_one_and_name_their_record(tmp_path: Path) -> None:
    row = json.dumps({"prompt": "Cancel order 9911.", "reward": 1})
    train = tmp_path / "train.jsonl"
    train.write_text(f"{row}\n{{broken\n{row}\n")
    held_out = lines(tmp_path / "eval.jsonl", [{"prompt": "cancel order 9911."}])
    out = tmp_path / "clean.jsonl"
    done = wai("decontaminate", train, "--against", held_out, "-o", out)
    assert "  row 1: prompt is an evaluation text" in done.stdout
    assert "  row 2 (record 3): prompt is an evaluation text" in done.stdout
    found = json.loads(wai("decontaminate", train, "--against", held_out, "-o", out, "--json").stdout)
    assert [(each["index"], each.get("record")) for each in found["matches"]] == [(0, None), (1, 3)]


def test_nearly_equal_asks_and_repeated_rollouts_are_counted(tmp_path: Path) -> None:
    rows = [{"prompt": "Cancel order 5", "final_text": "Done.", "reward": r} for r in (1, 0)]
    done = wai("duplicates", lines(tmp_path / "a.jsonl", [*rows, {"prompt": "cancel order 5!", "final_text": "No."}]))
    assert "2 distinct asks: 1 pair with at least 80% of their words in common, 2 asks in one" in done.stdout
    assert "3 rollouts: 1 (33.3%) repeat an earlier one of their ask, in 1 ask" in done.stdout
    assert "1 repeat got another reward" in done.stdout


def test_rows_of_a_task_and_a_reward_are_not_compared(tmp_path: Path) -> None:
    counts, rollout = [{"task_id": "a", "reward": r} for r in (1, 0)], {"prompt": "When?", "final_text": "Today."}
    done = wai("duplicates", lines(tmp_path / "a.jsonl", [*counts, rollout]))
    assert "3 rollouts: 0 (0.0%) repeat an earlier one of their ask, in 0 asks" in done.stdout
    assert "! 2 rollouts without a reply or a call: not compared with the others" in done.stdout


def test_the_example_has_its_duplicates_as_json() -> None:
    found = json.loads(wai("duplicates", EXAMPLE, "--json").stdout)
    assert found["asks"]["n_prompts"] == 60
    assert found["rollouts"]["n"] == 480


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    asks = ("Where is order 4473 of last week?", "Where is order 4474 of last week?")
    return lines(tmp_path / "prompts.jsonl", [{"prompt": ask} for ask in asks])


def test_asks_of_files_with_prompts_alone_are_compared(prompts: Path) -> None:
    done = wai("duplicates", prompts, "--threshold", 0.7)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 distinct asks: 1 pair with at least 70% of their words in common" in done.stdout
    assert done.stdout.endswith("\n2 rows without a reply or a call: no rollouts to compare\n")


def test_prompts_alone_are_training_rows_too(prompts: Path, tmp_path: Path) -> None:
    done = wai("decontaminate", prompts, "--against", prompts, "-o", tmp_path / "clean.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert "  same text            2\n" in done.stdout
