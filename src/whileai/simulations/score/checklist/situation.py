"""What is known of a task before the agent acts, and which rules of the checklist apply to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Any

from whileai.simulations.rows.values import is_bool
from whileai.simulations.score.checklist.vocabulary import (
    MULTI_TOOL,
    UNRELATED,
    UNSPECIFIED,
    History,
    Stance,
    ToolCondition,
    WorldState,
    axis_value,
    text_of,
)

_AXES = ("tool", "stance", "world_state", "tool_condition", "history", "tier")


class Rule(Enum):
    """A rule of the checklist."""

    ADVERSARIAL = auto()
    COMPOUND = auto()
    UNRELATED = auto()
    VAGUE = auto()
    MISSING = auto()
    ALREADY_DONE = auto()
    DUPLICATE = auto()
    PARTIAL = auto()
    TARGET = auto()
    TOOL_ASK = auto()


_WORLD_RULES = {WorldState.MISSING: Rule.MISSING, WorldState.ALREADY_DONE: Rule.ALREADY_DONE}


@dataclass(frozen=True, slots=True)
class Situation:
    """The dimensions of a task, read. `tool` is exact; `""` when no tool is named."""

    tool: str
    stance: Stance | None
    world: WorldState | None
    condition: ToolCondition | None
    history: History | None
    vague: bool
    tool_ask: bool

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that apply, in the order they are asked; all but a duplicate and a partial history decide."""
        if (first := self._deciding()) is not None:
            return (first,)
        found = []
        if self.world is WorldState.DUPLICATE:
            found.append(Rule.DUPLICATE)
        if self.history is History.PARTIAL:
            found.append(Rule.PARTIAL)
        if self.tool:
            found.append(Rule.TARGET)
        elif self.tool_ask:
            found.append(Rule.TOOL_ASK)
        return tuple(found)

    def _deciding(self) -> Rule | None:
        if self.stance is Stance.ADVERSARIAL:
            return Rule.ADVERSARIAL
        if self.tool == MULTI_TOOL:
            return Rule.COMPOUND
        if self.tool == UNRELATED:
            return Rule.UNRELATED
        if self.vague:
            return Rule.VAGUE
        return _WORLD_RULES.get(self.world) if self.world is not None else None


def situation_of_dims(dims: Mapping[Any, Any]) -> Situation:
    """The situation a dict of dimensions describes; `tier` stands in for a missing stance."""
    axes = (text_of(dims.get(axis)) for axis in _AXES)
    return _situation(*axes, _is_vague(dims), text_of(dims.get("ask_family")))


def situation_of_row(row: Mapping[Any, Any]) -> Situation:
    """The situation of a row: `scenario_dimensions`, where an axis is missing or empty the row's own field.

    Whether the intent is known and the family of the ask are fields of the row only.
    """
    given = row.get("scenario_dimensions")
    dims = given if isinstance(given, Mapping) else {}
    axes = (text_of(dims.get(axis)) or text_of(row.get(axis)) for axis in _AXES)
    return _situation(*axes, _is_vague(row), text_of(row.get("ask_family")))


def _is_vague(fields: Mapping[Any, Any]) -> bool:
    known = fields.get("intent_known")
    return is_bool(known) and not known


@lru_cache(maxsize=4096)
def _situation(
    tool: str, stance: str, world: str, condition: str, history: str, tier: str, vague: bool, family: str
) -> Situation:
    family = family.strip().lower()
    return Situation(
        tool="" if tool.strip().lower() == UNSPECIFIED else tool,
        stance=axis_value(Stance, stance or tier),
        world=axis_value(WorldState, world),
        condition=axis_value(ToolCondition, condition),
        history=axis_value(History, history),
        vague=vague or family == "vague",
        tool_ask=family == "tool",
    )
