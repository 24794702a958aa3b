"""What happened in one rollout, as it happens: steps of a row, and the chat in OpenAI's form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from whileai.simulations.rows.content import parse_arguments
from whileai.simulations.rows.text import step_arguments
from whileai.simulations.rows.values import as_text
from whileai.simulations.schema.copies import owned

STUB = "<agent error"

Step = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model asks for; `unreadable` is the text of arguments that are no JSON object, else None."""

    id: str
    name: str
    arguments: dict[str, Any]
    unreadable: str | None = None

    def message(self) -> dict[str, Any]:
        """The call as OpenAI's messages hold it."""
        written = as_json(self.arguments) if self.unreadable is None else self.unreadable
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": written}}


@dataclass(frozen=True, slots=True)
class Said:
    """One reply of a model: its words, its calls, why it ended, the log-probabilities of its tokens, what it cost."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    logprobs: list[float] | None = None
    usage: Any = None


@dataclass(slots=True)
class Transcript:
    """The rollout so far; `logprobs` and `usages` are those of each reply, `extra` fields that ride on the row."""

    steps: list[Step] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    final_text: str = ""
    finish_reason: str | None = None
    ended_by: str | None = None
    logprobs: list[list[float] | None] = field(default_factory=list)
    usages: list[Any] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    def ask(self, text: str) -> None:
        """The person's first message."""
        self.messages.append({"role": "user", "content": text})

    def answer(self, text: str) -> None:
        """The person's next message; what the agent said before it is no longer its last reply."""
        if self.final_text:
            self.steps.append({"text": self.final_text})
        self.final_text = ""
        self.steps.append({"user": text})
        self.messages.append({"role": "user", "content": text})

    def say(self, said: Said) -> None:
        """A reply of the agent; its words are the last reply until more comes, or a step beside its calls."""
        message: dict[str, Any] = {"role": "assistant", "content": said.text}
        if said.calls:
            message["tool_calls"] = [call.message() for call in said.calls]
            if said.text.strip():
                self.steps.append({"text": said.text})
        else:
            self.final_text = said.text
        self.messages.append(message)
        self.finish_reason = said.finish_reason
        self.logprobs.append(said.logprobs)
        self.usages.append(said.usage)

    def result(self, call: ToolCall, result: Any) -> None:
        """What a call gave back."""
        step: Step = {"tool": call.name, "arguments": call.arguments, "result": owned(result)}
        if call.unreadable is not None:
            step["arguments_text"] = call.unreadable
        self.steps.append(step)
        self.messages.append({"role": "tool", "tool_call_id": call.id, "name": call.name, "content": as_json(result)})

    def fail(self, why: str) -> None:
        """The end of an agent that raised: a stub of one line in place of a reply."""
        self.final_text, self.finish_reason = f"{STUB}: {' '.join(why.split())}>", "error"

    def n_calls(self) -> int:
        """How many tools were called so far."""
        return sum("tool" in step for step in self.steps)


def called(step: Mapping[str, Any]) -> Step:
    """A call with its arguments as a dict, also where they came as JSON text or under another name.

    >>> called({"tool": "get", "args": '{"id": 5}'})["arguments"], called({"tool": "get", "arguments": "five"})
    ({'id': 5}, {'tool': 'get', 'arguments': {}, 'arguments_text': 'five'})
    """
    arguments, unreadable = parse_arguments(step_arguments(step))
    made = {**step, "arguments": arguments}
    return made if unreadable is None else {**made, "arguments_text": unreadable}


def as_json(value: Any) -> str:
    """A value as the text of a message: text as it is, anything else as JSON.

    >>> as_json({"status": "paid"}), as_json("paid")
    ('{"status": "paid"}', 'paid')
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=as_text)


def jsonable(value: Any) -> Any:
    """A value as a row can hold it: as it is, or with what JSON has no form for as plain values and text.

    >>> jsonable({"total": 5, "when": {1: complex(1, 2)}})
    {'total': 5, 'when': {'1': '(1+2j)'}}
    """
    try:
        orjson.dumps(value)
    except TypeError:
        return json.loads(json.dumps(value, default=_plain, skipkeys=True))
    return value


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else as_text(value)


def error_result(message: str) -> Mapping[str, Any]:
    """The result of a call that failed before it reached a tool.

    >>> error_result("no such tool")
    {'status': 'error', 'error': 'no such tool'}
    """
    return {"status": "error", "error": message}
