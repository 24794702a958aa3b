"""A copy of a row that says something else in its reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from whileai.simulations.rows.content import content_text
from whileai.simulations.rows.text import Kind, message_events, reply, said_in
from whileai.simulations.rows.values import is_mapping

Edit = Callable[[str], str]


def with_reply(row: Mapping[str, Any], edit: Edit) -> dict[str, Any]:
    """A copy of the row whose reply is edited in both places that hold it: `final_text` and the last assistant message.

    Each place keeps its own words where the two differ; every other message is the same object, the row is not
    changed. Of a message in blocks the text blocks become one, the others stay.

    >>> row = {"final_text": "Done.", "messages": [{"role": "assistant", "content": "Done."}]}
    >>> with_reply(row, str.upper)
    {'final_text': 'DONE.', 'messages': [{'role': 'assistant', 'content': 'DONE.'}]}
    """
    edited = {**row, "final_text": edit(reply(row) or "")}
    messages = row.get("messages")
    if isinstance(messages, list | tuple):
        place = _last_spoken(messages)
        if place is not None:
            edited["messages"] = [*messages[:place], _saying(messages[place], edit), *messages[place + 1 :]]
    return edited


def _last_spoken(messages: list[Any] | tuple[Any, ...]) -> int | None:
    """The place of the last message in which the agent says something."""
    for place in range(len(messages) - 1, -1, -1):
        if is_mapping(messages[place]) and any(
            event.kind is Kind.AGENT or (event.call is not None and event.call.speech.strip())
            for event in message_events([messages[place]])
        ):
            return place
    return None


def _saying(message: Mapping[str, Any], edit: Edit) -> dict[str, Any]:
    content = said_in(message)
    words = content_text(content)
    field = "value" if message.get("content") is None and "value" in message else "content"
    if words or not isinstance(message.get("refusal"), str):
        return {**message, field: _with_words(content, edit(words))}
    return {**message, field: edit(message["refusal"]), "refusal": None}


def _with_words(content: Any, words: str) -> Any:
    if not isinstance(content, list | tuple):
        return words
    kept = [block for block in content if not content_text([block])]
    return [{"type": "text", "text": words}, *kept]
