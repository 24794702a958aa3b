"""What every format module shares: how a row is put together, and how calls, messages and ids are read."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from whileai.simulations.rows.calls import ARGUMENT_FIELDS
from whileai.simulations.rows.content import first_of, parse_arguments, parse_json
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.task import prompt_hash
from whileai.simulations.rows.text import first_user_text, last_agent_text, prompt_text
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


_MAX_TOKENS_FIELDS = (
    "max_tokens", "max_completion_tokens", "max_output_tokens", "max_new_tokens", "max_gen_toks", "maxOutputTokens",
)  # fmt: skip


def sampling_of(settings: Any, model: Any = None) -> dict[str, Any] | None:
    """The `sampling` of a row, `{temperature, max_tokens, model}`, from a tool's generation settings; None for none.

    >>> sampling_of({"temperature": 0.7, "max_gen_toks": 64, "top_p": 1.0}, "shop-7b")
    {'temperature': 0.7, 'max_tokens': 64, 'model': 'shop-7b'}
    """
    known = settings if isinstance(settings, Mapping) else {}
    found = {
        "temperature": known.get("temperature"),
        "max_tokens": first_of(known, _MAX_TOKENS_FIELDS),
        "model": None if model is None else str(model),
    }
    if found["temperature"] is None and found["max_tokens"] is None:
        return None
    return {name: value for name, value in found.items() if value is not None}


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


_FINISH = {
    "stop": "stop", "end_turn": "stop", "stop_sequence": "stop", "completed": "stop", "eos": "stop",
    "length": "length", "max_tokens": "length", "max_output_tokens": "length", "model_length": "length",
    "model_context_window_exceeded": "length",
    "tool_calls": "tool", "tool_call": "tool", "tool_use": "tool", "function_call": "tool", "tool": "tool",
    "error": "error",
}  # fmt: skip


def finish_of(word: Any) -> str | None:
    """Why a generation ended, in our words (stop, length, tool, error); a word that is none of theirs is carried.

    >>> finish_of("max_tokens"), finish_of("tool_use"), finish_of("content_filter"), finish_of(None)
    ('length', 'tool', 'content_filter', None)
    """
    if isinstance(word, list | tuple):
        word = word[0] if word else None
    if not isinstance(word, str) or not word:
        return None
    return _FINISH.get(word.lower(), word)


def token_logprobs_of(logprobs: Any) -> list[float] | None:
    """The numbers of an OpenAI style `{content: [{logprob}]}`, in generation order; None when there are none.

    >>> token_logprobs_of({"content": [{"token": "a", "logprob": -0.5}]})
    [-0.5]
    """
    entries = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(entries, list | tuple):
        return None
    found = [finite(entry.get("logprob")) for entry in entries if isinstance(entry, Mapping)]
    return [value for value in found if value is not None] or None


def joined_logprobs(parts: Collection[list[float] | None]) -> list[float] | None:
    """The log-probabilities of a whole episode: those of its generations in order, None unless each has some.

    >>> joined_logprobs([[-0.5], [-0.1]]), joined_logprobs([[-0.5], None])
    ([-0.5, -0.1], None)
    """
    known = [part for part in parts if part]
    return [value for part in known for value in part] if known and len(known) == len(parts) else None


def summed(usages: Collection[Any]) -> dict[str, int | float] | None:
    """The numeric fields of several usage objects added up; None when there are none.

    >>> summed([{"input_tokens": 3, "details": {}}, None, {"input_tokens": 4}])
    {'input_tokens': 7}
    """
    total: dict[str, int | float] = {}
    for usage in usages:
        for name, value in usage.items() if isinstance(usage, Mapping) else ():
            if (amount := reward_of(value)) is not None:
                total[name] = total.get(name, 0) + amount
    return total or None


_STEM_ENDINGS = (".gz", ".zst", ".json", ".traj")


def file_stem(source: Source) -> str | None:
    """The name of a file that holds one run, without `.traj`, `.json` and compression; None for any other file.

    >>> file_stem(Source("shop__shop-1.traj.json")), file_stem(Source("runs.jsonl"))
    ('shop__shop-1', None)
    """
    stem = source.name
    for ending in _STEM_ENDINGS:
        stem = stem.removesuffix(ending)
    bare = source.name.removesuffix(".gz").removesuffix(".zst")
    return stem if stem and stem != bare else None


_MAX_DEPTH = 40
_SECRET_NAME = re.compile(r"key|secret|passw|credential|authorization|cookie|bearer|(?:^|_|-|\.)token$", re.IGNORECASE)
_SECRET_VALUE = re.compile(
    r"\b(?:sk|pk|rk|lsv2|hf|xox[abp]|gh[opsur]|github_pat|glpat|AKIA|AIza)[-_A-Za-z0-9]{16,}|\bBearer\s+\S{8,}|://[^/\s:@]+:[^/\s@]+@"
)


def without_secrets(config: Any) -> Any:
    """A tool's configuration without what may be a secret: fields named like one, values that look like one.

    For settings only, never for what was said in an episode.

    >>> without_secrets({"model": "shop-7b", "api_key": "**", "env": {"HF_TOKEN": "x"}, "max_tokens": 5})
    {'model': 'shop-7b', 'env': {}, 'max_tokens': 5}
    """
    return _without_secrets(config, 0)


def _without_secrets(config: Any, depth: int) -> Any:
    if depth > _MAX_DEPTH or not isinstance(config, Mapping | list | tuple):
        return None if depth > _MAX_DEPTH else config
    if isinstance(config, Mapping):
        return {
            name: _without_secrets(value, depth + 1)
            for name, value in config.items()
            if not _SECRET_NAME.search(str(name)) and not _is_secret(value)
        }
    return [_without_secrets(entry, depth + 1) for entry in config if not _is_secret(entry)]


def _is_secret(value: Any) -> bool:
    return isinstance(value, str) and bool(_SECRET_VALUE.search(value))


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


def id_text(value: Any) -> str | None:
    """An id as text; None for none, for an empty one, and for a value that is no id.

    >>> id_text(7), id_text(""), id_text({"id": 7})
    ('7', None, None)
    """
    return None if value is None or value == "" or isinstance(value, Mapping | list | tuple) else str(value)
