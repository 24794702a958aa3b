"""OpenTelemetry traces of agents (GenAI conventions, and OpenInference), as OTLP JSON or one span or log a line.

A row is a trace, or an `invoke_agent` root where a trace has several, by earliest start. Each model call repeats the
conversation so far, so the last one with messages is read and its output added; a tool result it lacks comes from its
`execute_tool` span. The conventions have no task id and no attempt: the prompt is the task.

`gather` needs the whole file, since spans come in any order. It holds every span without its messages, one
conversation for each caller of a model (those of earlier calls are dropped when a later one has been read), and the
events and log records, which repeat the conversation with each call where a producer writes it as events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.content import first_of, parse_json
from whileai.simulations.rows.formats.common import as_mapping, failed_run, make_row, reward_of
from whileai.simulations.rows.formats.generation import finish_of, sampling_of, summed
from whileai.simulations.rows.formats.otel_spans import (
    SPAN_ID,
    TRACE_ID,
    Run,
    Span,
    Traces,
    is_message_key,
)
from whileai.simulations.rows.formats.otel_turns import conversation
from whileai.simulations.rows.formats.settings import without_secrets
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
    messages, reason = conversation(run, last, source)
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
