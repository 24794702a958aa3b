"""Spans and log records of OpenTelemetry traces, read from OTLP JSON or one a line, and put together to runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from whileai.simulations.rows.content import first_of, parse_json
from whileai.simulations.rows.formats.common import as_mapping, mappings, reward_of
from whileai.simulations.rows.formats.settings import without_secrets
from whileai.simulations.rows.source import Source

TRACE_ID = ("traceId", "trace_id")
SPAN_ID = ("spanId", "span_id")
_CHAT = frozenset({"chat", "generate_content", "text_completion", "completion", "llm"})
_TOOL = frozenset({"execute_tool", "tool"})
_AGENT = frozenset({"invoke_agent", "agent"})
_MAX_DEPTH = 40
_EVALUATION = "gen_ai.evaluation.result"
MESSAGE_KEYS = ("gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions")
INDEXED = re.compile(r"(?:gen_ai\.(prompt|completion)|llm\.(input|output)_messages)\.(\d{1,6})\.(.+)")
MESSAGE_EVENT = re.compile(r"gen_ai\.(?:(system|user|assistant|tool)\.message|choice)")


@dataclass(slots=True)
class Span:
    """What is kept of a span: its place in the trace, decoded attributes, and its events by time."""

    trace: str
    id: str
    parent: str = ""
    name: str = ""
    start: int = 0
    end: int = 0
    kind: str = ""
    failed: bool = False
    error: str = ""
    seen: bool = False
    attributes: dict[str, Any] = field(default_factory=dict)
    events: list[tuple[int, str, dict[str, Any]]] = field(default_factory=list)

    def has_messages(self) -> bool:
        """Whether the span kept what was said, as attributes or as events."""
        return any(is_message_key(key) for key in self.attributes) or any(
            MESSAGE_EVENT.fullmatch(name) for _, name, _ in self.events
        )

    def forget_messages(self) -> None:
        """Drop what was said, for a model call that a later one repeats."""
        self.attributes = {key: value for key, value in self.attributes.items() if not is_message_key(key)}
        self.events = [event for event in self.events if not MESSAGE_EVENT.fullmatch(event[1])]


@dataclass(slots=True)
class Run:
    """One row to be: its root, its spans by start, and whether it is the only run of its trace."""

    root: Span
    spans: list[Span]
    own: set[str]
    alone: bool

    @property
    def start(self) -> int:
        """When the earliest span began, in nanoseconds; 0 when unknown."""
        return min((span.start for span in self.spans if span.start), default=0)

    @property
    def end(self) -> int:
        """When the last span ended, in nanoseconds; 0 when unknown."""
        return max((span.end for span in self.spans), default=0)

    def last_call(self) -> Span | None:
        """The last model call that kept its messages, of the run's own agent before those of agents it invoked."""
        calls = [span for span in self.spans if span.kind == "chat"]
        spoken = [span for span in calls if span.has_messages()]
        own = [span for span in spoken if span.id in self.own]
        return next((group[-1] for group in (own, spoken, calls) if group), None)

    def evaluations(self) -> list[tuple[str, dict[str, Any]]]:
        """Name and attributes of each evaluation result, in time order."""
        found = sorted(
            (event for span in self.spans for event in span.events if event[1] == _EVALUATION), key=lambda e: e[0]
        )
        return [(str(attributes.get("gen_ai.evaluation.name") or "score"), attributes) for _, _, attributes in found]


class Traces:
    """The spans and log records read so far, by trace."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._traces: dict[str, dict[str, Span]] = {}
        self._last_call: dict[tuple[str, str], Span] = {}

    def add(self, record: Mapping[str, Any]) -> None:
        """Take in one export, or one span or log record."""
        for group, scopes, entries, read in (
            ("resourceSpans", ("scopeSpans", "instrumentationLibrarySpans"), "spans", self._span),
            ("resourceLogs", ("scopeLogs", "instrumentationLibraryLogs"), "logRecords", self._log),
        ):
            for holder in mappings(record.get(group)):
                resource = without_secrets(_attributes(as_mapping(holder.get("resource")).get("attributes")))
                if resource:
                    self._source.facts.setdefault("resource", resource)
                for scope in (scope for name in scopes for scope in mappings(holder.get(name))):
                    for entry in mappings(scope.get(entries)):
                        read(entry)
        if "resourceSpans" not in record and "resourceLogs" not in record:
            is_log = "body" in record or "eventName" in record or "severityText" in record
            (self._log if is_log else self._span)(record)

    def _place(self, entry: Mapping[str, Any]) -> Span:
        holder = {**as_mapping(entry.get("context")), **entry}
        trace, span = (str(first_of(holder, names) or "") for names in (TRACE_ID, SPAN_ID))
        return self._traces.setdefault(trace, {}).setdefault(span, Span(trace, span))

    def _span(self, entry: Mapping[str, Any]) -> None:
        span = self._place(entry)
        span.seen = True
        span.parent = str(first_of(entry, ("parentSpanId", "parent_span_id", "parent_id")) or "")
        span.name = str(entry.get("name") or "")
        span.start = _time(first_of(entry, ("startTimeUnixNano", "start_time_unix_nano", "start_time")))
        span.end = _time(first_of(entry, ("endTimeUnixNano", "end_time_unix_nano", "end_time")))
        span.attributes.update(_attributes(entry.get("attributes")))
        status = as_mapping(entry.get("status"))
        code = str(first_of(status, ("code", "status_code")) or "").upper()
        span.failed = code in ("2", "ERROR", "STATUS_CODE_ERROR", "STATUSCODE.ERROR")
        span.error = str(first_of(status, ("message", "description")) or "")
        for event in mappings(entry.get("events")):
            self._event(span, event, str(event.get("name") or ""), _attributes(event.get("attributes")))
        span.kind = _kind(span)
        self._keep_last(span)

    def _log(self, entry: Mapping[str, Any]) -> None:
        attributes = _attributes(entry.get("attributes"))
        body = parse_json(_value(entry.get("body")))
        name = str(entry.get("eventName") or entry.get("event_name") or attributes.get("event.name") or "")
        self._event(self._place(entry), entry, name, {"content": body, **attributes, **as_mapping(body)})

    def _event(self, span: Span, entry: Mapping[str, Any], name: str, attributes: dict[str, Any]) -> None:
        if name == _EVALUATION or MESSAGE_EVENT.fullmatch(name):
            time = _time(first_of(entry, ("timeUnixNano", "observedTimeUnixNano", "time_unix_nano", "timestamp")))
            span.events.append((time, name, attributes))
        else:
            span.attributes.update((key, value) for key, value in attributes.items() if is_message_key(key))

    def _keep_last(self, span: Span) -> None:
        if span.kind != "chat" or not span.has_messages():
            return
        place = (span.trace, span.parent)
        last = self._last_call.get(place)
        if last is None or span.start >= last.start:
            self._last_call[place], span = span, last or span
        if self._last_call[place] is not span:
            span.forget_messages()

    def runs(self) -> Iterator[Run]:
        """The runs of all traces; traces of other programs are left out, which a note says."""
        left_out = 0
        for spans in self._traces.values():
            for span in spans.values():
                span.kind = span.kind or _kind(span)
            if not any(span.kind for span in spans.values()):
                left_out += 1
                continue
            yield from _runs_of(spans)
        if left_out:
            self._source.note(f"{left_out} traces were left out: no span of theirs is a model call, a tool or an agent")


def _runs_of(spans: dict[str, Span]) -> Iterator[Run]:
    ordered = sorted(spans.values(), key=lambda span: (span.start, span.end))
    agents = {span.id: _agents_above(span, spans) for span in ordered}
    roots = [span for span in ordered if span.kind == "agent" and len(agents[span.id]) == 1]
    if len(roots) > 1:
        for root in roots:
            below = [span for span in ordered if root.id in agents[span.id]]
            yield Run(root, below, {span.id for span in below if agents[span.id][0] == root.id}, alone=False)
        return
    known = [span for span in ordered if span.seen] or ordered
    root = roots[0] if roots else next((span for span in known if span.parent not in spans), known[0])
    first = root.id if roots else None
    yield Run(root, ordered, {span.id for span in ordered if next(iter(agents[span.id]), None) == first}, alone=True)


def _agents_above(span: Span, spans: dict[str, Span]) -> list[str]:
    """The agent spans a span is in, itself included, the nearest first."""
    found: list[str] = []
    seen: set[str] = set()
    at: Span | None = span
    while at is not None and at.id not in seen:
        seen.add(at.id)
        if at.kind == "agent":
            found.append(at.id)
        at = spans.get(at.parent) if at.parent else None
    return found


def _time(value: Any) -> int:
    """A time in nanoseconds: a number, numeric text, or ISO text; 0 when unknown."""
    try:
        time = int(value)
    except (TypeError, ValueError, OverflowError):
        pass
    else:
        return time if 0 < time < 1 << 63 else 0
    try:
        return int(datetime.fromisoformat(str(value)).timestamp() * 1_000_000) * 1000
    except (ValueError, OverflowError, OSError):
        return 0


def _attributes(stored: Any, depth: int = 0) -> dict[str, Any]:
    """Attributes as a dict: OTLP writes a list of {key, value: {stringValue: ...}}, some writers a plain object."""
    if isinstance(stored, Mapping):
        return {str(key): _value(value, depth) for key, value in stored.items()}
    return {str(entry["key"]): _value(entry.get("value"), depth) for entry in mappings(stored) if "key" in entry}


def _value(stored: Any, depth: int = 0) -> Any:
    if not isinstance(stored, Mapping) or len(stored) != 1 or depth > _MAX_DEPTH:
        return stored
    kind, value = next(iter(stored.items()))
    if kind in ("arrayValue", "kvlistValue"):
        values = as_mapping(value).get("values")
        if kind == "kvlistValue":
            return _attributes(values, depth + 1)
        return [_value(entry, depth + 1) for entry in values] if isinstance(values, list) else []
    if kind in ("intValue", "doubleValue"):
        read = reward_of(value)
        return value if read is None else read
    return value if kind in ("stringValue", "boolValue", "bytesValue") else stored


def _kind(span: Span) -> str:
    """chat, tool, agent, or `""` for a span that is none of them."""
    attributes = span.attributes
    named = first_of(
        attributes, ("gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind", "llm.request.type")
    )
    word = str(named or span.name.split(" ")[0]).lower()
    for kind, words in (("chat", _CHAT), ("tool", _TOOL), ("agent", _AGENT)):
        if word in words:
            return kind
    return "chat" if named is None and span.has_messages() else ""


def is_message_key(key: str) -> bool:
    """Whether an attribute holds (a part of) what was said.

    >>> is_message_key("gen_ai.input.messages"), is_message_key("gen_ai.prompt.0.role"), is_message_key("gen_ai.system")
    (True, True, False)
    """
    return key in MESSAGE_KEYS or INDEXED.fullmatch(key) is not None
