"""A flat row of any shape, split into its typed objects."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Any

from whileai.simulations.rows.content import filled
from whileai.simulations.rows.task import prompt_hash, task_key
from whileai.simulations.rows.values import as_text, finite, whole
from whileai.simulations.schema.calibration import add_calibration
from whileai.simulations.schema.columns import Row, sorted_columns, text_column
from whileai.simulations.schema.copies import outer_copy
from whileai.simulations.schema.episode import episode, odd_steps, unflattened, with_messages
from whileai.simulations.schema.types import (
    FaultEvent,
    Judgment,
    Marker,
    PolicyRef,
    Privileged,
    Rollout,
    Task,
    World,
    made,
)
from whileai.simulations.schema.verdicts import judgments_of, markers_of
from whileai.simulations.signature import public


@public
def from_row(row: dict[str, Any]) -> tuple[Task, Rollout, list[Judgment], list[Marker]]:
    """Split one flat row of any version and shape into its four objects. The row is not changed.

    A column that no field reads, or that no field holds whole, waits in `rollout.extra["passthrough"]`, from where
    `to_row` puts it back. Anything but a dict is a `TypeError`; a dict is read whatever it holds.

    A list or dict that is a column is copied, and so is each step. What lies deeper (the arguments and the result of a
    step, one message of `rollout.extra["messages"]`) is shared with the row, as copying the episode would cost as much
    as reading it. `to_row` copies all, so a row it makes shares nothing.

    >>> row = {"task_id": "t1", "prompt": "2 + 2?", "answer": "4", "reward": 0.5}
    >>> task, rollout, judgments, markers = from_row(row)
    >>> task.task_id, rollout.final_text, judgments[0].reward
    ('t1', '4', 0.5)
    """
    if not isinstance(row, dict):
        raise TypeError(f"a row must be a dict, found {type(row).__name__}")
    columns = with_messages(unflattened(row))
    prompt, steps, final_text = episode(columns)
    axes, extra, rest = sorted_columns(columns)
    if odd := odd_steps(columns):
        rest["steps"] = odd
    task = _task(columns, prompt, axes, rest)
    rollout = _rollout(columns, task, extra, rest)
    rollout.steps, rollout.final_text = steps, final_text
    judgments = judgments_of(columns, rollout.rollout_id, rest)
    markers = markers_of(columns, rollout.rollout_id, rest)
    if rest:
        extra["passthrough"] = rest
    return task, rollout, judgments, markers


def _task(row: Row, prompt: str, axes: dict[str, Any], rest: dict[str, Any]) -> Task:
    task_id = _id(row.get("scenario_id"), row.get("task_id")) or prompt_hash(prompt)
    held: dict[str, Any] = {"task_id": task_id, "prompt": prompt}
    if (spec := text_column(row, "spec_id", rest)) is not None:
        held["spec_id"] = spec
    if axes:
        held["axes"] = axes
    if world := _world(row, rest):
        held["world"] = made(World, world)
    if isinstance(block := row.get("privileged"), dict):
        held["privileged"] = _privileged(block)
    return made(Task, held)


def _id(given: Any, other: Any = None) -> str:
    """The first of two values that is an id, as text, by the rule of `task_key`; `""` when none is."""
    if type(given) is str and given:
        return given
    return "" if given is None and other is None else task_key({"scenario_id": given, "task_id": other})


def _world(row: Row, rest: dict[str, Any]) -> dict[str, Any]:
    seed, state, faults = row.get("seed"), row.get("world_state"), row.get("faults")
    world: dict[str, Any] = {}
    if seed is not None:
        world["seed"] = outer_copy(seed)
    if state is not None:
        world["state"] = outer_copy(state)
    if isinstance(faults, dict):
        world["faults"] = outer_copy(faults)
    elif faults is not None:
        rest["faults"] = outer_copy(faults)
    return world


def _privileged(block: dict[str, Any]) -> Privileged:
    names = ("principle", "hidden_state", "reference", "rubric")
    return made(Privileged, {name: outer_copy(block[name]) for name in names if block.get(name) is not None})


def _rollout(row: Row, task: Task, extra: dict[str, Any], rest: dict[str, Any]) -> Rollout:
    model, version = text_column(row, "model_version", rest), text_column(row, "policy_version", rest)
    raw_index = row.get("rollout_index")
    index = raw_index if type(raw_index) is int else whole(raw_index)
    if index is not None:
        extra["rollout_index_present"] = True
    elif raw_index is not None:
        rest["rollout_index"] = outer_copy(raw_index)
    rollout: Rollout = object.__new__(Rollout)  # what is not set here reads as its default, see `made`
    rollout.task_id = task.task_id
    rollout.index = index = index or 0
    rollout.rollout_id = _id(row.get("rollout_id")) or rollout_hash(task.task_id, index, model)
    rollout.extra = extra
    if model is not None or version is not None:
        rollout.policy = _policy(model, version)
    if row.get("faults") is not None:
        rollout.ledger = _ledger(task.world.faults)
    if row.get("calibration") is not None:
        add_calibration(row, extra, rest)
    return rollout


@lru_cache(maxsize=64)
def _policy(model: str | None, version: str | None) -> PolicyRef:
    """The policy of a row; frozen, so the rows of one policy may share it."""
    return PolicyRef(model or "", model, version=version)


def rollout_hash(task_id: str, index: int, model: str | None) -> str:
    """The id of a rollout that has none of its own: a hash of its task, index and model.

    >>> rollout_hash("task_e3b0c44298fc", 0, None)
    '4132718bef37'
    """
    key = f"{task_id}|{as_text(index)}|{model or ''}"
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _ledger(faults: dict[str, Any]) -> list[FaultEvent]:
    return [
        FaultEvent(as_text(tool), as_text(plan["mode"]), finite(plan.get("rate")))
        for tool, plan in faults.items()
        if isinstance(plan, dict) and filled(plan.get("mode"))
    ]
