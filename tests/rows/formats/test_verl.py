from __future__ import annotations

import math

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.verl import NAME, to_rows
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.task import prompt_hash
from whileai.simulations.rows.text import calls

ASKED = "system\nBe brief.\nuser\nStatus of order 9?\nassistant\n"


def read(output="Lost.\n", **more):
    record = {"input": ASKED, "output": output, "gts": "lost", "score": 0.5, "step": 2, **more}
    assert recognise(record).NAME == NAME
    (row,) = to_rows(record, Source("2.jsonl"))
    return row


def test_prompt_and_reply_are_whole_as_no_split_is_possible():
    row = read()
    assert (row["prompt"], row["final_text"]) == (ASKED, "Lost.\n")
    assert (row["task_id"], row["reward"]) == (prompt_hash(ASKED), 0.5)
    assert (row["gts"], row["step"]) == ("lost", 2)


def test_blocks_are_calls_with_their_results():
    row = read(
        '\n<tool_call>\n{"name": "get", "arguments": {"id": "8"}}\n'
        '{"name": "get", "arguments": {"id": "9"}}\n</tool_call>\n'
        "user\n<tool_response>\nopen\n</tool_response>\n<tool_response>\nlost\n</tool_response>\nassistant\nLost.\n"
    )
    assert [(c.arguments["id"], c.result) for c in calls(row)] == [("8", "open"), ("9", "lost")]


def test_numbers_beside_the_score_are_markers_and_the_rest_is_carried():
    row = read(acc=True, reward=0.25, num_turns=2, request_id="7", loss=math.nan, pred=None)
    assert row["markers"] == {"acc": 1, "reward": 0.25, "num_turns": 2}
    assert (row["reward"], row["request_id"], row["pred"]) == (0.5, "7", None)
    assert math.isnan(row["loss"])


def test_a_missing_score_is_no_zero():
    assert read(score=None)["reward"] is None


def test_an_instruction_with_input_and_output_is_not_claimed():
    with pytest.raises(ValueError, match="no known format"):
        recognise({"instruction": "Add.", "input": "1 2", "output": "3"})
