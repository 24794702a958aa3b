from __future__ import annotations

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.openrlhf import NAME, to_rows
from whileai.simulations.rows.source import Source


def test_a_plain_record_of_input_output_and_reward_is_a_rollout():
    record = {"input": "Hi", "output": "Hello.", "reward": 0.25, "extra": 1}
    assert recognise(record).NAME == NAME
    (row,) = to_rows(record, Source("out.jsonl"))
    assert (row["prompt"], row["final_text"], row["reward"], row["extra"]) == ("Hi", "Hello.", 0.25, 1)


@pytest.mark.parametrize("own", ["prompt", "messages", "steps", "final_text"])
def test_a_row_with_columns_of_ours_is_left_alone(own):
    record = {"input": "Hi", "output": "Hello.", "reward": 1, own: "x"}
    assert recognise(record) is None
