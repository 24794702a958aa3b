"""`wai grade`: rows with a verdict each, whole or not at all, and never judged twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from typer.testing import CliRunner

from models.server import FaultyServer
from whileai.cli.grade import grade

APP = typer.Typer()
APP.command()(grade)
JUDGE = """
def judge(row):
    with open("calls", "a") as calls:
        print(row["task_id"], file=calls)
    if row["task_id"] == "t2" and not row.get("fixed"):
        raise ConnectionError("down \\x1b[31m")
    return {"reward": int(row["final_text"] == "Done."), "reason": "read"}
class Rater:
    def rate(self, row):
        return 3
rater = Rater()
number = 5
"""
ROWS = [{"task_id": f"t{i}", "prompt": f"ask {i}", "final_text": "Done." if i % 2 else "No."} for i in range(6)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WHILEAI_JUDGE", raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "my_judge", raising=False)
    (tmp_path / "my_judge.py").write_text(JUDGE)
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


def run(*arguments: str, source: str = "rows.jsonl") -> SimpleNamespace:
    done = CliRunner().invoke(APP, [source, *arguments])
    return SimpleNamespace(code=done.exit_code, out=done.output, error=done.exception)


def graded(path: str = "out.jsonl") -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


@pytest.mark.parametrize("judge", ["my_judge:judge", "my_judge.py:judge"])
def test_rows_are_graded_and_those_without_a_verdict_named(judge: str) -> None:
    done = run("--judge", judge, "-o", "out.jsonl")
    assert done.code == 1
    assert done.out.splitlines()[0] == "6 rows graded by judge: 3 pass, 2 fail, 0 partial, 1 without a verdict"
    assert "ConnectionError: down" in done.out
    assert "\x1b" not in done.out
    assert [row["reward"] for row in graded()] == [0, 1, None, 1, 0, 1]


def test_the_cause_is_this_judges_and_not_the_reason_of_the_one_before(folder: Path) -> None:
    earlier = [{**row, "reward": 0, "reason": "policy missed"} for row in ROWS]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in earlier))
    found = json.loads(run("--judge", "my_judge.py:judge", "--json", "-o", "out.jsonl").out)
    assert found["first_unjudged"].startswith("error: ConnectionError: down")
    shown = run("--judge", "my_judge.py:judge", "-o", "out.jsonl").out
    assert "ConnectionError: down" in shown
    assert "policy missed" not in shown


def test_the_same_command_judges_only_what_has_no_verdict() -> None:
    run("--judge", "my_judge.py:judge", "-o", "out.jsonl")
    run("--judge", "my_judge.py:judge", "-o", "out.jsonl")
    assert sorted(Path("calls").read_text().split()) == ["t0", "t1", "t2", "t2", "t3", "t4", "t5"]


def test_a_method_and_a_scale() -> None:
    assert run("--judge", "my_judge.py:rater.rate", "--scale", "1,5", "-o", "out.jsonl").code == 0
    assert {row["reward"] for row in graded()} == {0.5}


def test_the_summary_as_json() -> None:
    found = json.loads(run("--judge", "my_judge.py:judge", "--json", "-o", "out.jsonl").out)
    assert (found["rows"], found["passes"], found["unjudged"], found["statuses"]) == (6, 3, 1, {"error": 1})
    assert found["checkpoint"] == "out.jsonl.checkpoint"


@pytest.mark.parametrize("rubric", ["rubric.md", "rubric.json"])
def test_a_model_judges_by_a_rubric_and_no_key_is_printed(
    folder: Path, rubric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VLLM_API_KEY", "sk-secret-1")
    (folder / "rubric.md").write_text("Pass when it was done.")
    (folder / "rubric.json").write_text(json.dumps([{"title": "Was done", "kind": "hard"}]))
    reply = '{"reason": "r", "score": 1, "criteria": {"1": true}}'
    with FaultyServer(reply, [None, None, (401, "bad key {key}")]) as server:
        spec = f"vllm:test-model@{server.url}/v1"
        done = run("--model", spec, "--rubric", rubric, "--concurrency", "1", "-o", "out.jsonl")
    assert (done.code, [row["reward"] for row in graded()].count(1)) == (1, 5)
    written = done.out + Path("out.jsonl").read_text() + Path("out.jsonl.checkpoint").read_text()
    assert "401" in written
    assert "sk-secret" not in written


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "give a judge"), (["--judge", "my_judge.py:judge", "--model", "openai:x"], "one or the other"),
        (["--judge", "my_judge"], "MODULE:FUNCTION"), (["--judge", "my_judge.py:other"], "has no other"),
        (["--judge", "my_judge.py:rate.rate"], "has no rate.rate: did you mean 'rater'?"),
        (["--judge", "my_judge.py:number"], "no function"),
        (["--judge", "openai:gpt-4o"], "is given as --model openai:gpt-4o"),
        (["--judge", "gone.py:judge"], "no such file"),
        (["--judge", "my_judge.py:judge", "--scale", "5"], "--scale"), (["--model", "gpt-4o"], "openai:gpt-4o"),
        (["--model", "openai:x", "--rubric", "empty.md"], "empty"),
        (["--model", "openai:x", "--rubric", "x.json"], "no JSON"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_before_anything_is_judged(folder: Path, arguments: list[str], word: str) -> None:
    (folder / "empty.md").write_text(" ")
    (folder / "x.json").write_text("{")
    done = run(*arguments, "-o", "out.jsonl")
    assert word in str(done.error)
    assert not (folder / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("output", "word"), [("rows.jsonl", "another output"), ("gone/out.jsonl", "no such folder"), ("out.csv", "jsonl")]
)
def test_an_output_that_cannot_be_written_costs_no_call(folder: Path, output: str, word: str) -> None:
    done = run("--judge", "my_judge.py:judge", "-o", output)
    assert word in str(done.error)
    assert not (folder / "calls").exists()
    assert len(graded("rows.jsonl")) == 6


def test_a_file_without_rows_is_refused(folder: Path) -> None:
    (folder / "none.jsonl").write_text("")
    assert "no rows to grade" in str(run("--judge", "my_judge.py:judge", "-o", "out.jsonl", source="none.jsonl").error)


SLOW = """
import time
def judge(row):
    with open("calls", "a") as calls:
        print(row["task_id"], file=calls)
    time.sleep(0.02)
    return 1
"""
COMMAND = "import sys; import typer; from whileai.cli.grade import grade; typer.run(grade)"


def test_what_is_hollow_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    done = run("--judge", "my_judge.py:rater.rate", "--scale", "1,5", "-o", "out.jsonl")
    assert "! all 6 rows score 0.5" in done.out
    assert not caplog.records


def test_an_interrupted_command_goes_on_where_it_stopped(folder: Path) -> None:
    (folder / "slow.py").write_text(SLOW)
    (folder / "many.jsonl").write_text(
        "".join(json.dumps({"task_id": f"t{i}", "prompt": "q"}) + "\n" for i in range(160))
    )
    source = str(Path(__file__).parents[2] / "src")
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {source!r}); {COMMAND}"]
    command += ["many.jsonl", "--judge", "slow.py:judge", "-o", "out.jsonl", "--concurrency", "4"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while not ((folder / "calls").exists() and len((folder / "calls").read_text()) > 100) and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert "the same command goes on from there" in process.communicate(timeout=60)[1]
    assert not (folder / "out.jsonl").exists()
    assert run("--judge", "slow.py:judge", "-o", "out.jsonl", "--concurrency", "4", source="many.jsonl").code == 0
    assert len((folder / "calls").read_text().split()) <= 164
    assert len(graded()) == 160


def test_a_judge_that_was_edited_judges_again_and_one_that_was_not_says_whose_verdicts_it_shows() -> None:
    run("--judge", "my_judge.py:judge", "-o", "out.jsonl")
    again = run("--judge", "my_judge.py:judge", "-o", "out.jsonl")
    assert again.out.count("5 of 6 verdicts") == 1
    assert "5 of 6 verdicts from out.jsonl.checkpoint" in again.out
    Path("my_judge.py").write_text(JUDGE.replace('"Done."', '"No."'))
    edited = run("--judge", "my_judge.py:judge", "-o", "out.jsonl", "--json")
    assert json.loads(edited.out)["from_checkpoint"] == 0
    assert [row["reward"] for row in graded()] == [1, 0, None, 0, 1, 0]


@pytest.mark.parametrize("arguments", [
    ("-o", "x.jsonl", "--checkpoint", "x.jsonl"), ("-o", "x.jsonl", "--checkpoint", "rows.jsonl"), ("-o", "x.xyz"),
    ("-o", "x.jsonl", "--concurrency", "-3"),
])  # fmt: skip
def test_what_could_not_be_written_or_done_is_refused_before_anything_is_judged(arguments: tuple[str, ...]) -> None:
    done = run("--judge", "my_judge.py:judge", *arguments)
    assert done.code != 0
    assert not Path("calls").exists()
    assert not list(Path().glob("x.*"))


def test_a_judge_module_that_ends_the_process_is_an_error() -> None:
    Path("ends.py").write_text("raise SystemExit(0)")
    done = run("--judge", "ends.py:judge", "-o", "out.jsonl")
    assert isinstance(done.error, ValueError)
    assert "ends the process" in str(done.error)
