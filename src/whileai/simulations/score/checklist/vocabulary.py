"""The words a row's `scenario_dimensions` are written in: the values of each axis, in the order of the grid."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeVar

UNRELATED = "unrelated"  # values of the axis `tool` beside the names of tools
MULTI_TOOL = "multi_tool"
UNSPECIFIED = "unspecified"  # what any axis says when it says nothing


class Stance(StrEnum):
    """How the person asks."""

    ORDINARY = "ordinary"
    AMBIGUOUS = "ambiguous"
    BOUNDARY = "boundary"
    ADVERSARIAL = "adversarial"
    HURRIED = "hurried"
    UNSURE = "unsure"
    RETRY = "retry"
    MISTAKEN = "mistaken"
    EXPLORATORY = "exploratory"
    CONFLICTING = "conflicting"


class WorldState(StrEnum):
    """How the thing asked about stands in the world."""

    EXISTS = "entity exists"
    MISSING = "entity missing"
    ALREADY_DONE = "entity already acted on"
    DUPLICATE = "duplicate entity"
    PARTIAL = "partially completed"
    UNKNOWN = "unknown"


class ToolCondition(StrEnum):
    """How the tool behaves when it is called."""

    SUCCESS = "success"
    TIMEOUT = "timeout"
    MALFORMED = "malformed_result"
    STALE = "stale_result"
    DENIED = "permission_denied"


class History(StrEnum):
    """What happened before this episode."""

    FRESH = "fresh"
    PRIOR_FAILURE = "prior_failure"
    PARTIAL = "prior_partial_action"
    CONTRADICTS = "contradicts_earlier"
    REPEAT = "repeat visit"


_SHORT: dict[type[StrEnum], dict[str, StrEnum]] = {
    WorldState: {
        "exists": WorldState.EXISTS,
        "missing": WorldState.MISSING,
        "already done": WorldState.ALREADY_DONE,
        "duplicate": WorldState.DUPLICATE,
    },
    ToolCondition: {"malformed": ToolCondition.MALFORMED, "stale": ToolCondition.STALE},
    History: {"partially completed": History.PARTIAL},
}
_Axis = TypeVar("_Axis", bound=StrEnum)


def text_of(value: Any) -> str:
    """A value of an axis as it is; `""` for what is no text or blank."""
    return value if isinstance(value, str) and value and not value.isspace() else ""


def axis_value(axis: type[_Axis], value: Any) -> _Axis | None:
    """The member of an axis a value names, in its long or short form and in any case; None for any other value.

    >>> axis_value(WorldState, "Already_done"), axis_value(WorldState, "on fire")
    (<WorldState.ALREADY_DONE: 'entity already acted on'>, None)
    """
    found = _KNOWN[axis].get(_plain(value)) if isinstance(value, str) else None
    return found if isinstance(found, axis) else None


def _plain(word: str) -> str:
    return " ".join(word.replace("_", " ").lower().split())


_KNOWN: dict[type[StrEnum], dict[str, StrEnum]] = {
    axis: {_plain(member): member for member in axis} | _SHORT.get(axis, {})
    for axis in (Stance, WorldState, ToolCondition, History)
}
