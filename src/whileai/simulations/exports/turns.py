"""The conversation of a row, from whatever shape it is held in, as the turns a training file is made of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from whileai.simulations.exports.scrub import payload
from whileai.simulations.rows.calls import Binder, Call, text_or_none, written_calls
from whileai.simulations.rows.content import content_text, filled, first_of
from whileai.simulations.rows.endings import is_stub
from whileai.simulations.rows.shapes import AGENT_ROLES, SYSTEM_ROLES, TOOL_ROLES, USER_ROLES, chat_turns
from whileai.simulations.rows.text import Event, Kind, events, prompt_text, said_in, steps_of, words_and_calls
from whileai.simulations.rows.thoughts import without_thoughts
from whileai.simulations.rows.values import as_text, is_mapping

_CALL_ID_FIELDS = ("tool_call_id", "tool_use_id", "call_id", "id")
_SPEAKER = re.compile(r"\A(?:\s|<\|im_(?:end|start)\|>|assistant\b)++")
_CALL_BLOCKS = ("tool_use", "tool_result")


@dataclass(slots=True)
class Turn:
    """One turn: `content` is text, or blocks in the form of OpenAI where a user shows more than words.

    `calls` are those an assistant turn makes, each with an id; `call_id` and `name` say what a tool turn answers.
    """

    role: str
    content: Any = ""
    calls: list[Call] = field(default_factory=list)
    call_id: str = ""
    name: str = ""


def turns_of(row: Mapping[str, Any], strip_think: bool = False) -> list[Turn]:
    """The episode of a row as chat turns, its reply included.

    Read from the messages, from the steps where only they hold calls, else from the prompt and the reply. A crash
    stub of the harness is no turn. `strip_think` takes `<think>` blocks out of what the agent said.

    >>> row = {"prompt": "Hi", "steps": [{"tool": "get", "result": "rain"}], "final_text": "So."}
    >>> [(turn.role, turn.content) for turn in turns_of(row)]
    [('user', 'Hi'), ('assistant', ''), ('tool', 'rain'), ('assistant', 'So.')]
    """
    chat = _Chat(strip_think)
    chat.messages(row.get("messages"))
    acts = chat.acts
    if not chat.turns or not acts:
        found = events(row)
        if not chat.turns or any(event.kind is Kind.CALL for event in found):
            chat = _rebuilt(row, chat, found, strip_think)
    final = row.get("final_text")
    if isinstance(final, str):
        chat.reply(final, transcript=not acts and not steps_of(row))
    return _asked(chat.turns, row)


def _asked(turns: list[Turn], row: Mapping[str, Any]) -> list[Turn]:
    """The turns with the prompt before the agent's first, where no turn of a user holds what was asked."""
    if not turns or any(turn.role == "user" for turn in turns) or not (prompt := prompt_text(row.get("prompt"))):
        return turns
    first = next((at for at, turn in enumerate(turns) if turn.role != "system"), len(turns))
    return [*turns[:first], Turn("user", prompt), *turns[first:]]


def _rebuilt(row: Mapping[str, Any], read: _Chat, found: list[Event], strip_think: bool) -> _Chat:
    """The turns of events, after the system turns of the messages and a prompt that is a conversation."""
    chat = _Chat(strip_think)
    prompt = row.get("prompt")
    if isinstance(prompt, list | tuple):
        chat.messages(prompt)
        found = events({**row, "prompt": None})
    if not any(turn.role == "system" for turn in chat.turns):
        chat.turns[:0] = [turn for turn in read.turns if turn.role == "system"]
        found = [event for event in found if event.kind is not Kind.SYSTEM]
    chat.events(found)
    return chat


class _Chat:
    """Collects turns: binds results to calls, and gives ids to calls that have none."""

    def __init__(self, strip_think: bool) -> None:
        self.turns: list[Turn] = []
        self._strip = strip_think
        self._binder = Binder()
        self._names = _names()
        self._said: set[str] = set()

    @property
    def acts(self) -> bool:
        return any(turn.calls for turn in self.turns)

    def messages(self, messages: Any) -> None:
        for role, message in chat_turns(messages):
            if role in AGENT_ROLES:
                self._agent(role, message)
            elif role in TOOL_ROLES:
                if message.get("requestor") != "user":  # a call of the simulated user is not the agent's
                    self._tool(message)
            elif role in USER_ROLES:
                self._user(message)
            elif role in SYSTEM_ROLES:
                self.turns.append(Turn("system", content_text(said_in(message))))

    def events(self, found: list[Event]) -> None:
        for event in found:
            if event.kind is Kind.SYSTEM or event.kind is Kind.USER:
                self.turns.append(Turn(event.kind.value, event.text))
            elif event.kind is Kind.AGENT:
                self._assistant(event.text, [])
            elif event.call is not None and event.kind is Kind.CALL:
                self._assistant(event.call.speech, [event.call], bind=False)
            elif event.call is not None:
                self._answer(event.call, event.text or result_text(event.call.result))

    def reply(self, final: str, transcript: bool) -> None:
        """Add the reply, unless the agent says it already; of a `transcript` with calls, what comes after the last."""
        said = _after_calls(final) if transcript and written_calls(final) else final
        words = self._words(said).strip()
        if words and words not in self._said:
            self._assistant(said, [])

    def _agent(self, role: str, message: Mapping[str, Any]) -> None:
        words, calls = words_and_calls(message, role)
        self._assistant(words, calls)
        for call in calls:
            if call.answered:
                self._answer(call, result_text(call.result))
        if isinstance(content := said_in(message), list | tuple):
            self._result_blocks(content)

    def _words(self, text: str) -> str:
        return without_thoughts(text) if self._strip else text

    def _assistant(self, words: str, calls: list[Call], bind: bool = True) -> None:
        words = self._words(words)
        if not calls and is_stub(words):
            return
        self._said.add(words.strip())
        for call in calls:
            call.id = call.id or next(self._names)
            call.arguments = payload(call.arguments)
            if bind:
                self._binder.add(call)
        last = self.turns[-1] if self.turns else None
        if calls and not words.strip() and last is not None and last.calls:  # one message of parallel calls
            last.calls += calls
        else:
            self.turns.append(Turn("assistant", words if words.strip() else "", list(calls)))

    def _tool(self, message: Mapping[str, Any]) -> None:
        name, content, error = first_of(message, ("name", "tool_name")), said_in(message), message.get("error")
        if filled(error) and not filled(content):
            content = error.get("message", error) if is_mapping(error) else error
        call_id = text_or_none(first_of(message, _CALL_ID_FIELDS))
        self._result(call_id, name if isinstance(name, str) else None, content)

    def _user(self, message: Mapping[str, Any]) -> None:
        content = said_in(message)
        answers = isinstance(content, list | tuple) and self._result_blocks(content)
        shown = shown_content(content)
        if shown or not (answers or filled(message.get("tool_calls"))):
            self.turns.append(Turn("user", shown))

    def _result_blocks(self, content: list[Any] | tuple[Any, ...]) -> bool:
        results = [b for b in content if is_mapping(b) and as_text(b.get("type")).endswith("tool_result")]
        for block in results:
            self._result(text_or_none(block.get("tool_use_id")), None, block.get("content"))
        return bool(results)

    def _result(self, call_id: str | None, name: str | None, content: Any) -> None:
        call = self._binder.take(call_id, name) or Call(name or "", {}, call_id or next(self._names))
        self._answer(call, result_text(content))

    def _answer(self, call: Call, text: str) -> None:
        self.turns.append(Turn("tool", text, call_id=call.id or "", name=call.name))


def _after_calls(text: str) -> str:
    """What a transcript that is one text says after its last call and result."""
    end = max(text.rfind(tag) + len(tag) for tag in ("</tool_call>", "</tool_response>") if tag in text)
    return _SPEAKER.sub("", text[end:], count=1)


def _names() -> Iterator[str]:
    number = 0
    while True:
        yield f"call_{number:04d}"
        number += 1


def result_text(content: Any) -> str:
    """What a tool returned as text: text as it is, the words of text blocks, anything else as JSON.

    >>> result_text({"ok": True}), result_text([{"type": "text", "text": "rain"}]), result_text(None)
    ('{"ok": true}', 'rain', '')
    """
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list | tuple) and (words := content_text(content)):
        return words
    try:
        return json.dumps(payload(content), ensure_ascii=False, default=as_text)
    except (TypeError, ValueError, RecursionError):
        return as_text(content)


def shown_content(content: Any) -> Any:
    """What a user said: text when words are all there is, else the blocks in the form of OpenAI.

    >>> shown_content([{"type": "text", "text": "Hi"}])
    'Hi'
    >>> shown_content([{"type": "image", "source": {"type": "url", "url": "cat.png"}}, "This one"])
    [{'type': 'image_url', 'image_url': {'url': 'cat.png'}}, {'type': 'text', 'text': 'This one'}]
    """
    if not isinstance(content, list | tuple):
        return content_text(content)
    blocks = [block for block in map(_block, content) if block is not None]
    return blocks if any(block["type"] != "text" for block in blocks) else content_text(content)


def _block(block: Any) -> dict[str, Any] | None:
    if words := content_text([block]):
        return {"type": "text", "text": words}
    if not is_mapping(block) or not isinstance(block.get("type"), str) or block["type"].endswith(_CALL_BLOCKS):
        return None
    source = block.get("source")
    if block["type"] == "image" and is_mapping(source):
        url = source.get("url") or f"data:{source.get('media_type')};base64,{source.get('data')}"
        return {"type": "image_url", "image_url": {"url": as_text(url)}}
    return None if block["type"] in ("text", "input_text", "output_text", "thinking", "reasoning") else dict(block)
