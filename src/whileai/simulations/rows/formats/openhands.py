"""OpenHands runs: `output.jsonl` of its evaluations and its issue resolver, and `trajectory.json` (a list of events).

Actions of the agent become turns with a call, observations that answer one its results (by `cause`, else the action
before). Events that are no turns (agent state, recall, condensation, null) are left out, and so is the model response
repeated on each event, save its log-probabilities and finish reason. Run configuration goes to the file's facts,
without keys and secrets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.rows.content import content_text, parse_arguments
from whileai.simulations.rows.failure import call_failed
from whileai.simulations.rows.formats.common import (
    as_mapping,
    error_text,
    failed_run,
    make_row,
    mappings,
    message,
    reward_of,
    tool_call,
)
from whileai.simulations.rows.formats.generation import finish_of, joined_logprobs, sampling_of, token_logprobs_of
from whileai.simulations.rows.formats.settings import without_secrets
from whileai.simulations.rows.source import Source

NAME = "openhands"
LOOKS_FOR = "history, instance_id, test_result, git_patch"

_CALLS = {
    "run", "run_ipython", "read", "write", "edit", "browse", "browse_interactive", "call_tool_mcp", "delegate",
    "think", "task_tracking",
}  # fmt: skip
_NOT_CALLS = {"message", "system", "finish", "reject", "recall", "change_agent_state", "null"}
_NOT_RESULTS = {"null", "agent_state_changed", "recall", "condense"}
_RUN_MARKS = ("test_result", "git_patch", "metrics", "llm_config")
_EVENT_FIELDS = {
    "id", "timestamp", "source", "message", "cause", "action", "observation", "extras", "success",
    "tool_call_metadata", "llm_metrics",
}  # fmt: skip


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record holds a history of events (or of pairs of an action and its observation).

    >>> sniff({"history": [{"source": "user", "action": "message", "args": {"content": "Fix it."}}]})
    True
    """
    history = record.get("history")
    if not isinstance(history, list):
        return False
    if not history:
        marked = any(mark in record for mark in _RUN_MARKS) or "llm_config" in as_mapping(record.get("metadata"))
        return marked and ("instance_id" in record or "issue" in record)
    first = next(iter(_flat(history)), {})
    return "role" not in first and any(isinstance(first.get(name), str) for name in ("action", "observation"))


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a run.

    >>> done = {"id": 1, "source": "agent", "action": "finish", "args": {"final_thought": "Fixed."}}
    >>> row = to_rows({"history": [done], "instance_id": "shop-1"}, Source("output.jsonl"))[0]
    >>> row["task_id"], row["final_text"], row["finish_reason"]
    ('shop-1', 'Fixed.', 'stop')
    """
    events = _flat(record.get("history"))
    messages = list(_Turns().read(events))
    metrics = as_mapping(record.get("metrics"))
    config = _config(record, source)
    asked = any(turn["role"] == "user" for turn in messages)
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=("history", "instance_id", "metadata", "llm_config", "success", "result_explanation"),
        task_id=record.get("instance_id") or _issue(record),
        prompt=None if asked or not isinstance(record.get("instruction"), str) else record["instruction"],
        messages=messages,
        final_text=_final_text(events),
        model_version=config.get("model"),
        sampling=sampling_of(config, config.get("model")),
        tools=_tools(events),
        usage=metrics.get("accumulated_token_usage"),
        token_logprobs=_logprobs(events),
        finish_reason="stop" if any(event.get("action") == "finish" for event in events) else None,
        **_verdict(record),
    )
    return [_finished(row, record.get("error"), source)]


def _flat(history: Any) -> list[Mapping[str, Any]]:
    """The events in order; older files hold [action, observation] pairs."""
    entries = history if isinstance(history, list) else []
    return mappings([event for entry in entries for event in (entry if isinstance(entry, list) else [entry])])


def _issue(record: Mapping[str, Any]) -> str | None:
    issue = as_mapping(record.get("issue"))
    if issue.get("number") is None:
        return None
    return f"{issue.get('owner')}/{issue.get('repo')}#{issue['number']}"


def _config(record: Mapping[str, Any], source: Source) -> Mapping[str, Any]:
    metadata = without_secrets(record.get("metadata"))
    config = as_mapping(metadata).get("llm_config") or without_secrets(record.get("llm_config"))
    for name, value in (("metadata", metadata), ("llm_config", None if metadata else config)):
        if value is not None:
            source.facts.setdefault(name, value)
    return as_mapping(config)


def _verdict(record: Mapping[str, Any]) -> dict[str, Any]:
    """The reward and who gave it: tests (`resolved`), else the resolver's own model (`success`)."""
    tests = as_mapping(record.get("test_result"))
    holders = (as_mapping(tests.get("report")), tests, as_mapping(record.get("report")), record)
    resolved = next((reward for holder in holders if (reward := reward_of(holder.get("resolved"))) is not None), None)
    opinion = reward_of(record.get("success"))
    if resolved is not None:
        markers = None if opinion is None else {"success": opinion}
        return {"reward": resolved, "judge_name": "resolved", "judge_meta": {"scorer_kind": "rule"}, "markers": markers}
    if opinion is None:
        return {}
    said = {"reason": record.get("result_explanation"), "judge_meta": {"scorer_kind": "judge"}}
    return {"reward": opinion, "judge_name": "success", **said}


class _Turns:
    """Turns events into chat turns, binding each observation to its action."""

    def __init__(self) -> None:
        self._calls: dict[Any, dict[str, Any]] = {}
        self._last: dict[str, Any] | None = None
        self._waiting = False
        self._begun = False

    def read(self, events: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        for event in events:
            if isinstance(event.get("observation"), str):
                turn = self._observation(event)
            elif isinstance(event.get("action"), str):
                turn = self._action(event)
            else:
                continue
            if turn is not None:
                self._begun = self._begun or turn["role"] == "user"
                yield {**turn, **({"timestamp": event["timestamp"]} if event.get("timestamp") is not None else {})}

    def _action(self, event: Mapping[str, Any]) -> dict[str, Any] | None:
        action, arguments = event["action"], _arguments(event)
        if _is_call(event):
            return self._call(event, arguments)
        if action == "message":
            return message(self._speaker(event, arguments), _said(event, arguments))
        if action == "system":
            return message("system", _said(event, arguments))
        if action in ("finish", "reject"):
            return message("assistant", _closing(event), **_generation(event))
        return None

    def _speaker(self, event: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
        """Who said a message. The oldest files do not say: the first is the task, one after a question the answer."""
        if event.get("source") is not None:
            return "user" if event["source"] == "user" else "assistant"
        agent = self._begun and not self._waiting
        self._waiting = agent and arguments.get("wait_for_response") is True
        return "assistant" if agent else "user"

    def _call(self, event: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
        made = as_mapping(event.get("tool_call_metadata"))
        own = _own_arguments(made)
        if own is None:
            thinks = event["action"] == "think"
            own = {n: v for n, v in arguments.items() if v is not None and (n != "thought" or thinks)}
        call_id = made.get("tool_call_id")
        if call_id is None and event.get("id") is not None:
            call_id = f"event_{event['id']}"
        call = tool_call(made.get("function_name") or event["action"], own, call_id)
        speech = "" if event["action"] == "think" else content_text(arguments.get("thought"))
        self._last = call
        if event.get("id") is not None:
            self._calls[str(event["id"])] = call
        return message("assistant", speech, [call], **_generation(event))

    def _observation(self, event: Mapping[str, Any]) -> dict[str, Any] | None:
        kind = event["observation"]
        if kind in _NOT_RESULTS:
            return None
        cause = event.get("cause")
        call = self._calls.get(str(cause)) if cause is not None else None if kind == "error" else self._last
        content = content_text(event.get("content")) or content_text(event.get("message"))
        if call is None:
            return message("system", content) if kind == "error" else None
        answered = message("tool", content, tool_call_id=call.get("id"), name=call["name"], extras=event.get("extras"))
        if call is self._last:
            self._last = None
        return {**answered, "is_error": True} if _failed(event, call) else answered


def _is_call(event: Mapping[str, Any]) -> bool:
    action = event["action"]
    if event.get("source") in ("user", "environment") or action in _NOT_CALLS or action.startswith("condensation"):
        return False
    return action in _CALLS or bool(as_mapping(event.get("tool_call_metadata")).get("function_name"))


def _arguments(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """An action's arguments; in the oldest files they lie flat on the event."""
    if isinstance(event.get("args"), Mapping):
        return as_mapping(event["args"])
    return {name: value for name, value in event.items() if name not in _EVENT_FIELDS}


def _own_arguments(made: Mapping[str, Any]) -> dict[str, Any] | None:
    """The arguments as the model wrote them, from the response an action came from."""
    choice = next(iter(mappings(as_mapping(made.get("model_response")).get("choices"))), {})
    for call in mappings(as_mapping(choice.get("message")).get("tool_calls")):
        if call.get("id") == made.get("tool_call_id"):
            arguments, unreadable = parse_arguments(as_mapping(call.get("function")).get("arguments"))
            return None if unreadable is not None else arguments
    return None


def _said(event: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
    return content_text(arguments.get("content")) or content_text(event.get("message"))


def _closing(event: Mapping[str, Any]) -> str:
    arguments = _arguments(event)
    for said in (*(arguments.get(name) for name in ("final_thought", "thought", "message")), event.get("message")):
        if content_text(said).strip():
            return content_text(said)
    return content_text(as_mapping(arguments.get("outputs")).get("reason"))


def _tools(events: list[Mapping[str, Any]]) -> Any:
    return next((_arguments(event).get("tools") for event in events if event.get("action") == "system"), None)


def _final_text(events: list[Mapping[str, Any]]) -> str | None:
    """What the agent said when it finished; None (its last words then count) when it did not finish."""
    return next((_closing(event) for event in reversed(events) if event.get("action") == "finish"), None)


def _generation(event: Mapping[str, Any]) -> dict[str, Any]:
    choice = _choice(event)
    return {"logprobs": choice.get("logprobs"), "finish_reason": finish_of(choice.get("finish_reason"))}


def _choice(event: Mapping[str, Any]) -> Mapping[str, Any]:
    response = as_mapping(as_mapping(event.get("tool_call_metadata")).get("model_response"))
    return next(iter(mappings(response.get("choices"))), {})


def _logprobs(events: list[Mapping[str, Any]]) -> list[float] | None:
    """Of each response of the model once, though each of its events repeats it."""
    seen: dict[str, list[float] | None] = {}
    for place, event in enumerate(events):
        if _choice(event):
            response = as_mapping(as_mapping(event["tool_call_metadata"]).get("model_response"))
            seen.setdefault(str(response.get("id") or place), token_logprobs_of(_choice(event).get("logprobs")))
    return joined_logprobs(list(seen.values()))


def _failed(event: Mapping[str, Any], call: Mapping[str, Any]) -> bool:
    """Whether an observation says its call failed. Exit code -1 is a command that still runs."""
    if event["observation"] == "error":
        return True
    extras = as_mapping(event.get("extras"))
    codes = (event.get("exit_code"), extras.get("exit_code"), as_mapping(extras.get("metadata")).get("exit_code"))
    code = next((code for code in codes if code is not None), None)
    return code != -1 and call_failed({"exit_code": code}, tool="bash", arguments=call["arguments"])


def _finished(row: dict[str, Any], error: Any, source: Source) -> dict[str, Any]:
    said = error_text(error)
    if not said.strip():
        return row
    if "maximum iteration" in said.lower():
        row["finish_reason"] = "length"
        return row
    return failed_run(row, error, source, row["reward"])
