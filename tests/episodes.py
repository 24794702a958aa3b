"""Small episodes to check: calls, rows, and rows of odd kinds."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from strategies import json_values, objects, rows, steps, texts
from whileai.simulations.score.checklist.vocabulary import History, Stance, ToolCondition, WorldState

SAMPLE_REPLIES = [
    "I could not find that order.", "Which one do you mean?", "It was already refunded.", "I can't, it was delivered.",
    "Refunded.", "The request timed out.", "",
]  # fmt: skip
TOOLS = ["refund_order", "get_order", "unrelated", "multi_tool", "unspecified", ""]


def call(tool: str, status: str | None = "ok", **fields: Any) -> dict[str, Any]:
    """A step that calls a tool; its result has the status and the fields."""
    result = fields if status is None else {"status": status, **fields}
    return {"tool": tool, "arguments": {}, "result": result}


def row(reply: str, *steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A row of these steps and this reply."""
    return {"prompt": "Refund my order", "steps": list(steps), "final_text": reply, **fields}


dims = st.fixed_dictionaries(
    {},
    optional={
        "tool": st.sampled_from(TOOLS),
        "stance": st.sampled_from(list(Stance)),
        "world_state": st.sampled_from(list(WorldState)),
        "tool_condition": st.sampled_from(list(ToolCondition)),
        "history": st.sampled_from(list(History)),
        "tier": st.sampled_from(["ordinary", "adversarial"]),
        "intent_known": st.booleans(),
        "ask_family": st.sampled_from(["tool", "vague", "general"]),
    },
)
known_steps = st.builds(
    call,
    st.sampled_from(["get_order", "refund_order", "search_orders"]),
    st.sampled_from(["ok", "timeout", "queued", "refunded", None]),
    state=st.just("delivered"),
)
episodes = st.builds(row, st.sampled_from(SAMPLE_REPLIES), known_steps, known_steps)
odd_rows = st.builds(
    lambda base, fields: {**base, **fields},
    rows(),
    objects(
        {
            "scenario_dimensions": dims | st.dictionaries(texts, json_values, max_size=3),
            "steps": st.lists(known_steps | steps, max_size=3),
            "final_text": st.sampled_from(SAMPLE_REPLIES),
            "ask_family": st.sampled_from(["tool", "vague"]),
            "tool": st.sampled_from(TOOLS),
            "intent_known": st.booleans(),
        }
    ),
)
