from __future__ import annotations

from tables import each_of
from whileai.simulations.score.optimize.faults import fault_kind, most_met


def answered(*results: object, **fields: object) -> dict:
    return {"steps": [{"tool": "get", "arguments": {}, "result": result} for result in results], **fields}


@each_of(
    ("result", "kind"),
    [
        ({"status": "ok"}, "no fault"),
        ({"status": "created", "id": 5}, "no fault"),
        ({"status": "paid"}, "no fault"),
        ("rain", "no fault"),
        ([], "no fault"),
        ({"status": "not_found"}, "not_found"),
        ({"status": "Not Found"}, "not_found"),
        ({"status": "timeout"}, "timeout"),
        ({"status": "error"}, "error"),
        ({"status": "failed"}, "error"),
        ({"status": "stale"}, "stale"),
        ({"status": "malformed"}, "malformed"),
        ({"status": "already_done"}, "already_done"),
        ({"ok": False, "reason": "already_acted_on"}, "already_done"),
        ({"status": "denied"}, "deny"),
        ({"status": "permission_denied"}, "deny"),
        ({"status": "unauthorized"}, "deny"),
        ({"status": "blocked"}, "deny"),
        ({"status": 404}, "404"),
        ({"status": "HTTP 503"}, "503"),
        ({"error": "no such order"}, "error"),
        ({"error": {"code": "not_found"}}, "not_found"),
        ({"success": False}, "error"),
        ("Error: timeout", "timeout"),
        ("Error: no such order 5", "error"),
        ({"total": 404}, "no fault"),
        ({"status": "404 Not Found"}, "404"),
        ({"status": "http_502"}, "502"),
        ({"status": "4041"}, "no fault"),
    ],
)
def test_kind_of_a_result(result: object, kind: str) -> None:
    assert fault_kind(answered(result)) == kind


def test_the_first_result_that_shows_a_fault_decides() -> None:
    assert fault_kind(answered("rain", {"status": "timeout"}, {"status": "not_found"})) == "timeout"


def test_the_plan_counts_only_without_results() -> None:
    plan = {"get": {"mode": "timeout"}}
    assert fault_kind({"faults": plan}) == "timeout"
    assert fault_kind({"faults": [{"mode": "deny"}]}) == "deny"
    assert fault_kind(answered("rain", faults=plan)) == "no fault"
    assert fault_kind({"faults": "x"}) == "no fault"
    assert fault_kind({"faults": {"get": {"mode": "none"}, "put": {"mode": "stale_result"}}}) == "stale"


def test_chat_rows_are_read_alike() -> None:
    call = {"id": "1", "function": {"name": "get", "arguments": "{}"}}
    chat = [
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": '{"status": "not_found"}'},
    ]
    assert fault_kind({"messages": chat}) == "not_found"


def test_of_kinds_met_equally_often_the_first_by_name_counts() -> None:
    rows = [answered({"status": "timeout"}), answered({"status": "not_found"})]
    assert most_met(rows) == most_met(rows[::-1]) == "not_found"
