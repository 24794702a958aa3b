"""What a run says is hollow about it, and what it refuses instead of ignoring it."""

from __future__ import annotations

import errno
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import whileai.simulations as wai
from run.run_agents import POLICY, TOOLS, looked_up, silent
from whileai.simulations.run import session
from whileai.simulations.run.simulate import simulate


def run(agent: Any = silent, **keywords: Any) -> Any:
    return simulate(agent, **{"tools": TOOLS, "system_prompt": POLICY, "simulator": False, "budget": 6, **keywords})


def test_a_grader_that_always_fails_is_told_of() -> None:
    def grader(row: dict[str, Any]) -> int:
        return 1 // 0

    data = run(grader=grader)
    line = "6 of 6 rows have no verdict, so no part in any rate; the first: ZeroDivisionError"
    assert any(warning.startswith(line) for warning in data.warnings)
    data.grade(grader)
    assert sum(warning.startswith(line) for warning in data.warnings) == 1


def in_a_pool(ask: str) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return str(pool.submit(wai.world(TOOLS).call, "get_order", {"order_id": "ORD-1"}).result())


def told_of_steps(ask: str) -> Any:
    return {"steps": [{"tool": "get_order", "arguments": {}, "result": {"status": "ok"}}], "final_text": "Done."}


@pytest.mark.parametrize(("agent", "n"), [(in_a_pool, 1), (told_of_steps, 1), (looked_up, 0), (silent, 0)])
def test_calls_that_went_past_the_world_are_told_of(agent: Any, n: int) -> None:
    data = run(agent, mode="rl", repeats=1, budget=20)
    assert sum("saw none of it, so no fault was met" in warning for warning in data.warnings) == n


def test_a_call_outside_a_run_is_no_stray() -> None:
    from whileai.simulations.run.current import STRAYS

    before = STRAYS.n
    in_a_pool("Hi")
    assert STRAYS.n == before


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"grader": lambda row: 1, "grade": "conduct"}, "two graders"),
        ({"grader": lambda row: 1, "grade": True}, "two graders"),
        ({"logprobs": True}, "logprobs= is for an agent that is a model"),
        ({"sampling": {"top_p": 0.5}}, "sampling= is for an agent that is a model"),
    ],
)
def test_what_would_have_no_effect_is_refused(keywords: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        run(**keywords)


def test_what_has_no_effect_but_does_no_harm_is_told_of() -> None:
    assert any("rubric= grades nothing by itself" in line for line in run(rubric="Be brief.").warnings)
    pinned = run(tasks=["Where is ORD-1?"], fault_rate=0.5)
    assert any("tasks= says what is asked, so fault_rate= had no say" in line for line in pinned.warnings)
    assert run().warnings == []


def test_an_agent_cannot_grade_itself() -> None:
    data = run(lambda ask: {"final_text": "Done.", "reward": 1, "judge_status": "ok", "gold_reward": 1, "own": 5})
    row = data.trajectories[0]
    assert row.keys().isdisjoint({"reward", "judge_status", "gold_reward"})
    assert (row["agent_reward"], row["own"]) == (1, 5)
    assert data.pass_at.pass_at_1 is None
    assert any("the agent's reply holds a grade of its own in 6 of 6 rollouts" in line for line in data.warnings)
    data.grade(lambda row: row["agent_reward"])
    assert data.pass_at.pass_at_1 == 1


def test_a_reply_in_parts_is_read_as_its_text() -> None:
    row = run(lambda ask: {"final_text": [{"type": "text", "text": "Hello"}]}, budget=1).trajectories[0]
    assert row["final_text"] == "Hello"


@pytest.mark.parametrize("messages", ["HACK", {"role": "user"}, ["Hi", 5]])
def test_messages_that_are_none_cost_the_rollout(messages: Any) -> None:
    row = run(lambda ask: {"messages": messages, "final_text": "Hi"}, budget=1).trajectories[0]
    assert row["final_text"].startswith("<agent error: TypeError: the agent's messages are ")
    assert row["messages"][0]["role"] == "user"


def test_a_lost_rollout_of_a_seeded_agent_says_that_nothing_was_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("down")

    monkeypatch.setattr("whileai.simulations.run.seeded._answered", broken)
    data = run(wai.seeded_agent(TOOLS))
    assert [row["seeded"] for row in data] == [[]] * 6
    assert data.report()["rollouts_lost"] == 6
    assert "seeded" not in run(silent).trajectories[0]


def test_an_output_that_cannot_be_made_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    asked: list[str] = []
    for path in (tmp_path, "/proc/self/rows.jsonl", tmp_path / "no" / "rows.jsonl"):
        with pytest.raises(OSError, match="output="):
            run(asked.append, output=path)
    assert asked == []


def test_an_output_that_fails_afterwards_keeps_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", "rows.jsonl")

    monkeypatch.setattr(session, "write_rows", full)
    with pytest.warns(UserWarning, match="output= failed after the run, whose rows are in the data returned"):
        data = run(output=tmp_path / "rows.jsonl")
    assert len(data) == 6
    assert "rows.jsonl" in data.warnings[-1]


@pytest.mark.parametrize("name", ["on_progress", "until"])
def test_a_watcher_that_raises_costs_no_rollout(name: str) -> None:
    def raises(*_: Any) -> Any:
        raise RuntimeError("no such widget")

    data = run(**{name: raises})
    assert len(data) == 6
    assert any(f"{name}= raised" in line and "no such widget" in line for line in data.warnings)


def test_ctrl_c_in_a_watcher_ends_the_run() -> None:
    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(on_progress=interrupted)


def test_a_second_opinion_without_a_model_is_refused_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    with pytest.raises(ValueError, match="nonsense"):
        run(asked.append, llm_grade="nonsense")
    assert asked == []
