"""The teacher's block of a row at birth: what the world hides, and what the checklist expects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.score.checklist.expected import expected_outcome
from whileai.simulations.score.checklist.vocabulary import (
    UNSPECIFIED,
    History,
    ToolCondition,
    WorldState,
    axis_value,
    text_of,
)
from whileai.simulations.signature import public

_PLAIN_WORLD = (WorldState.EXISTS, WorldState.UNKNOWN)


@public
def privileged_context(dims: Mapping[str, Any] | None, faults: Any = None) -> dict[str, Any]:
    """The `privileged` block of a row at birth; `{}` when there is nothing to hide and nothing to expect.

    `hidden_state` is what the world knows and the ask does not say: the `world_state` and the `tool_condition` when
    they are out of the ordinary, the planned `faults` (`{tool or "*": {"mode", "rate"}}`), a partial `history`.
    `reference` is `expected_outcome(dims)`. Either key is there only when it says something.

    >>> privileged_context({"tool": "get_order", "world_state": "entity missing"})["hidden_state"]
    {'world_state': 'entity missing'}
    >>> privileged_context({"world_state": "entity exists"})
    {}
    """
    given = dims if isinstance(dims, Mapping) else {}
    block: dict[str, Any] = {}
    if hidden := _hidden_state(given, faults):
        block["hidden_state"] = hidden
    if (reference := expected_outcome(given)) is not None:
        block["reference"] = reference
    return block


def _hidden_state(dims: Mapping[str, Any], faults: Any) -> dict[str, Any]:
    hidden: dict[str, Any] = {}
    world, condition = _said(dims.get("world_state")), _said(dims.get("tool_condition"))
    if world and axis_value(WorldState, world) not in _PLAIN_WORLD:
        hidden["world_state"] = world
    if condition and axis_value(ToolCondition, condition) is not ToolCondition.SUCCESS:
        hidden["tool_condition"] = condition
    plans = faults.items() if isinstance(faults, Mapping) else ()
    if planned := {tool: dict(plan) for tool, plan in plans if isinstance(plan, Mapping)}:
        hidden["faults"] = planned
    if axis_value(History, dims.get("history")) is History.PARTIAL:
        hidden["history"] = dims["history"]
    return hidden


def _said(value: Any) -> str:
    text = text_of(value)
    return "" if text.strip().lower() == UNSPECIFIED else text
