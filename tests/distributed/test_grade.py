"""`wai grade --ray`: judged by workers, with the file, the checkpoint and the summary of a judge asked here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from whileai.cli.main import app

pytestmark = pytest.mark.usefixtures("cluster")
JUDGE = """
import os
from pathlib import Path
async def judge(row):
    number = int(row["task_id"])
    if number == 7:
        raise ConnectionError("down")
    if number == 9:
        raise SystemExit("enough")
    if number == 60 and os.environ.get("HERE") is None and not Path("died").exists():
        Path("died").touch()
        os._exit(1)
    return {"reward": number % 2, "reason": f"read {number}"}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_judge.py").write_text(JUDGE)
    Path("rows.jsonl").write_text("".join(f'{{"task_id": "{n}", "final_text": "Done."}}\n' for n in range(120)))


def grade(*options: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["grade", "rows.jsonl", "--judge", "my_judge.py:judge", "--json", *options])
    assert done.stdout, (done.exception, done.stderr)
    return json.loads(done.stdout)


def rows_in(path: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in Path(path).read_text().splitlines()]
    return [{**row, "lineage": {**row["lineage"], "scoring_run_id": ""}} for row in rows]


def test_a_worker_that_dies_half_way_changes_neither_rows_nor_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    there = grade("-o", "there.jsonl", "--checkpoint", "there", "--ray", "auto", "--timeout", "60")
    monkeypatch.setenv("HERE", "1")
    here = grade("-o", "here.jsonl", "--checkpoint", "here")
    assert Path("died").exists()
    assert rows_in("there.jsonl") == rows_in("here.jsonl")
    told = {"output", "checkpoint"}
    assert {key: there[key] for key in there if key not in told} == {key: here[key] for key in here if key not in told}
    assert (there["unjudged"], there["first_unjudged"]) == (2, "error: ConnectionError: down")
    kept = [sorted(Path(path).read_text().splitlines()) for path in ("there", "here")]
    assert kept[0] == kept[1]
    assert grade("-o", "again.jsonl", "--checkpoint", "there")["from_checkpoint"] == 118


def test_a_judge_that_workers_cannot_make_is_said_before_anything_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("my_judge.py").write_text("import os\nassert os.environ.get('ONLY_HERE')\n" + JUDGE)
    monkeypatch.setenv("ONLY_HERE", "1")
    words = ["--judge", "my_judge.py:judge", "-o", "out.jsonl", "--concurrency", "1", "--ray", "auto"]
    error = CliRunner().invoke(app, ["grade", "rows.jsonl", *words]).exception
    assert str(error) == "a worker of the cluster cannot make the judge: AssertionError: "
