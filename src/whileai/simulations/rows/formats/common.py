"""What every format module shares: how a row is put together, and how calls, messages and ids are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from whileai.simulations.rows.calls import ARGUMENT_FIELDS
from whileai.simulations.rows.content import first_of, parse_arguments, parse_json
from whileai.simulations.rows.formats.identity import identify
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import first_user_text, last_agent_text
from whileai.simulations.rows.values import finite, number

ROLES = {
    "human": "user", "user": "user",
    "assistant": "assistant", "gpt": "assistant", "model": "assistant", "ai": "assistant", "chatgpt": "assistant",
    "bard": "assistant", "function_call": "assistant",
    "system": "system", "developer": "system",
    "tool": "tool", "function": "tool", "observation": "tool", "ipython": "tool",
}  # fmt: skip


def reward_of(value: Any) -> float | int | None:
    """A score as a reward: a number as stored, bool as 0/1, numeric text as a number; NaN and anything else None.

    >>> [reward_of(v) for v in (True, 0.5, "1", float("nan"), "pass")]
    [1, 0.5, 1, None, None]
    """
    read = number(value)
    return read if read is not None and finite(read) is not None else None


def tool_call(name: Any, arguments: Any, call_id: Any = None, **extra: Any) -> dict[str, Any]:
    """A call in the one form rows hold: `{id, name, arguments: dict}`; unreadable arguments stay as `arguments_text`.

    >>> tool_call("get", '{"id": 5}', "c1")
    {'id': 'c1', 'name': 'get', 'arguments': {'id': 5}}
    """
    parsed, unreadable = parse_arguments(arguments)
    call: dict[str, Any] = {"name": "" if name is None else str(name), "arguments": parsed}
    if call_id is not None and call_id != "":
        call = {"id": str(call_id), **call}
    if unreadable is not None:
        call["arguments_text"] = unreadable
    return {**call, **extra}


def message(role: str, content: Any, calls: Collection[dict[str, Any]] = (), **extra: Any) -> dict[str, Any]:
    """One chat turn; `tool_calls` only when there are calls, extras only when not None.

    >>> message("tool", "rain", tool_call_id="c1", name=None)
    {'role': 'tool', 'content': 'rain', 'tool_call_id': 'c1'}
    """
    turn: dict[str, Any] = {"role": role, "content": content}
    if calls:
        turn["tool_calls"] = list(calls)
    turn.update((key, value) for key, value in extra.items() if value is not None)
    return turn


def chat_turn(turn: Mapping[str, Any]) -> dict[str, Any]:
    """A chat message in the one form rows hold, from OpenAI's and its relatives: `tool_calls` whose entries are
    enveloped, flat, named by a plain `function`, or JSON texts; an old `function_call`; fields we do not know kept.

    >>> chat_turn({"role": "ai", "content": None, "tool_calls": ['{"id": "c1", "name": "get", "arguments": "{}"}']})
    {'role': 'assistant', 'content': None, 'tool_calls': [{'id': 'c1', 'name': 'get', 'arguments': {}}]}
    """
    role = turn.get("role")
    found: dict[str, Any] = {
        "role": ROLES.get(role, role) if isinstance(role, str) else "",
        "content": turn.get("content"),
    }
    listed = turn.get("tool_calls")
    entries = [*(listed if isinstance(listed, list) else ()), *filter(None, [turn.get("function_call")])]
    calls = [call for entry in entries if (call := _chat_call(entry)) is not None]
    if calls:
        found["tool_calls"] = calls
    known = ("role", "content", "tool_calls", "function_call")
    found.update((name, value) for name, value in turn.items() if name not in known and value is not None)
    return found


def _chat_call(entry: Any) -> dict[str, Any] | None:
    entry = parse_json(entry)
    if not isinstance(entry, Mapping):
        return None
    function = first_of(entry, ("function", "custom"))
    body = function if isinstance(function, Mapping) else entry
    name = function if isinstance(function, str) else body.get("name")
    call = tool_call(name, first_of(body, ARGUMENT_FIELDS), entry.get("id"))
    known = ("id", "type", "function", "custom", "name", *ARGUMENT_FIELDS)
    return {**call, **{name: value for name, value in entry.items() if name not in known and value is not None}}


def error_text(error: Any) -> str:
    """What a tool wrote about a failure, as one text: of an object its message (else its type), of a list each.

    >>> error_text({"type": "Timeout", "message": "no answer"}), error_text([{"error": "Timeout"}, "late"])
    ('no answer', 'Timeout; late')
    """
    if isinstance(error, Mapping):
        said = first_of(error, ("message", "error", "type", "reason"))
        return error_text(said) if said is not None else str(dict(error))
    if isinstance(error, list | tuple):
        return "; ".join(error_text(entry) for entry in error)
    return "" if error is None else str(error)


def failed_run(row: dict[str, Any], error: Any, source: Source, raw_reward: Any = None) -> dict[str, Any]:
    """Mark a row as a run that failed: unscored (with `errors="zero"` the tool's filler counts), error kept."""
    filler = reward_of(raw_reward)
    row["reward"] = filler if source.errors == "zero" else None
    if source.errors == "zero" and filler is None:
        row["reward"] = 0
    row["judge_status"] = "error"
    row["finish_reason"] = "error"
    row["error"] = error
    if filler is not None:
        row["judge_meta"] = {**(row.get("judge_meta") or {}), "raw_reward": filler}
    return row


def make_row(
    record: Mapping[str, Any], source: Source, *, form: str, consumed: Collection[str] = (), **fields: Any
) -> dict[str, Any]:
    """A row from what a module read (`fields`) and every other field of the record.

    Fields that are None are left out, except `reward`, which is always there. The record's own fields that are not
    in `consumed` are carried unchanged under their names; one that clashes with a field of ours gets the prefix
    `source_`. `prompt` and `final_text` default to what `messages` say; `task_id` and `rollout_index` to the rules
    of `identify`; `lineage` says which file and format the row came from.
    """
    row = {name: value for name, value in fields.items() if value is not None}
    row["reward"] = fields.get("reward")
    messages = row.get("messages")
    if "prompt" not in row:
        row["prompt"] = first_user_text(messages)
    if "final_text" not in row and messages is not None:
        row["final_text"] = last_agent_text(messages)
    for name, value in record.items():
        if name not in consumed and not (value is None and name in row):
            row[f"source_{name}" if name in row else name] = value
    identify(row, record, source)
    lineage = row.get("lineage")
    row["lineage"] = {**(lineage if isinstance(lineage, Mapping) else {}), "source": source.name, "format": form}
    return row


def as_mapping(value: Any) -> Mapping[str, Any]:
    """The value when it is an object, else an empty one.

    >>> as_mapping({"a": 1}), as_mapping("a")
    ({'a': 1}, {})
    """
    return value if isinstance(value, Mapping) else {}


def mappings(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list, leaving out entries that are none; an empty list for anything else.

    >>> mappings([{"a": 1}, "b"]), mappings(None)
    ([{'a': 1}], [])
    """
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list | tuple) else []
