"""Exit codes that answer a question."""

from __future__ import annotations

from tables import each_of
from whileai.simulations.rows.exits import is_answer

ANSWERS = [
    "cmp a b",
    "timeout 5 grep -r x .",
    "ack foo",
    "grep x a | head",
    "npm outdated",
    "black --check .",
    "git diff --exit-code",
    "which node",
    "command -v node",
    "test -f a",
    "pgrep nginx",
    "[ -d x ]",
    "nc -zv host 22",
]
FAILURES = [
    (1, "black ."),
    (1, "npm install"),
    (22, "python x"),
    (6, "curl -sf https://x"),
    (2, "cmp a b"),
    (1, "nc h 22 < file"),
    (124, "timeout 300 pytest"),
    (124, "npm start"),
    (1, "pytest | tee log"),
    (1, "python repro.py"),
    (1, "ruff check ."),
]


@each_of("command", ANSWERS)
def test_exit_code_1_answers(command):
    assert is_answer(1, "bash", {"command": command})


def test_a_server_still_up_when_its_time_is_over_has_started():
    assert is_answer(124, "bash", {"command": "timeout 5 npm start"})
    assert is_answer(124, "bash", {"command": "cd app && timeout -s INT 5 python -m http.server"})


@each_of(("code", "command"), FAILURES)
def test_any_other_exit_code_is_a_failure(code, command):
    assert not is_answer(code, "bash", {"command": command})
