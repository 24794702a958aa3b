"""`wai preflight` and `wai gap` as functions of the command line, and as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import whileai.simulations as wai
from whileai.cli.gap import gap
from whileai.cli.preflight import preflight
from whileai.simulations.reports import wrapped

TOOLS = [
    {"name": "lookup_order", "description": "Find an order.", "parameters": {"properties": {"order_id": {}}}},
    {"name": "issue_refund", "description": "Refund an order.", "parameters": {"properties": {"order_id": {}}}},
]
POLICY = "You are a support agent.\n\n- Look up the order first.\n- Refunds over $200 must be escalated to a human.\n"
APP = typer.Typer()
APP.command()(preflight)
APP.command()(gap)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    tools, policy, asks = tmp_path / "tools.json", tmp_path / "policy.md", tmp_path / "asks.jsonl"
    tools.write_text(json.dumps({"tools": TOOLS}))
    policy.write_text(POLICY)
    asks.write_text('{"prompt": "Where is order 4473?"}\n{"prompt": "Still no answer about order 5"}\n')
    return ["--tools", str(tools), "--policy", str(policy), str(asks)]


def run(*arguments: str) -> str:
    done = CliRunner().invoke(APP, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_preflight_prints_the_report_and_the_same_as_json(files: list[str]) -> None:
    spec = files[:4]
    assert run("preflight", *spec) == f"{wai.preflight(TOOLS, POLICY)}\n"
    assert json.loads(run("preflight", *spec, "--json")) == wai.preflight(TOOLS, POLICY)
    assert json.loads(run("preflight", *spec, "--json", "--rule-cap", "1"))["rules"] == ["Look up the order first."]


def test_preflight_without_a_policy_says_so(files: list[str]) -> None:
    assert "there is no system prompt" in run("preflight", *files[:2])


def test_gap_prints_the_report_without_the_summary_that_repeats_its_lines(files: list[str]) -> None:
    expected = wai.coverage_gap(files[4], tools=TOOLS, system_prompt=POLICY)
    summary, rest = expected["summary"], str(expected)
    assert run("gap", *files).splitlines() == rest.splitlines()[len(wrapped(summary)) :]
    assert run("gap", *files).count("untested tools") <= 1


def test_gap_as_json_is_the_whole_report(files: list[str]) -> None:
    expected = wai.coverage_gap(files[4], tools=TOOLS, system_prompt=POLICY)
    assert json.loads(run("gap", *files, "--json")) == {**expected, "read": []}
    assert expected["untested_tools"] == ["issue_refund"]
    assert expected["stances"] == {"ordinary": 1, "retry": 1}


def test_gap_with_rows_says_which_rules_the_world_never_lets_happen(files: list[str], tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    step = {"tool": "issue_refund", "arguments": {}, "result": {"status": "timeout"}}
    row = {"task_id": "t", "prompt": "p", "final_text": "f", "rule": "Look up the order first.", "steps": [step]}
    rows.write_text(json.dumps(row) + "\n")
    found = json.loads(run("gap", *files, "--rows", str(rows), "--json"))
    assert [stuck["outcome"] for stuck in found["rules_the_world_never_triggers"]] == ["timeout"]


@pytest.mark.parametrize("text", ["{", "5", '{"tools": 5}', "[5]"])
def test_tools_that_cannot_be_read_are_refused_with_the_name_of_the_file(files: list[str], text: str) -> None:
    Path(files[1]).write_text(text)
    with pytest.raises(ValueError, match=r"tools\.json"):
        CliRunner().invoke(APP, ["preflight", *files[:4]], catch_exceptions=False)


def test_a_missing_file_is_an_os_error(files: list[str]) -> None:
    Path(files[3]).unlink()
    with pytest.raises(FileNotFoundError):
        CliRunner().invoke(APP, ["gap", *files], catch_exceptions=False)


def test_gap_counts_bad_lines_and_rows_without_a_rule(
    files: list[str], tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"task_id": "t", "prompt": "p", "final_text": "f"}\n{bad\n')
    Path(files[4]).write_text('"Where is order 4473?"\n{bad\n')
    text = " ".join(run("gap", *files, "--rows", str(rows)).split())
    assert "rows.jsonl: 1 bad record left out; first: record 2" in text
    assert "asks.jsonl: 1 bad record left out; first: record 2" in text
    assert "0 of 1 row carry a rule" in text
    assert not recwarn.list


@pytest.mark.parametrize("command", ["preflight", "gap"])
def test_a_policy_that_is_not_utf8_is_named(files: list[str], command: str) -> None:
    Path(files[3]).write_bytes("Nicht l\xf6schen".encode("latin-1"))
    with pytest.raises(ValueError, match=r"policy\.md: not UTF-8"):
        CliRunner().invoke(APP, [command, *files[: 4 if command == "preflight" else 5]], catch_exceptions=False)


def test_a_file_without_asks_is_refused_by_gap(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").touch()
    with pytest.raises(ValueError, match="no asks to compare"):
        CliRunner().invoke(APP, ["gap", *files[:4], str(tmp_path / "none.jsonl")], catch_exceptions=False)
