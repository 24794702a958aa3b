"""Whether a tool call failed: the lists of spec/trace.md ("Did a call fail") and spec/grading.md ("Failed result")."""

from __future__ import annotations

import json

import pytest

from whileai.simulations.rows.failure import call_failed

FAILED_STATUS = [
    "error", "failed", "failure", "timeout", "permission_denied", "denied", "not_found", "rejected", "unknown_tool",
    "blocked", "unauthorized", "invalid", "no_permission", "404", "503", "exit_1", "exit_137",
]  # fmt: skip


@pytest.mark.parametrize("status", [*FAILED_STATUS, "ERROR", "Not_Found", "Permission required", 404, 500])
def test_a_status_that_names_a_failure_fails(status):
    assert call_failed({"status": status})
    assert call_failed(json.dumps({"status": status}))
    assert call_failed(None, step={"tool": "get", "status": status})


@pytest.mark.parametrize(
    "status", ["pending", "paid", "open", "completed", "ok", "exit_0", "200", 200, 302, None, "", True]
)
def test_any_other_status_is_the_tools_own_word(status):
    assert not call_failed({"status": status})


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


def test_exit_code_1_of_anything_else_failed():
    assert call_failed({"exit_code": 1}, tool="bash", arguments={"command": "make test"})


@pytest.mark.parametrize(
    "summary",
    [
        "1 failed, 11 passed in 2.1s", "11 passed, 2 failed", "===== 3 failed in 0.2s =====",
        "Tests:  1 failed, 11 passed, 12 total", "test result: FAILED. 3 passed; 1 failed; 0 ignored",
    ],
)  # fmt: skip
def test_a_test_summary_that_counts_failures_is_a_failed_run(summary):
    assert call_failed(f"collected 12 items\n{summary}")


@pytest.mark.parametrize(
    "summary", ["12 passed in 2s", "12 passed, 0 failed", "0 failed, 12 passed", "1 failed login seen"]
)
def test_a_test_summary_without_failures_is_a_good_run(summary):
    assert not call_failed(summary)


@pytest.mark.parametrize("text", ["{" * 5000, '{"a": ' * 3000, '{"n": ' + "9" * 5000 + "}", "{not json}", "\ud800"])
def test_hostile_text_is_judged_as_text(text):
    assert not call_failed(text)


def test_a_command_of_odd_parts_is_read():
    assert call_failed({"exit_code": 1}, tool="bash", arguments={"command": [10**5000, None]})
