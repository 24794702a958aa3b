"""`--ray` prints what the command prints without it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import whileai.simulations as wai
from whileai.cli.main import app

pytestmark = pytest.mark.usefixtures("cluster")


@pytest.fixture
def files(rows: list[dict[str, Any]], tmp_path: Path) -> tuple[str, str]:
    many = [{**row, "task_id": f"{row['task_id']}-{copy}"} for copy in range(7) for row in rows]
    after = [{**row, "reward": 1} if row["rollout_index"] % 7 == 0 else row for row in many]
    paths = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    for path, held in zip(paths, (many, after), strict=True):
        wai.write_rows(held, path)
        assert path.stat().st_size > 2 * 2**20  # else one process reads it
    return str(paths[0]), str(paths[1])


@pytest.mark.parametrize(
    "command",
    [
        "report {rows}",
        "compare {rows} {after} --by category",
        "check {rows}",
        "check {rows} --stamp {out}",
        "select {rows} -o {out} --target 200",
        "select {rows} -o {out} --mode sft --min-reward 0.5",
        "decontaminate {rows} --against {eval} -o {out}",
        "duplicates {rows}",
        "scan {rows} --shuffles 9",
        "scan {rows} --max-rows 900 --shuffles 9",
    ],
)
def test_commands_print_and_write_the_same(files: tuple[str, str], tmp_path: Path, command: str) -> None:
    (tmp_path / "eval.jsonl").write_text('{"prompt": "Where is big?"}\n')
    said = []
    out = tmp_path / "out.jsonl"
    for options in (["--workers", "1"], ["--ray", "auto"]):
        words = command.format(rows=files[0], after=files[1], eval=tmp_path / "eval.jsonl", out=out).split()
        done = CliRunner().invoke(app, [*words, "--json", *options])
        assert done.stdout, (done.exception, done.stderr)
        said.append((done.exit_code, done.stdout, out.read_bytes() if out.exists() else None))
        out.unlink(missing_ok=True)
    assert said[0] == said[1]
    assert said[0][1].startswith("{")
    assert (said[0][2] is not None) == ("{out}" in command)


def test_a_cluster_that_does_not_answer_is_named(files: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise ConnectionError("refused")

    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray.init", refuse)
    found = CliRunner().invoke(app, ["report", files[0], "--ray", "10.0.0.1:6379"])
    assert isinstance(found.exception, ConnectionError)
    assert str(found.exception) == "no Ray cluster answers at '10.0.0.1:6379': refused"
