from __future__ import annotations

from typing import Any

from tables import each_of
from whileai.simulations.rows.text import agent_texts
from whileai.simulations.score.hygiene.acts import acts_of
from whileai.simulations.score.hygiene.turns import assistant_turns

STEP = {"tool": "f", "arguments": {}, "result": 1}
CALLS = {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}]}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "ok"}
SAYS = {"role": "assistant", "content": "Done."}


@each_of(
    ("row", "turns", "tools"),
    [
        ({"final_text": "Done."}, 1, []),
        ({"steps": [STEP, STEP], "final_text": "Done."}, 3, ["f", "f"]),
        ({"steps": [STEP, {"text": "Done."}], "final_text": "Done."}, 2, ["f"]),
        ({"steps": [{"user": "Hi"}, {"text": "Yes?"}]}, 1, []),
        ({"messages": [CALLS, RESULT, SAYS]}, 2, ["f"]),
        ({"messages": [CALLS, RESULT, SAYS], "final_text": "Done."}, 2, ["f"]),
        ({"messages": [CALLS, RESULT, SAYS], "final_text": " Done. "}, 2, ["f"]),
        ({"messages": [CALLS, RESULT], "final_text": "Done."}, 2, ["f"]),
        ({"messages": [{"role": "user", "content": "Hi"}], "steps": [STEP]}, 0, ["f"]),
        ({"final_text": '<tool_call>{"name": "f", "arguments": {}}</tool_call>'}, 1, ["f"]),
        ({"final_text": " "}, 0, []),
        ({}, 0, []),
    ],
)
def test_turns_and_tools_of_a_row(row: dict[str, Any], turns: int, tools: list[str]) -> None:
    assert assistant_turns(row, agent_texts(row)) == turns
    acts = acts_of(row)
    assert (acts.turns, acts.tools) == (turns, tools)
