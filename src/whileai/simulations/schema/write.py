"""The typed objects of a row, joined into one flat v1 row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from whileai.simulations.rows.content import filled, one_of
from whileai.simulations.rows.values import as_text
from whileai.simulations.schema.conversation import messages_of
from whileai.simulations.schema.copies import owned, with_own_values
from whileai.simulations.schema.read import rollout_hash
from whileai.simulations.schema.types import (
    AXES,
    CARRIED_COLUMNS,
    SCHEMA_VERSION,
    SCORER_KINDS,
    SIDE_SCORERS,
    Calibration,
    Judgment,
    Marker,
    PolicyRef,
    Rollout,
    ScorerRef,
    Step,
    Task,
    World,
    given,
)
from whileai.simulations.signature import public

_AXES = frozenset(AXES)
_CARRIED = frozenset(CARRIED_COLUMNS)
_KINDS = frozenset(SCORER_KINDS)
_NO_STATE = frozenset({"", "unspecified", "unknown"})
_SPOKEN_FACTS = ("text", "logprob", "n_tokens", "truncated", "input_tokens", "output_tokens")
_TEXT_COLUMNS = frozenset({
    "rollout_id", "spec_id", "model_version", "policy_version", "reason", "judge_name", "judge_status", "label_source",
    "failure_class", "llm_reason",
})  # fmt: skip


@public
def to_row(
    task: Task, rollout: Rollout, judgments: Sequence[Judgment] = (), markers: Sequence[Marker] = ()
) -> dict[str, Any]:
    """The flat v1 row of the four objects: the inverse of `from_row`.

    Of a row in another shape it is the canonical row, with the source's unknown columns carried along. Every list,
    dict, tuple and set is copied, however deep (an array or another object is not); `task.privileged` is never written.

    >>> row = to_row(Task("t1", prompt="2 + 2?"), Rollout("r1", "t1", final_text="4"))
    >>> row["scenario_id"], [message["content"] for message in row["messages"]]
    ('t1', ['2 + 2?', '4'])
    """
    extra = rollout.extra
    rest = extra.get("passthrough")
    rest = rest if isinstance(rest, dict) else {}
    row: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "scenario_id": task.task_id,
        "prompt": task.prompt,
        "steps": [_wire_step(step) for step in rollout.steps],
        "final_text": rollout.final_text,
    }
    for key, value in extra.items():
        if key in _CARRIED and value is not None and (key != "fault_detected" or filled(value)):
            row[key] = owned(value)
    if "messages" not in row:
        row["messages"] = messages_of(task, rollout)
    _write_task(task, row)
    _write_rollout(rollout, row)
    _write_judgments(judgments, row, rest)
    if markers:
        row["markers"] = {marker.name: marker.value for marker in markers}
    _put_back(rest, row)
    return row


def _wire_step(step: Step) -> dict[str, Any]:
    wire: dict[str, Any] = with_own_values(step.extra) if step.extra else {}
    if step.tool is None and step.user is not None:
        wire["user"] = step.user
        return wire
    if step.tool is not None:
        wire["tool"], wire["arguments"], wire["result"] = step.tool, owned(step.arguments), owned(step.result)
    for name in _SPOKEN_FACTS:
        value = getattr(step, name)
        if value is not None and (value or name != "truncated"):
            wire[name] = value
    return wire


def _write_task(task: Task, row: dict[str, Any]) -> None:
    if task.spec_id:
        row["spec_id"] = task.spec_id
    if axes := given(task, "axes"):
        row.update((key, owned(value)) for key, value in axes.items() if key in _AXES and value is not None)
    if world := given(task, "world"):
        _write_world(world, row)


def _write_world(world: World, row: dict[str, Any]) -> None:
    if world.seed is not None:
        row["seed"] = owned(world.seed)
    if world.state is not None and not one_of(world.state, _NO_STATE):
        row["world_state"] = owned(world.state)
    if world.faults and (plans := {tool: plan for tool, plan in world.faults.items() if isinstance(plan, dict)}):
        row["faults"] = owned(plans)


def _write_rollout(rollout: Rollout, row: dict[str, Any]) -> None:
    extra, policy = rollout.extra, rollout.policy
    if rollout.index or extra.get("rollout_index_present"):
        row["rollout_index"] = rollout.index
    if policy.model is not None:
        row["model_version"] = policy.model
    if policy.version:
        row["policy_version"] = policy.version
    if rollout.rollout_id != rollout_hash(rollout.task_id, rollout.index, policy.model):
        row["rollout_id"] = rollout.rollout_id
    calibration = extra.get("calibration")
    if isinstance(calibration, Calibration):
        row["calibration"] = _wire_calibration(calibration)
    elif isinstance(calibration, dict):
        row["calibration"] = owned(calibration)


def _wire_calibration(calibration: Calibration) -> dict[str, Any]:
    interval = calibration.pass_rate_ci95
    return {
        "task_id": calibration.task_id,
        "student": _wire_policy(calibration.student),
        "n": calibration.n,
        "pass_rate": calibration.pass_rate,
        "mean_kl": calibration.mean_kl,
        "pass_rate_ci95": None if interval is None else list(interval),
    }


def _wire_policy(policy: PolicyRef) -> dict[str, Any]:
    return {name: getattr(policy, name) for name in ("name", "model", "prompt_hash", "version")}


# The verdicts.


def _write_judgments(judgments: Iterable[Judgment], row: dict[str, Any], rest: Mapping[str, Any]) -> None:
    primary = None
    for judgment in judgments:
        side = SIDE_SCORERS.get(judgment.scorer.name)
        if side is not None and not judgment.evidence.get("primary"):
            _write_side(judgment, side, row)
        elif primary is None:
            primary = judgment
    if primary is not None:
        _write_primary(primary, row, rest)


def _write_side(judgment: Judgment, column: str, row: dict[str, Any]) -> None:
    """A side verdict has no status column: an unreadable value goes back as it was."""
    value = owned(judgment.evidence.get("raw_reward")) if judgment.reward is None else judgment.reward
    if column == "llm_reward":
        row[column] = value
        if judgment.reason:
            row["llm_reason"] = judgment.reason
    elif value is not None:
        row[column] = value


def _write_primary(judgment: Judgment, row: dict[str, Any], rest: Mapping[str, Any]) -> None:
    evidence = judgment.evidence
    if judgment.reward is not None or "reward_present" in evidence:
        row["reward"] = judgment.reward
    if judgment.reason:
        row["reason"] = judgment.reason
    if judgment.failure_class:
        row["failure_class"] = judgment.failure_class
    if judgment.status != "ok":
        row["judge_status"] = judgment.status
    if "grader_reason" in evidence:
        row["grader_reason"] = owned(evidence["grader_reason"])
    meta = _judge_meta(judgment, row, rest)
    if meta is not None:
        row["judge_meta"] = meta
    _write_scorer(judgment, meta, row)


def _judge_meta(judgment: Judgment, row: dict[str, Any], rest: Mapping[str, Any]) -> Any:
    """The stored judge_meta, with what else would be lost: the scorer's kind and version, an unreadable reward.

    They become keys beside the stored ones. A judge_meta that is no dict, or has a `raw_reward` of its own, is then
    kept whole under `value`: `{"scorer_kind": "human", "value": "a text"}`. For an unreadable reward alone it stays as
    it is, and the row's column `raw_reward` is taken, unless the source has a column of that name.
    """
    stored = owned(judgment.evidence.get("judge_meta"))
    meta: dict[str, Any] = stored if isinstance(stored, dict) else {}
    added = _scorer_facts(judgment.scorer, meta, row)
    whole = stored is not None and not isinstance(stored, dict)
    if "raw_reward" in judgment.evidence:
        raw, fits = owned(judgment.evidence["raw_reward"]), "raw_reward" not in meta and (bool(added) or not whole)
        if fits or "raw_reward" in rest:
            added["raw_reward"], whole = raw, whole or not fits
        else:
            row["raw_reward"] = raw
    return {**meta, **({"value": owned(stored)} if whole else {}), **added} if added else stored


def _scorer_facts(scorer: ScorerRef, meta: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if scorer.kind in ("human", "reward_model") or one_of(meta.get("scorer_kind"), _KINDS):
        facts["scorer_kind"] = scorer.kind
    if scorer.version is not None:
        version = meta.get("version")
        if version is None and isinstance(lineage := row.get("lineage"), dict):
            version = lineage.get("judge_version")
        if version is None or as_text(version) != scorer.version:
            facts["version"] = scorer.version
    return facts


def _write_scorer(judgment: Judgment, meta: Any, row: dict[str, Any]) -> None:
    scorer, saved = judgment.scorer, judgment.evidence.get("label_source")
    if scorer.name and scorer.name != "unlabeled":
        plain_rule = scorer.kind == "rule" and not (isinstance(meta, dict) and "scorer_kind" in meta)
        row["label_source" if plain_rule else "judge_name"] = scorer.name
    if saved is not None:
        row.setdefault("label_source", saved)


# The columns of the source that no field holds whole.


def _put_back(rest: Mapping[str, Any], row: dict[str, Any]) -> None:
    for key, value in rest.items():
        if key not in row:
            row[key] = owned(value)
        elif key == "steps" and isinstance(value, list):
            row[key] = _with_odd(value, row[key])
        elif isinstance(value, dict) and isinstance(row[key], dict):
            row[key] = {**owned(value), **row[key]}
        elif key in _TEXT_COLUMNS and isinstance(row[key], str) and row[key] == as_text(value):
            row[key] = owned(value)


def _with_odd(stored: list[Any], steps: list[dict[str, Any]]) -> list[Any]:
    """The steps among the entries of the stored list that are none, each in its place."""
    left = iter(steps)
    merged: list[Any] = []
    for entry in stored:
        merged += islice(left, 1) if isinstance(entry, dict) else (owned(entry),)
    return [*merged, *left]
