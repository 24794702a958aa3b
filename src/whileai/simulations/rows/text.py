"""The one reader of trajectories: what the user and the agent said, what the agent called, what came back.

A row holds an episode as `steps` or as chat `messages` in one of many shapes. Both become the same list of `Event`s
here; no other module walks `messages`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from whileai.simulations.rows.failure import call_failed
from whileai.simulations.rows.values import as_text

ARGUMENT_FIELDS = ("arguments", "input", "args", "parameters")
RESULT_FIELDS = ("result", "output", "response")
STEP_FIELDS = ("steps", "tool_trace", "trace")
_TEXT_BLOCKS = frozenset({"text", "input_text", "output_text"})
_CALL_BLOCKS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_AGENT_ROLES = frozenset({"assistant", "model", "ai", "gpt", "chatgpt", "bard", "function_call"})
_TOOL_ROLES = frozenset({"tool", "function", "observation", "ipython"})
_CALL_ID_FIELDS = ("tool_call_id", "tool_use_id", "call_id", "id")
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"\s*")


class Kind(StrEnum):
    """What happened at one point of an episode."""

    SYSTEM = "system"
    USER = "user"
    AGENT = "agent"
    CALL = "call"
    RESULT = "result"


@dataclass(slots=True)
class Call:
    """One tool call of the agent, with its result once it has come back.

    `speech` is what the agent said in the same breath. `answered` tells a call without a result from one whose
    result is None. `failed` is the one predicate of `rows/failure.py`. `unreadable` keeps arguments that are no dict.
    """

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    id: str | None = None
    speech: str = ""
    result: Any = None
    answered: bool = False
    failed: bool = False
    unreadable: str | None = None


@dataclass(slots=True)
class Event:
    """One point of an episode: words (`text`) of the system, the user or the agent, or a call or its result."""

    kind: Kind
    text: str = ""
    call: Call | None = None


def content_text(content: Any) -> str:
    r"""The words of a message's content: text as it is, text blocks joined by newlines, `""` for anything else.

    Reasoning is never part of it; a refusal block is (the agent said it).

    >>> content_text([{"type": "text", "text": "One."}, {"type": "thinking", "thinking": "..."}, "Two."])
    'One.\nTwo.'
    """
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list | tuple):
        return ""
    return "\n".join(text for block in content if (text := _block_text(block)))


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, Mapping):
        return ""
    kind = block.get("type")
    if kind == "refusal":
        text = block.get("refusal")
    elif _one_of(kind, _TEXT_BLOCKS) or (kind is None and not block.get("thought")):
        text = block.get("text")
    else:
        return ""
    return text if isinstance(text, str) else ""


def _one_of(word: Any, known: frozenset[str]) -> bool:
    return isinstance(word, str) and word in known


def parse_json(value: Any) -> Any:
    """The value of a JSON text; anything that is not text, or does not parse, as it is.

    >>> parse_json('{"a": 1}'), parse_json("rain"), parse_json(None)
    ({'a': 1}, 'rain', None)
    """
    if not isinstance(value, str):
        return value
    head = value.lstrip()[:1]
    if not head or head not in '{["-0123456789tfnNI':
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def parse_arguments(value: Any) -> tuple[dict[str, Any], str | None]:
    """Call arguments as a dict, and the text that could not be read as one (None when there is none).

    >>> parse_arguments('{"id": 5}'), parse_arguments("five"), parse_arguments(None)
    (({'id': 5}, None), ({}, 'five'), ({}, None))
    """
    if isinstance(value, Mapping):
        return dict(value), None
    if isinstance(value, str):
        parsed = parse_json(value)
        if isinstance(parsed, dict):
            return parsed, None
        return {}, value if value.strip() else None
    return {}, None if value is None else as_text(value)


def first_of(record: Mapping[str, Any], fields: Iterable[str]) -> Any:
    """The first field that is not None, else None.

    >>> first_of({"args": {"a": 1}, "input": None}, ARGUMENT_FIELDS)
    {'a': 1}
    """
    for name in fields:
        value = record.get(name)
        if value is not None:
            return value
    return None


def message_calls(message: Mapping[str, Any]) -> list[Call]:
    """The tool calls one assistant message makes: `tool_calls` in either form, an old `function_call`, call blocks.

    >>> message_calls({"tool_calls": [{"function": {"name": "get", "arguments": '{"id": 5}'}}]})[0].arguments
    {'id': 5}
    """
    calls: list[Call] = []
    entries = message.get("tool_calls")
    if isinstance(entries, list | tuple):
        calls.extend(call for entry in entries if (call := _call_of(parse_json(entry))) is not None)
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping) and (call := _call_of(legacy)) is not None:
        calls.append(call)
    content = message.get("content")
    if isinstance(content, list | tuple):
        calls.extend(
            call
            for block in content
            if isinstance(block, Mapping)
            and _one_of(block.get("type"), _CALL_BLOCKS)
            and (call := _call_of(block)) is not None
        )
    return calls


def _call_of(entry: Any) -> Call | None:
    if not isinstance(entry, Mapping):
        return None
    function = entry.get("function")
    body: Mapping[str, Any] = function if isinstance(function, Mapping) else entry
    name = body.get("name")
    if name is None and isinstance(function, str):
        name = function
    if not isinstance(name, str):
        return None
    arguments, unreadable = parse_arguments(first_of(body, ARGUMENT_FIELDS))
    if unreadable is None and isinstance(body.get("arguments_text"), str):
        unreadable = body["arguments_text"]
    call = Call(name, arguments, _text_or_none(entry.get("id")), unreadable=unreadable)
    if entry.get("type") == "tool_use" and entry.get("result") is not None:
        _answer(call, entry["result"], bool(entry.get("error")))
    return call


def _text_or_none(value: Any) -> str | None:
    return None if value is None else as_text(value)


def _answer(call: Call, content: Any, is_error: bool) -> None:
    call.result = _result_value(content, is_error)
    call.answered = True
    call.failed = is_error or call_failed(call.result, tool=call.name, arguments=call.arguments)


def _result_value(content: Any, is_error: bool) -> Any:
    if isinstance(content, list | tuple) and any(
        isinstance(block, Mapping) and _one_of(block.get("type"), _TEXT_BLOCKS) for block in content
    ):
        content = content_text(content)
    value = parse_json(content)
    if not is_error:
        return value
    if isinstance(value, Mapping):
        return {"error": content if isinstance(content, str) else True, "status": "error", **value}
    return {"error": value if isinstance(value, str) else content_text(content) or value, "status": "error"}


class _Binder:
    """Finds the call a result answers: by id, else the first open call of that tool, else the first open call."""

    def __init__(self) -> None:
        self._by_id: dict[str, Call] = {}
        self._by_name: dict[str, dict[int, Call]] = {}
        self._open: dict[int, Call] = {}

    def add(self, call: Call) -> None:
        if call.answered:
            return
        key = id(call)
        self._open[key] = call
        self._by_name.setdefault(call.name, {})[key] = call
        if call.id is not None:
            self._by_id[call.id] = call

    def take(self, call_id: str | None, name: str | None) -> Call | None:
        call = self._by_id.get(call_id) if call_id is not None else None
        if call is None and name is not None:
            call = next(iter(self._by_name.get(name, {}).values()), None)
        if call is None:
            call = next(iter(self._open.values()), None)
        if call is not None:
            self._open.pop(id(call), None)
            self._by_name[call.name].pop(id(call), None)
            if call.id is not None and self._by_id.get(call.id) is call:
                del self._by_id[call.id]
        return call


def message_events(messages: Any) -> list[Event]:
    """The events of a chat: one for each turn with words, each call and each result, in order.

    A message that speaks and calls gives no event of its own for the words: they are the `speech` of its first
    call. A result no call is open for is a call of its own with arguments `{}`. Calls and results of a simulated
    user (`requestor: "user"`) are not the agent's and are left out.

    >>> chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}]
    >>> [event.kind.value for event in message_events(chat)]
    ['user', 'agent']
    """
    events: list[Event] = []
    binder = _Binder()
    for message in messages if isinstance(messages, list | tuple) else ():
        if not isinstance(message, Mapping):
            continue
        role = message.get("role", message.get("from"))
        if not isinstance(role, str):
            continue
        if role in _AGENT_ROLES:
            _agent_message(message, role, events, binder)
        elif role in _TOOL_ROLES:
            if message.get("requestor") != "user":
                _tool_message(message, events, binder)
        elif role == "user" or role == "human":
            _user_message(message, events, binder)
        elif (role == "system" or role == "developer") and (words := content_text(_content(message))):
            events.append(Event(Kind.SYSTEM, words))
    return events


def _content(message: Mapping[str, Any]) -> Any:
    """What a message says: its `content`, in a from/value conversation its `value`."""
    content = message.get("content")
    return message.get("value") if content is None else content


def _agent_message(message: Mapping[str, Any], role: str, events: list[Event], binder: _Binder) -> None:
    content = _content(message)
    words = content_text(content)
    if not words and isinstance(message.get("refusal"), str):
        words = message["refusal"]
    calls = message_calls(message)
    if role == "function_call" and (call := _call_of(parse_json(words))) is not None:
        calls, words = [call], ""
    if calls and words.strip():
        calls[0].speech = words
    for call in calls:
        binder.add(call)
        events.append(Event(Kind.CALL, call=call))
        if call.answered:
            events.append(Event(Kind.RESULT, call=call))
    if isinstance(content, list | tuple):
        _result_blocks(content, events, binder)
    if not calls and words.strip():
        events.append(Event(Kind.AGENT, words))


def _user_message(message: Mapping[str, Any], events: list[Event], binder: _Binder) -> None:
    content = _content(message)
    answered = isinstance(content, list | tuple) and _result_blocks(content, events, binder)
    words = content_text(content)
    if words.strip() or not (answered or message.get("tool_calls")):
        events.append(Event(Kind.USER, words))


def _result_blocks(content: Iterable[Any], events: list[Event], binder: _Binder) -> bool:
    found = False
    for block in content:
        if isinstance(block, Mapping) and as_text(block.get("type")).endswith("tool_result"):
            found = True
            _bind(
                events,
                binder,
                _text_or_none(block.get("tool_use_id")),
                None,
                block.get("content"),
                block.get("is_error") is True,
            )
    return found


def _tool_message(message: Mapping[str, Any], events: list[Event], binder: _Binder) -> None:
    name = first_of(message, ("name", "tool_name"))
    content, error = _content(message), message.get("error")
    if error and not content:
        content = error.get("message", error) if isinstance(error, Mapping) else error
    _bind(
        events,
        binder,
        _text_or_none(first_of(message, _CALL_ID_FIELDS)),
        name if isinstance(name, str) else None,
        content,
        message.get("is_error") is True or bool(error) or message.get("status") == "error",
    )


def _bind(
    events: list[Event], binder: _Binder, call_id: str | None, name: str | None, content: Any, is_error: bool
) -> None:
    call = binder.take(call_id, name)
    if call is None:
        call = Call(name or "", {}, call_id)
        events.append(Event(Kind.CALL, call=call))
    _answer(call, content, is_error)
    events.append(Event(Kind.RESULT, call=call))


def step_arguments(step: Mapping[str, Any]) -> Any:
    """The arguments of a tool step under any of their usual names, as they stand."""
    return first_of(step, ARGUMENT_FIELDS)


def step_result(step: Mapping[str, Any]) -> Any:
    """The result of a tool step under any of its usual names, as it stands."""
    return first_of(step, RESULT_FIELDS)


def step_kind(step: Mapping[str, Any]) -> Kind | None:
    """Whether a step is a call, a user turn or words of the agent; None for anything else.

    >>> step_kind({"tool": None, "text": "Done."}), step_kind({"note": "retry"})
    (<Kind.AGENT: 'agent'>, None)
    """
    tool = step.get("tool")
    if isinstance(tool, str) and (tool or step_result(step) is not None):
        return Kind.CALL
    if isinstance(step.get("user"), str):
        return Kind.USER
    return Kind.AGENT if isinstance(step.get("text"), str) else None


def step_events(steps: Any) -> list[Event]:
    """The events of a `steps` list: `{tool, arguments, result}`, `{text}` and `{user}` entries, in order.

    >>> [e.kind.value for e in step_events([{"user": "Hi"}, {"tool": "get", "result": "rain"}, {"text": "Rain."}])]
    ['user', 'call', 'result', 'agent']
    """
    events: list[Event] = []
    for step in steps if isinstance(steps, list | tuple) else ():
        if not isinstance(step, Mapping):
            continue
        kind = step_kind(step)
        if kind is Kind.CALL:
            text = step.get("text")
            call = _step_call(step, step["tool"], text if isinstance(text, str) else "")
            events.append(Event(Kind.CALL, call=call))
            if call.answered:
                events.append(Event(Kind.RESULT, call=call))
        elif kind is Kind.USER:
            events.append(Event(Kind.USER, step["user"]))
        elif kind is Kind.AGENT and step["text"].strip():
            events.append(Event(Kind.AGENT, step["text"]))
    return events


def _step_call(step: Mapping[str, Any], tool: str, speech: str) -> Call:
    arguments, unreadable = parse_arguments(step_arguments(step))
    call = Call(tool, arguments, speech=speech, unreadable=unreadable)
    call.answered = any(name in step for name in RESULT_FIELDS)
    call.result = parse_json(step_result(step))
    call.failed = call_failed(call.result, tool=tool, arguments=arguments, step=step)
    return call


def events(row: Mapping[str, Any]) -> list[Event]:
    """The episode a row holds, from the first source that holds a call: steps, messages, `<tool_call>` text.

    Without any call it is read from the steps when there are some, else from the messages, else from the prompt and
    the reply alone. On rows read from steps the prompt comes first and the reply last, unless already said.

    >>> [e.text for e in events({"prompt": "Hi", "final_text": "Hello."})]
    ['Hi', 'Hello.']
    """
    from_steps = step_events(_steps(row))
    if _has_call(from_steps):
        return _framed(row, from_steps)
    from_messages = message_events(row.get("messages"))
    if _has_call(from_messages):
        return from_messages
    written = written_calls(row.get("final_text"))
    if written:
        said = [Event(Kind.CALL, call=call) for call in written]
        return _framed(row, [*(from_steps or _without_reply(row, from_messages)), *said])
    if from_steps or not from_messages:
        return _framed(row, from_steps)
    return from_messages


def _without_reply(row: Mapping[str, Any], said: list[Event]) -> list[Event]:
    return [event for event in said if event.text != row.get("final_text")]


def _steps(row: Mapping[str, Any]) -> Any:
    for name in STEP_FIELDS:
        value = row.get(name)
        if isinstance(value, list | tuple) and value:
            return value
    return ()


def _has_call(found: list[Event]) -> bool:
    return any(event.kind is Kind.CALL for event in found)


def _framed(row: Mapping[str, Any], inner: list[Event]) -> list[Event]:
    framed = list(inner)
    prompt = prompt_text(row.get("prompt"))
    if prompt and not any(event.kind is Kind.USER and event.text == prompt for event in inner):
        framed.insert(0, Event(Kind.USER, prompt))
    final = row.get("final_text")
    if isinstance(final, str) and final.strip() and not written_calls(final):
        last = next((event for event in reversed(framed) if event.kind is Kind.AGENT), None)
        if last is None or last.text.strip() != final.strip():
            framed.append(Event(Kind.AGENT, final))
    return framed


def calls(row: Mapping[str, Any]) -> list[Call]:
    """The agent's tool calls in order, each with its result and whether it failed.

    >>> [c.name for c in calls({"steps": [{"tool": "get_order", "arguments": {"id": 5}, "result": {"ok": True}}]})]
    ['get_order']
    """
    return [event.call for event in events(row) if event.kind is Kind.CALL and event.call is not None]


def written_calls(text: Any) -> list[Call]:
    """Calls written out as `<tool_call>{"name": ..., "arguments": {...}}</tool_call>` blocks in a text.

    A block may hold several calls, one JSON object after another or as a list.

    >>> written_calls('<tool_call>{"name": "get", "arguments": {"id": 5}}</tool_call>')[0].arguments
    {'id': 5}
    """
    if not isinstance(text, str) or "<tool_call>" not in text:
        return []
    entries = (entry for body in _bodies(text, "<tool_call>", "</tool_call>") for entry in _json_values(body))
    return [call for entry in entries if (call := _call_of(entry)) is not None]


def _bodies(text: str, opening: str, closing: str) -> Iterator[str]:
    """What stands between each opening tag and the next closing one; a search, as a lazy regex is quadratic here."""
    end = 0
    while (start := text.find(opening, end)) >= 0 and (end := text.find(closing, start)) >= 0:
        yield text[start + len(opening) : end]


def _json_values(text: str) -> list[Any]:
    values: list[Any] = []
    at = _past_space(text, 0)
    try:
        while at < len(text):
            value, at = _DECODER.raw_decode(text, at)
            values += value if isinstance(value, list) else [value]
            at = _past_space(text, at)
    except (ValueError, RecursionError):
        return []
    return values


def _past_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def prompt_text(prompt: Any) -> str:
    """A prompt as text: text as it is; of a conversation its last user turn, else its last words of any role.

    >>> prompt_text([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Name a prime."}])
    'Name a prime.'
    """
    if isinstance(prompt, str):
        return prompt
    if not isinstance(prompt, list | tuple):
        return "" if isinstance(prompt, Mapping) else as_text(prompt)
    users = [e.text for e in message_events(prompt) if e.kind is Kind.USER]
    return users[-1] if users else content_text(prompt)


def first_user_text(messages: Any) -> str:
    """The words of the first user turn of a conversation, `""` when there is none.

    >>> first_user_text([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Name a prime."}])
    'Name a prime.'
    """
    return next((event.text for event in message_events(messages) if event.kind is Kind.USER and event.text), "")


def last_agent_text(messages: Any) -> str:
    """The final reply of a conversation: the last assistant turn that has words and no call, `""` when there is none.

    >>> last_agent_text([{"role": "assistant", "content": "Done."}, {"role": "user", "content": "Thanks"}])
    'Done.'
    """
    return next((event.text for event in reversed(message_events(messages)) if event.kind is Kind.AGENT), "")


def reply(row: Mapping[str, Any]) -> str | None:
    """The row's reply: `final_text`, else the last assistant message with words; None when it has no reply field.

    `""` when the row has a text `final_text` or a `messages` list and neither holds words.

    >>> reply({"final_text": " ", "messages": [{"role": "assistant", "content": "Done."}]})
    'Done.'
    """
    final = row.get("final_text")
    if isinstance(final, str) and final and not final.isspace():
        return final
    messages = row.get("messages")
    if isinstance(messages, list):
        for message in reversed(messages):
            if isinstance(message, Mapping) and message.get("role") == "assistant":
                words = content_text(message.get("content"))
                if words.strip():
                    return words
        return ""
    return "" if isinstance(final, str) else None


def roles(messages: Any) -> Iterator[str]:
    """The role of each message that has one, as text."""
    for message in messages if isinstance(messages, list | tuple) else ():
        if isinstance(message, Mapping) and isinstance(message.get("role"), str):
            yield message["role"]
