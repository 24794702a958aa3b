"""Summaries of test runners."""

from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.rows.failure import call_failed
from whileai.simulations.rows.summary import green_summary, red_summary

RED = [
    "--- FAIL: TestA (0.00s)\nFAIL\nexit status 1\nFAIL\tpkg 0.2s",
    "Tests:       1 failed, 3 passed, 4 total",
    "Tests:       2 failed, 2 total",
    "[ERROR] Tests run: 5, Failures: 2, Errors: 0, Skipped: 0",
    "Tests run: 5, Failures: 0, Errors: 1",
    "test result: FAILED. 3 passed; 1 failed",
    "2 examples, 1 failure",
    "FAILED (failures=1)",
    "Tests  2 failed (2)",
    "5 tests completed, 1 failed",
    "  3 passing\n  1 failing",
    "not ok 2 - adds",
    "Failed!  - Failed:     1, Passed:     3",
    "Executed 5 tests, with 1 failure (0 unexpected)",
    "Tests: 5, Assertions: 9, Failures: 1.",
    "3 failed in 0.2s",
    "F\n1 failed in 0.02s",
    "1 error in 0.1s",
    "80% tests passed, 1 tests failed out of 5",
    "[INFO] BUILD FAILURE",
    "BUILD FAILED in 2s",
    "py311: FAIL code 1",
    " 2 pass\n 1 fail",
    "# pass 3\n# fail 1",
]
NOT_RED = [
    "Tests run: 5, Failures: 0, Errors: 0",
    "ok  \tpkg\t0.2s",
    "Tests:       3 passed, 3 total",
    "test result: ok. 3 passed; 0 failed",
    "2 examples, 0 failures",
    "FAIL-safe mode is on",
    "Failed to",
    "Tests: 5, Assertions: 9, Failures: 0.",
    "5 tests completed, 0 failed",
    "Failed! - Failed: 0",
    "# pass 3\n# fail 0",
    "BUILD SUCCESSFUL",
    "100% tests passed, 0 tests failed out of 5",
    "3 passed in 0.2s",
]


@each_of("text", RED)
def test_a_summary_that_counts_failures_is_red(text):
    assert red_summary(text)
    assert not green_summary(text)


@each_of("text", NOT_RED)
def test_a_summary_without_failures_is_not_red(text):
    assert not red_summary(text)


@pytest.mark.parametrize(
    "text",
    ["Error: retry 1 logged\n3 passed", "Error: boom (expected)\n\nTests: 3 passed, 3 total", "Failed: 0, Passed: 5"],
)
def test_a_run_that_logs_an_error_and_passes_did_not_fail(text):
    assert not call_failed(text, tool="bash", arguments={"command": "npm test"})
