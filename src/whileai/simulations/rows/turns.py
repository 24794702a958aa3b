"""Who spoke, called and was answered, in order: the cheap reading of a chat for reports that look into no call."""

from __future__ import annotations

from typing import Any

from whileai.simulations.rows.text import AGENT, CALL, RESULT, SYSTEM, USER, Event, Kind, message_events

Turn = tuple[Kind, str]  # words of the user or the agent; a call with the words spoken along; a result

_CALL, _RESULT = (CALL, ""), (RESULT, "")
_ODD_FIELDS = frozenset({"function_call", "refusal", "requestor", "parts"})


def turns(messages: Any) -> list[Turn]:
    """The events of a chat as `message_events` gives them, less the system's and the insides of calls.

    A chat in the plain OpenAI form is read here without building its calls; any other goes through `message_events`.

    >>> turns([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}])[1]
    (<Kind.AGENT: 'agent'>, 'Yes?')
    """
    plain = _plain(messages) if type(messages) is list else None
    return event_turns(message_events(messages)) if plain is None else plain


def event_turns(events: list[Event]) -> list[Turn]:
    """The same of events already read."""
    found: list[Turn] = []
    for event in events:
        if event.kind is RESULT:
            found.append(_RESULT)
        elif event.kind is not SYSTEM:
            found.append((event.kind, event.text if event.call is None else event.call.speech))
    return found


def _plain(messages: list[Any]) -> list[Turn] | None:
    """The turns of a chat in the plain OpenAI form, None when anything about it is not plain."""
    found: list[Turn] = []
    open_calls = 0
    for message in messages:
        if type(message) is not dict or not _ODD_FIELDS.isdisjoint(message):
            return None
        role, words, calls = message.get("role"), message.get("content"), message.get("tool_calls")
        if words is None and "value" not in message:
            words = ""
        if type(words) is not str or type(role) is not str or not (calls is None or type(calls) is list):
            return None
        if role == "assistant":
            if calls:
                if not _plain_calls(calls):
                    return None
                found.append((CALL, words) if words and not words.isspace() else _CALL)
                if len(calls) > 1:
                    found += [_CALL] * (len(calls) - 1)
                open_calls += len(calls)
            elif "<tool_call>" in words:
                return None
            elif words and not words.isspace():
                found.append((AGENT, words))
        elif calls:
            return None
        elif role == "user":
            found.append((USER, words))
        elif role == "tool":
            if open_calls:
                open_calls -= 1
            else:
                found.append(_CALL)
            found.append(_RESULT)
        elif role != "system":
            return None
    return found


def _plain_calls(calls: Any) -> bool:
    """Whether `tool_calls` is a list of calls in the form OpenAI writes."""
    if type(calls) is not list:
        return False
    for entry in calls:
        if type(entry) is not dict or "result" in entry:
            return False
        named = entry.get("function", entry)
        if type(named) is not dict or type(named.get("name")) is not str:
            return False
    return True
