"""SWE-agent trajectories (`.traj`): one run of one instance, or a demonstration that holds only the history.

The steps are those of `trajectory`; the history gives the opening turns and the names and ids of the calls (newer
files leave the last step out of it). Turns marked `is_demo` are an example shown to the agent, not this run: they are
carried as `demonstration`. The copies of the whole conversation on each step (`query`, `messages`) are left out.

No file holds a verdict. Where an evaluation report with `resolved_ids` lies beside the run (`report.json` or
`results.json`, in its folder or the one above), the instance is looked up there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.content import content_text, parse_json
from whileai.simulations.rows.formats.common import (
    as_mapping,
    chat_turn,
    failed_run,
    make_row,
    mappings,
    message,
    tool_call,
)
from whileai.simulations.rows.formats.generation import sampling_of
from whileai.simulations.rows.formats.identity import file_stem
from whileai.simulations.rows.formats.settings import without_secrets
from whileai.simulations.rows.source import Source

NAME = "swe-agent"
LOOKS_FOR = "trajectory, history, info"

_REPORTS = ("report.json", "results.json", "../report.json", "../results.json")
_HISTORY_MARKS = ("agent", "action", "thought", "is_demo", "message_type")
_FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
_CUT_OFF = re.compile(r"exit_\w*(?:cost|context|time)")
_GIVEN_UP = frozenset({"exit_command", "exit_forfeit"})
_STEP_BULK = ("query", "messages")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a `.traj` object: steps with action and thought, or a history of an agent's turns.

    >>> sniff({"trajectory": [{"action": "ls", "observation": "a.py", "thought": "Look."}], "info": {}})
    True
    """
    steps, history = record.get("trajectory"), record.get("history")
    if isinstance(steps, list) and (isinstance(record.get("info"), Mapping) or isinstance(history, list)):
        first = next(iter(steps), None)
        return first is None or (isinstance(first, Mapping) and "action" in first and "observation" in first)
    return isinstance(history, list) and any(
        "role" in turn and any(mark in turn for mark in _HISTORY_MARKS) for turn in mappings(history)
    )


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a `.traj` object.

    >>> step = {"action": "ls", "observation": "a.py", "thought": "Look."}
    >>> row = to_rows({"trajectory": [step], "info": {"exit_status": "submitted"}}, Source("shop-1.traj"))[0]
    >>> row["task_id"], row["final_text"], row["finish_reason"]
    ('shop-1', 'Look.', 'stop')
    """
    history = mappings(record.get("history"))
    own = [turn for turn in history if not turn.get("is_demo")]
    if all(turn.get("role") == "system" for turn in own):
        own = history
    config = _config(record.get("replay_config"), source)
    info = as_mapping(record.get("info"))
    steps = mappings(record.get("trajectory"))
    messages = [*_opening(own, steps), *_said(steps, own)] if steps else list(_from_history(own))
    instance = file_stem(source) or _problem(config).get("id")
    resolved = _resolved(instance, source)
    model = as_mapping(as_mapping(config.get("agent")).get("model"))
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=("trajectory", "history", "replay_config"),
        task_id=instance,
        prompt=None if any(turn["role"] == "user" for turn in messages) else _problem(config).get("text"),
        messages=messages,
        final_text=_final_text(steps, messages, info),
        reward=resolved,
        judge_name=None if resolved is None else "resolved",
        judge_meta=None if resolved is None else {"scorer_kind": "rule"},
        model_version=model.get("name"),
        sampling=sampling_of(model, model.get("name")),
        usage=info.get("model_stats"),
        demonstration=[turn for turn in history if turn.get("is_demo")] or None if own is not history else None,
    )
    return [_finished(row, info.get("exit_status"), source)]


def _config(stored: Any, source: Source) -> dict[str, Any]:
    parsed = without_secrets(parse_json(stored))
    if not isinstance(parsed, dict):
        return {}
    source.facts.setdefault("replay_config", parsed)
    return parsed


def _problem(config: Mapping[str, Any]) -> Mapping[str, Any]:
    return as_mapping(config.get("problem_statement"))


def _opening(history: list[Mapping[str, Any]], steps: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The turns before the agent's first: of the history, else of the conversation stored on the first step."""
    for turns in (history, *(steps[0].get(name) for name in _STEP_BULK)):
        opening: list[dict[str, Any]] = []
        for turn in mappings(turns):
            if turn.get("role") == "assistant":
                break
            if not turn.get("is_demo"):
                opening.append(chat_turn(turn))
        if opening:
            return opening
    return []


def _said(steps: Iterable[Mapping[str, Any]], history: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    matches = _Matches(history)
    for step in steps:
        action, thought = _text(step.get("action")), _text(step.get("thought"))
        told = matches.take(action)
        extra = {name: step.get(name) for name in ("execution_time", "extra_info", "reasoning_content")}
        extra["state"] = parse_json(step.get("state"))
        extra["response"] = step["response"] if step.get("response") not in (None, "", thought) else None
        calls = [_call(action, told)] if action.strip() and not re.fullmatch(r"exit_\w+", action.strip()) else []
        yield message("assistant", thought, calls, **{name: value for name, value in extra.items() if value != {}})
        if calls:
            yield message(
                "tool", _text(step.get("observation")), tool_call_id=calls[0].get("id"), name=calls[0]["name"]
            )
        elif observation := _text(step.get("observation")):
            yield message("system", observation)


def _text(value: Any) -> str:
    return content_text(value)


class _Matches:
    """Finds the history turn of a step: the next one with the same action; steps the history lacks match none."""

    def __init__(self, history: list[Mapping[str, Any]]) -> None:
        self._turns = [turn for turn in history if turn.get("role") == "assistant"]
        self._next = 0

    def take(self, action: str) -> Mapping[str, Any]:
        for place in range(self._next, len(self._turns)):
            if _text(self._turns[place].get("action")).strip() == action.strip():
                self._next = place + 1
                return self._turns[place]
        return {}


def _call(action: str, turn: Mapping[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = next((call for call in chat_turn(turn).get("tool_calls", ()) if call["name"]), {})
    return tool_call(named.get("name") or action.split()[0], {"command": action}, named.get("id"))


def _from_history(history: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The turns of a demonstration, which has no steps: a user turn after an action is its observation."""
    called: dict[str, Any] | None = None
    for turn in history:
        said = chat_turn(turn)
        said.pop("is_demo", None)
        if said["role"] == "assistant":
            action = _text(turn.get("action")) or _last_fence(_text(turn.get("content")))
            if turn.get("tool_calls") or action.strip():
                called = _call(action, turn) if action.strip() else next(iter(said.get("tool_calls", ())), None)
                said["content"] = _text(turn.get("thought")) or _before_fence(_text(turn.get("content")))
                said["tool_calls"] = [called] if called else []
        elif called is not None and said["role"] in ("user", "tool"):
            said = {
                **said,
                "role": "tool",
                "name": called["name"],
                **({"tool_call_id": called["id"]} if "id" in called else {}),
            }
            called = None
        yield said


def _last_fence(text: str) -> str:
    found = _FENCE.findall(text)
    return found[-1] if found else ""


def _before_fence(text: str) -> str:
    places = [match.start() for match in _FENCE.finditer(text)]
    return text[: places[-1]].rstrip() if places else text


def _final_text(steps: list[Mapping[str, Any]], messages: list[dict[str, Any]], info: Mapping[str, Any]) -> str:
    if steps:
        thought = _text(steps[-1].get("thought"))
    else:
        thought = next((_text(turn["content"]) for turn in reversed(messages) if turn["role"] == "assistant"), "")
    return thought if thought.strip() else _text(info.get("submission"))


def _finished(row: dict[str, Any], status: Any, source: Source) -> dict[str, Any]:
    """Set why the run ended; of an automatic submission (`submitted (exit_cost)`) the reason in brackets decides.

    A verdict of an evaluation report is about the patch that was handed in, so it stands on a run that failed.
    """
    word = status.strip() if isinstance(status, str) else ""
    reason = re.search(r"exit_\w+", word)
    if _CUT_OFF.search(word):
        row["finish_reason"] = "length"
    elif reason is not None and reason.group() not in _GIVEN_UP:
        if row["reward"] is None:
            return failed_run(row, word, source)
        row["finish_reason"], row["error"] = "error", word
    elif word:
        row["finish_reason"] = "stop" if word.startswith("submitted") or reason is not None else word
    return row


def _resolved(instance: Any, source: Source) -> int | None:
    """1 or 0 where a report beside the run names the instance as resolved or as evaluated and not resolved."""
    for name in _REPORTS:
        report = source.sibling(name)
        if not isinstance(report, Mapping) or not isinstance(report.get("resolved_ids"), list):
            continue
        if instance in report["resolved_ids"]:
            return 1
        failed = (report.get(key) for key in ("unresolved_ids", "empty_patch_ids"))
        if any(isinstance(ids, list) and instance in ids for ids in failed):
            return 0
    return None
