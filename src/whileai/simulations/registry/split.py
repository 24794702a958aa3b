"""The holdout: which tasks are kept out of training, decided by the hash of each task's id alone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whileai.simulations.arguments import between
from whileai.simulations.reports import counted
from whileai.simulations.rows.task import task_key

Row = dict[str, Any]
_HASH_BYTES = 8  # of a SHA-256, read as a fraction of 1


@dataclass(frozen=True)
class Split:
    """Rows to train on, rows held out, and the ids of the tasks held out, sorted."""

    train: list[Row]
    held: list[Row]
    tasks: list[str]


def held_out(task: str, fraction: float) -> bool:
    """Whether a task is in a holdout of this fraction; one that is stays in every larger one.

    >>> [task for task in ("refund-1", "refund-2", "refund-3", "refund-4") if held_out(task, 0.25)]
    ['refund-1', 'refund-4']
    """
    digest = hashlib.sha256(task.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:_HASH_BYTES], "big") / 256.0**_HASH_BYTES < fraction


def checked_fraction(fraction: Any) -> float | None:
    """The fraction of a holdout; None for none, a `ValueError` outside (0, 1)."""
    return None if fraction is None else between("holdout", fraction, 0, 1, ends=False)


def split_rows(rows: Sequence[Row], fraction: float | None) -> Split:
    """Rows by side; every row of a task (`task_key`: scenario_id, task_id, prompt) is on one side.

    A `ValueError` when either side would be empty, or a row has nothing that says which task it is of.

    >>> rows = [{"task_id": task, "reward": reward} for task in "ij" for reward in (0, 1)]
    >>> split = split_rows(rows, 0.25)
    >>> len(split.train), split.tasks
    (2, ['j'])
    """
    if fraction is None:
        return Split(list(rows), [], [])
    sides: dict[str, bool] = {}
    train: list[Row] = []
    held: list[Row] = []
    for number, row in enumerate(rows, 1):
        task = task_key(row)
        if not task:
            raise ValueError(f"row {number} has no scenario_id, task_id or prompt: without one it cannot be held out")
        if task not in sides:
            sides[task] = held_out(task, fraction)
        (held if sides[task] else train).append(row)
    _need_both(sides, fraction)
    return Split(train, held, sorted(task for task, out in sides.items() if out))


def shared_prompts(split: Split) -> int:
    """How many asks of held-out tasks are also asked in training rows, under another task's id.

    >>> shared_prompts(Split([{"task_id": "a", "prompt": "Hi"}], [{"task_id": "b", "prompt": "Hi"}], ["b"]))
    1
    """
    asked = {prompt for row in split.held if (prompt := _ask(row))}
    return len(asked & {_ask(row) for row in split.train}) if asked else 0


def _ask(row: Mapping[str, Any]) -> str:
    prompt = row.get("prompt")
    return " ".join(prompt.split()) if isinstance(prompt, str) else ""


def _need_both(sides: Mapping[str, bool], fraction: float) -> None:
    n_held = sum(sides.values())
    if n_held == len(sides):
        raise ValueError(
            f"holdout={fraction:g} leaves nothing to train on: {counted(n_held, 'task')}, all held out; give a smaller "
            "fraction or more tasks"
        )
    if not n_held:
        raise ValueError(
            f"holdout={fraction:g} holds out none of {counted(len(sides), 'task')} (each is held out by its own hash, "
            "so few tasks may have none below the fraction): give a larger fraction or more tasks"
        )
