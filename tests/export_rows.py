"""Rollouts to export: an episode with two tools in parallel, as steps and as messages, and others of every shape."""

from __future__ import annotations

from typing import Any

TOOLS = [
    {"name": "get_order", "description": "Look an order up.", "input_schema": {"type": "object", "properties": {}}},
    {"type": "function", "function": {"name": "refund", "parameters": {"type": "object", "properties": {}}}},
]


def parallel(**fields: Any) -> dict[str, Any]:
    """Two calls in one breath, answered in the other order."""
    calls = [
        {"id": "a", "function": {"name": "get_order", "arguments": '{"id": 1}'}},
        {"id": "b", "function": {"name": "get_order", "arguments": '{"id": 2, "note": null}'}},
    ]
    return {
        "task_id": "orders",
        "prompt": "Where are orders 1 and 2?",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Where are orders 1 and 2?"},
            {"role": "assistant", "content": "One moment.", "tool_calls": calls},
            {"role": "tool", "tool_call_id": "b", "content": '{"at": "home"}'},
            {"role": "tool", "tool_call_id": "a", "content": '{"at": "shop"}'},
            {"role": "assistant", "content": "<think>easy</think>1: shop, 2: home."},
        ],
        "final_text": "1: shop, 2: home.",
        "reward": 1,
        **fields,
    }


def stepped(reward: float | None = 1, **fields: Any) -> dict[str, Any]:
    """Two turns of a user, one call."""
    return {
        "scenario_id": "refund-9",
        "rollout_index": 0,
        "prompt": "Refund order 9.",
        "steps": [
            {"text": "Why?"},
            {"user": "It broke."},
            {"tool": "refund", "arguments": {"id": 9, "reference": "R-1"}, "result": {"ok": True, "reference": "R-1"}},
        ],
        "final_text": "Refunded.",
        "reward": reward,
        "lineage": {"system_prompt_sha": "ab12", "eval_run": "r1"},
        **fields,
    }
