"""LangSmith runs: exported runs, with their child runs inside them or as records of their own, and wire dumps.

A row is a run without a parent; other runs are its steps. A wire dump holds a run in two halves, `post` and `patch`,
joined by id or by `dotted_order` (a patch may lack the id). The conversation is that of the run itself or, where it
only shows the question and the answer, that of its last model call; results missing there are those of its tool runs.

`gather` must see the whole file before it knows that a run is complete. It holds one conversation a run: the inputs
and outputs of a model call are dropped as soon as a later one of the same trace, which repeats them, has been read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from whileai.simulations.rows.content import content_text, first_of, parse_json
from whileai.simulations.rows.formats.chat import as_text
from whileai.simulations.rows.formats.common import (
    ROLES,
    as_mapping,
    chat_turn,
    failed_run,
    id_text,
    make_row,
    mappings,
    message,
    reward_of,
    sampling_of,
    tool_call,
    without_secrets,
)
from whileai.simulations.rows.formats.langchain import chat_message, generation_facts, is_message
from whileai.simulations.rows.formats.openai_responses import item_messages
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import last_agent_text

NAME = "langsmith"
LOOKS_FOR = "run_type, inputs, outputs, trace_id, dotted_order, post, patch"

_HALVES = ("post", "patch")
_ASKED = ("messages", "input", "question", "query", "prompt", "prompts", "text")
_ANSWERED = (
    "messages",
    "generations",
    "choices",
    "output",
    "message",
    "answer",
    "response",
    "text",
    "content",
    "result",
)
_ITEMS = ("function_call", "function_call_output", "reasoning")
_STEP_BULK = ("inputs", "outputs", "child_runs", "events", "serialized", "extra")
_EMPTY: tuple[Any, ...] = (None, "", {}, [])


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a run, or a wire dump of runs.

    >>> sniff({"id": "r1", "run_type": "chain", "inputs": {}, "trace_id": "r1"}), sniff({"post": [{"run_type": "llm"}]})
    (True, True)
    """
    if any(_is_run(half) for name in _HALVES for half in mappings(record.get(name))):
        return True
    return "run_type" in record and _is_run(record) and any(name in record for name in ("inputs", "id"))


def gather(records: Iterable[Mapping[str, Any]], source: Source) -> Iterator[dict[str, Any]]:
    """Whole runs, `{"root": run, "steps": [its descendants in time order]}`, in file order.

    >>> runs = [{"id": "t", "run_type": "tool", "parent_run_id": "r"}, {"id": "r", "run_type": "chain", "inputs": {}}]
    >>> [len(run["steps"]) for run in gather(runs, Source("runs.jsonl"))]
    [1]
    """
    held = _Runs()
    for record in records:
        for run in _expanded(record):
            held.add(run)
    yield from held.whole(source)


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The rows of a gathered run, or of the runs of one record.

    >>> run = {"id": "r", "run_type": "chain", "inputs": {"question": "Hi"}, "outputs": {"answer": "Hello."}}
    >>> to_rows(run, Source("runs.jsonl"))[0]["final_text"]
    'Hello.'
    """
    if "root" not in record:
        return [row for whole in gather([record], source) for row in to_rows(whole, source)]
    root, steps = as_mapping(record["root"]), mappings(record.get("steps"))
    messages = _conversation(root, steps)
    extra, inputs = as_mapping(root.get("extra")), as_mapping(root.get("inputs"))
    metadata = {**as_mapping(root.get("metadata")), **as_mapping(extra.get("metadata"))}
    facts = generation_facts(messages)
    calls = [root, *(step for step in steps if step.get("run_type") == "llm")]
    settings = [as_mapping(as_mapping(run.get("extra")).get("invocation_params")) for run in calls] + [inputs]
    model = metadata.get("ls_model_name") or next(
        (m for s in settings if (m := first_of(s, ("model", "model_name")))), None
    )
    facts["sampling"] = _sampling(metadata, settings, model)
    facts["model_version"] = facts["model_version"] or model
    carried = {name: without_secrets(value) for name, value in root.items() if isinstance(value, dict | list)}
    row = make_row(
        {**root, **carried, "metadata": metadata},
        source,
        form=NAME,
        consumed=("inputs", "outputs", "child_runs", "events", "feedback_stats", "extra", "serialized", "metadata"),
        task_id=root.get("reference_example_id"),
        messages=messages,
        tools=next((s["tools"] for s in settings if isinstance(s.get("tools"), list)), None),
        inputs=_rest(inputs, _ASKED) or None,
        outputs=_rest(as_mapping(root.get("outputs")), _ANSWERED) or None,
        extra=without_secrets(extra) or None,
        serialized=without_secrets(root.get("serialized")) or None,
        child_runs=[{n: v for n, v in step.items() if n not in _STEP_BULK} for step in steps] or None,
        **facts,
        **_verdict(root.get("feedback_stats"), source),
    )
    if root.get("error") not in _EMPTY or root.get("status") == "error":
        return [failed_run(row, root.get("error") or "error", source, row["reward"])]
    return [row]


def _is_run(run: Mapping[str, Any]) -> bool:
    return any(name in run for name in ("run_type", "dotted_order", "trace_id"))


def _expanded(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The runs of a record, each parent before its children."""
    halves = [run for name in _HALVES for run in mappings(record.get(name))]
    waiting: list[Mapping[str, Any]] = list(reversed(halves)) or [record]
    while waiting:
        run = dict(waiting.pop())
        for child in reversed(mappings(run.pop("child_runs", None))):
            of = {"parent_run_id": run.get("id"), "trace_id": run.get("trace_id") or run.get("id")}
            waiting.append({**child, **{n: v for n, v in of.items() if child.get(n) in _EMPTY}})
        yield run


class _Runs:
    """The runs read so far, halves joined, only the last model call of a trace with its conversation."""

    def __init__(self) -> None:
        self._runs: dict[str, dict[str, Any]] = {}
        self._ids: dict[str, str] = {}
        self._orders: dict[str, str] = {}
        self._last_call: dict[str, dict[str, Any]] = {}

    def add(self, half: dict[str, Any]) -> None:
        key = self._key(id_text(half.get("id")), id_text(half.get("dotted_order")))
        run = self._runs.setdefault(key, {})
        run.update((name, value) for name, value in half.items() if value not in _EMPTY or name not in run)
        if run.get("run_type") == "llm" and run.get("parent_run_id") not in _EMPTY:
            self._keep_last(run)

    def _key(self, run_id: str | None, order: str | None) -> str:
        """Where a half belongs: to the run of its id, or to that of its place where one of the two lacks the id."""
        key = self._ids.get(run_id) if run_id is not None else None
        if key is None and order is not None:
            key = self._orders.get(order)
            if key is not None and run_id is not None and self._runs[key].get("id") not in _EMPTY:
                key = None
        if key is None:
            key = f"run {len(self._runs)}"
        if run_id is not None:
            self._ids[run_id] = key
        if order is not None:
            self._orders.setdefault(order, key)
        return key

    def _keep_last(self, run: dict[str, Any]) -> None:
        trace = str(run.get("trace_id") or run["parent_run_id"])
        last = self._last_call.get(trace)
        if last is None or last is run or _moment(run) >= _moment(last):
            self._last_call[trace] = run
            run, last = last or run, run
        if run is not last:
            run.pop("inputs", None)
            run.pop("outputs", None)

    def whole(self, source: Source) -> Iterator[dict[str, Any]]:
        steps: dict[str, list[dict[str, Any]]] = {}
        lost = 0
        for run in self._runs.values():
            if run.get("parent_run_id") not in _EMPTY:
                root = self._root_of(run)
                lost += root is None
                steps.setdefault(root or "", []).append(run)
        for key, run in self._runs.items():
            if run.get("parent_run_id") in _EMPTY:
                yield {"root": run, "steps": sorted(steps.get(key, []), key=_moment)}
        if lost:
            source.note(f"runs left out, since the run they are steps of is not in the file: {lost}")

    def _root_of(self, run: Mapping[str, Any]) -> str | None:
        trace = self._ids.get(str(run.get("trace_id")))
        if trace is not None and self._runs[trace].get("parent_run_id") in _EMPTY:
            return trace
        seen: set[str] = set()
        while run.get("parent_run_id") not in _EMPTY:
            key = self._ids.get(str(run["parent_run_id"]))
            if key is None or key in seen:
                return None
            seen.add(key)
            run = self._runs[key]
        return key


def _moment(run: Mapping[str, Any]) -> float:
    """When a run started, in seconds: ISO text, or milliseconds (the JavaScript client)."""
    start = run.get("start_time")
    if isinstance(start, int | float):
        return float(start) / 1000
    try:
        return datetime.fromisoformat(str(start)).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _conversation(root: Mapping[str, Any], steps: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    whole = _exchange(root)
    told = next((turns for step in reversed(steps) if step.get("run_type") == "llm" and (turns := _exchange(step))), [])
    if told and not _has_calls(whole) and (_has_calls(told) or not any(t["role"] == "assistant" for t in whole)):
        answer = last_agent_text(whole)
        whole = told if not answer or answer == last_agent_text(told) else [*told, message("assistant", answer)]
    return _with_results(whole, [step for step in steps if step.get("run_type") == "tool"])


def _has_calls(turns: list[dict[str, Any]]) -> bool:
    return any(turn.get("tool_calls") for turn in turns)


def _exchange(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Inputs and outputs of a run as turns; outputs that repeat the conversation so far stand for both."""
    inputs, outputs = as_mapping(run.get("inputs")), as_mapping(run.get("outputs"))
    asked = [*_instructions(inputs), *_turns(inputs, _ASKED, "user")]
    answered = [chat_turn(outputs)] if outputs.get("role") else _turns(outputs, _ANSWERED, "assistant")
    _generated(answered, outputs)
    first = next((turn for turn in asked if turn["role"] == "user"), None)
    repeats = first is not None and any(t["role"] == "user" and t["content"] == first["content"] for t in answered)
    return answered if repeats else [*asked, *answered]


def _instructions(inputs: Mapping[str, Any]) -> list[dict[str, Any]]:
    words = first_of(inputs, ("system", "instructions"))
    return [message("system", words)] if isinstance(words, str | list) and words else []


def _turns(value: Mapping[str, Any], fields: Iterable[str], role: str) -> list[dict[str, Any]]:
    for name in fields:
        if turns := _read(value.get(name), role):
            return turns
    return []


def _read(value: Any, role: str) -> list[dict[str, Any]]:
    """Turns of whatever a provider or a chain wrote: text, a message, a list of them, a list of such lists."""
    if isinstance(value, str):
        return [message(role, value)] if value else []
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list) or not value:
        return []
    if isinstance(value[0], list) and not _is_pair(value[0]):
        return _read(value[0], role)
    if any(entry.get("type") in _ITEMS for entry in mappings(value)):
        return item_messages(mappings(value), "messages")
    if any("text" in entry and "generation_info" in entry for entry in mappings(value)) or "index" in as_mapping(
        value[0]
    ):
        value = value[:1]
    return [turn for entry in value if (turn := _turn(entry, role)) is not None]


def _is_pair(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) and entry[0] in ROLES


def _turn(entry: Any, role: str) -> dict[str, Any] | None:
    if isinstance(entry, str):
        return message(role, entry)
    if _is_pair(entry):
        return message(ROLES[entry[0]], entry[1])
    if is_message(entry):
        return chat_message(entry)
    if not isinstance(entry, Mapping):
        return None
    if isinstance(entry.get("message"), Mapping):
        turn = _turn(entry["message"], role)
        info = {
            **as_mapping(entry.get("generation_info")),
            **{n: entry[n] for n in ("finish_reason", "logprobs") if n in entry},
        }
        return (
            turn
            if turn is None
            else {**turn, "response_metadata": {**info, **as_mapping(turn.get("response_metadata"))}}
        )
    if entry.get("role"):
        return {name: value for name, value in chat_turn(entry).items() if name not in ("type", "id", "status")}
    if is_message({"type": entry.get("type"), "data": entry}):
        return chat_message({"type": entry["type"], "data": entry})
    return message(role, entry["text"]) if isinstance(entry.get("text"), str) else None


def _generated(turns: list[dict[str, Any]], outputs: Mapping[str, Any]) -> None:
    """Put what a provider's response says of the generation on its last turn."""
    if not turns or turns[-1]["role"] != "assistant":
        return
    stored = dict(as_mapping(turns[-1].get("response_metadata")))
    reason = first_of(stored, ("finish_reason", "stop_reason")) or outputs.get("stop_reason")
    if reason is None and outputs.get("object") == "response":
        reason = as_mapping(outputs.get("incomplete_details")).get("reason") or outputs.get("status")
    stored["finish_reason"] = as_mapping(reason).get("finish_reason") or reason
    stored["model_name"] = first_of(stored, ("model_name", "model")) or outputs.get("model")
    usage = turns[-1].get("usage_metadata") or outputs.get("usage_metadata") or outputs.get("usage")
    facts = {"response_metadata": {n: v for n, v in stored.items() if v is not None}, "usage_metadata": usage}
    turns[-1].update((name, value) for name, value in facts.items() if value not in _EMPTY)


def _with_results(turns: list[dict[str, Any]], tools: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The turns with the results only the tool runs have; without any call, with the tool runs as calls."""
    if not _has_calls(turns):
        made = [turn for run in tools for turn in _tool_turns(run)]
        return [*turns[:-1], *made, turns[-1]] if turns and turns[-1]["role"] == "assistant" else [*turns, *made]
    answered = {id_text(turn.get("tool_call_id")) for turn in turns if turn["role"] == "tool"}
    anonymous = any(turn["role"] == "tool" and turn.get("tool_call_id") is None for turn in turns)
    left, result = list(tools), []
    for turn in turns:
        result.append(turn)
        for call in turn.get("tool_calls", ()):
            run = _take(left, call)
            if run is not None and call.get("id") not in answered and not anonymous:
                result.append(_result(run, call))
    return result


def _take(left: list[Mapping[str, Any]], call: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The tool run of a call: of its name, with its arguments if there is one, else the first in time."""
    named = [run for run in left if run.get("name") == call["name"]]
    found = next((run for run in named if _arguments(run) == call["arguments"]), named[0] if named else None)
    if found is not None:
        left[:] = [run for run in left if run is not found]
    return found


def _tool_turns(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    call = tool_call(run.get("name"), _arguments(run), run.get("id"))
    return [message("assistant", "", [call]), _result(run, call)]


def _arguments(run: Mapping[str, Any]) -> Any:
    inputs = as_mapping(run.get("inputs"))
    return parse_json(inputs["input"]) if set(inputs) == {"input"} else dict(inputs)


def _result(run: Mapping[str, Any], call: Mapping[str, Any]) -> dict[str, Any]:
    outputs, error = run.get("outputs"), run.get("error")
    value = outputs["output"] if isinstance(outputs, Mapping) and set(outputs) == {"output"} else outputs
    if isinstance(value, Mapping):
        value = chat_message(value)["content"] if is_message(value) else value.get("content", value)
    if error not in _EMPTY and value in _EMPTY:
        value = error
    words = content_text(value) or as_text(value) or ""
    failed = True if error not in _EMPTY else None
    return message("tool", words, tool_call_id=call.get("id"), name=call["name"], is_error=failed)


def _sampling(metadata: Mapping[str, Any], settings: list[Mapping[str, Any]], model: Any) -> dict[str, Any] | None:
    named = {"temperature": metadata.get("ls_temperature"), "max_tokens": metadata.get("ls_max_tokens")}
    return next((found for entry in (named, *settings) if (found := sampling_of(entry, model)) is not None), None)


def _rest(value: Mapping[str, Any], read: Iterable[str]) -> dict[str, Any]:
    known = {*read, "tools", "usage_metadata", "usage", "role", "system", "instructions"}
    return {name: v for name, v in without_secrets(value).items() if name not in known and v is not None}


def _verdict(stats: Any, source: Source) -> dict[str, Any]:
    """Reward and markers of the feedback. The file's first key is the primary one, on every row of the file."""
    scores = {str(name): as_mapping(entry) for name, entry in as_mapping(stats).items()}
    if not scores:
        return {}
    primary = source.facts.setdefault("primary_feedback", next(iter(scores)))
    values = {name: value for name, entry in scores.items() if (value := reward_of(entry.get("avg"))) is not None}
    return {
        "reward": values.pop(primary, None),
        "judge_name": primary,
        "judge_meta": {"n": scores.get(primary, {}).get("n"), "feedback_stats": stats},
        "markers": values or None,
    }
