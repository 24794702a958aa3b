"""What the agent of a row said and did: one reading, for every report on the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from whileai.simulations.rows.text import agent_texts, calls
from whileai.simulations.score.hygiene.turns import assistant_turns
from whileai.simulations.score.trace.flags import flags_in


class Acts(NamedTuple):
    """What was said turn by turn, the tool of each call, how many turns were taken, and the trace flags that fire."""

    said: list[str]
    tools: list[str]
    turns: int
    flags: list[str]


def acts_of(row: Mapping[str, Any]) -> Acts:
    """The acts of a row's agent.

    >>> acts_of({"steps": [{"tool": "get_order", "result": 5}], "final_text": "It ships Friday."})
    Acts(said=['It ships Friday.'], tools=['get_order'], turns=2, flags=[])
    """
    said, made = agent_texts(row), calls(row)
    return Acts(said, [call.name for call in made], assistant_turns(row, said), list(flags_in(row, made)))
