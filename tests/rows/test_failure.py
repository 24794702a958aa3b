"""Whether a tool call failed: the lists of spec/trace.md ("Did a call fail") and spec/grading.md ("Failed result")."""

from __future__ import annotations

import json

import numpy as np
import pytest

from growth import outgrows
from tables import each_of
from whileai.simulations.rows.failure import call_failed

FAILED_STATUS = [
    "error", "failed", "failure", "timeout", "permission_denied", "denied", "not_found", "rejected", "unknown_tool",
    "blocked", "unauthorized", "invalid", "no_permission", "404", "503", "exit_1", "exit_137",
]  # fmt: skip


@each_of("status", [*FAILED_STATUS, "ERROR", "Not_Found", "Permission required", 404, 500])
def test_a_status_that_names_a_failure_fails(status):
    assert call_failed({"status": status})
    assert call_failed(json.dumps({"status": status}))
    assert call_failed(None, step={"tool": "get", "status": status})


@each_of("status", ["pending", "paid", "open", "completed", "ok", "exit_0", "200", 200, 302, None, "", True])
def test_any_other_status_is_the_tools_own_word(status):
    assert not call_failed({"status": status})


@each_of(
    "result",
    [
        {"error": "no such order"}, {"error": {"code": 5}}, {"status": "paid", "error": "late"}, {"success": False},
        {"ok": False}, {"failed": True}, {"isError": True}, {"is_error": True}, {"stale": True}, {"stale": 1},
        {"exit_code": 2}, {"exit_code": -9}, {"returncode": 1}, {"code": 404}, {"code": 1},
        {"exit_code": None, "returncode": 3}, {"data": "<<garbled 0x1f>>"}, "<<garbled>>", "a garbled response",
    ],
    ids=str,
)  # fmt: skip
def test_a_result_that_says_so_failed(result):
    assert call_failed(result)


@each_of(
    "result",
    [
        {"error": None}, {"error": ""}, {"error": False}, {"error": {}}, {"success": True}, {"success": None},
        {"stale": False}, {"exit_code": 0}, {"exit_code": True}, {"exit_code": 0, "returncode": 1}, {"code": 200},
        {"code": 302}, {"code": "A7"}, {}, [], None, 0, "", "in Lyon", "no errors found", ["error"],
    ],
    ids=str,
)  # fmt: skip
def test_a_result_that_says_nothing_of_the_kind_did_not_fail(result):
    assert not call_failed(result)


@pytest.mark.parametrize("word", ["already_done", "already_acted_on", "ALREADY_DONE"])
def test_being_in_the_requested_state_already_is_no_failure(word):
    assert not call_failed({"status": word, "error": "nothing to do"})


def test_a_reason_of_already_acted_on_is_no_failure():
    assert not call_failed({"status": "rejected", "reason": "already_acted_on"})


@pytest.mark.parametrize(
    "opening", ["Error", "error:", "Traceback (most recent", "FAILED", "Denied.", "Timeout", "[Exception]"]
)
def test_a_text_that_opens_with_an_error_word_failed(opening):
    assert call_failed(f"{opening} at line 3")


@pytest.mark.parametrize("text", ["The error is gone", "errors: none", "failedover is a word", "Deniability is fine"])
def test_an_error_word_inside_or_as_part_of_another_is_no_failure(text):
    assert not call_failed(text)


@pytest.mark.parametrize("step", [{"failed": True}, {"error": "x"}, {"status": "timeout"}])
def test_the_step_itself_may_say_that_it_failed(step):
    assert call_failed({"ok": True}, step={"tool": "get", **step})


@pytest.mark.parametrize("step", [{"failed": False}, {"error": None}, {"status": "ok"}, {}])
def test_a_step_that_does_not_say_so_leaves_it_to_the_result(step):
    assert not call_failed({"ok": True}, step={"tool": "get", **step})


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("grep", {}), ("rg", None), ("Diff", {}), ("bash", {"command": "grep -rn refund src"}),
        ("shell", {"cmd": ["rg", "refund"]}), ("run", {"script": "cat log | grep refund"}),
        ("bash", {"command": "git diff a b"}),
    ],
)  # fmt: skip
def test_a_search_that_finds_nothing_is_an_answer(tool, arguments):
    assert not call_failed({"exit_code": 1}, tool=tool, arguments=arguments)
    assert call_failed({"exit_code": 2}, tool=tool, arguments=arguments)


def bash_failed(command: object) -> bool:
    return call_failed({"exit_code": 1}, tool="bash", arguments={"command": command})


@each_of(
    "command",
    [
        "cat a | sort | grep b", "cd src && grep -rn b .", "make; rg b log", "grep b a;", "grep b a\n",
        "(cd src && grep b a)", "grep 'a|b' log", 'grep "a;b" log', "grep a\\|b log", "rg b 2>&1",
        "grep b &>/dev/null", "cat a |& grep b", "grep b a | wc -l", ["bash", "-lc", "grep b a | head -1"],
        "diff <(sort a | uniq) <(sort b | uniq)", "grep b $(git ls-files | head)", "grep -q b a && echo found",
        "sudo grep b a", "LC_ALL=C grep b a", "/usr/bin/grep b a", "zgrep b a.gz", "git --no-pager diff a b",
        "git -C src grep b", "make\ngrep b log", "grep b a  # not; this", ["grep", "a|b", "log"],
        ["bash", "-lc", "cat a | grep b"], ["bash", "-c", "rg b"],
    ],
    ids=str,
)  # fmt: skip
def test_exit_code_1_of_a_last_command_that_searches_is_an_answer(command):
    assert not bash_failed(command)


@each_of(
    "command",
    [
        "make test", "make | wc -l", "grep b a && make", "grep b a; make", "grep b a\nmake", "make # grep b",
        "echo grep", "echo 'x | grep b' && make", "make $(grep b a)", "grepper b", "diff-so-fancy a", "git push",
        "rg.sh", "", "grep b a || exit 1", ["make", "| grep b"], ["bash", "-lc", "make | head -1"], None, 5,
    ],
    ids=str,
)  # fmt: skip
def test_exit_code_1_of_any_other_last_command_failed(command):
    assert bash_failed(command)


@each_of(
    "summary",
    [
        "1 failed, 11 passed in 2.1s", "11 passed, 2 failed", "===== 3 failed in 0.2s =====",
        "Tests:  1 failed, 11 passed, 12 total", "test result: FAILED. 3 passed; 1 failed; 0 ignored",
        "0 failed, 3 passed, 2 errors", "=== x === 10 passed, 1 failure", "1 failed login seen\n=== 1 failed in 2s ===",
    ],
)  # fmt: skip
def test_a_test_summary_that_counts_failures_is_a_failed_run(summary):
    assert call_failed(f"collected 12 items\n{summary}")


@each_of(
    "summary",
    [
        "12 passed in 2s", "12 passed, 0 failed", "0 failed, 12 passed", "1 failed login seen", "1 failed\n11 passed",
        "=== 12 passed ===\n1 failed login", "1 failed ===== x", "== 1 failed", "===1 failed", "01 failed, 2 passed",
    ],
)  # fmt: skip
def test_a_test_summary_without_failures_is_a_good_run(summary):
    assert not call_failed(summary)


@pytest.mark.parametrize("text", ["{" * 5000, '{"a": ' * 3000, '{"n": ' + "9" * 5000 + "}", "{not json}", "\ud800"])
def test_hostile_text_is_judged_as_text(text):
    assert not call_failed(text)


COMMANDS = [
    "a | b",
    " ",
    '"',
    "' ",
    "\\",
    "\"'\\",
    "$(",
    "$(|",
    "(",
    ")",
    " #",
    "echo;",
    "sudo ",
    "a/",
    "a=b ",
    "git -C a ",
]
TEXTS = [
    "1 failed ", "1 passed ", "=== ", "=", "1 failed\n", "1", "1 ", "=== 1 error ", "{", '{"a":', "garbled res",
    "<<garble", " ", "[", "error", "\n",
]  # fmt: skip


def _id(value):
    """The same in every worker: a function's repr holds its address."""
    return value if isinstance(value, str) else value.__name__


@each_of(
    ("judge", "part"), [(bash_failed, part) for part in COMMANDS] + [(call_failed, part) for part in TEXTS], ids=_id
)
def test_cost_grows_with_the_length_of_the_text(judge, part):
    assert not outgrows(judge, part * 5_000, part * 20_000)


@each_of("odd", [np.array([1, 2]), np.array(["error", "x"])], ids=str)
@each_of("key", ["error", "status", "reason", "stale", "success", "exit_code", "failed"])
def test_a_result_with_values_whose_truth_is_an_error_is_judged(key, odd):
    says = key in ("error", "stale")
    assert call_failed({key: odd}) is says
    assert call_failed(None, step={"tool": "get", key: odd}) is (key == "error")


@each_of("missing", [None, "", {}, [], False, 0, float("nan"), np.bool_(False)], ids=str)
def test_an_error_that_says_nothing_is_no_failure(missing):
    assert not call_failed({"error": missing, "stale": missing})


def test_a_command_of_odd_parts_is_read():
    assert call_failed({"exit_code": 1}, tool="bash", arguments={"command": [10**5000, None]})


RUN = {"exit_code": 0, "stdout": "=== 1 failed, 40 passed in 2.1s ==="}


@pytest.mark.parametrize(
    ("result", "command", "failed"),
    [
        (RUN, "pytest -q || true", True),
        ({**RUN, "stdout": "=== 41 passed in 2.1s ==="}, "pytest -q", False),
        (RUN, "grep -h failed ci.log", False),
        ({"content": RUN["stdout"]}, "", False),
    ],
    ids=["masked", "passed", "searched", "file"],
)
def test_a_test_run_whose_exit_code_is_masked_failed_when_its_summary_counts_failures(result, command, failed):
    assert call_failed(result, tool="bash", arguments={"command": command}) is failed
