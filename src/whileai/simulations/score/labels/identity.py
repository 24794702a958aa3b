"""Which rollout a row is: the names a label or a second scoring pass can call it by."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.task import task_id
from whileai.simulations.rows.text import prompt_text
from whileai.simulations.rows.values import as_text

Row = Mapping[str, Any]


def rollout_id(row: Row) -> str:
    """The row's `rollout_id` as text, `""` when it has none.

    >>> rollout_id({"rollout_id": 7}), rollout_id({})
    ('7', '')
    """
    return written(row.get("rollout_id"))


def indexed_id(row: Row) -> str:
    """`<scenario_id>#<rollout_index>` (`task_id` in place of a missing `scenario_id`), `""` without either part.

    >>> indexed_id({"scenario_id": "refund-3", "rollout_index": 0}), indexed_id({"scenario_id": "refund-3"})
    ('refund-3#0', '')
    """
    index = written(row.get("rollout_index"))
    task = task_id(row) if index else ""
    return f"{task}#{index}" if task else ""


def text_id(row: Row) -> str:
    """The row's prompt and `final_text` as 16 hex digits (of their SHA-1), `""` when both are empty.

    >>> text_id({"prompt": "p", "final_text": "f"}), text_id({})
    ('7066aa00a4db6c35', '')
    """
    prompt, reply = prompt_text(row.get("prompt")), written(row.get("final_text"))
    if not prompt and not reply:
        return ""
    text = f"{prompt}\x1f{reply}".encode("utf-8", "surrogatepass")
    return hashlib.sha1(text, usedforsecurity=False).hexdigest()[:16]


def identity(row: Row) -> str:
    """The one name that messages use and two scoring passes share; `""` for a row that has none.

    `rollout_id`, else `<scenario_id>#<rollout_index>`, else `text_id`.

    >>> identity({"rollout_id": "r1", "prompt": "p"}), identity({"prompt": "p", "final_text": "f"})
    ('r1', '7066aa00a4db6c35')
    """
    return rollout_id(row) or indexed_id(row) or text_id(row)


def written(value: Any) -> str:
    """A field as text: nothing for None and NaN, and a whole float (a column with gaps) as the integer it was.

    >>> written(2.0), written(float("nan")), written("a")
    ('2', '', 'a')
    """
    if type(value) is str:
        return value
    if isinstance(value, float):
        if value != value:
            return ""
        return str(int(value)) if value.is_integer() else str(value)
    return as_text(value)
