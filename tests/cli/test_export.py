"""`wai export`: a training file, pairs or an environment from a file of rollouts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from export_rows import TOOLS, stepped
from whileai.cli.main import app


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rows = [stepped(1), stepped(0, final_text="No."), stepped(0, scenario_id="b", prompt="Refund 8.")]
    path = tmp_path / "rollouts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def wai(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


def test_rows_become_lines_with_the_tools_and_the_policy_of_their_files(file: Path, tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    (tmp_path / "policy.txt").write_text("Be kind.")
    options = ["--tools", tmp_path / "tools.json", "--policy", tmp_path / "policy.txt"]
    done = wai(file, "-o", tmp_path / "train.jsonl", "--as", "trl", *options)
    assert done.exit_code == 0
    assert "trl: 3 lines of 3 rows written to" in done.stdout
    line = json.loads((tmp_path / "train.jsonl").read_text().splitlines()[0])
    assert (line["messages"][0]["content"], len(line["tools"])) == ("Be kind.", 2)


def test_pairs_are_made_of_graded_rows(file: Path, tmp_path: Path) -> None:
    done = wai(file, "-o", tmp_path / "pairs.jsonl", "--pairs", "--json")
    assert json.loads(done.stdout)["n_written"] == 1
    again = wai(tmp_path / "pairs.jsonl", "-o", tmp_path / "trl.jsonl", "--pairs", "--as", "trl", "--json")
    assert json.loads(again.stdout)["n_written"] == 1


def test_an_environment_is_a_folder(file: Path, tmp_path: Path) -> None:
    assert wai(file, "-o", tmp_path / "env", "--as", "verifiers").exit_code == 0
    assert (tmp_path / "env/pyproject.toml").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "{file}"], "is a file that is read and would be written over"),
        (["-o", "out.jsonl", "--pairs", "--unroll"], "--unroll does nothing without rows (no --pairs)"),
        (["-o", "out.jsonl", "--max-tool-output", "0"], "max_tool_output_chars must be a whole number of at least 1"),
    ],
)
def test_what_cannot_be_is_refused(options: list[str], said: str, file: Path) -> None:
    done = wai(file, *(option.format(file=file) for option in options))
    assert done.exit_code != 0
    assert said in str(done.exception)


def test_rows_without_contrast_make_no_pairs(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(stepped(1)))
    done = wai(tmp_path / "rows.jsonl", "-o", tmp_path / "pairs.jsonl", "--pairs")
    assert "no pairs: no prompt has two rows" in str(done.exception)
    assert not (tmp_path / "pairs.jsonl").exists()
