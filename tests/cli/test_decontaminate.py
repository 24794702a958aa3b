"""`wai decontaminate` and `wai duplicates` as a person runs them: in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "support_rollouts.jsonl"
WAI = [sys.executable, "-c", "from whileai.cli.main import main; main()"]


def wai(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*WAI, *map(str, arguments)], capture_output=True, text=True, check=False)


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
    assert "3 rows against 2 evaluation rows (1 texts): 1 dropped (33.3%), 2 kept" in done.stdout
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == [0, 2]
    found = json.loads(wai("decontaminate", train, "--against", held_out, "-o", out, "--json").stdout)
    assert found["matches"] == [{"index": 1, "rule": "exact", "source": str(held_out), "eval_row": 1}]


def test_what_cannot_be_read_writes_no_file(train: Path, tmp_path: Path) -> None:
    out = tmp_path / "clean.jsonl"
    for arguments in ([train, "--against", tmp_path / "none.jsonl"], [tmp_path / "none.jsonl", "--against", train]):
        done = wai("decontaminate", *arguments, "-o", out)
        assert (done.returncode, len(done.stderr.splitlines()), out.exists()) == (2, 1, False)


def test_a_training_file_may_be_written_onto_itself(train: Path) -> None:
    assert wai("decontaminate", train, "--against", train, "-o", train).returncode == 0
    assert train.read_text() == ""


def test_nearly_equal_asks_and_repeated_rollouts_are_counted(tmp_path: Path) -> None:
    rows = [{"prompt": "Cancel order 5", "final_text": "Done.", "reward": r} for r in (1, 0)]
    done = wai("duplicates", lines(tmp_path / "a.jsonl", [*rows, {"prompt": "cancel order 5!", "final_text": "No."}]))
    assert "2 distinct asks: 1 pair with at least 80% of their words in common, 2 asks in one" in done.stdout
    assert "3 rollouts: 1 (33.3%) repeat an earlier one of their ask, in 1 ask" in done.stdout
    assert "1 repeat got another reward" in done.stdout


def test_the_example_has_its_duplicates_as_json() -> None:
    found = json.loads(wai("duplicates", EXAMPLE, "--json").stdout)
    assert found["asks"]["n_prompts"] == 60
    assert found["rollouts"]["n"] == 480
