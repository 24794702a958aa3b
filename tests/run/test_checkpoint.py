"""A run that is killed, interrupted or taken up again."""

from __future__ import annotations

import _thread
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import whileai.simulations as wai
from run.run_agents import POLICY, TOOLS, looked_up
from whileai.simulations.run.simulate import simulate


def run(agent: Any, path: Path, **keywords: Any) -> Any:
    settings = {"tools": TOOLS, "system_prompt": POLICY, "simulator": False, "budget": 30, "checkpoint": path}
    return simulate(agent, **{**settings, **keywords})


def plain(data: Any) -> list[dict[str, Any]]:
    """The rows without the word that they were resumed, as JSON has them."""
    rows = json.loads(json.dumps(data.trajectories))
    for row in rows:
        row["lineage"].pop("resumed", None)
    return rows


class Counting:
    """`looked_up`, counting its calls; it stops the run at one of them."""

    __name__, version = "looked_up", looked_up.version  # type: ignore[attr-defined]

    def __init__(self, ends_at: int | None = None) -> None:
        self.calls, self.ends_at = 0, ends_at

    def __call__(self, ask: str) -> Any:
        self.calls += 1
        if self.calls == self.ends_at:
            raise KeyboardInterrupt
        return looked_up(ask)


def test_an_interrupted_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(Counting(ends_at=12), path, concurrency=1)
    second = Counting()
    data = run(second, path)
    assert second.calls == 30 - 11
    assert sum(bool(row["lineage"].get("resumed")) for row in data) == 11 == data.metadata["resumed"]
    assert plain(data) == plain(run(looked_up, tmp_path / "whole.jsonl"))
    assert all(wai.validate(row) == [] for row in data)


def test_a_larger_budget_goes_on_from_a_smaller_run(tmp_path: Path) -> None:
    run(looked_up, tmp_path / "run.jsonl", budget=10)
    more = Counting()
    data = run(more, tmp_path / "run.jsonl", budget=14)
    assert more.calls == 4
    assert plain(data) == plain(run(looked_up, tmp_path / "whole.jsonl", budget=14))


@pytest.mark.parametrize("change", [{"seed": 1}, {"system_prompt": "Other."}, {"tools": TOOLS[:2]}, {"mode": "rl"}])
def test_rollouts_of_another_run_are_not_taken(tmp_path: Path, change: dict[str, Any]) -> None:
    run(looked_up, tmp_path / "run.jsonl", budget=4)
    again = Counting()
    run(again, tmp_path / "run.jsonl", budget=4, **change)
    assert again.calls == 4


def test_a_task_in_other_words_is_played_anew(tmp_path: Path) -> None:
    for words in ("Where is A-1?", "Find A-1."):
        agent = Counting()
        data = run(agent, tmp_path / "run.jsonl", tasks=[{"scenario_id": "s", "prompt": words}])
        assert (agent.calls, data.trajectories[0]["prompt"]) == (1, words)


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    run(looked_up, path, budget=6)
    path.write_bytes(path.read_bytes()[:-40])
    again = Counting()
    run(again, path, budget=6)
    assert again.calls == 1


def test_grades_are_kept_and_not_asked_for_again(tmp_path: Path) -> None:
    asked: list[str] = []

    def grader(row: dict[str, Any]) -> int:
        asked.append(row["scenario_id"])
        return len(row["final_text"]) % 2

    first = run(looked_up, tmp_path / "run.jsonl", budget=12, mode="adaptive", repeats=4, grader=grader)
    n = len(asked)
    again = run(looked_up, tmp_path / "run.jsonl", budget=12, mode="adaptive", repeats=4, grader=grader)
    assert (len(asked), n) == (n, 12)
    assert plain(again) == plain(first)


def test_another_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"prompt": "Hi"}\n')
    with pytest.raises(ValueError, match="holds something other than the rollouts of simulate"):
        run(looked_up, path)
    assert path.read_text() == '{"prompt": "Hi"}\n'


CHILD = """
import sys, time
sys.path[:0] = [sys.argv[2]]
from run.test_checkpoint import Path, looked_up, run
def agent(ask):
    time.sleep(0.02)
    return looked_up(ask)
agent.__name__, agent.version = "looked_up", "1"
run(agent, Path(sys.argv[1]), concurrency=2)
"""


def test_ctrl_c_while_threads_are_at_work_loses_nothing(tmp_path: Path) -> None:
    path, calls = tmp_path / "run.jsonl", itertools.count(1)

    def slow(ask: str) -> Any:
        time.sleep(0.01)
        if next(calls) == 12:
            _thread.interrupt_main()
        return looked_up(ask)

    slow.__name__, slow.version = "looked_up", "1"  # type: ignore[attr-defined]
    with pytest.raises(KeyboardInterrupt):
        run(slow, path, concurrency=4)
    kept = path.read_bytes().count(b"\n") - 1
    again = Counting()
    assert len(run(again, path)) == 30
    assert 7 <= kept == 30 - again.calls


def test_a_run_that_was_killed_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    tests = str(Path(__file__).parents[1])
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(path), tests], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and (not path.exists() or path.read_bytes().count(b"\n") < 8):
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait(30)
    kept = path.read_bytes().count(b"\n") - 1
    assert 7 <= kept < 30
    again = Counting()
    data = run(again, path)
    assert (len(data), again.calls) == (30, 30 - kept)
    assert plain(data) == plain(run(looked_up, tmp_path / "whole.jsonl"))


def test_lost_rollouts_are_played_again(tmp_path: Path) -> None:
    works = [False]

    def agent(ask: str) -> str:
        if not works[0]:
            raise RuntimeError("down")
        return "fine"

    assert run(agent, tmp_path / "c", budget=3).report()["rollouts_lost"] == 3
    works[0] = True
    data = run(agent, tmp_path / "c", budget=3)
    assert (data.report()["rollouts_lost"], data.metadata["resumed"]) == (0, 0)
    assert [row["final_text"] for row in data] == ["fine"] * 3
    again = run(agent, tmp_path / "c", budget=3)
    assert plain(again) == plain(data)
    assert any("3 of 3 rollouts are from the checkpoint" in line for line in again.warnings)


def test_rollouts_of_an_agent_with_other_code_are_not_taken(tmp_path: Path) -> None:
    first = run(lambda ask: "first", tmp_path / "c", budget=3)
    second = run(lambda ask: "second", tmp_path / "c", budget=3)
    assert {row["final_text"] for row in first} == {"first"}
    assert {row["final_text"] for row in second} == {"second"}
    assert second.warnings == []


def test_an_agent_with_a_version_is_known_by_it(tmp_path: Path) -> None:
    def agent(ask: str) -> str:
        return "first"

    agent.version = "1"  # type: ignore[attr-defined]
    run(agent, tmp_path / "c", budget=3)

    def edited(ask: str) -> str:
        return "second"

    edited.__name__, edited.version = "agent", "1"  # type: ignore[attr-defined]
    assert {row["final_text"] for row in run(edited, tmp_path / "c", budget=3)} == {"first"}
    edited.version = "2"  # type: ignore[attr-defined]
    assert {row["final_text"] for row in run(edited, tmp_path / "c", budget=3)} == {"second"}


def test_the_grades_of_another_grader_are_not_taken(tmp_path: Path) -> None:
    keys: dict[str, Any] = {"budget": 4, "mode": "adaptive", "repeats": 2}
    given = run(looked_up, tmp_path / "c", grader=lambda row: 0, **keys)
    other = run(looked_up, tmp_path / "c", grader=lambda row: 1, **keys)
    assert [row["reward"] for row in given] == [0] * 4
    assert [row["reward"] for row in other] == [1] * 4
    assert other.metadata["resumed"] == 4
    same = run(looked_up, tmp_path / "c", grader=lambda row: 0, **keys)
    assert plain(same) == plain(given)
    assert any("4 of them with their grade" in line for line in same.warnings)
    ungraded = run(looked_up, tmp_path / "c", **keys)
    assert not any("reward" in row for row in ungraded)
