from __future__ import annotations

import math

import pytest

from whileai.simulations.rows.formats import gathered, recognise
from whileai.simulations.rows.formats import trl_completions as module
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.task import prompt_hash
from whileai.simulations.rows.text import calls

ASKED = "<|im_start|>user\nStatus of order 9?<|im_end|>\n<|im_start|>assistant\n"


def line(**columns):
    return {"step": 3, "prompt": ASKED, "completion": "Lost.", **columns, "advantage": 0.5}


def read(*lines, rewards=None):
    assert recognise(lines[0]) is module
    source = Source("completions_00003.parquet", rewards=rewards)
    rows = [row for record in gathered(module, list(lines), source) for row in module.to_rows(record, source)]
    return rows, source


def test_one_reward_column_is_exact_and_named():
    (row,), source = read(line(accuracy=0.25))
    assert (row["reward"], row["judge_name"]) == (0.25, "accuracy")
    assert source.notes == []
    assert "markers" not in row


def test_several_columns_are_summed_and_the_weights_are_said_to_be_assumed():
    (row,), source = read(line(length=0.5, accuracy=1.0, note="fine", correct=True))
    assert (row["reward"], row["markers"]) == (1.5, {"length": 0.5, "accuracy": 1.0})
    assert (row["note"], row["correct"], row["step"], row["advantage"]) == ("fine", True, 3, 0.5)
    assert len(source.notes) == 1
    assert "weight of 1 each is assumed" in source.notes[0]


def test_a_null_is_a_function_that_did_not_apply():
    rows, source = read(
        line(length=0.5, accuracy=1.0), line(length=0.25, accuracy=None), line(length=None, accuracy=math.nan)
    )
    assert [row["reward"] for row in rows] == [1.5, 0.25, None]
    assert rows[1]["markers"] == {"length": 0.25}
    assert "judge_name" not in rows[1]
    assert source.facts == {"reward_columns": ["length", "accuracy"]}


def test_the_caller_names_the_rewards():
    (row,), source = read(line(accuracy=1.0, difficulty=7), rewards=("accuracy",))
    assert (row["reward"], row["judge_name"], row["difficulty"]) == (1.0, "accuracy", 7)
    assert source.notes == []


def test_a_reward_that_is_no_column_is_an_error_that_lists_them():
    with pytest.raises(
        ValueError, match=r"rewards names 'right', no column: columns are step, prompt, completion, accuracy"
    ):
        read(line(accuracy=1.0), rewards=("right",))


def test_ids_are_no_rewards():
    (row,), _ = read(line(task_id=17, accuracy=1.0))
    assert (row["reward"], row["task_id"]) == (1.0, "17")


def test_marks_are_read_into_turns_calls_and_a_reply():
    said = (
        '<tool_call>\n{"name": "get", "arguments": {"id": "9"}}\n</tool_call><|im_end|>\n'
        "<|im_start|>user\n<tool_response>\n{}\n</tool_response><|im_end|>\n<|im_start|>assistant\nLost."
    )
    (row,), _ = read({**line(accuracy=1.0), "completion": said})
    assert (row["prompt"], row["final_text"]) == ("Status of order 9?", "Lost.")
    assert row["task_id"] == prompt_hash("Status of order 9?")
    assert [(c.name, c.result) for c in calls(row)] == [("get", {})]


def test_another_template_is_kept_whole():
    (row,), _ = read({**line(accuracy=1.0), "prompt": "[INST] Hi [/INST]", "completion": "Hello.</s>"})
    assert (row["prompt"], row["final_text"]) == ("[INST] Hi [/INST]", "Hello.</s>")


def test_attempts_count_within_the_prompt():
    rows, _ = read(line(a=1.0), {**line(a=1.0), "prompt": "Hi"}, line(a=0.0))
    assert [row["rollout_index"] for row in rows] == [0, 0, 1]
