"""What only the tool spans of a traced run have: results, failures, and calls where no message shows any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.content import first_of
from whileai.simulations.rows.formats.chat import as_text
from whileai.simulations.rows.formats.common import (
    message,
    tool_call,
)
from whileai.simulations.rows.formats.otel_spans import (
    Span,
)


def with_results(turns: list[dict[str, Any]], tools: list[Span]) -> list[dict[str, Any]]:
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
