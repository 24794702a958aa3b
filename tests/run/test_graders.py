"""Grading while a run goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest

import whileai.simulations as wai
from run.model_server import ModelServer, Reply
from run.run_agents import POLICY, TOOLS, looked_up, silent
from whileai.simulations.run.simulate import simulate


def run(agent: Any = looked_up, **keywords: Any) -> Any:
    return simulate(agent, **{"tools": TOOLS, "system_prompt": POLICY, "simulator": False, "budget": 12, **keywords})


@pytest.mark.parametrize("grade", [True, "conduct"])
def test_grades_by_conduct_are_those_of_conduct_grade(grade: Any) -> None:
    names = [tool["name"] for tool in TOOLS]
    plain = run(mode="rl", repeats=1, budget=40)
    for row, bare in zip(run(grade=grade, mode="rl", repeats=1, budget=40), plain, strict=True):
        assert row["reward"] == wai.conduct_grade(bare, names)["reward"]
        assert (row["judge_name"], row["judge_status"]) == ("conduct", "ok")


def test_a_callable_grader_scores_and_its_failures_are_no_zeros() -> None:
    def half(row: dict[str, Any]) -> int:
        if row["rollout_index"] == 0 and len(row["prompt"]) % 2:
            raise ValueError("no opinion")
        return 1

    data = run(grader=half)
    assert {row["reward"] for row in data if row["judge_status"] == "ok"} == {1}
    unjudged = [row for row in data if row["judge_status"] == "error"]
    assert unjudged
    assert {row["reward"] for row in unjudged} == {None}
    assert [row["scenario_id"] for row in data] == [row["scenario_id"] for row in run()]


def test_grade_may_be_the_grader_itself() -> None:
    assert {row["reward"] for row in run(grade=lambda row: 0.5)} == {0.5}
    with pytest.raises(ValueError, match="grade= and grader= are two graders"):
        run(grade=lambda row: 1, grader=lambda row: 0)


def test_without_a_grade_nothing_is_graded() -> None:
    assert not any("reward" in row for row in run(grade=False, rubric="Pass when brief."))


def test_a_rubric_grades_by_a_model_and_llm_grade_stands_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(lambda chat: Reply(json.dumps({"reason": "brief", "score": 1}))) as server:
        monkeypatch.setenv("WHILEAI_JUDGE", server.spec)
        by_model = run(silent, grade=True, rubric="Pass when brief.", budget=3)
        beside = run(silent, grade="conduct", llm_grade=server.spec, budget=3)
    assert [row["reward"] for row in by_model] == [1, 1, 1]
    assert by_model.judge_model == server.spec
    assert [row["llm_reward"] for row in beside] == [1, 1, 1]
    assert {row["judge_name"] for row in beside} == {"conduct"}
