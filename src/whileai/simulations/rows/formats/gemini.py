"""Google Gemini: `contents` of `parts`, as one request or as a batch line of request and response."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from whileai.simulations.errors import keys_found
from whileai.simulations.rows.formats.chat import (
    Piece,
    agent_turns,
    as_text,
    is_row_of_ours,
    rest_of,
    scored,
    simple_content,
)
from whileai.simulations.rows.formats.common import error_text, failed_run, make_row, message, tool_call
from whileai.simulations.rows.formats.generation import finish_of, sampling_of, token_logprobs_of
from whileai.simulations.rows.source import Source

NAME = "gemini"
LOOKS_FOR = "`contents` with `parts`, or `request` and `response` with `candidates`"
_CODE = "code_execution"
_CONSUMED = ("request", "response", "reward")


def field(value: Any, name: str) -> Any:
    """A field under its camelCase name or its snake_case one, None when there is neither.

    >>> field({"function_call": {"name": "get"}}, "functionCall")
    {'name': 'get'}
    """
    if not isinstance(value, Mapping):
        return None
    found = value.get(name)
    return value.get(_snake(name)) if found is None else found


@cache
def _snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a request with parts, or a batch line.

    >>> sniff({"contents": [{"parts": [{"text": "Hi"}]}]}), sniff({"key": "a", "response": {"candidates": []}})
    (True, True)
    """
    if is_row_of_ours(record):
        return False
    response = record.get("response")
    if isinstance(response, Mapping) and any(
        field(response, name) is not None for name in ("candidates", "promptFeedback")
    ):
        return True
    return any(_has_contents(part) for part in (record, record.get("request")))


def _has_contents(value: Any) -> bool:
    contents = field(value, "contents")
    first = contents[0] if isinstance(contents, list) and contents else contents
    return isinstance(first, Mapping) and "parts" in first


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The rows of a record, one a candidate; what request and response hold besides is carried at top level.

    >>> said = {"candidates": [{"content": {"parts": [{"text": "Hello."}]}, "finishReason": "STOP"}]}
    >>> row = to_rows({"request": {"contents": [{"parts": [{"text": "Hi"}]}]}, "response": said}, Source("b.jsonl"))[0]
    >>> row["prompt"], row["final_text"], row["finish_reason"]
    ('Hi', 'Hello.', 'stop')
    """
    flat = _flat(record)
    given = [
        *_system(_take(flat, "systemInstruction")),
        *(turn for content in _contents(_take(flat, "contents")) for turn in _turns(content)),
    ]
    candidates = _take(flat, "candidates") or []
    if not isinstance(candidates, list) or not all(isinstance(candidate, Mapping) for candidate in candidates):
        raise ValueError(f"`candidates` must be a list of objects, found {keys_found(candidates)}")
    if not given and not candidates and not flat.get("error") and field(flat, "promptFeedback") is None:
        raise ValueError(f"a record needs `contents` or `candidates`: found {keys_found(dict(record))}")
    return [
        _row(flat, source, given, candidate, several=len(candidates) > 1, at=at)
        for at, candidate in enumerate(candidates or [{}])
    ]


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    flat = {name: value for name, value in record.items() if name not in ("request", "response")}
    for part in ("request", "response"):
        inner = record.get(part)
        if isinstance(inner, Mapping):
            flat.update((f"source_{name}" if name in flat else name, value) for name, value in inner.items())
    return flat


def _take(flat: dict[str, Any], name: str) -> Any:
    found, other = flat.pop(name, None), flat.pop(_snake(name), None) if _snake(name) != name else None
    return other if found is None else found


def _row(
    flat: Mapping[str, Any],
    source: Source,
    given: list[dict[str, Any]],
    candidate: Mapping[str, Any],
    *,
    several: bool,
    at: int,
) -> dict[str, Any]:
    model = field(flat, "modelVersion") or flat.get("model")
    usage, key = field(flat, "usageMetadata"), flat.get("key")
    known = (
        "reward",
        "model",
        "modelVersion",
        "model_version",
        *(() if several else ("usageMetadata", "usage_metadata")),
    )
    failure = error_text(flat.get("error")) or None
    row = make_row(
        flat,
        source,
        form=NAME,
        consumed=known,
        messages=[*given, *_turns({"role": "model", **_content(candidate)})],
        rollout_id=f"{key}:{at}" if several and key is not None else None,
        model_version=model,
        sampling=sampling_of(_settings(field(flat, "generationConfig")), model),
        finish_reason=_ending(flat, candidate),
        token_logprobs=_logprobs(candidate),
        usage=None if several else usage,
        candidate=rest_of(candidate, ("content",)) or None,
        error=failure,
        **scored(flat),
    )
    return row if failure is None else failed_run(row, failure, source, raw_reward=flat.get("reward"))


def _content(candidate: Mapping[str, Any]) -> Mapping[str, Any]:
    content = candidate.get("content")
    return content if isinstance(content, Mapping) else {}


def _settings(config: Any) -> dict[str, Any]:
    return {"temperature": field(config, "temperature"), "max_tokens": field(config, "maxOutputTokens")}


def _ending(flat: Mapping[str, Any], candidate: Mapping[str, Any]) -> str | None:
    return finish_of(field(candidate, "finishReason") or field(field(flat, "promptFeedback"), "blockReason"))


def _logprobs(candidate: Mapping[str, Any]) -> list[float] | None:
    chosen = field(field(candidate, "logprobsResult"), "chosenCandidates")
    if not isinstance(chosen, list):
        return None
    return token_logprobs_of({"content": [{"logprob": field(entry, "logProbability")} for entry in chosen]})


def _contents(contents: Any) -> list[Any]:
    if contents is None:
        return []
    if isinstance(contents, str):
        return [{"role": "user", "parts": [{"text": contents}]}]
    return contents if isinstance(contents, list) else [contents]


def _system(instruction: Any) -> list[dict[str, Any]]:
    if not instruction:
        return []
    parts = instruction if isinstance(instruction, list | str) else field(instruction, "parts")
    return [message("system", simple_content([piece for _, piece in map(_piece, _parts(parts))]))]


def _parts(parts: Any) -> list[Any]:
    if parts is None:
        return []
    return parts if isinstance(parts, list) else [parts]


def _turns(content: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(content, Mapping):
        raise ValueError(f"`contents` holds {keys_found(content)}, which is no content with `parts`")
    pieces = [_piece(part) for part in _parts(field(content, "parts"))]
    fields = rest_of(content, ("role", "parts"))
    if content.get("role") in ("model", "assistant"):
        if pieces:
            yield from agent_turns(pieces, **fields)
        return
    yield from (piece for kind, piece in pieces if kind == "result")
    words = [piece for kind, piece in pieces if kind != "result"]
    if words:
        yield {**message("user", simple_content(words)), **fields}


def _piece(part: Any) -> Piece:
    if isinstance(part, str):
        return "block", {"type": "text", "text": part}
    if not isinstance(part, Mapping):
        raise ValueError(f"`parts` holds {keys_found(part)}, which is no part")
    for name, read in _READERS.items():
        if isinstance(inner := field(part, name), Mapping):
            kind, piece = read(inner)
            return kind, {**piece, **rest_of(part, (name, _snake(name)))}
    if isinstance(part.get("text"), str):
        rest = rest_of(part, ("text", "thought"))
        if part.get("thought"):
            return "block", {"type": "thinking", "thinking": part["text"], **rest}
        return "block", {"type": "text", "text": part["text"], **rest}
    return "block", dict(part)


def _call(inner: Mapping[str, Any]) -> Piece:
    return "call", tool_call(inner.get("name"), inner.get("args"), inner.get("id"))


def _response(inner: Mapping[str, Any]) -> Piece:
    result = inner.get("response")
    failed = isinstance(result, Mapping) and bool(result.get("error"))
    turn = message(
        "tool", as_text(result), name=inner.get("name"), tool_call_id=inner.get("id"), is_error=True if failed else None
    )
    return "result", {**turn, **rest_of(inner, ("name", "id", "response"))}


def _code(inner: Mapping[str, Any]) -> Piece:
    return "call", tool_call(_CODE, rest_of(inner, ("id",)), inner.get("id"))


def _code_result(inner: Mapping[str, Any]) -> Piece:
    outcome = inner.get("outcome")
    failed = outcome not in (None, "OUTCOME_OK", "OUTCOME_UNSPECIFIED")
    turn = message(
        "tool",
        as_text(inner.get("output", "")),
        name=_CODE,
        tool_call_id=inner.get("id"),
        is_error=True if failed else None,
    )
    return "result", {**turn, **rest_of(inner, ("output", "id"))}


_READERS = {
    "functionCall": _call,
    "functionResponse": _response,
    "executableCode": _code,
    "codeExecutionResult": _code_result,
}
