"""What a rollout says is shown by every command and obeyed by no terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from entry import wai
from tables import each_of
from whileai.cli.main import app
from whileai.simulations.rows.unseen import unseen_class
from whileai.simulations.rows.write import write_rows

# colour, title, clipboard, link, C1 introducer, backspace, carriage return, bidi override, zero width, line separator
EVIL = (
    "\x1b[31mred\x1b]0;owned\x07\x1b]52;c;aGk=\x07\x1b]8;;http://x.invalid\x1b\\link\x9b2J\b\r\u202egpj\u200b\u2028\n"
)
OBEYED = unseen_class(kept="\n")


def evil(word: str) -> str:
    return f"{word}{EVIL}{word}"


def row(task: int, attempt: int, **more: object) -> dict[str, object]:
    """A rollout whose every text, key and name is hostile."""
    call = {"tool": evil("look_up"), "arguments": {evil("id"): evil("7")}, "result": {evil("status"): evil("ok")}}
    return {
        "scenario_id": evil(f"task {task}"),
        "rollout_index": attempt,
        "prompt": evil(f"Where is order {task * 7919}, please"),
        "system_prompt": evil("Look it up."),
        "final_text": evil(f"I have looked up order {task} and it left the depot on day {attempt} of {task}"),
        "reward": int(attempt != task % 4),
        "reason": evil("because"),
        "judge": evil("judge"),
        "judge_status": "ok",
        "model_version": evil("model"),
        "dataset": evil("data"),
        "split": evil("train"),
        "style": evil("style"),
        "tools": [{"type": "function", "function": {"name": evil("look_up"), "description": evil("looks up")}}],
        "steps": [call] * 2,
        "markers": {evil("polite"): 1, evil("brief"): attempt % 2},
        "gold_reward": int(attempt != task % 4),
        "tags": {evil("area"): evil("post")},
        evil("more"): evil("value"),
        **more,
    }


COMMANDS = {
    "report": ["report", "ROWS"],
    "serve": ["serve", "FOLDER"],
    "compare": ["compare", "ROWS", "OTHER"],
    "check": ["check", "ROWS"],
    "scan": ["scan", "ROWS"],
    "duplicates": ["duplicates", "ROWS"],
    "decontaminate": ["decontaminate", "ROWS", "--against", "OTHER", "-o", "OUT"],
    "select": ["select", "ROWS", "-o", "OUT"],
    "select for SFT": ["select", "ROWS", "--mode", "sft", "-o", "OUT"],
    "next-round": ["next-round", "ROWS", "-o", "OUT"],
    "size": ["size", "--effect", "0.05", "--rows", "ROWS"],
    "preflight": ["preflight", "--tools", "TOOLS", "--policy", "POLICY"],
    "gap": ["gap", "ROWS", "--tools", "TOOLS", "--policy", "POLICY", "--rows", "OTHER"],
    "grade": ["grade", "ROWS", "--judge", "JUDGE", "-o", "OUT"],
    "trust": ["trust", "ROWS"],
    "export": ["export", "ROWS", "-o", "OUT", "--no-validate"],
    "export of pairs": ["export", "ROWS", "--pairs", "-o", "OUT", "--no-validate"],
    "push": ["push", "ROWS", "--to", "FOLDER", "--agent", "bot"],
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The files of a command, in a folder whose name is hostile too; one record of them is none."""
    folder = tmp_path_factory.mktemp("hostile") / evil("runs").replace("/", "")
    folder.mkdir()
    rows = [row(task, attempt) for task in range(8) for attempt in range(4)]
    other = [row(task, attempt, reward=attempt % 2) for task in range(4, 12) for attempt in range(4)]
    write_rows(rows, folder / "rows.jsonl")
    write_rows(other, folder / "other.jsonl")
    (folder / "tools.json").write_text(json.dumps(rows[0]["tools"]))
    (folder / "policy.txt").write_text(evil("Never refund."))
    (folder / "judge.py").write_text(f"def judge(row):\n    raise ValueError({EVIL!r})\n")
    names = {"ROWS": "rows.jsonl", "OTHER": "other.jsonl", "TOOLS": "tools.json", "POLICY": "policy.txt"}
    names |= {"OUT": "out.jsonl", "FOLDER": "pushed", "JUDGE": "judge.py:judge"}
    return {word: str(folder / name) for word, name in names.items()}


def test_every_command_is_among_those_tested() -> None:
    commands = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    assert commands == {line[0] for line in COMMANDS.values()}


SHOWN = [*((name, False) for name in COMMANDS), ("report", True), ("select", True), ("push", True)]


@each_of(("name", "as_json"), SHOWN)
def test_nothing_a_rollout_says_is_obeyed_by_the_terminal(files: dict[str, str], name: str, as_json: bool) -> None:
    done = wai(
        *(files.get(word, word) for word in COMMANDS[name]), *(["--json"] if as_json and name != "serve" else [])
    )
    found = OBEYED.search(done.stdout + done.stderr)
    assert found is None, repr((done.stdout + done.stderr)[max(0, found.start() - 60) : found.end() + 20])
    assert done.returncode in (0, 1) or name == "serve", done.stderr


@pytest.mark.parametrize("name", ["report", "check", "select", "push", "grade"])
def test_no_line_of_a_message_is_one_that_a_file_name_made(files: dict[str, str], name: str, tmp_path: Path) -> None:
    broken = tmp_path / "a\nwai: all is well\x1b[1m.jsonl"
    broken.write_text('{"task_id": 1}\n{"cut\n')
    words = {**files, "ROWS": str(broken)}
    done = wai(*(words.get(word, word) for word in COMMANDS[name]))
    assert not re.search(r"^wai: all is well", done.stdout + done.stderr, re.MULTILINE)
    assert not OBEYED.search(done.stdout + done.stderr)
