"""What an agent had been told when it made each call, as it came."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from whileai.simulations.rows.calls import written_calls
from whileai.simulations.rows.content import content_text, filled, parse_arguments
from whileai.simulations.rows.shapes import SYSTEM_ROLES, USER_ROLES
from whileai.simulations.rows.text import (
    AGENT,
    CALL,
    RESULT,
    USER,
    message_events,
    step_arguments,
    step_kind,
    step_result,
    steps_of,
    words_of,
)
from whileai.simulations.rows.values import is_mapping

_PROMPTS = ("system_prompt", "prompt")
_LISTS = (list, tuple)  # a union of types is made anew each time it is written
_TOLD_ROLES = USER_ROLES | SYSTEM_ROLES


@dataclass(slots=True)
class Heard:
    """What the agent was told, in order and as it came, and its calls: how much came before each, tool, arguments."""

    told: list[Any]
    calls: list[tuple[int, str, dict[str, Any]]]


def heard(row: Mapping[str, Any]) -> Heard:
    """What the agent had been told when it made each call: prompts, user and system turns, earlier results.

    Its own words are left out. Calls are read from the first source that holds one: steps, messages (`<tool_call>`
    text included), the reply. Calls among the steps are given all user and system turns of `messages`, as nothing
    says which came first.

    >>> found = heard({"prompt": "Hi", "steps": [{"tool": "a", "result": {"id": 5}}, {"tool": "b"}]})
    >>> found.told, found.calls
    (['Hi', {'id': 5}, None], [(1, 'a', {}), (2, 'b', {})])
    """
    opening: list[Any] = []
    for name in _PROMPTS:
        if (prompt := row.get(name)) is not None:
            opening += _prompt_told(prompt)
    steps, messages = steps_of(row), row.get("messages")
    turns = messages if isinstance(messages, _LISTS) else ()
    if steps:
        found = Heard(opening + _turns_told(turns, opening), [])
        _hear_steps(steps, found)
        if found.calls:
            return found
    found = Heard(opening, [])
    _hear_messages(turns, found)
    if not found.calls and (written := written_calls(row.get("final_text"))):
        _hear_steps(steps, found)
        found.calls = [(len(found.told), call.name, call.arguments) for call in written]
    return found


def _prompt_told(prompt: Any) -> list[Any]:
    if type(prompt) is str:
        return [prompt] if prompt else []
    if not isinstance(prompt, _LISTS):
        return [prompt] if filled(prompt) else []
    found = Heard([], [])
    _hear_messages(prompt, found)
    return found.told or [content_text(prompt)]


def _turns_told(messages: Iterable[Any], known: Container[str]) -> list[str]:
    """The words of all user and system turns that are not known already."""
    return [words for words in words_of(messages, _TOLD_ROLES) if words not in known]


def _hear_steps(steps: Iterable[Any], found: Heard) -> None:
    told, calls = found.told, found.calls
    for step in steps:
        if type(step) is not dict and not is_mapping(step):
            continue
        tool = step.get("tool")
        kind = CALL if type(tool) is str and tool else step_kind(step)
        if kind is CALL:
            arguments, result = step.get("arguments"), step.get("result")
            if type(arguments) is not dict:
                arguments = parse_arguments(step_arguments(step))[0]
            calls.append((len(told), step["tool"], arguments))
            told.append(step_result(step) if result is None else result)
        elif kind is USER:
            told.append(step["user"])


def _hear_messages(messages: Any, found: Heard) -> None:
    told = found.told
    for event in message_events(messages):
        if event.kind is CALL and event.call is not None:
            found.calls.append((len(told), event.call.name, event.call.arguments))
        elif event.kind is RESULT and event.call is not None:
            told.append(event.text or event.call.result)
        elif event.kind is not AGENT:
            told.append(event.text)
