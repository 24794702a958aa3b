"""What a foreign record is: its task, its attempt, its own id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.source import Source
from whileai.simulations.rows.task import prompt_hash
from whileai.simulations.rows.text import prompt_text
from whileai.simulations.rows.values import finite

TASK_FIELDS = ("scenario_id", "task_id", "instance_id", "example_id", "doc_id", "question_id", "problem_id")
RECORD_FIELDS = ("id", "key", "custom_id", "uuid")
ATTEMPT_FIELDS = ("rollout_index", "trial", "sample_index", "attempt", "repetition")


def identify(row: dict[str, Any], record: Mapping[str, Any], source: Source) -> None:
    """Give the row its task id and attempt where the format has none of its own.

    Task: the first id field at top level, then inside `metadata`; a bare record id only without a prompt; else the
    hash of the prompt. Attempt: an index field, else `epoch` - 1, else how many rows of that task came before.
    """
    metadata = record.get("metadata")
    nested: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else {}
    if row.get("task_id") is None:
        row["task_id"] = _task_id(row, record, nested)
    else:
        row["task_id"] = str(row["task_id"])
    task = str(row["task_id"] if row.get("scenario_id") in (None, "") else row["scenario_id"])
    if row.get("rollout_index") is None:
        attempt = _attempt(record, nested)
        row["rollout_index"] = source.attempts[task] if attempt is None else attempt
    source.attempts[task] += 1
    if row.get("rollout_id") is None:
        found = next((record[name] for name in RECORD_FIELDS if record.get(name) not in (None, "")), None)
        if found is not None and not isinstance(found, Mapping | list):
            row["rollout_id"] = str(found)


def _task_id(row: Mapping[str, Any], record: Mapping[str, Any], nested: Mapping[str, Any]) -> str:
    for holder in (record, nested):
        for name in TASK_FIELDS:
            value = holder.get(name)
            if value is not None and value != "" and not isinstance(value, Mapping | list):
                return str(value)
    prompt = prompt_text(row.get("prompt"))
    if not prompt:
        for name in RECORD_FIELDS:
            value = record.get(name)
            if value is not None and value != "" and not isinstance(value, Mapping | list):
                return str(value)
    return prompt_hash(prompt)


def _attempt(record: Mapping[str, Any], nested: Mapping[str, Any]) -> int | None:
    for holder in (record, nested):
        for name in ATTEMPT_FIELDS:
            if (value := finite(holder.get(name))) is not None:
                return int(value)
        if (epoch := finite(holder.get("epoch"))) is not None:
            return int(epoch) - 1
    return None


_STEM_ENDINGS = (".gz", ".zst", ".json", ".traj")


def file_stem(source: Source) -> str | None:
    """The name of a file that holds one run, without `.traj`, `.json` and compression; None for any other file.

    >>> file_stem(Source("shop__shop-1.traj.json")), file_stem(Source("runs.jsonl"))
    ('shop__shop-1', None)
    """
    stem = source.name
    for ending in _STEM_ENDINGS:
        stem = stem.removesuffix(ending)
    bare = source.name.removesuffix(".gz").removesuffix(".zst")
    return stem if stem and stem != bare else None


def id_text(value: Any) -> str | None:
    """An id as text; None for none, for an empty one, and for a value that is no id.

    >>> id_text(7), id_text(""), id_text({"id": 7})
    ('7', None, None)
    """
    return None if value is None or value == "" or isinstance(value, Mapping | list | tuple) else str(value)
