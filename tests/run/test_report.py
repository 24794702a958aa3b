"""What a run covered, counted from its rows and its plan."""

from __future__ import annotations

from collections import Counter
from typing import Any

import whileai.simulations as wai
from whileai.simulations.run.report import coverage_of, run_report

KEYS = {
    "rows", "unique_prompts", "unique_scenario_ids", "unique_signatures", "unique_cells", "unique_shapes", "budget",
    "budget_per_run", "stopped_because", "saturation", "pairwise", "requested", "delivered", "rollouts_requested",
    "rollouts_completed", "rollouts_lost", "rollouts_lost_by", "tools", "dead_tools",
}  # fmt: skip


def row(task: str, stance: str, *steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    dimensions = {"tool": "get", "stance": stance, "history": "fresh"}
    return {
        "scenario_id": task, "prompt": f"ask {task}", "steps": list(steps), "final_text": "Done.",
        "scenario_dimensions": dimensions, **fields,
    }  # fmt: skip


def call(status: str) -> dict[str, Any]:
    return {"tool": "get", "arguments": {}, "result": {"status": status}}


def test_the_counts_are_those_of_the_rows() -> None:
    rows = [
        row("a", "hurried", call("paid")),
        row("a", "hurried", call("timeout"), faults={"get": {"mode": "timeout", "rate": 1.0}}),
        row("b", "boundary", call("error"), {"user": "And now?"}),
    ]
    planned = [
        (("stance", "hurried"), ("tool", "get")), (("tool", "get"), ("stance", "boundary")),
        (("stance", "retry"), ("tool", "get")),
    ]  # fmt: skip
    found = coverage_of(
        rows,
        {
            "planned_pairs": planned, "budget": 4, "rollouts_requested": 4, "lost_by": Counter(agent_error=1),
            "stopped_because": "budget", "saturation": None, "knobs": {"repeats": 2}, "requested": {"fault_rate": 0.5},
        },
    )  # fmt: skip
    assert set(found) >= KEYS
    assert found["repeats"] == 2
    assert found["pairwise"] == {"pairs_planned": 3, "pairs_covered": 2, "fraction": 0.6667}
    assert found["tools"] == {"get": {"n": 3, "ok": 1, "fault_n": 2, "injected": 1}}
    assert (found["unique_prompts"], found["unique_scenario_ids"], found["unique_cells"]) == (2, 2, 2)
    assert (found["rollouts_requested"], found["rollouts_completed"], found["rollouts_lost"]) == (4, 2, 1)
    assert found["rollouts_lost_by"] == {"agent_error": 1, "empty_reply": 0, "tool_markup": 0}
    assert found["delivered"]["fault_share"] == 0.333
    assert found["delivered"]["tier_mix"] == {"ordinary": 0.667, "boundary": 0.333}
    assert found["delivered"]["stance_mix"] == {"hurried": 0.667, "boundary": 0.333}
    assert (found["delivered"]["mean_user_turns"], found["delivered"]["mean_tool_calls"]) == (1.333, 1.0)
    assert found["dead_tools"] == []
    assert "2 of 3 planned pairs" in str(run_report(found))
    assert "agent_error 1" in str(run_report(found))


def test_a_tool_is_dead_by_the_failures_nobody_planned() -> None:
    planned = {"faults": {"*": {"mode": "error", "rate": 1.0}}}
    assert coverage_of([row("a", "hurried", call("error"))] * 9, {})["dead_tools"] == ["get"]
    assert coverage_of([row("a", "hurried", call("error"), **planned)] * 9, {})["dead_tools"] == []


def test_a_run_without_rows_has_no_shares() -> None:
    found = coverage_of([], {})
    assert (found["rows"], found["pairwise"]["fraction"], found["delivered"]["fault_share"]) == (0, None, None)
    assert str(run_report(found)) == "0 rows, 0 prompts, 0 situations, 0 behaviors"
    assert str(run_report({})) == "no coverage was counted"


def test_the_report_is_a_copy() -> None:
    data = wai.SimulationData([], profile=wai.AgentProfile(), coverage=coverage_of([], {"lost_by": {"x": 1}}))
    data.report()["rollouts_lost_by"]["x"] = 5
    assert data.report()["rollouts_lost_by"]["x"] == 1
    assert data.report() == data.coverage
