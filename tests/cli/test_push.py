"""`wai push` through the entry point of the command line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from entry import wai
from registry.rollouts import rollouts
from registry.server import Registry
from whileai.cli.main import app


@pytest.fixture(autouse=True)
def _elsewhere_and_without_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("WHILEAI_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rollouts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rollouts()))
    return path


def test_a_folder_gets_what_the_gate_lets_pass(file: Path, tmp_path: Path) -> None:
    done = wai("push", file, "--to", "data/refunds", "--mode", "rl", "--holdout", 0.3)
    assert (done.returncode, done.stderr) == (0, "")
    assert "pushed refunds v1, 36 rows of 9 tasks, not published\n" in done.stdout
    assert "  gate: passed\n" in done.stdout
    assert (tmp_path / "data" / "refunds" / "v1" / "data" / "holdout.jsonl").exists()


def test_a_refusal_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    unanimous = tmp_path / "unanimous.jsonl"
    unanimous.write_text("".join(json.dumps({**row, "reward": 1}) + "\n" for row in rollouts(3)))
    refused = wai("push", unanimous, "--to", tmp_path / "refunds", "--mode", "rl")
    assert (refused.returncode, refused.stderr[:29]) == (2, "wai: no_mixed_groups: all 3 g")
    assert not (tmp_path / "refunds").exists()


def test_a_registry_is_named_by_the_environment(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Registry(tmp_path / "kept") as registry:
        monkeypatch.setenv("WHILEAI_API_URL", registry.url)
        monkeypatch.setenv("WHILEAI_API_KEY", registry.key)
        options = ["--name", "refunds", "--no-gate", "--agent", "bot", "--publish", "--json"]
        done = CliRunner().invoke(app, ["push", str(file), *options])
        assert done.exit_code == 0
        entry = json.loads(done.stdout)
        assert (entry["version"], entry["published"], entry["gate"]) == (1, True, None)
        assert [record["datasetId"] for record in registry.store.datasets()] == [entry["datasetId"]]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "name the dataset with --name, or a place of its own with --to"),
        (["--to", "https://registry.example"], "name the dataset with --name"),
        (["--name", "refunds"], "nowhere to push 'refunds' to"),
    ],
    ids=["nothing", "a registry alone", "a name alone"],
)
def test_a_place_that_is_missing_is_said_before_the_file_is_read(
    options: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WHILEAI_API_URL", raising=False)
    done = CliRunner().invoke(app, ["push", "no such file", *options])
    assert said in str(done.exception)
