"""OpenAI Responses: a stored response with the input it answered, or a plain list of items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.rows.content import first_of
from whileai.simulations.rows.formats.chat import as_text, is_row_of_ours, rest_of, scored
from whileai.simulations.rows.formats.common import ROLES, error_text, failed_run, make_row, message, tool_call
from whileai.simulations.rows.formats.generation import finish_of, sampling_of, token_logprobs_of
from whileai.simulations.rows.source import Source

NAME = "openai-responses"
LOOKS_FOR = '`object` "response" with `output`, or `items`'
_CONSUMED = ("input", "output", "items", "instructions", "model", "temperature", "max_output_tokens", "reward")
_CALL, _OUTPUT = "_call", "_output"
_ENVELOPE = ("id", "call_id", "type", "status")
_RESULT_FIELDS = ("output", "outputs", "results", "result")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a response, or holds the items of a conversation.

    >>> sniff({"object": "response", "output": []}), sniff({"items": [{"role": "user", "content": "Hi"}]})
    (True, True)
    """
    if record.get("object") == "response":
        return isinstance(record.get("output"), list)
    items = record.get("items")
    return isinstance(items, list) and bool(items) and all(map(_is_item, items)) and not is_row_of_ours(record)


def _is_item(item: Any) -> bool:
    if not isinstance(item, Mapping):
        return False
    kind = item.get("type")
    if kind is None or kind == "message":
        return isinstance(item.get("role"), str) and "content" in item
    return isinstance(kind, str) and (kind == "reasoning" or kind.endswith((_CALL, _OUTPUT)) or "id" in item)


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a response: instructions, input and output as one conversation.

    >>> said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello."}]}
    >>> response = {"object": "response", "status": "completed", "input": "Hi", "output": [said]}
    >>> row = to_rows(response, Source("responses.jsonl"))[0]
    >>> row["prompt"], row["final_text"], row["finish_reason"]
    ('Hi', 'Hello.', 'stop')
    """
    output = first_of(record, ("output", "items"))
    error = _error(record)
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=_CONSUMED,
        messages=[
            *_given(record.get("instructions"), "instructions", "system"),
            *_given(record.get("input"), "input", "user"),
            *item_messages(output, "output" if "output" in record else "items"),
        ],
        model_version=record.get("model"),
        sampling=sampling_of(record, record.get("model")),
        token_logprobs=output_logprobs(output),
        finish_reason=ending(record),
        error=error,
        **scored(record),
    )
    if error is not None:
        failed_run(row, error, source, raw_reward=record.get("reward"))
    return [row]


def ending(response: Mapping[str, Any]) -> str | None:
    """Why a response ended: `stop`, or `tool` when its last item is a call; `length`; else its own word.

    >>> ending({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}})
    'length'
    """
    status = response.get("status")
    details = response.get("incomplete_details")
    if status == "incomplete" and isinstance(details, Mapping):
        return finish_of(details.get("reason")) or "incomplete"
    output = response.get("output")
    last = output[-1] if status == "completed" and isinstance(output, list) and output else None
    return "tool" if isinstance(last, Mapping) and last.get("type") == "function_call" else finish_of(status)


def output_logprobs(items: Any) -> list[float] | None:
    """The log-probabilities that the text blocks of a response's messages hold, in order; None when there are none.

    >>> output_logprobs([{"content": [{"type": "output_text", "text": "Hi", "logprobs": [{"logprob": -0.5}]}]}])
    [-0.5]
    """
    blocks = [
        block
        for item in (items if isinstance(items, list) else ())
        if isinstance(item, Mapping) and isinstance(item.get("content"), list)
        for block in item["content"]
        if isinstance(block, Mapping)
    ]
    found = [value for block in blocks for value in token_logprobs_of({"content": block.get("logprobs")}) or ()]
    return found or None


def item_messages(items: Any, field: str) -> list[dict[str, Any]]:
    """The messages of the items of one input or output.

    Calls that follow each other are one turn, with the words of the message right before them. Reasoning and items
    of no other kind stay, as `items`, on the next message of the assistant.

    >>> call = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "get", "arguments": "{}"}
    >>> item_messages([call, {"type": "function_call_output", "call_id": "c1", "output": "rain"}], "items")[1]
    {'role': 'tool', 'content': 'rain', 'tool_call_id': 'c1'}
    """
    if not isinstance(items, list):
        raise ValueError(f"`{field}` must be a list of items, found {keys_found(items)}")
    reader = _Items()
    for item in items:
        if not isinstance(item, Mapping):
            raise ValueError(f"`{field}` holds {keys_found(item)}, which is no item")
        reader.add(item)
    reader.close()
    return reader.messages


class _Items:
    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self._speaker: dict[str, Any] | None = None
        self._pending: list[Any] = []

    def add(self, item: Mapping[str, Any]) -> None:
        kind = item.get("type")
        if kind is None or kind == "message":
            self._message(item)
        elif isinstance(kind, str) and kind.endswith(_CALL):
            self._call(item, kind)
        elif isinstance(kind, str) and kind.endswith(_CALL + _OUTPUT):
            self._result(first_of(item, ("call_id", "id")), item.get("output"), None)
        else:
            self._pending.append(item)
            self._speaker = None

    def close(self) -> None:
        if self._pending:
            self._agent(message("assistant", ""))

    def _message(self, item: Mapping[str, Any]) -> None:
        role = item.get("role")
        if not isinstance(role, str):
            raise ValueError(f"a message item has no role: found {keys_found(dict(item))}")
        turn = message(ROLES.get(role, role), item.get("content"))
        turn.update(rest_of(item, ("type", "role", "content")))
        if turn["role"] == "assistant":
            self._agent(turn)
        else:
            self.messages.append(turn)
            self._speaker = None

    def _agent(self, turn: dict[str, Any]) -> None:
        if self._pending:
            turn["items"] = self._pending
            self._pending = []
        self.messages.append(turn)
        self._speaker = turn

    def _call(self, item: Mapping[str, Any], kind: str) -> None:
        if self._speaker is None:
            self._agent(message("assistant", None))
        if self._speaker is not None:
            self._speaker.setdefault("tool_calls", []).append(_call_of(item, kind))
        if kind != "function_call":
            self._built_in_result(item, kind)

    def _built_in_result(self, item: Mapping[str, Any], kind: str) -> None:
        result, error = first_of(item, _RESULT_FIELDS), item.get("error")
        failed = error is not None or item.get("status") == "failed"
        if result is not None or failed:
            content = first_of(
                {"result": result, "error": error, "status": item.get("status")}, ("result", "error", "status")
            )
            self._result(first_of(item, ("call_id", "id")), content, True if failed else None)

    def _result(self, call_id: Any, content: Any, failed: bool | None) -> None:
        called = None if call_id is None else str(call_id)
        self.messages.append(message("tool", as_text(content), tool_call_id=called, is_error=failed))
        self._speaker = None


def _call_of(item: Mapping[str, Any], kind: str) -> dict[str, Any]:
    if kind in ("function_call", "custom_tool_call", "mcp_call"):
        name, arguments = item.get("name"), first_of(item, ("arguments", "input"))
        known = ["name", "arguments", "input"]
    else:
        name, arguments = kind.removesuffix(_CALL), rest_of(item, (*_ENVELOPE, *_RESULT_FIELDS))
        known = list(arguments)
    call = tool_call(name, arguments, first_of(item, ("call_id", "id")))
    if item.get("call_id") is not None and item.get("id") is not None:
        call["item_id"] = item["id"]
    if kind != "function_call":
        call["type"] = kind
    return {**call, **rest_of(item, ("id", "call_id", "type", *known, *_RESULT_FIELDS))}


def _given(value: Any, field: str, role: str) -> list[dict[str, Any]]:
    if value is None or value == "":
        return []
    return [message(role, value)] if isinstance(value, str) else item_messages(value, field)


def _error(record: Mapping[str, Any]) -> str | None:
    if record.get("error"):
        return error_text(record["error"])
    return "failed" if record.get("status") == "failed" else None
