"""How often an agent took its turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.text import AGENT, CALL, agent_texts, step_kind, steps_of
from whileai.simulations.rows.values import is_mapping

_AGENT = frozenset({"assistant", "model", "ai", "gpt"})
_LISTS = (list, tuple)  # a union of types is made anew each time it is written


def assistant_turns(row: Mapping[str, Any], said: list[str]) -> int:
    """How often the agent took its turn; `said` is what `agent_texts` gives for the row.

    A message, or a step with a call or words, is a turn; `final_text` is one when no turn says it already.

    >>> row = {"steps": [{"tool": "get_order", "result": 5}], "final_text": "It ships Friday."}
    >>> assistant_turns(row, ["It ships Friday."])
    2
    """
    messages, final = row.get("messages"), row.get("final_text")
    if isinstance(messages, _LISTS) and messages:
        roles = [message.get("role") for message in messages if type(message) is dict or is_mapping(message)]
        taken = len([role for role in roles if isinstance(role, str) and role in _AGENT])
        last = messages[-1]
        if is_mapping(last) and last.get("content") == final:
            return taken
        without: dict[str, Any] = {"messages": messages}
    else:
        steps = steps_of(row)
        kinds = [step_kind(step) for step in steps if is_mapping(step)]
        taken, without = kinds.count(CALL) + kinds.count(AGENT), {"steps": steps}
    if not said or not isinstance(final, str):
        return taken
    return taken + len(said) - len(agent_texts(without))
