"""The one reader of trajectories: what the user and the agent said, what the agent called, what came back.

A row holds an episode as `steps` or as chat `messages` in one of many shapes. Both become the same list of `Event`s
here; no other module walks `messages`. Content is read by `rows/content.py`, calls by `rows/calls.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from whileai.simulations.rows.calls import (
    ARGUMENT_FIELDS,
    RESULT_FIELDS,
    Binder,
    Call,
    call_of,
    message_calls,
    text_or_none,
    unwritten,
    written_calls,
)
from whileai.simulations.rows.content import content_text, filled, first_of, one_of, parse_arguments, parse_json
from whileai.simulations.rows.shapes import (
    AGENT_ROLES,
    PLAIN_ROLES,
    SYSTEM_ROLES,
    TOOL_ROLES,
    USER_ROLES,
    chat_turns,
    messages_of,
)
from whileai.simulations.rows.values import as_text, is_mapping

STEP_FIELDS = ("steps", "tool_trace", "trace")
_TOLD_ROLES = USER_ROLES | SYSTEM_ROLES
_LISTS = (list, tuple)  # a union of types is made anew each time it is written
_SIMULATED = frozenset({"user"})
_ERROR_STATUS = frozenset({"error"})
_RESULT_FIELDS = frozenset(RESULT_FIELDS)
_CALL_ID_FIELDS = ("tool_call_id", "tool_use_id", "call_id", "id")


class Kind(StrEnum):
    """What happened at one point of an episode."""

    SYSTEM = "system"
    USER = "user"
    AGENT = "agent"
    CALL = "call"
    RESULT = "result"


SYSTEM, USER, AGENT, CALL, RESULT = Kind  # to find a member by `Kind.USER` costs ten times as much


@dataclass(slots=True)
class Event:
    """One point of an episode: words (`text`) of the system, the user or the agent, or a call or its result.

    The `text` of a message's result is that result as it came, when it came as text.
    """

    kind: Kind
    text: str = ""
    call: Call | None = None


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
    binder = Binder()
    for role, message in chat_turns(messages):
        if role in AGENT_ROLES:
            _agent_message(message, role, events, binder)
        elif role in TOOL_ROLES:
            if not one_of(message.get("requestor"), _SIMULATED):
                _tool_message(message, events, binder)
        elif role in USER_ROLES:
            _user_message(message, events, binder)
        elif role in SYSTEM_ROLES and (words := content_text(said_in(message))):
            events.append(Event(SYSTEM, words))
    return events


def said_in(message: Mapping[str, Any]) -> Any:
    """The content of a message, in a from/value conversation its `value`."""
    content = message.get("content")
    return message.get("value") if content is None else content


def words_and_calls(message: Mapping[str, Any], role: str) -> tuple[str, list[Call]]:
    """What an agent's message says, and the calls it makes, those written into its words included.

    >>> words_and_calls({"content": "One moment."}, "assistant")
    ('One moment.', [])
    """
    words = content_text(said_in(message))
    if not words and isinstance(message.get("refusal"), str):
        words = message["refusal"]
    calls = message_calls(message)
    if role == "function_call" and (call := call_of(parse_json(words))) is not None:
        calls, words = [call], ""
    if not calls and "<tool_call>" in words and (written := written_calls(words)):
        calls, words = written, unwritten(words)
    return words, calls


def _agent_message(message: Mapping[str, Any], role: str, events: list[Event], binder: Binder) -> None:
    words, calls = words_and_calls(message, role)
    if calls and words.strip():
        calls[0].speech = words
    for call in calls:
        binder.add(call)
        events.append(Event(CALL, call=call))
        if call.answered:
            events.append(Event(RESULT, call=call))
    if isinstance(content := said_in(message), list | tuple):
        _result_blocks(content, events, binder)
    if not calls and words.strip():
        events.append(Event(AGENT, words))


def _user_message(message: Mapping[str, Any], events: list[Event], binder: Binder) -> None:
    content = said_in(message)
    answered = isinstance(content, list | tuple) and _result_blocks(content, events, binder)
    words = content_text(content)
    if words.strip() or not (answered or filled(message.get("tool_calls"))):
        events.append(Event(USER, words))


def _result_blocks(content: Iterable[Any], events: list[Event], binder: Binder) -> bool:
    found = False
    for block in content:
        if is_mapping(block) and as_text(block.get("type")).endswith("tool_result"):
            found = True
            _bind(
                events,
                binder,
                text_or_none(block.get("tool_use_id")),
                None,
                block.get("content"),
                block.get("is_error") is True,
            )
    return found


def _tool_message(message: Mapping[str, Any], events: list[Event], binder: Binder) -> None:
    name = first_of(message, ("name", "tool_name"))
    content, error = said_in(message), message.get("error")
    failed = filled(error)
    if failed and not filled(content):
        content = error.get("message", error) if is_mapping(error) else error
    _bind(
        events,
        binder,
        text_or_none(first_of(message, _CALL_ID_FIELDS)),
        name if isinstance(name, str) else None,
        content,
        message.get("is_error") is True or failed or one_of(message.get("status"), _ERROR_STATUS),
    )


def _bind(
    events: list[Event], binder: Binder, call_id: str | None, name: str | None, content: Any, is_error: bool
) -> None:
    call = binder.take(call_id, name)
    if call is None:
        call = Call(name or "", {}, call_id)
        events.append(Event(CALL, call=call))
    call.answer(content, is_error)
    events.append(Event(RESULT, content if isinstance(content, str) else "", call))


def step_arguments(step: Mapping[str, Any]) -> Any:
    """The arguments of a tool step under any of their usual names, as they stand."""
    return first_of(step, ARGUMENT_FIELDS)


def step_result(step: Mapping[str, Any]) -> Any:
    """The result of a tool step under any of its usual names, as it stands."""
    return first_of(step, RESULT_FIELDS)


def step_kind(step: Mapping[str, Any]) -> Kind | None:
    """Whether a step is a call, a user turn or words of the agent; None for anything else.

    A call that names no tool is told by its arguments or its result: some writers give every step an empty `tool`.

    >>> step_kind({"tool": None, "text": "Done."}), step_kind({"note": "retry"})
    (<Kind.AGENT: 'agent'>, None)
    """
    tool = step.get("tool")
    if isinstance(tool, str) and (tool or step_result(step) is not None or filled(step_arguments(step))):
        return CALL
    if isinstance(step.get("user"), str):
        return USER
    return AGENT if isinstance(step.get("text"), str) else None


def step_events(steps: Any) -> list[Event]:
    """The events of a `steps` list: `{tool, arguments, result}`, `{text}` and `{user}` entries, in order.

    >>> [e.kind.value for e in step_events([{"user": "Hi"}, {"tool": "get", "result": "rain"}, {"text": "Rain."}])]
    ['user', 'call', 'result', 'agent']
    """
    events: list[Event] = []
    for step in steps if isinstance(steps, list | tuple) else ():
        if not is_mapping(step):
            continue
        kind = step_kind(step)
        if kind is CALL:
            call = _step_call(step, step["tool"], _step_speech(step))
            events.append(Event(CALL, call=call))
            if call.answered:
                events.append(Event(RESULT, call=call))
        elif kind is USER:
            events.append(Event(USER, step["user"]))
        elif kind is AGENT and step["text"].strip():
            events.append(Event(AGENT, step["text"]))
    return events


def _step_speech(step: Mapping[str, Any]) -> str:
    text = step.get("text")
    return text if isinstance(text, str) else ""


def _step_call(step: Mapping[str, Any], tool: str, speech: str) -> Call:
    given = step.get("arguments")
    if type(given) is dict:
        arguments, unreadable = given.copy(), None
    else:
        arguments, unreadable = parse_arguments(step_arguments(step) if given is None else given)
    result = step.get("result")
    if type(result) is not dict:
        result = parse_json(step_result(step) if result is None else result)
    answered = result is not None or not _RESULT_FIELDS.isdisjoint(step)
    return Call(tool, arguments, None, speech, result, answered, unreadable, step)


def events(row: Mapping[str, Any]) -> list[Event]:
    """The episode a row holds, from the first source that holds a call: steps, messages, `<tool_call>` text.

    Without any call it is read from the steps when there are some, else from the messages, else from the prompt and
    the reply alone. On rows read from steps the prompt comes first and the reply last, unless already said.

    >>> [e.text for e in events({"prompt": "Hi", "final_text": "Hello."})]
    ['Hi', 'Hello.']
    """
    from_steps = step_events(steps_of(row))
    if _has_call(from_steps):
        return _framed(row, from_steps)
    from_messages = message_events(row.get("messages"))
    if _has_call(from_messages):
        return from_messages
    written = written_calls(row.get("final_text"))
    if written:
        said = [Event(CALL, call=call) for call in written]
        return _framed(row, [*(from_steps or _without_reply(row, from_messages)), *said])
    if from_steps or not from_messages:
        return _framed(row, from_steps)
    return from_messages


def _without_reply(row: Mapping[str, Any], said: list[Event]) -> list[Event]:
    return [event for event in said if event.text != row.get("final_text")]


def steps_of(row: Mapping[str, Any]) -> Any:
    """The steps a row holds under any of their names, an empty tuple when it holds none."""
    for name in STEP_FIELDS:
        value = row.get(name)
        if isinstance(value, _LISTS) and value:
            return value
    return ()


def _has_call(found: list[Event]) -> bool:
    return any(event.kind is CALL for event in found)


def _framed(row: Mapping[str, Any], inner: list[Event]) -> list[Event]:
    framed = list(inner)
    prompt = prompt_text(row.get("prompt"))
    if prompt and not any(event.text == prompt and event.kind is USER for event in inner):
        framed.insert(0, Event(USER, prompt))
    final = row.get("final_text")
    if isinstance(final, str) and final.strip() and not written_calls(final):
        spoke = (event for event in reversed(framed) if event.kind in (AGENT, USER))
        last = next(spoke, None)
        if last is None or last.kind is USER or last.text.strip() != final.strip():
            framed.append(Event(AGENT, final))
    return framed


def calls(row: Mapping[str, Any]) -> list[Call]:
    """The agent's tool calls in order, each with its result and whether it failed.

    >>> [c.name for c in calls({"steps": [{"tool": "get_order", "arguments": {"id": 5}, "result": {"ok": True}}]})]
    ['get_order']
    """
    from_steps = list(_step_calls(row))
    if from_steps:
        return from_steps
    return [event.call for event in events(row) if event.kind is CALL and event.call is not None]


def first_call(row: Mapping[str, Any]) -> Call | None:
    """The first of `calls`, None when there is none; of a row with steps the other calls are not read.

    >>> first_call({"steps": [{"text": "One moment."}, {"tool": "get_order"}, {"tool": "refund"}]}).name
    'get_order'
    """
    return next(_step_calls(row), None) or next(iter(calls(row)), None)


def _step_calls(row: Mapping[str, Any]) -> Iterator[Call]:
    for step in steps_of(row):
        if type(step) is dict or is_mapping(step):
            tool = step.get("tool")
            if (type(tool) is str and tool) or step_kind(step) is CALL:
                yield _step_call(step, step["tool"], _step_speech(step))


def prompt_text(prompt: Any) -> str:
    """A prompt as text: text as it is; of a conversation its last user turn, else its last words of any role.

    >>> prompt_text([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Name a prime."}])
    'Name a prime.'
    """
    if isinstance(prompt, str):
        return prompt
    if not isinstance(prompt, list | tuple):
        return "" if is_mapping(prompt) else as_text(prompt)
    users = [e.text for e in message_events(prompt) if e.kind is USER]
    return users[-1] if users else content_text(prompt)


def first_user_text(messages: Any) -> str:
    """The words of the first user turn of a conversation, `""` when there is none.

    >>> first_user_text([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Name a prime."}])
    'Name a prime.'
    """
    return next((event.text for event in message_events(messages) if event.kind is USER and event.text), "")


def ask_text(row: Mapping[str, Any]) -> str:
    """What the row's user asked first: the prompt, else the first user turn, `""` when there is neither.

    >>> ask_text({"messages": [{"role": "user", "content": "Where is order 5?"}]})
    'Where is order 5?'
    """
    return prompt_text(row.get("prompt")) or first_user_text(row.get("messages"))


def last_agent_text(messages: Any) -> str:
    """The final reply of a conversation: the last assistant turn that has words and no call, `""` when there is none.

    >>> last_agent_text([{"role": "assistant", "content": "Done."}, {"role": "user", "content": "Thanks"}])
    'Done.'
    """
    return next((event.text for event in reversed(message_events(messages)) if event.kind is AGENT), "")


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
        return _last_said(messages)
    return "" if isinstance(final, str) else None


def _last_said(messages: list[Any]) -> str:
    for message in reversed(messages):
        for role, turn in chat_turns((message,)):
            if role in AGENT_ROLES and role != "function_call":
                words = content_text(said_in(turn))
                if words.strip():
                    return words
    return ""


def agent_texts(row: Mapping[str, Any]) -> list[str]:
    """Everything the agent said, turn by turn; the reply comes last, once.

    Read from the messages when there are some, else from the steps; words spoken along with a call are included.

    >>> agent_texts({"steps": [{"text": "One moment."}, {"tool": "get", "result": 5}], "final_text": "It is 5."})
    ['One moment.', 'It is 5.']
    """
    messages = row.get("messages")
    final = row.get("final_text")
    if isinstance(messages, _LISTS) and messages:
        said = _turns_said(messages)
        last = said[-1] if said else ""
    else:
        steps = steps_of(row)
        said = _steps_said(steps)
        last = said[-1] if said and not _person_spoke_last(steps) else ""
    if isinstance(final, str) and final.strip() and last.strip() != final.strip():
        said.append(final)
    return said


def _turns_said(messages: Iterable[Any]) -> list[str]:
    return [words for message in messages_of(messages, AGENT_ROLES) if (words := _words(message))]


def words_of(messages: Iterable[Any], speakers: frozenset[str]) -> list[str]:
    """What each message of a chat with one of these roles says, in order; the roles are none of a tool's.

    >>> words_of([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}], USER_ROLES)
    ['Hi']
    """
    found: list[str] = []
    try:
        for message in messages:
            if (role := message.get("role")) in speakers:
                if type(message) is dict and type(content := message.get("content")) is str:
                    found.append(content)
                else:
                    found += map(words_in, messages_of((message,), speakers))
            elif role not in PLAIN_ROLES:
                found += map(words_in, messages_of((message,), speakers))
    except (AttributeError, TypeError):  # a message that is none, a role that is no text
        return list(map(words_in, messages_of(messages, speakers)))
    return found


def words_in(message: Mapping[str, Any]) -> str:
    """What a message of the plain shape says.

    >>> words_in({"role": "user", "content": [{"type": "text", "text": "Hi"}]})
    'Hi'
    """
    content = message.get("content")
    return content if type(content) is str else content_text(said_in(message))


def _words(message: Mapping[str, Any]) -> str:
    """What an agent's message says, `""` when it says nothing but white space."""
    words = message.get("content")
    if type(words) is not str:
        words = words_in(message)
    if not words and isinstance(message.get("refusal"), str):
        words = message["refusal"]
    return "" if words.isspace() else words


def _person_spoke_last(steps: Iterable[Any]) -> bool:
    kinds = [kind for step in steps if is_mapping(step) and (kind := step_kind(step)) in (USER, AGENT)]
    return kinds[-1:] == [USER]


def _steps_said(steps: Iterable[Any]) -> list[str]:
    return [
        step["text"]
        for step in steps
        if is_mapping(step)
        and isinstance(step.get("text"), str)
        and step["text"].strip()
        and step_kind(step) in (AGENT, CALL)
    ]


def told_texts(row: Mapping[str, Any]) -> list[str]:
    """The turns of the user and of the system, each once: those of the steps, then those of the messages.

    >>> told_texts({"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]})
    ['Be brief.', 'Hi']
    """
    said: dict[str, None] = {}
    for step in steps_of(row):
        if (type(step) is dict or is_mapping(step)) and "user" in step and step_kind(step) is USER:
            said[step["user"]] = None
    messages = row.get("messages")
    if isinstance(messages, _LISTS):
        said |= dict.fromkeys(words_of(messages, _TOLD_ROLES))
    return list(said)


def roles(messages: Any) -> Iterator[str]:
    """The role of each message that has one, as text."""
    for message in messages if isinstance(messages, _LISTS) else ():
        role = message.get("role") if type(message) is dict or is_mapping(message) else None
        if isinstance(role, str):
            yield role
