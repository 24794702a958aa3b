"""What a change leaves a record in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.names import words_in
from whileai.simulations.run.phrasing.grammar import past
from whileai.simulations.run.schema import DEEDS, Declared

EDITS = words_in("update change edit modify set patch adjust amend move rename reschedule add write append")
_OF_DEEDS = {"cancellation": "cancelled", "payment": "paid", "transfer": "transferred"}
_GIVE = words_in("issue create process make submit request give start")


def deed(tool: Declared) -> str:
    """What a tool does to a record, as the state the record is in afterwards.

    >>> from whileai.simulations.run.schema import declared
    >>> [deed(declared([{"name": name}])[name]) for name in ("cancel_order", "issue_refund", "send_email")]
    ['cancelled', 'refunded', 'sent']
    """
    last = tool.nouns[-1] if tool.nouns else ""
    if not tool.acts:
        return "completed"
    if tool.verb == "turn" and tool.nouns[:1] in (("on",), ("off",)):
        return f"turned {tool.nouns[0]}"
    if tool.verb in _GIVE and last in DEEDS:
        return _OF_DEEDS.get(last, past(last))
    return past(tool.verb)


def set_by(tool: Declared, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record that a change sets."""
    fields = {name.removeprefix("new_"): value for name, value in given.items() if name != tool.subject}
    return fields if tool.verb in EDITS else {"state": deed(tool), **fields}
