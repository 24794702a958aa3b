"""What every format module shares: how a row is put together, and how calls, messages and ids are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from whileai.simulations.rows.source import Source
from whileai.simulations.rows.task import prompt_hash
from whileai.simulations.rows.text import first_user_text, last_agent_text, parse_arguments, prompt_text
from whileai.simulations.rows.values import finite, number

TASK_FIELDS = ("scenario_id", "task_id", "instance_id", "example_id", "doc_id", "question_id", "problem_id")
RECORD_FIELDS = ("id", "key", "custom_id", "uuid")
ATTEMPT_FIELDS = ("rollout_index", "trial", "sample_index", "attempt", "repetition")
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
        if name not in consumed:
            row[f"source_{name}" if name in row else name] = value
    identify(row, record, source)
    lineage = row.get("lineage")
    row["lineage"] = {**(lineage if isinstance(lineage, Mapping) else {}), "source": source.name, "format": form}
    return row


def identify(row: dict[str, Any], record: Mapping[str, Any], source: Source) -> None:
    """Give the row its task id and attempt where the format has none of its own.

    Task: the first id field at top level, then inside `metadata`; a bare record id only without a prompt; else the
    hash of the prompt. Attempt: an index field, else `epoch` - 1, else how many rows of that task came before.
    """
    metadata = record.get("metadata")
    nested: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else {}
    if row.get("task_id") is None:
        row["task_id"] = _task_id(row, record, nested)
    else:
        row["task_id"] = str(row["task_id"])
    task = str(row["task_id"] if row.get("scenario_id") in (None, "") else row["scenario_id"])
    if row.get("rollout_index") is None:
        attempt = _attempt(record, nested)
        row["rollout_index"] = source.attempts[task] if attempt is None else attempt
    source.attempts[task] += 1
    if row.get("rollout_id") is None:
        found = next((record[name] for name in RECORD_FIELDS if record.get(name) not in (None, "")), None)
        if found is not None and not isinstance(found, Mapping | list):
            row["rollout_id"] = str(found)


def _task_id(row: Mapping[str, Any], record: Mapping[str, Any], nested: Mapping[str, Any]) -> str:
    for holder in (record, nested):
        for name in TASK_FIELDS:
            value = holder.get(name)
            if value is not None and value != "" and not isinstance(value, Mapping | list):
                return str(value)
    prompt = prompt_text(row.get("prompt"))
    if not prompt:
        for name in RECORD_FIELDS:
            value = record.get(name)
            if value is not None and value != "" and not isinstance(value, Mapping | list):
                return str(value)
    return prompt_hash(prompt)


def _attempt(record: Mapping[str, Any], nested: Mapping[str, Any]) -> int | None:
    for holder in (record, nested):
        for name in ATTEMPT_FIELDS:
            if (value := finite(holder.get(name))) is not None:
                return int(value)
        if (epoch := finite(holder.get("epoch"))) is not None:
            return int(epoch) - 1
    return None
