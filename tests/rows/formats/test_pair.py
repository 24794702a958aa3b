from __future__ import annotations

from whileai.simulations.rows.formats.pair import pair_row
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.task import prompt_hash

USER = {"role": "user", "content": "Hi"}
YES = {"role": "assistant", "content": "Yes"}
NO = {"role": "assistant", "content": "No"}


def row(prompt, chosen, rejected, **record):
    return pair_row(record, Source("p.jsonl"), form="x", prompt=prompt, chosen=chosen, rejected=rejected)


def test_what_both_sides_begin_with_is_the_prompt():
    found = row([], [USER, YES], [USER, NO])
    assert (found["prompt"], found["chosen"], found["rejected"]) == ([USER], [YES], [NO])


def test_sides_that_repeat_the_prompt_are_cut_after_it():
    system = {"role": "system", "content": "Be brief."}
    found = row([USER], [system, USER, YES], [system, USER, NO])
    assert (found["prompt"], found["chosen"]) == ([system, USER], [YES])


def test_a_first_call_both_sides_make_stays_in_the_sides():
    look = {"role": "assistant", "content": None, "tool_calls": [{"name": "get", "arguments": {}}]}
    found = row([USER], [look, YES], [look, NO])
    assert (found["prompt"], found["chosen"]) == ([USER], [look, YES])


def test_equal_sides_keep_a_turn_each():
    found = row([], [USER, YES], [USER, YES])
    assert (found["prompt"], found["chosen"], found["rejected"]) == ([USER], [YES], [YES])


def test_a_pair_has_no_reward_and_its_task_is_the_prompt():
    found = row([USER], [YES], [NO], reward=1.0, margin=0.5)
    assert found["reward"] is None
    assert (found["source_reward"], found["margin"]) == (1.0, 0.5)
    assert found["task_id"] == prompt_hash("Hi")
