"""Runs without a model: what rows hold, how a run ends, what is lost."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import Counter
from typing import Any

import pytest

import whileai.simulations as wai
from run.run_agents import POLICY, TOOLS, looked_up, silent
from tables import each_of
from whileai.simulations.run.data import SimulationData
from whileai.simulations.run.simulate import simulate

FIELDS = {
    "prompt", "messages", "steps", "final_text", "scenario_id", "rollout_index", "scenario_dimensions", "stance",
    "tier", "world_state", "faults", "fault_detected", "lineage", "model_version", "policy_version", "writer_model",
    "user_model", "sampling", "seed", "behavior_signature", "tools_used", "schema_version", "privileged",
}  # fmt: skip


def run(agent: Any = silent, **keywords: Any) -> SimulationData:
    settings = {"tools": TOOLS, "system_prompt": POLICY, "simulator": False, "budget": 8}
    return simulate(agent, **{**settings, **keywords})


def test_a_row_holds_every_field_of_the_page() -> None:
    for row in run(looked_up, budget=40, mode="rl", repeats=4):
        assert set(row) >= FIELDS
        assert wai.validate(row) == []
        assert (row["writer_model"], row["user_model"], row["sampling"]) == ("template", None, None)
        assert (row["model_version"], row["latency_ms"], row["tools_used"]) == ("looked_up", 12, ["get_order"])
        lineage = row["lineage"]
        assert row["policy_version"] == f"looked_up@{lineage['system_prompt_sha']}"
        assert len(lineage["system_prompt_sha"]) == 16
        assert (lineage["system_prompt_head"], lineage["system_prompt_chars"]) == (POLICY, len(POLICY))
        assert set(row["scenario_dimensions"]) == {
            "tool", "rule", "stance", "world_state", "tool_condition", "history",
        }  # fmt: skip
        assert row["messages"][0] == {"role": "user", "content": row["prompt"]}
        assert row["messages"][-1]["content"] == row["final_text"]
        json.dumps(row)


def test_the_data_knows_the_agent_and_its_prompt() -> None:
    data = run()
    assert (data.profile.policy, data.profile.name) == (POLICY, "silent")
    assert data.system_prompts == {data.trajectories[0]["lineage"]["system_prompt_sha"]: POLICY}
    assert [tool["function"]["name"] for tool in data.declared_tools] == ["get_order", "cancel_order", "send_email"]
    assert (data.mode, data.budget, data.stopped_because, data.writer_model) == ("explore", 8, "budget", "template")


def test_privileged_is_on_trajectories_and_on_no_exported_row() -> None:
    data = run(budget=40, mode="rl", repeats=1)
    assert any("reference" in row["privileged"] for row in data)
    assert all("privileged" not in row for row in data.rows)


def test_rl_repeats_each_ask_in_its_world() -> None:
    data = run(looked_up, budget=40, mode="rl", repeats=4)
    groups = Counter(row["scenario_id"] for row in data)
    assert set(groups.values()) == {4}
    first = [row for row in data if row["scenario_id"] == data.trajectories[0]["scenario_id"]]
    assert [row["rollout_index"] for row in first] == [0, 1, 2, 3]
    assert len({(row["prompt"], json.dumps(row["faults"])) for row in first}) == 1


def test_rollouts_are_named_by_scenario_and_index_also_over_phrasings_and_runs() -> None:
    data = run(budget=None, situations=5, phrasings=3, repeats=2, runs=2)
    names = {(row["scenario_id"], row["rollout_index"]) for row in data}
    assert len(names) == len(data) == 5 * 3 * 2 * 2
    assert len({row["prompt"] for row in data}) == 15


@each_of(
    ("keywords", "n", "stopped"),
    [
        ({"budget": 0}, 0, "budget"),
        ({"budget": 7}, 7, "budget"),
        ({"budget": 7, "mode": "rl", "repeats": 4}, 7, "budget"),
        ({"budget": None, "situations": 3, "repeats": 2}, 6, "situations"),
        ({"budget": 100, "situations": 3}, 3, "situations"),
        ({"budget": 2, "situations": 3}, 2, "budget"),
        ({"budget": 3, "runs": 2}, 6, "budget"),
        ({"time_budget": 0}, 0, "time_budget"),
    ],
)
def test_a_run_ends_at_its_budget(keywords: dict[str, Any], n: int, stopped: str) -> None:
    data = run(**keywords)
    assert (len(data), data.stopped_because) == (n, stopped)


def test_an_empty_run_needs_no_agent_and_no_writer() -> None:
    data = simulate(None, tools=TOOLS, budget=0)
    assert (len(data), data.report()["rows"], list(data.rows)) == (0, 0, [])


def test_a_clock_ends_a_run() -> None:
    def slow(ask: str) -> str:
        time.sleep(0.02)
        return "Done."

    data = run(slow, budget=None, situations=500, time_budget=0.2, concurrency=2)
    assert 0 < len(data) < 100
    assert data.stopped_because == "time_budget"
    assert data.report()["reproducible"] is False
    assert "ended the run after" in data.warnings[-1]


def test_until_ends_a_run() -> None:
    data = run(budget=500, until=lambda rows: len(rows) >= 40)
    assert (len(data), data.stopped_because) == (64, "until")


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    run(budget=20, on_progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (20, 20)
    assert [done for done, _ in told] == sorted({done for done, _ in told})


def test_an_agent_that_raises_costs_its_rollout() -> None:
    def moody(ask: str) -> str:
        if len(ask) % 2:
            raise RuntimeError("no\nconnection")
        return "Done."

    data = run(moody, budget=40)
    odd = [row for row in data if len(row["prompt"]) % 2]
    assert 0 < len(odd) < 40
    assert {row["final_text"] for row in odd} == {"<agent error: RuntimeError: no connection>"}
    assert {row["finish_reason"] for row in odd} == {"error"}
    report = data.report()
    assert report["rollouts_lost_by"] == {"agent_error": len(odd), "empty_reply": 0, "tool_markup": 0}
    assert (report["rollouts_lost"], report["rollouts_completed"]) == (len(odd), 40 - len(odd))
    assert all(wai.validate(row) == [] for row in data)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty_reply"),
        (None, "empty_reply"),
        ({"steps": [], "final_text": "  "}, "empty_reply"),
        ('<tool_call>{"name": "get_order"}</tool_call>', "tool_markup"),
        (5, "agent_error"),
        ({"steps": ["x"], "final_text": "Hi"}, "agent_error"),
        ({"steps": 5, "final_text": "Hi"}, "agent_error"),
    ],
    ids=["blank", "none", "spaces", "markup", "number", "step", "steps"],
)
def test_what_is_no_reply_is_counted_as_lost(reply: Any, reason: str) -> None:
    data = run(lambda ask: reply, budget=2)
    assert data.report()["rollouts_lost_by"][reason] == 2


def test_sys_exit_in_an_agent_costs_its_rollout() -> None:
    def leaves(ask: str) -> str:
        raise SystemExit(3)

    assert run(leaves, budget=2).trajectories[0]["final_text"] == "<agent error: SystemExit: 3>"


def test_an_agent_that_hangs_is_left_behind() -> None:
    free = threading.Event()

    def hangs(ask: str) -> str:
        if hangs_on == ask:
            free.wait(20)
        return "Done."

    hangs_on = run(budget=6).trajectories[2]["prompt"]
    began = time.monotonic()
    data = run(hangs, budget=6, timeout=0.2, concurrency=2)
    free.set()
    assert time.monotonic() - began < 5
    assert [row["final_text"] for row in data].count("<agent error: TimeoutError: no reply within 0.2 s>") == 1
    assert data.trajectories[2]["final_text"].startswith("<agent error")


def test_faults_are_counted_as_the_world_injected_them() -> None:
    data = run(looked_up, budget=120, mode="rl", repeats=1)
    hit = [row for row in data if "get_order" in row["faults"] or "*" in row["faults"]]
    tally = data.report()["tools"]["get_order"]
    assert tally["injected"] == len(hit) > 0
    assert all(row["fault_detected"] for row in hit)


def test_async_agents_run_at_once_each_in_its_world() -> None:
    async def waits(ask: str) -> dict[str, Any]:
        await asyncio.sleep(0.05)
        found = looked_up(ask)
        await asyncio.sleep(0.05)
        return found

    began = time.monotonic()
    data = run(waits, budget=40, concurrency=20)
    assert time.monotonic() - began < 2
    sync = run(looked_up, budget=40)
    assert [row["steps"] for row in data] == [row["steps"] for row in sync]


def test_a_chat_from_the_agent_gives_the_steps() -> None:
    def chats(ask: str) -> dict[str, Any]:
        call = {"id": "c", "type": "function", "function": {"name": "get_order", "arguments": '{"order_id": "A-1"}'}}
        return {
            "messages": [
                {"role": "user", "content": ask},
                {"role": "assistant", "content": "One moment.", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c", "content": '{"status": "paid"}'},
                {"role": "assistant", "content": "It is paid."},
            ]
        }

    (row,) = run(chats, budget=1).trajectories
    assert row["final_text"] == "It is paid."
    assert row["steps"] == [
        {"text": "One moment."},
        {"tool": "get_order", "arguments": {"order_id": "A-1"}, "result": {"status": "paid"}},
    ]


def test_what_the_agent_returns_cannot_rename_its_row() -> None:
    told = {"final_text": "Hi", "scenario_id": "mine", "seed": 99, "privileged": {"reference": "x"}, "note": "kept"}
    (row,) = run(lambda ask: told, budget=1).trajectories
    assert row["scenario_id"].startswith("sc-")
    assert (row["seed"], row["note"]) == (0, "kept")
    assert row["privileged"].get("reference") != "x"


def test_what_json_cannot_hold_becomes_text_so_that_rows_can_be_saved(tmp_path: Any) -> None:
    told = {"steps": [{"tool": "x", "arguments": {}, "result": {"price": complex(1, 2)}}], "final_text": "Hi"}
    run(lambda ask: told, budget=1, output=tmp_path / "rows.jsonl")
    (row,) = wai.load_rows(tmp_path / "rows.jsonl")
    assert row["steps"][0]["result"] == {"price": "(1+2j)"}


def test_tools_can_be_executed_for_real() -> None:
    made = []

    def execute(name: str, arguments: dict[str, Any]) -> Any:
        made.append((name, arguments))
        if len(made) % 2:
            raise KeyError("no such order")
        return {"status": "paid"}

    data = run(looked_up, budget=4, concurrency=1, execute=execute)
    assert made == [("get_order", {"order_id": "A-100"})] * 4
    results = [row["steps"][0]["result"] for row in data]
    assert results[0] == {"status": "error", "error": "KeyError: 'no such order'"}
    assert results[1] == {"status": "paid"}
    assert {row["scenario_dimensions"]["tool_condition"] for row in data} == {"success"}
    assert [row["fault_detected"] for row in data] == [True, False, True, False]


def test_a_spec_a_scaffold_and_a_rubric_are_stamped() -> None:
    spec = {"id": "support", "traits": [{"id": "brief", "principle": "Be brief."}]}
    data = run(spec=spec, scaffold="react", rubric="Pass when brief.", budget=1)
    row = data.trajectories[0]
    assert (row["spec_id"], row["spec_version"]) == ("support", wai.load_spec(spec).version)
    assert row["lineage"]["scaffold"] == "react"
    assert data.profile.rubric == "Pass when brief."
    assert "reward" not in row


def test_output_takes_the_exported_rows(tmp_path: Any) -> None:
    data = run(output=tmp_path / "rows.jsonl")
    written = list(wai.load_rows(tmp_path / "rows.jsonl"))
    assert [row["prompt"] for row in written] == [row["prompt"] for row in data]
    assert all("privileged" not in row for row in written)


def test_unique_situations_visits_no_cell_twice() -> None:
    data = run(budget=500, unique_situations=True)
    cells = [json.dumps(row["scenario_dimensions"]) for row in data]
    assert len(cells) == len(set(cells)) < 500
    assert data.stopped_because == "situations"


def test_hard_share_and_fault_rate_shape_the_mix() -> None:
    easy = run(budget=160, hard_share=0.0).report()["delivered"]["tier_mix"]
    hard = run(budget=160, hard_share=1.0).report()["delivered"]["tier_mix"]
    assert easy["ordinary"] > 0.6 > hard.get("ordinary", 0)
    assert run(budget=60, mode="rl", repeats=1, fault_rate=0.0).report()["delivered"]["fault_share"] == 0
    assert run(budget=60, mode="rl", repeats=1, fault_rate=1.0).report()["delivered"]["fault_share"] > 0.4
