from __future__ import annotations

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.trl_preference import NAME, to_rows
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.task import prompt_hash

USER = {"role": "user", "content": "Refund order 17."}
YES = {"role": "assistant", "content": "Refunded."}
NO = {"role": "assistant", "content": "No."}


def read(**record):
    assert recognise(record).NAME == NAME
    (row,) = to_rows(record, Source("pairs.jsonl"))
    return row


def test_an_explicit_prompt_and_its_sides():
    row = read(prompt=[USER], chosen=[YES], rejected=[NO], score_chosen=1.0, score_rejected=0.0, margin=0.7)
    assert (row["prompt"], row["chosen"], row["rejected"]) == ([USER], [YES], [NO])
    assert (row["score_chosen"], row["score_rejected"], row["margin"]) == (1.0, 0.0, 0.7)
    assert (row["chosen_score"], row["rejected_score"], row["reward"]) == (1.0, 0.0, None)
    assert row["task_id"] == prompt_hash("Refund order 17.")


def test_an_implicit_prompt_is_the_first_turns_in_common():
    look = {"role": "assistant", "content": "Let me look."}
    row = read(chosen=[USER, look, USER, YES], rejected=[USER, look, USER, NO])
    assert (row["prompt"], row["chosen"], row["rejected"]) == ([USER, look, USER], [YES], [NO])


def test_a_prompt_text_beside_whole_conversations():
    row = read(prompt="Refund order 17.", chosen=[USER, YES], rejected=[USER, NO])
    assert (row["prompt"], row["chosen"], row["rejected"]) == ([USER], [YES], [NO])


def test_texts_become_one_turn_each():
    row = read(prompt="The sky is", chosen=" blue.", rejected=" green.")
    assert row["prompt"] == [{"role": "user", "content": "The sky is"}]
    assert row["chosen"] == [{"role": "assistant", "content": " blue."}]


def test_texts_with_marks_share_their_first_turns():
    asked = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    row = read(chosen=asked + "Hello.<|im_end|>", rejected=asked + "Go.<|im_end|>")
    assert [turn["content"] for turn in row["prompt"] + row["chosen"] + row["rejected"]] == ["Hi", "Hello.", "Go."]


def test_a_pair_read_once_is_a_row_when_read_again():
    assert recognise(read(chosen=[USER, YES], rejected=[USER, NO])) is None
