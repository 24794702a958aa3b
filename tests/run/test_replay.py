"""Asks taken from elsewhere: pinned tasks, runs of them, seeds and traces."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import whileai.simulations as wai
from run.run_agents import POLICY, TOOLS, looked_up, silent
from whileai.simulations.run.simulate import simulate

PINNED = ("scenario_id", "prompt", "scenario_dimensions", "faults", "world_state", "stance", "privileged", "seed")


def run(agent: Any = looked_up, **keywords: Any) -> Any:
    return simulate(agent, **{"tools": TOOLS, "system_prompt": POLICY, "simulator": False, **keywords})


@pytest.fixture(scope="module")
def before() -> Any:
    return run(budget=48, mode="rl", repeats=4, seed=3)


def facts(row: dict[str, Any]) -> str:
    return json.dumps([row.get(name) for name in PINNED], sort_keys=True)


@pytest.mark.parametrize("form", ["run", "trajectories", "rows", "file", "jsonl of trajectories"])
def test_pinned_tasks_keep_everything_but_the_rollouts(before: Any, form: str, tmp_path: Any) -> None:
    sources = {"run": before, "trajectories": before.trajectories, "rows": before.rows}
    if form == "file":
        sources[form] = before.save(tmp_path / "rows.jsonl")
    if form == "jsonl of trajectories":
        wai.write_rows(before.trajectories, tmp_path / "rows.jsonl")
        sources[form] = tmp_path / "rows.jsonl"
    after = run(silent, tasks=sources[form], seed=9)
    fields = [name for name in PINNED if name != "privileged" or form in ("run", "trajectories")]
    assert [[row.get(name) for name in fields] for row in _sorted(after)] == [
        [row.get(name) for name in fields] for row in _sorted(before)
    ]
    assert {row["lineage"]["replayed_from_run"] for row in after} == {before.metadata["run_id"]}
    assert {row["writer_model"] for row in after} == {"template"}


def _sorted(rows: Any) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["scenario_id"], row["prompt"], row["rollout_index"]))


def test_the_world_of_a_pinned_task_answers_as_it_did(before: Any) -> None:
    after = run(tasks=before)
    assert [row["steps"] for row in _sorted(after)] == [row["steps"] for row in _sorted(before)]


def test_a_replay_of_a_replay_is_pinned_too(before: Any) -> None:
    after = run(tasks=run(tasks=before))
    assert sorted(map(facts, after)) == sorted(map(facts, before))


def test_runs_are_stamped_and_named_apart(before: Any) -> None:
    after = run(tasks=before, runs=3)
    assert Counter(row["lineage"]["eval_run"] for row in after) == {f"run_{n}": 48 for n in (1, 2, 3)}
    assert len({(row["scenario_id"], row["rollout_index"]) for row in after}) == 144
    assert (after.budget, after.report()["budget_per_run"], after.report()["budget"]) == (1000, 1000, 3000)
    graded = after.grade(lambda row: len(row["final_text"]) % 2)
    assert wai.eval_variance(graded.trajectories)["n_runs"] == 3


def test_repeats_override_what_there_was_and_a_mode_fills_in(before: Any) -> None:
    assert set(Counter(row["scenario_id"] for row in run(tasks=before, repeats=2)).values()) == {2}
    once = [before.trajectories[place] for place in range(0, 48, 4)]
    assert set(Counter(row["scenario_id"] for row in run(tasks=once, mode="rl")).values()) == {8}
    assert set(Counter(row["scenario_id"] for row in run(tasks=once)).values()) == {1}


def test_a_budget_under_the_tasks_cuts_them_evenly_and_says_so(before: Any) -> None:
    after = run(tasks=before, budget=24)
    assert set(Counter(row["scenario_id"] for row in after).values()) == {2}
    assert any("pass budget=48" in line for line in after.warnings)


def test_task_dicts_and_prompts_are_tasks_and_need_no_writer() -> None:
    data = simulate(silent, tools=TOOLS, tasks=[{"task_id": "t1", "prompt": "Where is A-1?"}, "And A-2?"])
    assert [row["prompt"] for row in data] == ["Where is A-1?", "And A-2?"]
    assert [row["writer_model"] for row in data] == ["pinned", "pinned"]
    assert data.trajectories[0]["task_id"] == "t1" == data.trajectories[0]["scenario_id"]
    assert all("scenario_dimensions" not in row for row in data)


def test_rows_of_a_replay_share_nothing_with_those_they_are_from(before: Any) -> None:
    kept = json.dumps(before.trajectories)
    for row in run(tasks=before):
        for name in ("privileged", "faults", "scenario_dimensions", "lineage"):
            row[name]["changed"] = True
        row["privileged"].setdefault("hidden_state", {})["changed"] = True
    assert json.dumps(before.trajectories) == kept


def test_faults_of_a_task_are_not_claimed_where_tools_are_executed(before: Any) -> None:
    after = run(tasks=before, execute=lambda name, arguments: {"status": "paid"})
    assert any(row["faults"] for row in before)
    assert not any(row["faults"] or row["fault_detected"] for row in after)
    assert not any("faults" in row["privileged"].get("hidden_state", {}) for row in after)
    assert {row["scenario_id"] for row in after} == {row["scenario_id"] for row in before}


def test_a_delta_report_finds_the_same_tasks(before: Any) -> None:
    after = run(tasks=before, repeats=4)
    for data in (before, after):
        data.grade(lambda row: int(row["fault_detected"]))
    report = wai.delta_report(before.rows, after.rows)
    assert report["n_paired_tasks"] == 12
    assert report["n_unpaired_tasks"] in (0, {"before": 0, "after": 0})
    assert "writer_model" not in report["not_comparable"]


def test_seeds_are_asked_as_they_stand() -> None:
    data = simulate(silent, tools=TOOLS, seeds=["Where is A-1?", {"prompt": "And A-2?"}, "Where is A-1?"], repeats=2)
    assert [row["prompt"] for row in data] == ["Where is A-1?"] * 2 + ["And A-2?"] * 2
    assert {row["writer_model"] for row in data} == {"seed"}
    assert data.stopped_because == "situations"


def test_flawed_traces_are_asked_again_ahead_of_the_grid(before: Any) -> None:
    traces = [{**row, "reward": int(place >= 8)} for place, row in enumerate(before.trajectories)]
    for row in traces:
        row["steps"], row["messages"], row["faults"] = [], [], {}
    data = run(traces=traces, budget=10)
    failed = list(dict.fromkeys(row["scenario_id"] for row in traces[:8]))
    assert [row["scenario_id"] for row in data][:2] == failed
    assert all("replayed_from_run" in row["lineage"] for row in data.trajectories[:2])
    assert all("replayed_from_run" not in row["lineage"] for row in data.trajectories[2:])
    assert not {row["scenario_id"] for row in data.trajectories[2:]} & {row["scenario_id"] for row in traces}


def test_no_rollout_of_traces_and_grid_shares_a_name(before: Any) -> None:
    traces = [{**row, "reward": 0} for row in before.trajectories]
    data = run(traces=traces, budget=300)
    assert len({(row["scenario_id"], row["rollout_index"]) for row in data}) == len(data) == 300


@pytest.mark.parametrize("tasks", [5, {"prompt": "one"}, [5]])
def test_what_holds_no_tasks_is_a_type_error(tasks: Any) -> None:
    with pytest.raises(TypeError, match="tasks= takes rows"):
        run(tasks=tasks)
