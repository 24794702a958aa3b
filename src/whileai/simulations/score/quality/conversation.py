"""The conversation a row holds: its turns, who spoke, and what the reply is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whileai.simulations.rows.endings import is_stub
from whileai.simulations.rows.text import AGENT, CALL, RESULT, SYSTEM, USER, Kind, prompt_text, step_events, steps_of
from whileai.simulations.rows.turns import Turn, event_turns, turns
from whileai.simulations.rows.values import is_mapping

STACKED_CHARS = 12  # characters from which two replies in a row are two variants of one; convention


@dataclass(slots=True)
class Conversation:
    """What was said, in order.

    `beats` are the speakers turn by turn: a run of calls with the words around it is one turn of the agent. `stacked`
    says that two replies stand side by side. `user` are the words of the user's turns, `agent` everything the agent
    said. `final` is the row's `final_text`, without that field the words a chat ends on, `reply` that or else the
    last thing the agent said.
    """

    turns: list[Turn]
    beats: list[Kind]
    stacked: bool
    user: list[str]
    agent: list[str]
    used_tools: bool
    opener: str
    final: str
    reply: str


def read(row: Mapping[str, Any]) -> Conversation:
    """The conversation in `messages`; without any, rebuilt from `opener`, `prompt`, `steps` and `final_text`."""
    final = row.get("final_text")
    final = final if isinstance(final, str) else ""
    messages = row.get("messages")
    said = turns(messages) if isinstance(messages, list | tuple) and messages else _rebuilt(row, final)
    beats, stacked = _beats(said)
    user, agent, used_tools = [], [], False
    for kind, text in said:
        if kind is USER:
            user.append(text)
            continue
        used_tools = used_tools or kind is CALL
        if text and not text.isspace():
            agent.append(text)
    if "final_text" not in row and messages is not None and agent and said[-1][0] is AGENT:
        final = agent[-1]  # a chat that ends on the agent holds its reply
    used_tools = used_tools or any(map(_names_tool, steps_of(row)))
    opener = user[0] if user else prompt_text(row.get("prompt"))
    reply = final if final.strip() or not agent else agent[-1]
    return Conversation(said, beats, stacked, user, agent, used_tools, opener, final, reply)


def _names_tool(step: Any) -> bool:
    return is_mapping(step) and isinstance(step.get("tool"), str) and bool(step["tool"])


def _rebuilt(row: Mapping[str, Any], final: str) -> list[Turn]:
    said = event_turns(step_events(steps_of(row)))
    prompt = prompt_text(row.get("prompt"))
    if prompt and not (said and said[0] == (USER, prompt)):
        said.insert(0, (USER, prompt))
    opener = row.get("opener")
    if isinstance(opener, str) and opener.strip():
        said.insert(0, (AGENT, opener))
    last = next((text for kind, text in reversed(said) if kind is AGENT), "")
    if final.strip() and last.split() != final.split():
        said.append((AGENT, final))
    if not (final.strip() and is_stub(final)):
        while len(said) > 1 and said[-1][0] is USER:
            said.pop()
    return said


def _beats(said: list[Turn]) -> tuple[list[Kind], bool]:
    beats: list[Kind] = []
    stacked = False
    last, heard = SYSTEM, ""
    for kind, text in said:
        if kind is RESULT:
            continue
        if kind is USER or last is USER or last is SYSTEM:
            beats.append(USER if kind is USER else AGENT)
        elif kind is AGENT and last is AGENT:
            beats.append(AGENT)
            stacked = stacked or min(len(text.strip()), len(heard.strip())) >= STACKED_CHARS
        last, heard = kind, text
    return beats, stacked
