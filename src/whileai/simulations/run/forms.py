"""How a chat with tools is sent to a model and read back: one class a protocol, the chat itself always OpenAI's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from whileai.simulations.models import ModelError
from whileai.simulations.models.wires.base import content_text
from whileai.simulations.rows.content import parse_arguments
from whileai.simulations.rows.formats.generation import finish_of, token_logprobs_of
from whileai.simulations.run.transcript import Said, ToolCall

Message = dict[str, Any]


class OpenAIForm:
    """OpenAI's chat completions."""

    gives_logprobs = True

    def __init__(self, tools: Sequence[Mapping[str, Any]], system_prompt: str) -> None:
        self._tools, self._system = list(tools), system_prompt

    def body(self, messages: Sequence[Message], sampling: Mapping[str, Any], *, logprobs: bool) -> dict[str, Any]:
        """The body that asks for the next reply of a chat."""
        system = [{"role": "system", "content": self._system}] if self._system else []
        return {
            "messages": [*system, *messages],
            **({"tools": self._tools} if self._tools else {}),
            **sampling,
            **({"logprobs": True} if logprobs else {}),
        }

    def read(self, reply: Mapping[str, Any], turn: int) -> Said:
        """The reply in an answer; a `ModelError` when it holds none."""
        choices = reply.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            raise ModelError("the model answered without choices: is it a chat model?")
        made = message.get("tool_calls")
        calls = [_called(entry, turn, at) for at, entry in enumerate(made if isinstance(made, list) else ())]
        return Said(
            content_text(message.get("content")) or content_text(message.get("refusal")),
            tuple(call for call in calls if call is not None),
            finish_of(choice.get("finish_reason")),
            token_logprobs_of(choice.get("logprobs")),
            reply.get("usage"),
        )


class AnthropicForm:
    """Anthropic's messages: the system prompt beside them, calls and results as blocks."""

    gives_logprobs = False

    def __init__(self, tools: Sequence[Mapping[str, Any]], system_prompt: str) -> None:
        functions = [tool["function"] for tool in tools]
        self._tools = [
            {"name": f["name"], "description": f.get("description", ""), "input_schema": f["parameters"]}
            for f in functions
        ]
        self._system = system_prompt

    def body(self, messages: Sequence[Message], sampling: Mapping[str, Any], *, logprobs: bool) -> dict[str, Any]:
        """The body that asks for the next reply of a chat."""
        return {
            **({"system": self._system} if self._system else {}),
            "messages": [
                {"role": role, "content": [block for message in turn for block in _blocks(message)]}
                for role, turn in groupby(messages, key=_side)
            ],
            **({"tools": self._tools} if self._tools else {}),
            **sampling,
        }

    def read(self, reply: Mapping[str, Any], turn: int) -> Said:
        """The reply in an answer; a `ModelError` when it holds none."""
        blocks = reply.get("content")
        if not isinstance(blocks, list):
            raise ModelError("the model answered without content")
        used = [block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_use"]
        calls = (_called({"id": use.get("id"), "function": use}, turn, at) for at, use in enumerate(used))
        return Said(
            content_text(blocks),
            tuple(call for call in calls if call is not None),
            finish_of(reply.get("stop_reason")),
            usage=reply.get("usage"),
        )


def form_of(spec: str) -> type[OpenAIForm] | type[AnthropicForm]:
    """The form a model is asked in.

    >>> form_of("anthropic:claude-haiku-4-5").__name__, form_of("openai:gpt-4o").__name__
    ('AnthropicForm', 'OpenAIForm')
    """
    return AnthropicForm if spec.startswith("anthropic:") else OpenAIForm


def _called(entry: Any, turn: int, place: int) -> ToolCall | None:
    """The call of an entry; None when it names no tool. One without an id gets that of its place in the rollout."""
    function = entry.get("function") if isinstance(entry, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return None
    arguments, unreadable = parse_arguments(function.get("arguments", function.get("input")))
    return ToolCall(_text(entry.get("id")) or f"call_{turn}_{place}", function["name"], arguments, unreadable)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _side(message: Message) -> str:
    return "assistant" if message["role"] == "assistant" else "user"


def _blocks(message: Message) -> Iterator[dict[str, Any]]:
    """The blocks of one message; a blank text makes none, as Anthropic refuses it."""
    if message["role"] == "tool":
        yield {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}
        return
    if message["content"].strip():
        yield {"type": "text", "text": message["content"]}
    for call in message.get("tool_calls", ()):
        arguments, _ = parse_arguments(call["function"]["arguments"])
        yield {"type": "tool_use", "id": call["id"], "name": call["function"]["name"], "input": arguments}
