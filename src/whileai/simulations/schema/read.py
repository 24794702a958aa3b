"""A flat row of any shape, split into its typed objects."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

from whileai.simulations.rows.content import filled
from whileai.simulations.rows.task import prompt_hash, task_key
from whileai.simulations.rows.values import as_text, finite, number, whole
from whileai.simulations.schema.copies import PLAIN, outer_copy
from whileai.simulations.schema.episode import Row, episode, odd_steps, unflattened, with_messages
from whileai.simulations.schema.types import (
    AXES,
    CARRIED_COLUMNS,
    SCORER_KINDS,
    SIDE_SCORERS,
    VERDICT_COLUMNS,
    Calibration,
    FaultEvent,
    Judgment,
    Marker,
    PolicyRef,
    Privileged,
    Rollout,
    ScorerKind,
    ScorerRef,
    Task,
    World,
    made,
    made_judgment,
    made_marker,
)

_AXES = frozenset(AXES)
_CARRIED = frozenset(CARRIED_COLUMNS)
_READ = frozenset({
    "schema_version", "prompt", "steps", "final_text", "scenario_id", "spec_id", "seed", "world_state", "faults",
    "rollout_index", "model_version", "policy_version", "markers", "calibration", *VERDICT_COLUMNS,
})  # fmt: skip
_PRIMARY_COLUMNS = tuple(name for name in VERDICT_COLUMNS if not name.startswith(("llm_", "qwen_")))
_CALIBRATION_FIELDS = frozenset({"task_id", "student", "n", "pass_rate", "mean_kl", "pass_rate_ci95"})


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
    axes, extra, rest = _sorted_columns(columns)
    if odd := odd_steps(columns):
        rest["steps"] = odd
    task = _task(columns, prompt, axes, rest)
    rollout = _rollout(columns, task, extra, rest)
    rollout.steps, rollout.final_text = steps, final_text
    judgments = _judgments(columns, rollout.rollout_id, rest)
    markers = _markers(columns, rollout.rollout_id, rest)
    if rest:
        extra["passthrough"] = rest
    return task, rollout, judgments, markers


def calibration_of(row: Any) -> Calibration | None:
    """The calibration a row carries, None when it is absent or malformed.

    >>> calibration_of({"task_id": "t1", "calibration": {"n": 8, "pass_rate": 0.5}}).task_id
    't1'
    >>> calibration_of({"calibration": {"n": 0, "pass_rate": 0.5}}) is None
    True
    """
    block = row.get("calibration") if isinstance(row, dict) else None
    if isinstance(block, Calibration):
        return block
    if not isinstance(block, dict):
        return None
    rate, n = finite(block.get("pass_rate")), finite(block.get("n"))
    if rate is None or not 0 <= rate <= 1 or n is None or n < 1:
        return None
    named = block.get("task_id")
    return Calibration(
        task_id=task_key(row) if named is None else as_text(named),
        student=_student(block.get("student")),
        n=int(n),
        pass_rate=rate,
        mean_kl=finite(block.get("mean_kl")),
        pass_rate_ci95=_pair(block.get("pass_rate_ci95")),
    )


def _student(value: Any) -> PolicyRef:
    if isinstance(value, PolicyRef):
        return value
    if not isinstance(value, dict):
        return PolicyRef()
    name, model, prompt, version = (value.get(key) for key in ("name", "model", "prompt_hash", "version"))
    return PolicyRef(as_text(name), _optional(model), _optional(prompt), _optional(version))


def _pair(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    low, high = finite(value[0]), finite(value[1])
    return None if low is None or high is None else (low, high)


def _optional(value: Any) -> str | None:
    return None if value is None else as_text(value)


def _sorted_columns(row: Row) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The axes, the columns carried by name, and the columns that no field reads."""
    axes: dict[str, Any] = {}
    carried: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for key, value in row.items():
        if key in _READ:
            continue
        if type(value) not in PLAIN:
            value = outer_copy(value)
        if key in _CARRIED:
            if value is not None:
                carried[key] = value
        elif key in _AXES:
            if value is not None:
                axes[key] = value
        else:
            rest[key] = value
    return axes, carried, rest


def _text(row: Row, key: str, rest: dict[str, Any]) -> str | None:
    """A text column; of a value that is no text the original is kept beside its text form."""
    value = row.get(key)
    if type(value) is str or value is None:
        return value
    rest[key] = outer_copy(value)
    return as_text(value)


def _task(row: Row, prompt: str, axes: dict[str, Any], rest: dict[str, Any]) -> Task:
    task_id = _id(row.get("scenario_id"), row.get("task_id")) or prompt_hash(prompt)
    held: dict[str, Any] = {"task_id": task_id, "prompt": prompt}
    if (spec := _text(row, "spec_id", rest)) is not None:
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
    world = {}
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
    model, version = _text(row, "model_version", rest), _text(row, "policy_version", rest)
    raw_index = row.get("rollout_index")
    index = whole(raw_index)
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
    if filled(row.get("faults")):
        rollout.ledger = _ledger(task.world.faults)
    if row.get("calibration") is not None:
        _add_calibration(row, extra, rest)
    return rollout


@lru_cache(maxsize=64)
def _policy(model: str | None, version: str | None) -> PolicyRef:
    """The policy of a row; frozen, so the rows of one policy may share it."""
    return PolicyRef(model or "", model, version=version)


@lru_cache(maxsize=64)
def _scorer(name: str, kind: ScorerKind, version: str | None) -> ScorerRef:
    return ScorerRef(name, kind, version)


def rollout_hash(task_id: str, index: int, model: str | None) -> str:
    """The id of a rollout that has none of its own: a hash of its task, index and model.

    >>> rollout_hash("task_e3b0c44298fc", 0, None)
    '4132718bef37'
    """
    key = f"{task_id}|{as_text(index)}|{model or ''}"
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _ledger(faults: dict[str, Any]) -> list[FaultEvent]:
    return [
        FaultEvent(as_text(tool), as_text(plan["mode"]), finite(plan.get("rate")))
        for tool, plan in faults.items()
        if isinstance(plan, dict) and filled(plan.get("mode"))
    ]


def _add_calibration(row: Row, extra: dict[str, Any], rest: dict[str, Any]) -> None:
    block, typed = row["calibration"], calibration_of(row)
    if typed is None:
        rest["calibration"] = outer_copy(block)
        return
    extra["calibration"] = typed
    if isinstance(block, dict) and (unread := {k: v for k, v in block.items() if k not in _CALIBRATION_FIELDS}):
        rest["calibration"] = unread


# The verdicts and measurements.


def _judgments(row: Row, rollout_id: str, rest: dict[str, Any]) -> list[Judgment]:
    found = []
    if "reward" in row or any(row.get(key) is not None for key in ("judge_status", "judge_name", "label_source")):
        found.append(_primary(row, rollout_id, rest))
    else:
        rest.update((key, outer_copy(row[key])) for key in _PRIMARY_COLUMNS if row.get(key) is not None)
    if "llm_reward" in row:
        found.append(_side("llm", row["llm_reward"], _text(row, "llm_reason", rest) or "", rollout_id))
    elif row.get("llm_reason") is not None:
        rest["llm_reason"] = outer_copy(row["llm_reason"])
    if row.get("qwen_reward") is not None:
        found.append(_side("qwen", row["qwen_reward"], "", rollout_id))
    return found


def _primary(row: Row, rollout_id: str, rest: dict[str, Any]) -> Judgment:
    judge, source, meta = _text(row, "judge_name", rest), _text(row, "label_source", rest), row.get("judge_meta")
    reason = _text(row, "reason", rest) or ""
    name = judge or source or "unlabeled"
    kind, version = _scorer_kind(meta, judge), _scorer_version(row, meta)
    reward, evidence = _reward(row.get("reward"))
    status = "invalid_result" if evidence else _text(row, "judge_status", rest) or "ok"
    if meta is not None:
        evidence["judge_meta"] = outer_copy(meta)
    if source and (judge or kind != "rule"):
        evidence["label_source"] = source
    grader_reason = row.get("grader_reason")
    if grader_reason is not None:
        same = isinstance(grader_reason, str) and grader_reason == reason
        (rest if same else evidence)["grader_reason"] = outer_copy(grader_reason)
    if "reward" in row:
        evidence["reward_present"] = True
    if name in SIDE_SCORERS:
        evidence["primary"] = True
    failure, scorer = _text(row, "failure_class", rest), _scorer(name, kind, version)
    return made_judgment(rollout_id, scorer, reward, status, reason, failure, evidence)


def _scorer_kind(meta: Any, judge: str | None) -> ScorerKind:
    named = meta.get("scorer_kind") if isinstance(meta, dict) else None
    for kind in SCORER_KINDS if isinstance(named, str) else ():
        if kind == named:
            return kind
    return "judge" if judge else "rule"


def _scorer_version(row: Row, meta: Any) -> str | None:
    version = meta.get("version") if isinstance(meta, dict) else None
    if version is None and isinstance(lineage := row.get("lineage"), dict):
        version = lineage.get("judge_version")
    return _optional(version)


def _reward(value: Any) -> tuple[int | float | None, dict[str, Any]]:
    """The reward as a number, and the raw value as evidence when it is set but is no number a report can use."""
    if value is None:
        return None, {}
    read = number(value)
    return (read, {}) if read is not None and finite(read) is not None else (None, {"raw_reward": outer_copy(value)})


def _side(name: str, value: Any, reason: str, rollout_id: str) -> Judgment:
    reward, evidence = _reward(value)
    scorer = ScorerRef(name, "judge")
    return Judgment(rollout_id, scorer, reward, "invalid_result" if evidence else "ok", reason, evidence=evidence)


def _markers(row: Row, rollout_id: str, rest: dict[str, Any]) -> list[Marker]:
    values = row.get("markers")
    if not isinstance(values, dict):
        if values is not None:
            rest["markers"] = outer_copy(values)
        return []
    found, unread = [], {}
    for name, value in values.items():
        read = value if type(value) is float else _float(value)
        if read is None:
            unread[name] = value
        else:
            found.append(made_marker(rollout_id, as_text(name), read))
    if unread:
        rest["markers"] = unread
    return found


def _float(value: Any) -> float | None:
    read = number(value)
    try:
        return None if read is None else float(read)
    except OverflowError:
        return None
