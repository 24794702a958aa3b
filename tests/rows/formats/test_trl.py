from __future__ import annotations

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.trl import NAME, to_rows
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.task import prompt_hash
from whileai.simulations.rows.text import calls

USER = {"role": "user", "content": "Status of order 9?"}
REPLY = {"role": "assistant", "content": "Lost."}


def read(**record):
    assert recognise(record).NAME == NAME
    (row,) = to_rows(record, Source("train.jsonl"))
    return row


def test_texts_are_read_as_they_are_white_space_included():
    row = read(prompt="Status of order 9?\n", completion="Lost.", extra=1)
    assert (row["prompt"], row["final_text"], row["extra"]) == ("Status of order 9?\n", "Lost.", 1)
    assert (row["task_id"], row["reward"]) == (prompt_hash("Status of order 9?\n"), None)


def test_conversations_are_joined_and_the_last_user_turn_is_the_prompt():
    calling = {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "get", "arguments": {"id": "9"}}}]}
    result = {"role": "tool", "tool_call_id": "a", "content": "lost"}
    row = read(
        prompt=[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}, USER],
        completion=[calling, result, REPLY],
        tools=[{"name": "get"}],
        reward=0.5,
        task_id="t",
    )
    assert (row["prompt"], row["final_text"], len(row["messages"])) == ("Status of order 9?", "Lost.", 6)
    assert [(c.name, c.result) for c in calls(row)] == [("get", "lost")]
    assert (row["reward"], row["task_id"], row["tools"]) == (0.5, "t", [{"name": "get"}])


@pytest.mark.parametrize(("label", "reward"), [(True, 1), (False, 0), (None, None)])
def test_a_label_is_the_reward_of_an_unpaired_preference(label, reward):
    row = read(prompt=[USER], completion=[REPLY], label=label)
    assert (row["reward"], row["label"]) == (reward, label)


def test_a_label_of_another_kind_is_carried():
    row = read(prompt="Hi", completion="Hello.", label="greeting")
    assert (row["reward"], row["label"]) == (None, "greeting")
    assert "judge_status" not in row


def test_stepwise_completions_are_one_unscored_row():
    row = read(prompt="9.8 or 9.11?", completions=["0.8 is more than 0.11.", "So 9.8."], labels=[True, False])
    assert [turn["content"] for turn in row["messages"]] == ["9.8 or 9.11?", "0.8 is more than 0.11.", "So 9.8."]
    assert (row["reward"], row["judge_meta"]) == (None, {"labels": [True, False]})
    assert (row["prompt"], row["final_text"]) == ("9.8 or 9.11?", "So 9.8.")


def test_plain_text_has_no_prompt():
    row = read(text="The sky is blue.", source="web")
    assert (row["prompt"], row["final_text"], row["reward"]) == ("", "The sky is blue.", None)


def test_text_with_marks_is_split_into_turns():
    row = read(text="<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n")
    assert (row["prompt"], row["final_text"]) == ("Hi", "Hello.")


@pytest.mark.parametrize("prompt", ["Status of order 9?", [USER]])
def test_a_prompt_alone_is_a_task_and_refused_with_a_hint(prompt):
    record = {"prompt": prompt, "ground_truth": "lost"}
    assert recognise(record).NAME == NAME
    with pytest.raises(
        ValueError, match=r"a task, not a rollout: found keys 'prompt', 'ground_truth'; add a `completion`"
    ):
        to_rows(record, Source("train.jsonl"))


@pytest.mark.parametrize("beside", ["final_text", "steps", "reward", "task_id"])
def test_a_prompt_beside_a_column_of_ours_is_a_row(beside):
    assert recognise({"prompt": "Hi", beside: "x"}) is None


def test_two_rollouts_of_a_prompt_are_two_attempts():
    source = Source("train.jsonl")
    rows = [to_rows({"prompt": "Hi", "completion": said}, source)[0] for said in ("a", "b")]
    assert [row["rollout_index"] for row in rows] == [0, 1]
