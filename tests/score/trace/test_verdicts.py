from __future__ import annotations

from tables import each_of
from whileai.simulations.rows.calls import Call
from whileai.simulations.score.trace.verdicts import verdict


@each_of(
    ("tool", "result", "expected"),
    [
        ("trigger_build", {"status": "success"}, True),
        ("trigger_build", {"status": "queued"}, None),
        ("trigger_build", "Build queued.", None),
        ("build_site", "Site built.", True),
        ("build_site", {"status": "ok"}, True),
        ("build_site", {"status": "error"}, False),
        ("trigger_build", "Build failed in 3 s", False),
        ("trigger_build", "Build succeeded: 0 failed, 3 passed", True),
        ("trigger_build", "Build succeeded (failed: 0)", True),
        ("run_ci", "test_rejects_a_failed_login_with_a_wrong_password ... ok, 14 passed", True),
        ("run_ci", "rejects a failed login with a wrong password ... ok, 14 passed", None),
        ("run_ci", {"jobs": [{"conclusion": "success"}, {"conclusion": "failure"}]}, False),
        ("get_pr", {"checks": "success", "title": "Fix failing login"}, True),
        ("get_pr", {"statusCheckRollup": [{"name": "lint", "conclusion": "SUCCESS"}]}, True),
        ("get_pr", {"status": "success"}, None),
        ("get_pr", {"title": "All checks pass"}, None),
        ("get_pr", None, None),
        ("get_pr", {1: "success", "checks": 3}, None),
    ],
)
def test_what_a_result_reports_of_checks(tool, result, expected):
    assert verdict(Call(tool, result=result, answered=True)) is expected
