"""What an environment knows of a task from recorded rollouts, and how it scores."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from export_rows import TOOLS, parallel, stepped
from whileai.simulations.exports import training_rows
from whileai.simulations.exports.environment.known import attempt_of, read_tasks, score


def tasks_of(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return read_tasks(json.dumps(line) for line in training_rows(rows, tools=TOOLS, system_prompt="Be kind."))


def test_a_task_is_its_opening_its_tools_its_attempts_and_what_tools_answered() -> None:
    task = tasks_of([stepped(0, final_text="No."), stepped(1), stepped(1)])[0]
    assert (task["id"], task["system_prompt"], task["prompt"]) == ("refund-9", "Be kind.", "Refund order 9.")
    assert [attempt["passed"] for attempt in task["attempts"]] == [False, True]
    assert task["answers"] == [
        {"tool": "refund", "arguments": {"id": 9, "reference": "R-1"}, "answer": '{"ok": true, "reference": "R-1"}'}
    ]
    assert len(task["tools"]) == 2


def test_tasks_that_no_row_passes_are_left_out() -> None:
    assert [task["id"] for task in tasks_of([stepped(0), stepped(None), parallel()])] == ["orders"]


def test_results_answer_the_call_of_their_id() -> None:
    answers = {entry["arguments"]["id"]: entry["answer"] for entry in tasks_of([parallel()])[0]["answers"]}
    assert answers == {1: '{"at": "shop"}', 2: '{"at": "home"}'}


def test_the_score_of_a_recorded_attempt_is_its_own_verdict() -> None:
    rows = [stepped(1), stepped(0, final_text="I will not."), stepped(0, steps=[])]
    known = tasks_of(rows)[0]["attempts"]
    scores = [score(attempt_of(line["messages"]), known) for line in training_rows(rows)]
    assert scores == [1.0, 0.0, 0.0]


def test_the_score_worked_by_hand() -> None:
    known = [{"calls": [{"tool": "a", "arguments": {}}], "reply": "one two three", "passed": True}]
    attempt = {"calls": [{"tool": "a", "arguments": {"x": None}}, {"tool": "b", "arguments": {}}], "reply": "one"}
    assert score(attempt, known) == (2 * 1 / 3 + 2 * 1 / 4) / 2  # calls: 1 of 2 and 1; words: 1 of 1 and 3
    assert score({"calls": [], "reply": ""}, known) == 0.0


ATTEMPTS = st.lists(
    st.fixed_dictionaries({
        "calls": st.lists(st.builds(dict, tool=st.sampled_from("ab"), arguments=st.just({})), max_size=2),
        "reply": st.sampled_from(["", "yes", "no", "yes no"]),
        "passed": st.booleans(),
    }),
    max_size=4,
)  # fmt: skip


@settings(max_examples=25)
@given(ATTEMPTS, st.permutations(range(4)))
def test_the_score_is_a_share_and_does_not_know_the_order(known: list[Any], order: list[int]) -> None:
    attempt = {"calls": [{"tool": "a", "arguments": {}}], "reply": "yes"}
    found = score(attempt, known)
    assert 0.0 <= found <= 1.0
    assert found == score(attempt, [known[place] for place in order if place < len(known)])
