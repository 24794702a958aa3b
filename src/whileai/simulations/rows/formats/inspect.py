"""Inspect AI logs: one `.json` document, or an `.eval` zip with a member a sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.content import content_text
from whileai.simulations.rows.formats.common import as_mapping, chat_turn, error_text, failed_run, make_row, reward_of
from whileai.simulations.rows.formats.generation import finish_of, sampling_of, token_logprobs_of
from whileai.simulations.rows.formats.inspect_zip import UNREADABLE, place, records_of_zip
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import prompt_text
from whileai.simulations.rows.values import number

__all__ = ["LOOKS_FOR", "NAME", "records_of_zip", "sniff", "to_rows"]

NAME = "inspect"
LOOKS_FOR = "`version`, `status`, `eval` with `task` and `model`"
_LETTERS = {"C": 1, "P": 0.5, "I": 0, "N": 0}
_WORDS = {"yes": 1, "true": 1, "no": 0, "false": 0}
_STOPPED_BY_HAND = frozenset({"operator", "custom"})
_READ = ("id", "epoch", "messages", "score", "error")
_REFERENCE = ("attachment://", "tc://")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is an Inspect log.

    >>> sniff({"version": 2, "status": "success", "eval": {"task": "popularity", "model": "mockllm/model"}})
    True
    """
    spec = record.get("eval")
    return "version" in record and "status" in record and isinstance(spec, Mapping) and {"task", "model"} <= spec.keys()


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """One row a sample, by epoch and id; the log without its samples is a fact of the file.

    >>> log = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "scorers": [{"name": "match"}]},
    ...        "samples": [{"id": 1, "epoch": 2, "input": "2+3?", "scores": {"match": {"value": "C"}},
    ...                     "messages": [{"role": "user", "content": "2+3?"}, {"role": "assistant", "content": "5"}]}]}
    >>> row = to_rows(log, Source("log.json"))[0]
    >>> row["task_id"], row["rollout_index"], row["final_text"], row["reward"], row["judge_name"]
    ('1', 1, '5', 1, 'match')
    """
    if UNREADABLE in record:
        raise ValueError(record[UNREADABLE])
    if not source.facts:
        source.facts.update((name, value) for name, value in record.items() if name != "samples")
    samples = record.get("samples") or []
    if not isinstance(samples, list) or not all(isinstance(sample, Mapping) for sample in samples):
        raise ValueError("`samples` is no list of objects")
    in_order = sorted(samples, key=lambda sample: place(sample.get("epoch"), sample.get("id")))
    return [_row(_resolved(sample), record, source) for sample in in_order]


def _row(sample: Mapping[str, Any], log: Mapping[str, Any], source: Source) -> dict[str, Any]:
    spec, output, said = as_mapping(log.get("eval")), as_mapping(sample.get("output")), sample.get("input")
    primary, scores = _scores(sample, log)
    score = as_mapping(scores.get(primary or ""))
    value = _single(score.get("value"))
    model = spec.get("model") if spec.get("model") not in (None, "", "none", "none/none") else output.get("model")
    failure = sample.get("error")
    row = make_row(
        sample,
        source,
        form=NAME,
        consumed=(*_READ, *(["input"] if isinstance(said, str) else [])),
        task_id=sample.get("id"),
        rollout_index=int(reward_of(sample.get("epoch")) or 1) - 1,
        rollout_id=sample.get("uuid") or f"{sample.get('id')}_epoch_{sample.get('epoch')}",
        prompt=None if said is None else prompt_text(said),
        messages=_turns(sample.get("messages") or said),
        reward=_value(value),
        reason=score.get("explanation"),
        judge_name=primary,
        judge_meta=_evidence(score) or None,
        markers=_markers(scores, primary) or None,
        finish_reason=_finish(sample.get("limit"), output),
        source_error=failure if isinstance(failure, Mapping) else None,
        model_version=model,
        sampling=sampling_of(_settings(sample, log), model),
        token_logprobs=token_logprobs_of(_first(output.get("choices")).get("logprobs")),
    )
    if isinstance(value, str) and number(value) is None and row["reward"] is None:
        row |= {"judge_status": "invalid_result", "judge_meta": {**row.get("judge_meta", {}), "raw_reward": value}}
    if failure:
        failed_run(row, error_text(failure), source, raw_reward=row["reward"])
    elif row.get("finish_reason") == "error":
        failed_run(row, _stopped(sample.get("limit"), output), source, raw_reward=row["reward"])
    return row


def _first(value: Any) -> Mapping[str, Any]:
    """The first entry of a list of objects, an empty one when there is none."""
    return as_mapping(value[0]) if isinstance(value, list) and value else {}


# ---- what a sample holds


def _resolved(sample: Mapping[str, Any]) -> Mapping[str, Any]:
    """The sample with its attachments put where they are referred to, and an old `transcript` as events.

    An attachment that nothing refers to stays in `attachments`, a reference to an unknown one as it is.
    """
    transcript = as_mapping(sample.get("transcript"))
    attachments = as_mapping(sample.get("attachments") or transcript.get("content"))
    rest = {name: value for name, value in sample.items() if name not in ("transcript", "attachments")}
    if transcript:
        rest.setdefault("events", transcript.get("events"))
    if not attachments:
        return rest
    used: set[str] = set()

    def whole(value: Any) -> Any:
        if isinstance(value, str):
            name = value.partition("://")[2]
            if name not in attachments or not value.startswith(_REFERENCE):
                return value
            used.add(name)
            return attachments[name]
        if isinstance(value, list):
            return [whole(entry) for entry in value]
        if isinstance(value, dict):
            return {name: whole(entry) for name, entry in value.items()}
        return value

    try:
        rest = {name: whole(value) for name, value in rest.items()}
    except RecursionError:
        raise ValueError(f"sample {sample.get('id')!r} is nested too deeply") from None
    left = {name: text for name, text in attachments.items() if name not in used}
    return {**rest, "attachments": left} if left else rest


def _turns(messages: Any) -> list[dict[str, Any]]:
    return [_turn(turn) for turn in messages if isinstance(turn, Mapping)] if isinstance(messages, list) else []


def _turn(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message; a tool message with an `error` is a failed result, which says what the error says if nothing else.

    `function` names the tool of a result and becomes its `name` only where no call id binds it: the call of a result
    may have been cut from the log, and is then not known.
    """
    turn = chat_turn(message)
    if turn["role"] != "tool":
        return turn
    if turn.get("error") is not None:
        turn["is_error"] = True
        if not content_text(turn["content"]).strip():
            turn["content"] = error_text(turn["error"])
    if "tool_call_id" not in turn and isinstance(turn.get("function"), str):
        turn["name"] = turn["function"]
    return turn


def _finish(limit: Any, output: Mapping[str, Any]) -> str | None:
    if limit:
        return "error" if _limit_kind(limit) in _STOPPED_BY_HAND else "length"
    return finish_of(_first(output.get("choices")).get("stop_reason"))


def _limit_kind(limit: Any) -> str:
    return str(limit.get("type") if isinstance(limit, Mapping) else limit)


def _stopped(limit: Any, output: Mapping[str, Any]) -> str:
    """What ended a run that did not fail by itself: a limit that somebody set, or a generation that failed."""
    if not limit:
        return error_text(output.get("error")) or "the last generation failed"
    return str(as_mapping(limit).get("reason") or f"stopped by a limit of type {_limit_kind(limit)}")


def _settings(sample: Mapping[str, Any], log: Mapping[str, Any]) -> dict[str, Any]:
    """Generation settings: those of the model, overridden by the plan's, overridden by what a model event used."""
    spec = as_mapping(log.get("eval"))
    events = sample.get("events")
    generations = [
        event
        for event in (events if isinstance(events, list) else [])
        if isinstance(event, Mapping) and event.get("event") == "model"
    ]
    own = next((event for event in generations if event.get("model") == spec.get("model")), _first(generations))
    layers = (spec.get("model_generate_config"), as_mapping(log.get("plan")).get("config"), own.get("config"))
    return {name: value for layer in layers for name, value in as_mapping(layer).items() if value is not None}


# ---- scores


def _scores(sample: Mapping[str, Any], log: Mapping[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The name of the primary scorer and the scores by scorer, names without their package."""
    primary = _primary_of(log)
    scores = {_bare(name): score for name, score in as_mapping(sample.get("scores")).items()}
    if not scores and sample.get("score") is not None:
        scores = {primary or "score": sample["score"]}
    return primary or next(iter(scores), None), scores


def _primary_of(log: Mapping[str, Any]) -> str | None:
    scorer = _first(as_mapping(log.get("eval")).get("scorers"))
    results = as_mapping(log.get("results"))
    older = _first(results.get("scores")) or as_mapping(results.get("scorer"))
    name = scorer.get("name") or older.get("scorer") or older.get("name")
    return _bare(name) if isinstance(name, str) else None


def _bare(name: str) -> str:
    return name.rpartition("/")[2]


def _single(value: Any) -> Any:
    """The value of a score; of one with parts the only part, None when there are several."""
    parts = list(value.values()) if isinstance(value, Mapping) else value
    if not isinstance(parts, list):
        return value
    return parts[0] if len(parts) == 1 else None


def _value(value: Any) -> float | int | None:
    """A score value as a number: the letters and words Inspect knows, numbers and numeric texts; else None."""
    if isinstance(value, str):
        known = _LETTERS.get(value, _WORDS.get(value.lower()))
        if known is not None:
            return known
    return reward_of(value)


def _markers(scores: Mapping[str, Any], primary: str | None) -> dict[str, float | int]:
    found: dict[str, Any] = {}
    for name, score in scores.items():
        value = as_mapping(score).get("value")
        if name == primary and _single(value) is not None:
            continue
        if isinstance(value, Mapping | list):
            parts = value.items() if isinstance(value, Mapping) else enumerate(value)
            found.update((f"{name}.{part}", _value(entry)) for part, entry in parts)
        else:
            found[name] = _value(value)
    return {name: value for name, value in found.items() if value is not None}


def _evidence(score: Mapping[str, Any]) -> dict[str, Any]:
    metadata = score.get("metadata")
    reason = score.get("reason") or as_mapping(metadata).get("unscored_reason")
    found = {"answer": score.get("answer"), "metadata": metadata, "history": score.get("history")}
    return {name: value for name, value in {**found, "unscored_reason": reason}.items() if value not in (None, [], {})}
