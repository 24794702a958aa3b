r"""Text with the marks of a chat template: turns between `<|im_start|>` and `<|im_end|>`, calls and results in tags.

What is read here is what a template wrote out: `<tool_call>` blocks of JSON in the assistant's turns,
`<tool_response>` blocks in the turns after them, and reasoning between `<think>` and `</think>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.rows.calls import written_calls
from whileai.simulations.rows.content import parse_json
from whileai.simulations.rows.formats.chat import as_text
from whileai.simulations.rows.formats.common import ROLES, message, tool_call
from whileai.simulations.rows.text import Kind, message_events
from whileai.simulations.rows.thoughts import opening_thought

_START, _END = "<|im_start|>", "<|im_end|>"
_CALL_END = "</tool_call>"
_TURN = re.compile(r"<\|im_start\|>([^\n<]*)\n?(.*?)(?=<\|im_start\|>|\Z)", re.DOTALL)
_CALL = re.compile(r"<tool_call>.*?</tool_call>", re.DOTALL)
_RESPONSE = re.compile(r"<tool_response>(.*?)(?:</tool_response>|\Z)", re.DOTALL)
_TAGGED = re.compile(
    r"<tool_call>.*?(?:</tool_call>|(?=<tool_response>)|\Z)|<tool_response>.*?(?:</tool_response>|\Z)", re.DOTALL
)


def templated(text: Any) -> bool:
    """Whether a value is text with turn marks.

    >>> templated("<|im_start|>user\\nHi<|im_end|>"), templated("Hi")
    (True, False)
    """
    return isinstance(text, str) and (_START in text or _END in text)


def conversation(prompt: str, completion: str) -> list[dict[str, Any]]:
    """The messages of a prompt and what the model went on to write, one turn each where there are no marks.

    >>> asked = "<|im_start|>user\\nHi<|im_end|>\\n<|im_start|>assistant\\n"
    >>> [turn["content"] for turn in conversation(asked, "Hello<|im_end|>")]
    ['Hi', 'Hello']
    """
    if templated(prompt):
        return messages_of(prompt + completion)
    if templated(completion):
        return [message("user", prompt), *messages_of(f"{_START}assistant\n{completion}")]
    return [message("user", prompt), message("assistant", completion)]


def messages_of(text: str) -> list[dict[str, Any]]:
    """The messages of a text with turn marks; a last assistant turn that was only opened is none.

    >>> messages_of("<|im_start|>system\\nBe brief.<|im_end|>\\n<|im_start|>user\\nHi<|im_end|>")
    [{'role': 'system', 'content': 'Be brief.'}, {'role': 'user', 'content': 'Hi'}]
    """
    found: list[dict[str, Any]] = []
    for role, body in _TURN.findall(text):
        found += turns(role.strip(), body.partition(_END)[0].removesuffix("<|endoftext|>"))
    if found and found[-1] == message("assistant", ""):
        found.pop()
    return found


def turns(role: str, text: str) -> list[dict[str, Any]]:
    """One turn of a template as messages: calls of an assistant read out, results as `tool` messages of their own.

    >>> [m["role"] for m in turns("user", "<tool_response>1</tool_response><tool_response>2</tool_response>")]
    ['tool', 'tool']
    """
    role = ROLES.get(role, role)
    if role == "assistant":
        return [_assistant(text)]
    if role in ("user", "tool") and "<tool_response>" in text:
        results = [_result(body.strip()) for body in _RESPONSE.findall(text)]
        words = _RESPONSE.sub("", text).strip()
        return [*results, *([message("user", words)] if words else [])]
    return [message(role, text)]


def tagged_steps(text: str) -> list[dict[str, Any]]:
    """The calls written in a text and their results, bound in order, as steps; for text whose turns are lost.

    >>> tagged_steps('<tool_call>{"name": "get", "arguments": {}}</tool_call>user<tool_response>rain</tool_response>')
    [{'tool': 'get', 'arguments': {}, 'result': 'rain'}]
    """
    calls = [event.call for event in message_events(list(_tagged(text))) if event.kind is Kind.CALL]
    return [
        {"tool": call.name, "arguments": call.arguments, **({"result": call.result} if call.answered else {})}
        for call in calls
        if call is not None and call.name
    ]


def _tagged(text: str) -> Iterator[dict[str, Any]]:
    for found in _TAGGED.finditer(text):
        block = found.group()
        yield from turns("assistant" if block.startswith("<tool_call>") else "tool", block)


def _assistant(text: str) -> dict[str, Any]:
    thought, said = opening_thought(text)
    calls = [
        tool_call(block.name, block.arguments if block.unreadable is None else block.unreadable, block.id)
        for block in written_calls(said)
    ]
    if calls:
        said = _without_calls(said)
    turn = message("assistant", said, calls)
    if thought:
        turn["reasoning_content"] = thought
    return turn


def _without_calls(text: str) -> str:
    last = text.rfind(_CALL_END) + len(_CALL_END)
    kept = _CALL.sub(lambda block: "" if written_calls(block.group()) else block.group(), text[:last])
    return (kept + text[last:]).strip()


def _result(body: str) -> dict[str, Any]:
    value = parse_json(body)
    if isinstance(value, Mapping) and "name" in value and "content" in value:
        call_id = value.get("tool_call_id")
        return message("tool", as_text(value["content"]), name=value["name"], tool_call_id=call_id)
    return message("tool", body)
