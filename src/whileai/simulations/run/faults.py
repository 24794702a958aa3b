"""What a call returns when its fault is due, in the words the graders know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.score.checklist.vocabulary import ToolCondition

TIMEOUT, MALFORMED, STALE, DENIED = "timeout", "malformed", "stale", "permission_denied"
_MODES = {
    "": TIMEOUT,
    "timeout": TIMEOUT,
    "malformed": MALFORMED,
    "malformed_result": MALFORMED,
    "stale": STALE,
    "stale_result": STALE,
    "permission_denied": DENIED,
    "denied": DENIED,
}
AS_OF = "3 days ago"


def mode_of(condition: str | None) -> str | None:
    """The mode of a fault that a condition of the grid, or a mode, names; None for a tool that works.

    >>> mode_of("stale_result"), mode_of("success")
    ('stale', None)
    """
    if condition is None or condition in (ToolCondition.SUCCESS.value, "unspecified"):
        return None
    mode = _MODES.get(condition.strip().lower())
    if mode is None:
        accepted = ", ".join(dict.fromkeys(_MODES.values()))
        raise ValueError(f"no fault mode {condition!r}; the modes are {accepted}")
    return mode


def faulty(mode: str, tool: str, record: Any) -> dict[str, Any]:
    """The answer of a call with a fault; a stale one holds the record as it was.

    >>> faulty("permission_denied", "refund", {})
    {'status': 'permission_denied'}
    """
    if mode == TIMEOUT:
        return {"status": "timeout", "error": f"{tool} did not answer within 30 seconds"}
    if mode == MALFORMED:
        return {"status": "ok", "data": "<<garbled resp0nse"}
    if mode == STALE:
        held = record if isinstance(record, Mapping) else {"data": record}
        return {
            "status": "ok",
            **{key: value for key, value in held.items() if key != "status"},
            "stale": True,
            "as_of": AS_OF,
        }
    return {"status": "permission_denied"}
