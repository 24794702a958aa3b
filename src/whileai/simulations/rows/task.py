"""What a row's task is: the one rule every report groups rollouts by."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from whileai.simulations.rows.single import need_row
from whileai.simulations.rows.values import as_text
from whileai.simulations.signature import public

_ID_FIELDS = ("scenario_id", "task_id")
TASK_FIELDS = (*_ID_FIELDS, "prompt")
KEYLESS = "no scenario_id, task_id or prompt"
_LIKELY = ("task", "id", "name", "question", "question_id", "input", "query", "instruction", "problem")


@public
def task_key(row: Mapping[str, Any]) -> str:
    """The name every report groups a row's rollouts under.

    First of `scenario_id`, `task_id`, `prompt` that is neither None nor `""`, as text; `""` when there is none.
    A task is a situation, not a string (Miller 2024, arXiv:2411.00640: intervals and paired comparisons are over
    tasks, never rows). 0 is an id; nothing is trimmed.

    >>> task_key({"scenario_id": None, "task_id": 0, "prompt": "Refund order 5."})
    '0'
    """
    try:
        return _first(row, TASK_FIELDS)
    except AttributeError:
        need_row("task_key", row)
        raise


def task_id(row: Mapping[str, Any]) -> str:
    """The row's own id: `scenario_id`, else `task_id`, as text; `""` when it is known by its prompt only.

    >>> task_id({"task_id": 0, "prompt": "Refund order 5."}), task_id({"prompt": "Refund order 5."})
    ('0', '')
    """
    return _first(row, _ID_FIELDS)


def keyless_note(n: int, of: int, keys: Collection[str] = ()) -> str:
    """What to know of `n` rows without a task among `of`, and what to do; `keys` are those of one of them.

    >>> keyless_note(4, 4, ["task", "reward"])
    "all rows have no scenario_id, task_id or prompt and count as one task: rename 'task' to 'task_id'"
    >>> keyless_note(1, 4)
    '1 of 4 rows has no scenario_id, task_id or prompt and counts as one task: give each its task_id'
    """
    said = "all rows have" if n == of else f"{n:,} of {of:,} rows {'has' if n == 1 else 'have'}"
    count = "counts" if n == 1 < of else "count"
    likely = next((name for name in _LIKELY if name in keys), None)
    fix = f"rename {likely!r} to 'task_id'" if likely else "give each its task_id"
    return f"{said} {KEYLESS} and {count} as one task: {fix}"


def _first(row: Mapping[str, Any], fields: tuple[str, ...]) -> str:
    for field in fields:
        value = row.get(field)
        if type(value) is str:
            if value:
                return value
        elif not _is_missing(value) and (text := as_text(value)):
            return text
    return ""


def _is_missing(value: Any) -> bool:
    """Whether a value is none: None, NaN, or what a data frame puts for a missing cell (NA, NaT)."""
    if value is None:
        return True
    if isinstance(value, float):
        return value != value
    return type(value).__name__ in ("NAType", "NaTType")


def prompt_hash(prompt: str) -> str:
    """The id of a task known only by its prompt: `task_` and the first 12 hex digits of the prompt's SHA-256.

    >>> prompt_hash("")
    'task_e3b0c44298fc'
    """
    return "task_" + hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()[:12]
