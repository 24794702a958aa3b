"""Which ask a row belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.text import first_user_text


def ask_key(row: Mapping[str, Any]) -> str:
    """The row's task; with neither an id nor a prompt, the first user turn of its messages.

    >>> ask_key({"messages": [{"role": "user", "content": "Where is order 5?"}]})
    'Where is order 5?'
    """
    return task_key(row) or first_user_text(row.get("messages"))
