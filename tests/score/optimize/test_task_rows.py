from __future__ import annotations

import copy

import whileai.simulations as wai
from whileai.simulations.score.optimize.task_rows import task_row

ROLLOUT = {
    "scenario_id": "a",
    "rollout_index": 3,
    "messages": [{"role": "user", "content": "Where is order 5?"}, {"role": "assistant", "content": "Here."}],
    "steps": [],
    "final_text": "Here.",
    "reward": 1,
    "qwen_reward": 0,
    "markers": {"polite": 1},
    "judge_name": "llm",
    "judge_meta": {"x": 1},
    "faults": {"get": {"mode": "timeout"}},
    "privileged": {"reference": "x"},
    "calibration": {"n": 8, "pass_rate": 0.5},
    "mine": 7,
}


def test_what_was_asked_stays_and_what_came_of_it_goes() -> None:
    before = copy.deepcopy(ROLLOUT)
    assert task_row(ROLLOUT) == {
        "scenario_id": "a",
        "faults": {"get": {"mode": "timeout"}},
        "privileged": {"reference": "x"},
        "calibration": {"n": 8, "pass_rate": 0.5},
        "mine": 7,
        "prompt": "Where is order 5?",
    }
    assert before == ROLLOUT


def test_a_prompt_that_is_there_stays_as_it_is() -> None:
    assert task_row({**ROLLOUT, "prompt": ["a", 1]})["prompt"] == ["a", 1]


def test_task_rows_are_a_prior_that_keeps_the_same_tasks() -> None:
    rows = [{"task_id": t, "prompt": t, "reward": int(r)} for t, p in (("a", "1100"), ("b", "1111")) for r in p]
    first = wai.next_round(rows)
    second = wai.next_round([task_row(row) for row in first["tasks"]])
    assert (second["kept"], second["prompt_set_sha"]) == (1, first["prompt_set_sha"])
    assert second["tasks"][0]["calibration"] == first["tasks"][0]["calibration"]
