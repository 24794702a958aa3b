"""The six axes a situation varies on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whileai.simulations.defaults import RULE_AXIS_CAP_GRID
from whileai.simulations.score.checklist.vocabulary import (
    MULTI_TOOL,
    UNRELATED,
    UNSPECIFIED,
    History,
    Stance,
    ToolCondition,
    WorldState,
)
from whileai.simulations.score.dimensions.clauses import all_clauses, capped
from whileai.simulations.score.dimensions.policy import Policy, policy_text
from whileai.simulations.score.dimensions.tools import Tool, read_tools, tool_names
from whileai.simulations.signature import public

Axes = dict[str, list[str]]


@public
def build_dimensions(tools: Any, policy: Policy = "", *, rule_cap: int | None = RULE_AXIS_CAP_GRID) -> Axes:
    """The values of each axis for an agent: `tool`, `rule`, `stance`, `world_state`, `tool_condition`, `history`.

    `tools` is a sequence of schemas and functions, None for no tool; `rule_cap` keeps the first clauses of the policy
    (None: all). An axis without anything to vary is `["unspecified"]`: `rule` without a policy, `world_state` when no
    tool takes an identifier. Raises `TypeError` for a tool that is neither a schema nor a function.

    >>> axes = build_dimensions([{"name": "get_order", "parameters": {"properties": {"order_id": {}}}}], "Be brief.")
    >>> axes["tool"], axes["rule"], axes["world_state"][:2]
    (['get_order', 'unrelated', 'multi_tool'], ['Be brief.'], ['entity exists', 'entity missing'])
    """
    return axes_of(read_tools(tools), capped(all_clauses(policy_text(policy)), rule_cap))


def axes_of(tools: Iterable[Tool], clauses: list[str]) -> Axes:
    """The axes of tools and clauses that are read already."""
    held = list(tools)
    named = any(tool.takes_identifier for tool in held)
    return {
        "tool": [*tool_names(held), UNRELATED, MULTI_TOOL],
        "rule": clauses or [UNSPECIFIED],
        "stance": [stance.value for stance in Stance],
        "world_state": [state.value for state in WorldState] if named else [UNSPECIFIED],
        "tool_condition": [condition.value for condition in ToolCondition],
        "history": [history.value for history in History],
    }
