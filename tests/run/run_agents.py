"""Agents, tools and a policy that the tests of `simulate` share."""

from __future__ import annotations

from typing import Any

TOOLS: list[dict[str, Any]] = [
    {
        "name": "get_order",
        "description": "Look up an order by its id",
        "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
    },
    {
        "name": "cancel_order",
        "description": "Cancel an order",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}, "reason": {"type": "string"}},
            "required": ["order_id"],
        },
    },
    {
        "name": "send_email",
        "description": "Send an email to a customer",
        "parameters": {
            "type": "object",
            "properties": {"to": {"type": "string"}, "body": {"type": "string"}},
            "required": ["to", "body"],
        },
    },
]
POLICY = "Ask before you cancel an order.\n\nNever promise a delivery date."


def silent(ask: str) -> str:
    """An agent that says one honest line."""
    return "I cannot look that up from here."


def looked_up(ask: str) -> dict[str, Any]:
    """An agent that calls the world once."""
    from whileai.simulations.run import world

    result = world(TOOLS).call("get_order", {"order_id": "A-100"})
    step = {"tool": "get_order", "arguments": {"order_id": "A-100"}, "result": result}
    return {"steps": [step], "final_text": f"I looked it up: {result}.", "latency_ms": 12}


looked_up.version = "1"  # type: ignore[attr-defined]  # what a checkpoint knows it by
