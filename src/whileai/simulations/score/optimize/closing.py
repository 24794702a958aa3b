"""Conversations that end on the user or on a tool because they were closed there, and not for want of an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.names import name_words, words_in
from whileai.simulations.rows.shell import script_text
from whileai.simulations.rows.text import Kind, events

_STOP_MARK = re.compile(  # what a simulated user ends with (tau-bench, tau2-bench, AutoGen)
    r"(?:\#{2,}|<\|?|\[)\s?(?:stop|transfer|out[-_ ]of[-_ ]scope|end|done|exit|terminate|end[-_ ]of[-_ ]\w{1,20})\s?"
    r"(?:\#{2,}|\|?>|\])\s*\Z|\bTERMINATE\W{0,3}\Z",
    re.IGNORECASE,
)
_MARK_CHARS = 80  # characters at the end of a turn that are searched
_CLOSING = words_in(
    """
    submit submit_answer submit_final_answer submit_patch final_answer finish finish_task complete_task task_complete
    task_done done exit terminate stop end end_conversation end_call hang_up
    """
)
_HANDS_OVER = frozenset({"transfer", "handoff", "handover", "hand", "escalate"})
_TO_PEOPLE = frozenset({"human", "humans", "agent", "agents", "operator", "person", "representative"})
_SUBMITTED = re.compile(r"COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT")


def is_closed(row: Mapping[str, Any]) -> bool:
    """Whether the last thing in a row closes its episode: a user's stop mark, or a call that submits or hands over.

    >>> is_closed({"messages": [{"role": "user", "content": "Thanks! ###STOP###"}]})
    True
    >>> is_closed({"messages": [{"role": "user", "content": "Thanks!"}]})
    False
    """
    happened = events(row)
    if not happened:
        return False
    last = happened[-1]
    if last.kind is Kind.USER:
        return _STOP_MARK.search(last.text.rstrip()[-_MARK_CHARS:]) is not None
    return last.call is not None and not last.call.failed and _closes(last.call)


def _closes(call: Call) -> bool:
    words = name_words(call.name)
    if "_".join(words) in _CLOSING:
        return True
    if not _HANDS_OVER.isdisjoint(words) and not _TO_PEOPLE.isdisjoint(words):
        return True
    return _SUBMITTED.search(script_text(call.arguments)) is not None
