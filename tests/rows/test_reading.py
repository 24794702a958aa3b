"""A read whose text opens with an error word gives back what it was asked for, unless it speaks of itself."""

from __future__ import annotations

from tables import each_of
from whileai.simulations.rows.failure import call_failed

CONTENT = [
    (
        "Traceback (most recent call last):\n  File \"a.py\", line 3\nKeyError: 'x'",
        "read_file",
        {"path": "traceback.txt"},
    ),
    ("timeout: 30\nretries: 3", "get_config", {}),
    ("timeout: 30", "get_config", {}),
    ("Failed password for root from 1.2.3.4", "search_logs", {"query": "sshd"}),
    ("Denied claims\n- C-1 water\n- C-2 fire", "list_claims", {}),
    ("Error: ENOENT foo", "bash", {"command": "cat err.log"}),
    ("Error: ENOENT foo", "shell", {"command": "tail -n 5 err.log | grep Error"}),
    ("denied: 3, approved: 9", "claim_stats", {}),
    ("denied: 3, approved: 9", "count_claims", {}),
    ("Error budget\n- 30 min left", "get_report", {}),
    ("Failed jobs:\n1. nightly", "list_jobs", {}),
    ("Timeout settings\nconnect 5s\n", "get_doc", {"id": "x"}),
    ("ERROR 2024-01-01 db down\nINFO up", "get_logs", {}),
    ("error,count\n404,3", "read_file", {"path": "errors.csv"}),
    ("Error handling\n=====\nUse try", "read_file", {"path": "docs/errors.md"}),
    ("failed: 0, passed: 3", "run_checks", {}),
    ("1 failed, 11 passed", "read_file", {"path": "ci.log"}),
    ("--- FAIL: TestA", "bash", {"command": "cat old.log"}),
    ("Error: disk full", "bash", {"command": "docker logs web | tail -5"}),
    ("Exception in thread main\n at x", "bash", {"command": "journalctl -u app"}),
    ("failed: 3, waiting: 2", "list_jobs", {}),
]
FAILURES = [
    ("Error: no such file or directory", "read_file", {"path": "a.txt"}),
    ("Error: ENOENT: no such file or directory, open 'err.log'", "read_file", {"path": "err.log"}),
    ("Error: order not found", "get_order", {"id": 5}),
    ("Timeout", "get_order", {}),
    ("Timeout after 30s", "search_logs", {}),
    ("Timeout waiting for selector\n at x", "get_page", {}),
    ("Denied", "get_claims", {}),
    ("Failed to fetch claims", "list_claims", {}),
    ("Failed: connection refused", "list_claims", {}),
    ("Traceback (most recent call last):\n File tools.py\nConnectionError: x", "get_order", {}),
    ("Error: permission denied", "bash", {"command": "cat /etc/shadow"}),
    ("Error: 404 Not Found", "fetch_page", {}),
    ("Error: 500", "get_order", {}),
    ("Error fetching order details\nretry later", "get_order", {}),
    ("Error: command timed out", "bash", {"command": "cat big.log"}),
    ("Error: boom", "bash", {"command": "python x.py"}),
    ("--- FAIL: TestA (0.00s)\nFAIL\nexit status 1\nFAIL\tpkg 0.2s", "bash", {"command": "go test ./..."}),
    ("Tests:       1 failed, 3 passed, 4 total", "bash", {"command": "npx jest"}),
    ("Tests:       2 failed, 2 total", "bash", {"command": "npx jest"}),
    ("[ERROR] Tests run: 5, Failures: 2, Errors: 0, Skipped: 0", "bash", {"command": "mvn test"}),
    ("Tests run: 5, Failures: 0, Errors: 1", "bash", {"command": "mvn test"}),
    ("test result: FAILED. 3 passed; 1 failed", "bash", {"command": "cargo test"}),
    ("2 examples, 1 failure", "bash", {"command": "rspec"}),
    ("FAILED (failures=1)", "bash", {"command": "python -m unittest"}),
    ("Tests  2 failed (2)", "run_tests", {}),
    ("5 tests completed, 1 failed", "bash", {"command": "gradle test"}),
    ("  3 passing\n  1 failing", "bash", {"command": "mocha"}),
    ("not ok 2 - adds", "bash", {"command": "bats t"}),
    ("Failed!  - Failed:     1, Passed:     3", "bash", {"command": "dotnet test"}),
    ("Executed 5 tests, with 1 failure (0 unexpected)", "bash", {"command": "swift test"}),
    ("Tests: 5, Assertions: 9, Failures: 1.", "bash", {"command": "phpunit"}),
    ("Error: failed to read file\nTry again", "read_file", {"path": "a.log"}),
]


@each_of(("text", "tool", "arguments"), CONTENT, ids=str)
def test_what_was_asked_for_is_no_failure(text, tool, arguments):
    assert not call_failed(text, tool=tool, arguments=arguments)


@each_of(("text", "tool", "arguments"), FAILURES, ids=str)
def test_an_error_of_the_tool_itself_and_a_red_run_fail(text, tool, arguments):
    assert call_failed(text, tool=tool, arguments=arguments)
