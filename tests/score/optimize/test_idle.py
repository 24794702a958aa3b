from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.score.optimize.idle import wants_tool


@each_of(
    "row",
    [
        {"prompt": "Please refund order 5"},
        {"prompt": "Can you merge it?"},
        {"prompt": "Reschedule my visit"},
        {"prompt": "Where is #4411?"},
        {"prompt": "Status of ORD-12"},
        {"prompt": "Look at PR 7"},
        {"prompt": "Is B07XJ8C8F5 in stock?"},
        {"messages": [{"role": "user", "content": "deploy the branch"}]},
        {"tool_known": True},
        {"ask_family": "tool"},
        {"faults": {"get": {"mode": "timeout"}}},
        {"world_state": "entity missing"},
        {"scenario_dimensions": {"intent": "refund"}},
        {"scenario_dimensions": {"tool": "get_order"}},
    ],
)
def test_wants_a_tool(row: dict) -> None:
    assert wants_tool(row)


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"prompt": "What is a credit note?"},
        {"prompt": "A committee of emerging artists, please explain the term."},
        {"world_state": "unspecified"},
        {"world_state": "Unknown"},
        {"tool_known": False, "faults": {}, "ask_family": "general", "scenario_dimensions": {"stance": "hurried"}},
        {"scenario_dimensions": ["intent"], "prompt": None},
    ],
)
def test_wants_none(row: dict) -> None:
    assert not wants_tool(row)
