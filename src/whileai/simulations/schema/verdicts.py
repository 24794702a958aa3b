"""The judgments and the markers of a flat row."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from whileai.simulations.rows.values import LARGEST, finite, number
from whileai.simulations.schema.columns import Row, optional_text, text_column
from whileai.simulations.schema.copies import outer_copy
from whileai.simulations.schema.types import (
    SCORER_KINDS,
    SIDE_SCORERS,
    VERDICT_COLUMNS,
    Judgment,
    Marker,
    ScorerKind,
    ScorerRef,
    made_judgment,
    made_markers,
)

_PRIMARY_COLUMNS = tuple(name for name in VERDICT_COLUMNS if not name.startswith(("llm_", "qwen_")))
_FLOAT = frozenset({float})


def judgments_of(row: Row, rollout_id: str, rest: dict[str, Any]) -> list[Judgment]:
    """The verdicts of a row: the primary one, then those of the side scorers."""
    found = []
    if "reward" in row or any(row.get(key) is not None for key in ("judge_status", "judge_name", "label_source")):
        found.append(_primary(row, rollout_id, rest))
    else:
        rest.update((key, outer_copy(row[key])) for key in _PRIMARY_COLUMNS if row.get(key) is not None)
    if "llm_reward" in row:
        found.append(_side("llm", row["llm_reward"], text_column(row, "llm_reason", rest) or "", rollout_id))
    elif row.get("llm_reason") is not None:
        rest["llm_reason"] = outer_copy(row["llm_reason"])
    if row.get("qwen_reward") is not None:
        found.append(_side("qwen", row["qwen_reward"], "", rollout_id))
    return found


def _primary(row: Row, rollout_id: str, rest: dict[str, Any]) -> Judgment:
    judge, source = text_column(row, "judge_name", rest), text_column(row, "label_source", rest)
    meta, reason = row.get("judge_meta"), text_column(row, "reason", rest) or ""
    name = judge or source or "unlabeled"
    scorer = _scorer(name, _scorer_kind(meta, judge), _scorer_version(row, meta))
    reward, evidence = _reward(row.get("reward"))
    status = "invalid_result" if evidence else text_column(row, "judge_status", rest) or "ok"
    failure = text_column(row, "failure_class", rest)
    if meta is not None:
        evidence["judge_meta"] = outer_copy(meta)
    if source and (judge or scorer.kind != "rule"):
        evidence["label_source"] = source
    grader_reason = row.get("grader_reason")
    if grader_reason is not None:
        same = isinstance(grader_reason, str) and grader_reason == reason
        (rest if same else evidence)["grader_reason"] = outer_copy(grader_reason)
    if "reward" in row:
        evidence["reward_present"] = True
    if name in SIDE_SCORERS:
        evidence["primary"] = True
    return made_judgment(rollout_id, scorer, reward, status, reason, failure, evidence)


def _scorer_kind(meta: Any, judge: str | None) -> ScorerKind:
    if meta is None:
        return "judge" if judge else "rule"
    named = meta.get("scorer_kind") if isinstance(meta, dict) else None
    for kind in SCORER_KINDS if isinstance(named, str) else ():
        if kind == named:
            return kind
    return "judge" if judge else "rule"


def _scorer_version(row: Row, meta: Any) -> str | None:
    version = meta.get("version") if isinstance(meta, dict) else None
    if version is None and isinstance(lineage := row.get("lineage"), dict):
        version = lineage.get("judge_version")
    return optional_text(version)


@lru_cache(maxsize=64)
def _scorer(name: str, kind: ScorerKind, version: str | None) -> ScorerRef:
    return ScorerRef(name, kind, version)


def _reward(value: Any) -> tuple[int | float | None, dict[str, Any]]:
    """The reward as a number, and the raw value as evidence when it is set but is no number a report can use."""
    kind = type(value)
    if value is None or ((kind is int or kind is float) and abs(value) <= LARGEST):
        return value, {}
    read = number(value)
    return (read, {}) if read is not None and finite(read) is not None else (None, {"raw_reward": outer_copy(value)})


def _side(name: str, value: Any, reason: str, rollout_id: str) -> Judgment:
    reward, evidence = _reward(value)
    scorer = ScorerRef(name, "judge")
    return Judgment(rollout_id, scorer, reward, "invalid_result" if evidence else "ok", reason, evidence=evidence)


def markers_of(row: Row, rollout_id: str, rest: dict[str, Any]) -> list[Marker]:
    """The measurements of a row that are numbers, in its order."""
    values = row.get("markers")
    if not isinstance(values, dict):
        if values is not None:
            rest["markers"] = outer_copy(values)
        return []
    if not _FLOAT.issuperset(map(type, values.values())):
        values = _numbers(values, rest)
    return made_markers(rollout_id, values.items())


def _numbers(values: dict[Any, Any], rest: dict[str, Any]) -> dict[Any, float]:
    """The values that are numbers, as floats; the others are kept in `rest`."""
    read = {name: number for name, value in values.items() if (number := _float(value)) is not None}
    if len(read) < len(values):
        rest["markers"] = {name: value for name, value in values.items() if name not in read}
    return read


def _float(value: Any) -> float | None:
    if type(value) is float:
        return value
    read = number(value)
    try:
        return None if read is None else float(read)
    except OverflowError:
        return None
