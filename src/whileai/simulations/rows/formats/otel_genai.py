"""OpenTelemetry traces of agents (GenAI conventions, and OpenInference), as OTLP JSON or one span or log a line.

A row is a trace, or an `invoke_agent` root where a trace has several, by earliest start. Each model call repeats the
conversation so far, so the last one with messages is read and its output added; a tool result it lacks comes from its
`execute_tool` span. The conventions have no task id and no attempt: the prompt is the task.

`gather` needs the whole file, since spans come in any order. It holds every span without its messages, one
conversation for each caller of a model (those of earlier calls are dropped when a later one has been read), and the
events and log records, which repeat the conversation with each call where a producer writes it as events.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.content import first_of, parse_json
from whileai.simulations.rows.formats.chat import as_text
from whileai.simulations.rows.formats.common import (
    ROLES,
    as_mapping,
    chat_turn,
    failed_run,
    finish_of,
    id_text,
    make_row,
    mappings,
    message,
    reward_of,
    sampling_of,
    summed,
    tool_call,
    without_secrets,
)
from whileai.simulations.rows.formats.otel_spans import (
    INDEXED,
    MESSAGE_EVENT,
    MESSAGE_KEYS,
    SPAN_ID,
    TRACE_ID,
    Run,
    Span,
    Traces,
    is_message_key,
)
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.values import finite

NAME = "otel-genai"
LOOKS_FOR = "resourceSpans, resourceLogs, traceId, spanId, trace_id, span_id, context"

_LABELS = {"pass": 1, "passed": 1, "correct": 1, "fail": 0, "failed": 0, "incorrect": 0}
_USAGE = {
    "input_tokens": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"),
    "output_tokens": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"),
}


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is an OTLP export of spans or logs, or one span or log record.

    >>> sniff({"resourceSpans": []}), sniff({"traceId": "5b", "spanId": "0a", "name": "chat shop-7b"})
    (True, True)
    """
    if any(isinstance(record.get(name), list) for name in ("resourceSpans", "resourceLogs")):
        return True
    holders = (record, as_mapping(record.get("context")))
    return any(first_of(h, TRACE_ID) is not None and first_of(h, SPAN_ID) is not None for h in holders)


def gather(records: Iterable[Mapping[str, Any]], source: Source) -> Iterator[dict[str, Any]]:
    """The runs of a file, `{"run": ...}`, by earliest start.

    >>> span = {"traceId": "5b", "spanId": "0a", "attributes": {"gen_ai.operation.name": "chat"}}
    >>> len(list(gather([span], Source("spans.jsonl"))))
    1
    """
    traces = Traces(source)
    for record in records:
        traces.add(record)
    runs = sorted(traces.runs(), key=lambda run: run.start)
    names = [name for run in runs for name, _ in run.evaluations()]
    for run in runs:
        yield {"run": run, "primary": names[0] if names else None}


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The rows of a gathered run, or of the runs of one record.

    >>> said = [{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}]
    >>> kept = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": said}
    >>> to_rows({"traceId": "5b", "spanId": "0a", "attributes": kept}, Source("spans.jsonl"))[0]["prompt"]
    'Hi'
    """
    run = record.get("run")
    if not isinstance(run, Run):
        return [row for whole in gather([record], source) for row in to_rows(whole, source)]
    last = run.last_call()
    messages, reason = _conversation(run, last, source)
    attributes, called = run.root.attributes, as_mapping(last.attributes if last else None)
    request = first_of({**attributes, **called}, ("gen_ai.request.model", "llm.model_name"))
    row = make_row(
        {},
        source,
        form=NAME,
        messages=messages,
        conversation_id=first_of({**called, **attributes}, ("gen_ai.conversation.id", "session.id")),
        trace_id=run.root.trace,
        rollout_id=run.root.trace if run.alone else f"{run.root.trace}:{run.root.id}",
        ts=run.start or None,
        total_time=(run.end - run.start) / 1e9 if run.end > run.start else None,
        provider=first_of({**attributes, **called}, ("gen_ai.provider.name", "gen_ai.system", "llm.provider")),
        model_version=called.get("gen_ai.response.model") or request,
        sampling=sampling_of(_settings(called), request),
        usage=summed([_usage(span) for span in run.spans if span.kind == "chat"]),
        finish_reason=finish_of(called.get("gen_ai.response.finish_reasons")) or finish_of(reason),
        attributes=_carried(attributes) or None,
        **_verdict(run, record.get("primary")),
    )
    if run.root.failed:
        error = run.root.error or run.root.attributes.get("error.type") or "error"
        return [failed_run(row, error, source, row["reward"])]
    return [row]


def _conversation(run: Run, last: Span | None, source: Source) -> tuple[list[dict[str, Any]], Any]:
    """The turns of a run, and the reason its last generation gave for ending."""
    turns, reason = _turns_of(last, source) if last is not None else ([], None)
    if not turns:
        turns, reason = _turns_of(run.root, source)
    if not turns:
        turns = _plain_turns(run.root)
    return _with_results(turns, [span for span in run.spans if span.kind == "tool"]), reason


def _turns_of(span: Span, source: Source) -> tuple[list[dict[str, Any]], Any]:
    """Input and output of one span, in whichever of the four ways it was written."""
    attributes = span.attributes
    asked, answered = (_stored(attributes, key, source) for key in MESSAGE_KEYS[:2])
    if asked or answered:
        system = _stored(attributes, MESSAGE_KEYS[2], source)
        opening: list[Mapping[str, Any]] = [] if not system else [{"role": "system", "parts": system}]
        if all(entry.get("role") == "assistant" for entry in answered):
            answered = answered[:1]  # several answers to choose from: the run went on with the first
        turns = [turn for entry in [*opening, *asked, *answered] for turn in _part_turns(entry)]
        return turns, answered[-1].get("finish_reason") if answered else None
    if any(MESSAGE_EVENT.fullmatch(name) for _, name, _ in span.events):
        return _event_turns(span)
    before, after = _indexed(attributes)
    reason = after[0].get("finish_reason") if after else None
    return [_flat_turn(entry) for entry in [*before, *after[:1]]], reason


def _stored(attributes: Mapping[str, Any], key: str, source: Source) -> list[Mapping[str, Any]]:
    value = parse_json(attributes.get(key))
    if isinstance(value, Mapping):
        value = [value]
    if isinstance(value, str) and value:
        if key == MESSAGE_KEYS[2]:
            return [{"type": "text", "content": value}]
        source.note(f"a span's {key} is no JSON (cut off by its writer?) and was not read")
    return mappings(value)


def _part_turns(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The turns of a message made of parts: each tool response is a turn of its own."""
    words: list[Any] = []
    reasoning: list[str] = []
    calls: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for part in mappings(entry.get("parts")):
        kind = part.get("type")
        if kind == "text":
            words.append({"type": "text", "text": str(part.get("content") or "")})
        elif kind == "reasoning":
            reasoning.append(str(part.get("content") or ""))
        elif kind == "tool_call":
            calls.append(tool_call(part.get("name"), part.get("arguments"), part.get("id")))
        elif kind == "tool_call_response":
            results.append(
                message("tool", as_text(first_of(part, ("response", "result"))), tool_call_id=id_text(part.get("id")))
            )
        else:
            words.append(dict(part))
    role = entry.get("role")
    if words or calls or reasoning or not results:
        content = (
            words[0]["text"]
            if len(words) == 1 and words[0].get("type") == "text"
            else words or as_text(entry.get("content")) or ""
        )
        yield message(
            ROLES.get(role, role) if isinstance(role, str) else "user",
            content,
            calls,
            reasoning="\n".join(reasoning) or None,
            name=entry.get("name"),
        )
    yield from results


def _event_turns(span: Span) -> tuple[list[dict[str, Any]], Any]:
    turns: list[dict[str, Any]] = []
    choice: Mapping[str, Any] | None = None
    for _, name, attributes in sorted(span.events, key=lambda event: event[0]):
        match = MESSAGE_EVENT.fullmatch(name)
        if match is None:
            continue
        if match.group(1) is None:
            choice = attributes if choice is None else choice
        else:
            turns.append(_event_turn(match.group(1), attributes))
    if choice is not None:
        said = parse_json(choice.get("message"))
        turns.append(_event_turn("assistant", as_mapping(said) or {"content": said, **choice}))
    return turns, None if choice is None else choice.get("finish_reason")


def _event_turn(role: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
    calls = parse_json(attributes.get("tool_calls"))
    read = chat_turn({"role": attributes.get("role") or role, "tool_calls": calls})
    return message(
        read["role"],
        _content(attributes.get("content")),
        read.get("tool_calls", ()),
        tool_call_id=id_text(attributes.get("id")) if read["role"] == "tool" else None,
        name=attributes.get("name"),
    )


def _content(value: Any) -> Any:
    """Content as text or blocks; writers store a list of blocks as JSON text."""
    parsed = parse_json(value) if isinstance(value, str) and value.startswith("[") else value
    if isinstance(parsed, list) and parsed and all(isinstance(block, Mapping) and "type" in block for block in parsed):
        return parsed
    return as_text(value)


def _indexed(attributes: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Input and output messages spread over numbered keys, put together again."""
    sides: tuple[dict[int, dict[str, Any]], dict[int, dict[str, Any]]] = ({}, {})
    for key, value in attributes.items():
        if match := INDEXED.fullmatch(key):
            side = sides[0] if (match.group(1) or match.group(2)) in ("prompt", "input") else sides[1]
            side.setdefault(int(match.group(3)), {})[match.group(4).removeprefix("message.")] = value
    asked, answered = ([side[at] for at in sorted(side)] for side in sides)
    return asked, answered


_CALL_KEY = re.compile(r"tool_calls\.(\d{1,6})\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)")
_BLOCK_KEY = re.compile(r"contents\.(\d{1,6})\.message_content\.(\w+)")


def _flat_turn(entry: Mapping[str, Any]) -> dict[str, Any]:
    calls, blocks = _numbered(entry, _CALL_KEY), _numbered(entry, _BLOCK_KEY)
    if not calls and entry.get("function_call_name"):
        calls = [{"name": entry["function_call_name"], "arguments": entry.get("function_call_arguments_json")}]
    role = str(entry.get("role") or "user")
    return message(
        ROLES.get(role, role),
        blocks or _content(entry.get("content")),
        [tool_call(call.get("name"), call.get("arguments"), call.get("id")) for call in calls],
        tool_call_id=id_text(entry.get("tool_call_id")),
        name=entry.get("name"),
    )


def _numbered(entry: Mapping[str, Any], pattern: re.Pattern[str]) -> list[dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for key, value in entry.items():
        if match := pattern.fullmatch(key):
            found.setdefault(int(match.group(1)), {})[match.group(2)] = value
    return [found[at] for at in sorted(found)]


def _plain_turns(root: Span) -> list[dict[str, Any]]:
    """Question and answer of a run that kept no messages (OpenInference `input.value`, `output.value`)."""
    values = (("user", root.attributes.get("input.value")), ("assistant", root.attributes.get("output.value")))
    return [message(role, value) for role, value in values if isinstance(value, str) and value]


def _with_results(turns: list[dict[str, Any]], tools: list[Span]) -> list[dict[str, Any]]:
    """The turns with the results and failures that only the tool spans have; without any call, with those as calls."""
    if not any(turn.get("tool_calls") for turn in turns):
        made = [turn for span in tools for turn in _tool_turns(span)]
        return [*turns[:-1], *made, turns[-1]] if turns and turns[-1]["role"] == "assistant" else [*turns, *made]
    answers = {turn.get("tool_call_id"): turn for turn in turns if turn["role"] == "tool"}
    left, result = list(tools), []
    for turn in turns:
        result.append(turn)
        for call in turn.get("tool_calls", ()):
            span, answer = _take(left, call), answers.get(call.get("id"))
            if span is None:
                continue
            if answer is None and None not in answers and _result(span) is not None:
                result.append(_tool_message(span, call))
            elif answer is not None and span.failed:
                answer["is_error"] = True
    return result


def _take(left: list[Span], call: Mapping[str, Any]) -> Span | None:
    """The tool span of a call: by call id, else the first of that name without one."""
    ids = [_call_id(span) for span in left]
    at = ids.index(call["id"]) if call.get("id") in ids and call.get("id") is not None else None
    if at is None:
        at = next((i for i, span in enumerate(left) if ids[i] is None and _tool_name(span) == call["name"]), None)
    return None if at is None else left.pop(at)


def _call_id(span: Span) -> str | None:
    found = first_of(span.attributes, ("gen_ai.tool.call.id", "tool_call.id"))
    return None if found is None else str(found)


def _tool_name(span: Span) -> str:
    named = first_of(span.attributes, ("gen_ai.tool.name", "tool.name", "traceloop.entity.name"))
    return str(named or span.name.removeprefix("execute_tool "))


def _result(span: Span) -> Any:
    found = first_of(span.attributes, ("gen_ai.tool.call.result", "output.value", "traceloop.entity.output"))
    return span.error or span.attributes.get("error.type") if found is None and span.failed else found


def _tool_turns(span: Span) -> list[dict[str, Any]]:
    arguments = first_of(span.attributes, ("gen_ai.tool.call.arguments", "input.value", "traceloop.entity.input"))
    call = tool_call(_tool_name(span), arguments, _call_id(span) or span.id)
    made = [message("assistant", "", [call])]
    return made if _result(span) is None else [*made, _tool_message(span, call)]


def _tool_message(span: Span, call: Mapping[str, Any]) -> dict[str, Any]:
    failed = True if span.failed else None
    return message("tool", as_text(_result(span)), tool_call_id=call.get("id"), name=call["name"], is_error=failed)


def _settings(attributes: Mapping[str, Any]) -> dict[str, Any]:
    parameters = as_mapping(parse_json(attributes.get("llm.invocation_parameters")))
    asked = {name: attributes.get(f"gen_ai.request.{name}") for name in ("temperature", "max_tokens")}
    return {**parameters, **{name: value for name, value in asked.items() if value is not None}}


def _usage(span: Span) -> dict[str, Any]:
    return {name: first_of(span.attributes, keys) for name, keys in _USAGE.items()}


def _carried(attributes: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in attributes.items() if not is_message_key(key)}
    return dict(without_secrets(kept))


def _verdict(run: Run, primary: Any) -> dict[str, Any]:
    """Reward and markers of the evaluation results; the file's first name is the primary one, on every row of it."""
    found = dict(reversed(run.evaluations()))
    values = {name: value for name, attributes in found.items() if (value := _score(attributes)) is not None}
    if primary not in found:
        return {"markers": values or None}
    told = found[primary]
    label, value = told.get("gen_ai.evaluation.score.label"), values.pop(primary, None)
    fields = {
        "reward": value,
        "judge_name": primary,
        "reason": told.get("gen_ai.evaluation.explanation"),
        "judge_meta": None if label is None else {"label": label},
        "markers": values or None,
    }
    return fields if value is not None else {**fields, "judge_status": "invalid_result"}


def _score(attributes: Mapping[str, Any]) -> float | int | None:
    value = attributes.get("gen_ai.evaluation.score.value")
    if value is not None:
        return reward_of(value) if finite(value) is not None else None
    return _LABELS.get(str(attributes.get("gen_ai.evaluation.score.label") or "").strip().lower())
