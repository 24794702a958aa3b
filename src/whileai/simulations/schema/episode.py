"""What happened in a row: the ask, the steps and the reply, from wherever the row holds them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whileai.simulations.rows.calls import ARGUMENT_FIELDS, RESULT_FIELDS, Call
from whileai.simulations.rows.content import content_text, filled, parse_json
from whileai.simulations.rows.source import was_read
from whileai.simulations.rows.text import STEP_FIELDS, Kind, last_agent_text, message_events, prompt_text, step_kind
from whileai.simulations.rows.values import as_text, number, whole
from whileai.simulations.schema.columns import Row
from whileai.simulations.schema.types import Step, open_step

_FLATTENED = {"steps_json": "steps", "messages_json": "messages", "metadata_json": "metadata"}
_PROMPT_FIELDS = ("prompt", "question", "input", "task", "ask")
_REPLY_FIELDS = ("final_text", "final", "output", "response", "completion", "answer")
_CONVERSATION_FIELDS = ("messages", "conversations", "conversation")
_STEP_FACTS = frozenset({"logprob", "n_tokens", "truncated", "input_tokens", "output_tokens"})
_CALL = Kind.CALL
_CALL_COLUMNS = frozenset({"tool", "arguments", "result"})
_STEP_COLUMNS = _STEP_FACTS | {"tool", "arguments", "result", "text", "user"}


def unflattened(row: dict[str, Any]) -> dict[str, Any]:
    """The row with columns that hold JSON text parsed back; what does not parse stays as it is."""
    if "schema_version" in row or not ("steps_json" in row or "messages_json" in row or "metadata_json" in row):
        return row
    columns = row
    for flat, name in _FLATTENED.items():
        if isinstance(row.get(flat), str) and not filled(row.get(name)):
            value = parse_json(row[flat])
            if isinstance(value, dict if name == "metadata" else list):
                columns = {key: held for key, held in columns.items() if key != flat}
                columns[name] = value
    return columns


def with_messages(row: dict[str, Any]) -> dict[str, Any]:
    """The row with the conversation that a list-valued prompt or completion holds under `messages`."""
    prompt, completion = row.get("prompt"), row.get("completion")
    if type(prompt) is str and (type(completion) is not list or "schema_version" in row):
        return row
    if filled(row.get("messages")) or not (_is_chat(prompt) or _is_chat(completion)):
        return row
    return {**row, "messages": [
        *_turns(prompt, "user", _first_ask(row)),
        *_turns(completion, "assistant", _first_reply(row)),
    ]}  # fmt: skip


def _turns(chat: Any, role: str, words: str) -> list[Any]:
    if _is_chat(chat):
        return list(chat)
    return [{"role": role, "content": words}] if words else []


def _is_chat(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(turn, dict) and "role" in turn for turn in value)


def episode(row: Row) -> tuple[str, list[Step], str]:
    """The ask, the steps and the reply of a row whose columns are parsed."""
    own, stamped = _is_own(row), "schema_version" in row
    prompt, entries, final = row.get("prompt"), row.get("steps"), row.get("final_text")
    if type(prompt) is str and prompt and type(final) is str and type(entries) is list and (own or (entries and final)):
        return prompt, _read_steps(entries), final  # the common row needs no search
    steps = _steps(row, own)
    if was_read(row) and isinstance(prompt, str) and isinstance(final, str):
        return prompt, steps, final  # `answer`, `output` and the like are fields of the foreign record
    if own:
        ask = _words(prompt)
        if not ask and not (stamped and isinstance(prompt, str)):
            ask = _first_user(steps) or _prompt_of_chat(row) or _first_ask(row)
        reply = _reply(final) if final is not None else _last_text(steps) or _first_reply(row)
        return ask, steps, reply
    ask = _first_ask(row) or _first_user(steps) or _prompt_of_chat(row)
    if not ask and not steps:
        return "", [], _reply(final)
    return ask, steps, _first_reply(row) or _last_text(steps)


def _is_own(row: Row) -> bool:
    """Whether the row's own columns say all (stamped, engine, spans); other shapes are searched for aliases."""
    if "schema_version" in row:
        return True
    if row.get("scenario_id") is None and row.get("conversation_id") is None:
        return False
    return "final_text" in row or isinstance(row.get("steps"), list) or not filled(row.get("messages"))


def odd_steps(row: Row) -> list[Any]:
    """The row's own `steps` column when entries of it are no dicts and so no steps, else an empty list."""
    entries = row.get("steps")
    if type(entries) is list or isinstance(entries, list | tuple):
        for entry in entries:
            if not isinstance(entry, dict):
                return list(entries)
    return []


def _steps(row: Row, own: bool) -> list[Step]:
    stored = row.get("steps")
    if own and isinstance(stored, list):
        return _read_steps(stored)
    for name in STEP_FIELDS:
        entries = row.get(name)
        steps = _read_steps(entries) if isinstance(entries, list | tuple) else []
        if steps and (name == "steps" or _tells_steps(entries)):
            return steps
    return next((steps for name in _CONVERSATION_FIELDS if (steps := _steps_of_chat(row.get(name)))), [])


def _tells_steps(entries: Any) -> bool:
    return any(isinstance(entry, dict) and step_kind(entry) is not None for entry in entries)


def _prompt_of_chat(row: Row) -> str:
    """The first words a user says in a row's conversation, `""` when there are none."""
    return next((ask for name in _CONVERSATION_FIELDS if (ask := _first_user(_steps_of_chat(row.get(name))))), "")


def _steps_of_chat(messages: Any) -> list[Step]:
    steps = []
    for event in message_events(messages):
        call = event.call
        if event.kind is Kind.USER:
            steps.append(Step(user=event.text))
        elif event.kind is Kind.AGENT:
            steps.append(Step(text=event.text))
        elif event.kind is Kind.CALL and call is not None:
            steps.append(_step_of_call(call))
    return steps


def _step_of_call(call: Call) -> Step:
    """The step of a call; one that names no tool, asks nothing and got nothing is only what was said with it."""
    if call.speech and not (call.name or call.arguments or call.result is not None):
        return Step(text=call.speech)
    return Step(call.name, call.arguments, call.result, call.speech or None)


def _first_user(steps: Iterable[Step]) -> str:
    return next((step.user for step in steps if step.user), "")


def _last_text(steps: list[Step]) -> str:
    return next((step.text for step in reversed(steps) if step.text and step.tool is None), "")


def _first_ask(row: Row) -> str:
    return next((words for name in _PROMPT_FIELDS if (words := _words(row.get(name)))), "")


def _first_reply(row: Row) -> str:
    return next((words for name in _REPLY_FIELDS if (words := _reply(row.get(name)))), "")


def _reply(value: Any) -> str:
    return last_agent_text(value) if _is_chat(value) else _words(value)


def _words(value: Any) -> str:
    """A column as text: of a conversation its last user turn, of anything else what it says, else how it prints."""
    if type(value) is str:
        return value
    if _is_chat(value):
        return prompt_text(value)
    said = content_text(value)
    if not said and isinstance(value, dict):
        said = content_text(value.get("content"))
    return said or (as_text(value) if filled(value) or isinstance(value, int | float) else "")


def _read_steps(entries: Iterable[Any]) -> list[Step]:
    return [_read_step(entry) for entry in entries if isinstance(entry, dict)]


def _read_step(entry: dict[str, Any]) -> Step:
    """A step of the row; the keys that no field reads, and values no field can hold, stay in its `extra`."""
    tool, step = entry.get("tool"), open_step()
    kind = _CALL if type(tool) is str and tool else step_kind(entry)
    left: dict[str, Any] = {}
    if kind is _CALL:
        for key, value in entry.items():
            if key not in _CALL_COLUMNS:
                left[key] = value  # noqa: PERF403  # a comprehension takes as long as all else here
        arguments, result = entry.get("arguments"), entry.get("result")
        step.tool = tool
        step.arguments = _pop_first(left, ARGUMENT_FIELDS) if arguments is None else arguments
        step.result = _pop_first(left, RESULT_FIELDS) if result is None else result
    else:
        left.update(entry)
        if kind is Kind.USER:
            step.user = left.pop("user")
        elif kind is Kind.AGENT:
            step.text = left.pop("text")
    if left:
        if kind is not None and not _STEP_COLUMNS.isdisjoint(left):
            _read_facts(step, kind, left)
        step.extra = left or None
    step.__class__ = Step
    return step  # type: ignore[no-any-return]


def _pop_first(left: dict[str, Any], names: Iterable[str]) -> Any:
    for name in names:
        if left.get(name) is not None:
            return left.pop(name)
    return None


def _read_facts(step: Any, kind: Kind, left: dict[str, Any]) -> None:
    """Move what can be read of the words and sampling facts from `left` to the step; drop what says nothing."""
    for key in _STEP_COLUMNS & left.keys():
        value = left[key]
        if value is None or (key == "truncated" and value is False):
            del left[key]
        elif kind is not Kind.USER and (read := _fact(key, value, kind)) is not None:
            del left[key]
            if read or key != "n_tokens":
                setattr(step, key, read)


def _fact(key: str, value: Any, kind: Kind) -> Any:
    if key == "text":
        return value if kind is _CALL and isinstance(value, str) else None
    if key not in _STEP_FACTS:
        return None
    if key == "truncated":
        return True if value is True else None
    return number(value) if key == "logprob" else whole(value)
