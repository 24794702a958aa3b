"""`reference_logprobs`: what a reference model makes of the tokens the policy generated."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from whileai.simulations.arguments import seconds, whole
from whileai.simulations.listing import listed
from whileai.simulations.reports import Report, printable
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.rows.wire import wire_messages
from whileai.simulations.schema import from_row, to_row
from whileai.simulations.score.judging.calls import outcomes
from whileai.simulations.score.reference.backend import Reference
from whileai.simulations.signature import public

Row = dict[str, Any]
STAMPS = ("ref_logprob", "ref_n_tokens", "ref_model")
_KEPT_ERRORS = 5
_ERROR_CHARS = 200


@public
def reference_logprobs(
    source: Any,
    ref: Any,
    system_prompt: str | None = None,
    tools: Sequence[Mapping[str, Any]] | None = None,
    api_key: str | None = None,
    concurrency: int = 4,
    timeout: float = 600.0,
    chat_template_kwargs: Mapping[str, Any] | None = None,
    transport: Callable[[dict[str, Any]], Any] | None = None,
) -> Report:
    """Stamp each row with the logprob of its agent's turns under a reference model, for `mean_kl`; in place.

    `ref` is `vllm:<model>@<base_url>`, a server that returns `prompt_logprobs`. `source` is a run (`trajectories` and
    a `profile` with the system prompt and the tools), a list of rows, or the path of a file of rows. The reference
    must see what the policy saw: pass `system_prompt` and `tools` for the last two, unless the list or its rows carry
    them, and the `chat_template_kwargs` the policy sampled with. `transport(body) -> answer` takes the place of HTTP.
    `timeout` is in seconds a request.

    Written: `ref_logprob` (summed over all turns), `ref_n_tokens`, `ref_model`; a row that could not be scored has none
    of them. Report: `n_rows` scored, `n_skipped` (no turn of the agent, or a failed request), `n_tokens`, `model`,
    `token_count_gap` (mean difference from the rows' own `n_tokens`, near 0 when the tokenizers are the same; None
    without any), `errors` (the first 5). A `ref` of another form is a `ValueError`.

    >>> reference_logprobs([], "vllm:Qwen/Qwen3-4B@http://gpu-1:8000/v1")["n_rows"]
    0
    """
    reference = Reference(
        ref,
        api_key=api_key,
        timeout=seconds("timeout", timeout),
        chat_template_kwargs=chat_template_kwargs,
        transport=transport,
    )
    workers = max(1, whole("concurrency", concurrency))
    rows = _rows(source)
    prompt = rows.system_prompt if system_prompt is None else system_prompt
    declared = rows.tools if tools is None else list(tools)
    stamped = outcomes(lambda row: _stamp(row, reference, prompt, declared), rows, workers)
    failures = [printable(outcome.error, most=_ERROR_CHARS) for outcome in stamped if outcome.error is not None]
    scored = [row for row, outcome in zip(rows, stamped, strict=True) if outcome.value]
    values = {
        "n_rows": len(scored),
        "n_skipped": len(rows) - len(scored),
        "n_tokens": sum(row["ref_n_tokens"] for row in scored),
        "model": reference.model,
        "token_count_gap": _gap(scored),
        "errors": failures[:_KEPT_ERRORS],
    }
    return Report(values, show=listed)


def _rows(source: Any) -> RowList:
    """The rows of a source, with the system prompt and the tools it carries."""
    if isinstance(source, str | os.PathLike):
        from whileai.simulations.rows.load import load_rows

        return RowList(load_rows(source, format="row"))
    found = getattr(source, "trajectories", source)
    if not isinstance(found, Iterable) or is_mapping(found):
        raise TypeError(f"source is a run, a list of rows or a path, got {type(source).__name__}")
    return RowList.like(source, [row for row in found if isinstance(row, dict)])


def _stamp(row: Row, reference: Reference, system_prompt: str, tools: Sequence[Any]) -> bool:
    """Score one row and write the stamps; whether there was a turn to score."""
    for name in STAMPS:
        row.pop(name, None)
    messages = wire_messages(_conversation(row), system_prompt or as_text(row.get("system_prompt")))
    turns = [place for place, message in enumerate(messages) if message["role"] == "assistant"]
    seen = tools or _own_tools(row)
    logprobs = [value for place in turns for value in reference.turn(messages, place, seen)]
    if not turns:
        return False
    row.update(ref_logprob=round(sum(logprobs), 6), ref_n_tokens=len(logprobs), ref_model=reference.model)
    return True


def _conversation(row: Row) -> Sequence[Any]:
    """The row's own messages, else the conversation that its prompt, steps and reply make."""
    messages = row.get("messages")
    if isinstance(messages, list | tuple) and messages:
        return messages
    rebuilt = to_row(*from_row({key: value for key, value in row.items() if key != "messages"}))["messages"]
    return rebuilt if isinstance(rebuilt, list) else []


def _own_tools(row: Row) -> list[Any]:
    tools = row.get("tools")
    return [tool for tool in tools if is_mapping(tool)] if isinstance(tools, list | tuple) else []


def _gap(rows: list[Row]) -> float | None:
    """The mean distance between the reference's and the policy's count of tokens, over rows that hold the latter."""
    gaps = [
        abs(row["ref_n_tokens"] - row["n_tokens"])
        for row in rows
        if type(row.get("n_tokens")) is int and row["n_tokens"] > 0
    ]
    return round(sum(gaps) / len(gaps), 2) if gaps else None
