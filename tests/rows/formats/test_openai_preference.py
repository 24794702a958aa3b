from __future__ import annotations

import pytest

from whileai.simulations.rows.formats import recognise
from whileai.simulations.rows.formats.openai_preference import NAME, to_rows
from whileai.simulations.rows.source import Source

LINE = {
    "input": {
        "messages": [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "Refund order 17."}],
        "tools": [{"type": "function", "function": {"name": "refund"}}],
        "parallel_tool_calls": True,
    },
    "preferred_output": [{"role": "assistant", "content": "Refunded."}],
    "non_preferred_output": [{"role": "assistant", "content": "No."}],
}


def test_a_line_is_a_pair_with_what_stood_beside_its_messages():
    assert recognise(LINE).NAME == NAME
    (row,) = to_rows(LINE, Source("pairs.jsonl"))
    assert [turn["role"] for turn in row["prompt"]] == ["system", "user"]
    assert (row["chosen"], row["rejected"]) == (LINE["preferred_output"], LINE["non_preferred_output"])
    assert row["reward"] is None
    assert (row["tools"], row["parallel_tool_calls"]) == (LINE["input"]["tools"], True)


def test_calls_in_a_side_are_read():
    call = {"id": "a", "type": "function", "function": {"name": "refund", "arguments": '{"id": "17"}'}}
    (row,) = to_rows({**LINE, "preferred_output": [{"role": "assistant", "tool_calls": [call]}]}, Source("pairs.jsonl"))
    assert row["chosen"][0]["tool_calls"] == [{"id": "a", "name": "refund", "arguments": {"id": "17"}}]


def test_a_side_that_is_no_conversation_is_named():
    with pytest.raises(ValueError, match="`preferred_output` must be"):
        to_rows({**LINE, "preferred_output": 3}, Source("pairs.jsonl"))
