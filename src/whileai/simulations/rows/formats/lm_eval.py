"""lm-evaluation-harness `samples_<task>_<date>.jsonl`: one line a document and filter, gathered to one a document."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from whileai.simulations.rows.formats.common import as_mapping, make_row, reward_of
from whileai.simulations.rows.formats.generation import sampling_of
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import prompt_text
from whileai.simulations.rows.values import finite

NAME = "lm-eval"
LOOKS_FOR = "`doc_id`, `doc`, `arguments`, `resps`, `filtered_resps`"
_OTHER_FILTERS = "other_filters"
_NO_METRICS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
    | {"doc_hash", "prompt_hash", "target_hash", _OTHER_FILTERS}
)
_FILE_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:+-]+?)\.jsonl")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a sample line of the harness.

    >>> sniff({"doc_id": 0, "doc": {}, "target": "5", "arguments": [], "resps": [["5"]], "filtered_resps": ["5"]})
    True
    """
    return {"doc_id", "doc", "resps"} <= record.keys() and ("arguments" in record or "filtered_resps" in record)


def gather(records: Iterable[dict[str, Any]], source: Source) -> Iterator[dict[str, Any]]:
    """One record a document of the file's first filter; what other filters said lies in its `other_filters`.

    The lines of one filter come together, so a document is whole only at the end: one record a document is held.

    >>> lines = [{"doc_id": 0, "filter": f, "metrics": ["acc"], "acc": a} for f, a in (("strict", 0.0), ("loose", 1.0))]
    >>> [r["other_filters"] for r in gather(lines, Source("samples_a.jsonl"))]
    [{'loose': {'acc': 1.0}}]
    """
    documents: list[dict[str, Any]] = []
    latest: dict[Hashable, dict[str, Any]] = {}
    first_filter: Any = None
    for record in records:
        if not documents:
            first_filter = record.get("filter")
        key = (str(record.get("doc_id")), str(record.get("doc_hash")))
        if record.get("filter") == first_filter:
            latest[key] = record
            documents.append(record)
        elif key in latest:
            _add_filter(latest[key], record)
        else:
            source.note(f"lines of filter {record.get('filter')!r} without a line of {first_filter!r} were left out")
    yield from documents


def _add_filter(document: dict[str, Any], record: Mapping[str, Any]) -> None:
    said = {name: record[name] for name in ("filtered_resps", *_metric_names(record)) if name in record}
    document.setdefault(_OTHER_FILTERS, {})[str(record["filter"])] = said


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a document: the first metric is the reward, other metrics and filters are markers.

    >>> line = {"doc_id": 3, "doc": {}, "arguments": {"gen_args_0": {"arg_0": "2+3=", "arg_1": {"until": []}}},
    ...         "resps": [["5"]], "metrics": ["exact_match"], "exact_match": 1.0}
    >>> row = to_rows(line, Source("samples_add_2026-11-30T19-32-31.jsonl"))[0]
    >>> row["task_id"], row["prompt"], row["final_text"], row["reward"]
    ('3', '2+3=', '5', 1.0)
    """
    named = _FILE_NAME.match(source.name)
    run = _run_facts(source, named["date"] if named else None)
    metrics = _metric_names(record)
    primary = metrics[0] if metrics else None
    model = run.get("model_name") or as_mapping(run.get("config")).get("model")
    requests = _requests(record.get("arguments"))
    prompt = requests[0][0] if requests else ""
    return [
        make_row(
            record,
            source,
            form=NAME,
            consumed=("doc_id", *(name for name in metrics if reward_of(record.get(name)) is not None)),
            task_id=_task_id(record["doc_id"], named["task"] if named else None, source),
            prompt=prompt_text(prompt),
            final_text=_reply(record["resps"], requests),
            reward=reward_of(record.get(primary)) if primary else None,
            judge_name=primary,
            markers=_markers(record, metrics[1:]) or None,
            model_version=model,
            sampling=sampling_of(requests[0][1] if requests else None, model),
        )
    ]


def _task_id(doc_id: Any, task: str | None, source: Source) -> str:
    return f"{task}/{doc_id}" if task and source.several else str(doc_id)


def _run_facts(source: Source, date: str | None) -> Mapping[str, Any]:
    run = as_mapping(source.sibling(f"results_{date}.json")) if date else {}
    if run and not source.facts:
        source.facts.update(run)
    return run


def _metric_names(record: Mapping[str, Any]) -> list[str]:
    """The metrics of a line, the primary first: those it lists (old files list none: its number and list columns)."""
    listed = record.get("metrics")
    if isinstance(listed, list):
        names = [str(name) for name in listed]
    else:
        names = [
            name for name, value in record.items() if name not in _NO_METRICS and isinstance(value, int | float | list)
        ]
    if "acc" in names:
        names.sort(key=lambda name: name == "acc_norm")
    return names


def _markers(record: Mapping[str, Any], others: list[str]) -> dict[str, Any]:
    markers = {name: record.get(name) for name in others}
    for label, said in as_mapping(record.get(_OTHER_FILTERS)).items():
        markers |= {f"{name},{label}": value for name, value in said.items() if name != "filtered_resps"}
    return {name: score for name, value in markers.items() if (score := reward_of(value)) is not None}


def _requests(arguments: Any) -> list[tuple[Any, Any]]:
    """The requests of a document as (context, continuation or generation settings); old files hold plain lists."""
    entries = list(arguments.values()) if isinstance(arguments, Mapping) else arguments
    found = []
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, Mapping):
            found.append((_context(entry.get("arg_0")), entry.get("arg_1")))
        elif isinstance(entry, list) and entry:
            found.append((_context(entry[0]), entry[1] if len(entry) > 1 else None))
    return found


def _context(value: Any) -> Any:
    """A request's context; a chat kept as one JSON text is written as a list around that text."""
    return value[0] if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str) else value


def _reply(resps: Any, requests: list[tuple[Any, Any]]) -> str:
    """The text a model generated, or the choice it found the most likely; `""` where it only scored a text."""
    replies = resps if isinstance(resps, list) else []
    if any(isinstance(continuation, str) for _, continuation in requests):
        return _likeliest(replies, requests)
    first = replies[0] if replies else None
    text = first[0] if isinstance(first, list) and first else first
    generated = not requests or requests[0][1] is not None
    return text if generated and isinstance(text, str) else ""


def _likeliest(replies: list[Any], requests: list[tuple[Any, Any]]) -> str:
    scored = [
        (logprob, -index, continuation)
        for index, ((_, continuation), reply) in enumerate(zip(requests, replies, strict=False))
        if isinstance(continuation, str) and (logprob := _logprob(reply)) is not None
    ]
    return max(scored)[2] if scored else ""


def _logprob(reply: Any) -> float | None:
    """The number at the head of `[[logprob, is_greedy]]`, which is written as text."""
    while isinstance(reply, list) and reply:
        reply = reply[0]
    return finite(reply)
