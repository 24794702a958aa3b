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


def test_reports_and_comparisons_are_printed_alike(files: tuple[str, str]) -> None:
    for command in (["report", files[0]], ["compare", *files, "--by", "category"]):
        here = CliRunner().invoke(app, [*command, "--json", "--workers", "1"])
        there = CliRunner().invoke(app, [*command, "--json", "--ray", "auto"])
        assert there.exit_code == here.exit_code
        assert there.stdout == here.stdout


def test_a_cluster_that_does_not_answer_is_named(files: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise ConnectionError("refused")

    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray.init", refuse)
    found = CliRunner().invoke(app, ["report", files[0], "--ray", "10.0.0.1:6379"])
    assert isinstance(found.exception, ConnectionError)
    assert str(found.exception) == "no Ray cluster answers at '10.0.0.1:6379': refused"
