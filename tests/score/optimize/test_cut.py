from __future__ import annotations

import copy

from whileai.simulations.score.optimize.cut import Truncated, marked_cut

ROW = {
    "task_id": "a", "reward": 1, "finish_reason": "length", "reason": "right", "judge_name": "exact",
    "failure_class": "none", "markers": {"polite": 1.0},
}  # fmt: skip


def marked(row: dict, policy: Truncated) -> dict:
    return marked_cut([row], policy)[0][0]


def test_kept_rows_are_marked_on_a_copy_and_keep_their_reward() -> None:
    row = copy.deepcopy(ROW)
    found = marked(row, Truncated.KEEP)
    assert found == {**ROW, "overlong": True, "markers": {"polite": 1.0, "finished": 0.0}}
    assert row == ROW


def test_penalized_rows_say_what_they_were() -> None:
    found = marked(copy.deepcopy(ROW), Truncated.PENALIZE)
    assert (found["reward"], found["reward_before_penalty"], "failure_class" in found) == (0, 1, False)
    assert found["judge_meta"] == {
        "reward_before_penalty": 1, "judge_before": "exact", "reason_before": "right", "scorer_kind": "rule",
    }  # fmt: skip
    assert found["reason"]


def test_a_row_that_was_penalized_before_keeps_what_it_was() -> None:
    once = marked(copy.deepcopy(ROW), Truncated.PENALIZE)
    assert marked(once, Truncated.PENALIZE) == once


def test_the_label_may_sit_in_the_other_field() -> None:
    found = marked({"qwen_reward": 1, "finish_reason": "length"}, Truncated.PENALIZE)
    assert (found["reward"], found["reward_before_penalty"]) == (0, 1)


def test_a_row_that_ended_is_the_same_object() -> None:
    row = {"reward": 1, "final_text": "Done."}
    rows, cut = marked_cut([row], Truncated.KEEP)
    assert (rows[0] is row, cut) == (True, set())
