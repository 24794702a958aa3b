"""What the gates read of a row: its reply, and what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.text import USER, agent_texts, calls, events
from whileai.simulations.rows.values import as_text, is_mapping

_LISTS = (list, tuple)  # a union of types is made anew each time it is written


def final_reply(row: Mapping[str, Any]) -> str:
    """The row's reply: `final_text`, else the last thing the agent said in its messages, `""` when there is none.

    Words in `steps` count only on a row without `final_text`: a blank one says that there was no reply.

    >>> final_reply({"final_text": "", "messages": [{"role": "assistant", "content": "Done."}]})
    'Done.'
    >>> final_reply({"final_text": "", "steps": [{"text": "One moment."}]})
    ''
    """
    final = row.get("final_text")
    if type(final) is str and final and not final.isspace():
        return final
    said = agent_texts(row) if final is None or row.get("messages") else []
    return said[-1] if said else ""


def replies(row: Mapping[str, Any]) -> bool:
    """Whether a row shows anything the agent did: a final text, an assistant message with words or calls, a tool step.

    >>> replies({"task_id": "a", "reward": 1}), replies({"steps": [{"tool": "get", "result": 5}]})
    (False, True)
    """
    return bool(final_reply(row)) or bool(calls(row))


def user_words(row: Mapping[str, Any]) -> str:
    """All that the user said, turn by turn."""
    return "\n".join(event.text for event in events(row) if event.kind is USER)


def heard_words(row: Mapping[str, Any]) -> str:
    """All that the user said and that tools answered.

    >>> heard_words({"prompt": "Where is it?", "steps": [{"tool": "get", "result": "on its way"}]})
    'Where is it?\\non its way'
    """
    answers = (as_text(call.result) for call in calls(row))
    return "\n".join(text for text in (user_words(row), *answers) if text)


def last_role(row: Mapping[str, Any]) -> str:
    """The role of the last message, `""` when the row has no messages.

    >>> last_role({"messages": [{"role": "user", "content": "Hi"}]})
    'user'
    """
    messages = row.get("messages")
    last = messages[-1] if isinstance(messages, _LISTS) and messages else None
    role = last.get("role") if is_mapping(last) else None
    return role if isinstance(role, str) else ""
