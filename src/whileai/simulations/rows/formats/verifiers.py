"""verifiers `results.jsonl` (the layout before its version 1), with the run facts of the `metadata.json` beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.rows.content import first_of
from whileai.simulations.rows.formats.common import chat_turn, error_text, failed_run, make_row, message, reward_of
from whileai.simulations.rows.formats.generation import sampling_of
from whileai.simulations.rows.formats.identity import id_text
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import prompt_text

NAME = "verifiers"
LOOKS_FOR = "`example_id`, `prompt`, `completion`, `reward`"
_READ = ("example_id", "prompt", "completion", "reward", "error", "metrics", "tool_defs", "token_usage")
_NO_METRICS = frozenset(_READ) | {
    "task", "answer", "info", "timing", "generation_ms", "scoring_ms", "total_ms", "is_completed", "is_truncated",
    "stop_condition", "trajectory", "rollout_index", "trial", "id", "trajectory_id",
}  # fmt: skip


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a rollout of a verifiers results file.

    >>> sniff({"example_id": 0, "prompt": [], "completion": None, "reward": 0.0})
    True
    """
    return {"example_id", "prompt", "completion", "reward"} <= record.keys()


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a rollout; what the run was made with comes from `metadata.json`.

    >>> chat = {"prompt": [{"role": "user", "content": "2+3?"}], "completion": [{"role": "assistant", "content": "5"}]}
    >>> row = to_rows({"example_id": 7, "reward": 1.0, "metrics": {"exact": 1.0}, **chat}, Source("results.jsonl"))[0]
    >>> row["task_id"], row["prompt"], row["final_text"], row["markers"]
    ('7', '2+3?', '5', {'exact': 1.0})
    """
    run = _run_facts(source)
    metrics = _metrics(record, run)
    reward = reward_of(record["reward"])
    usage = record.get("token_usage")
    failure = record.get("error") or None
    row = make_row(
        record,
        source,
        form=NAME,
        consumed={*_READ, *(metrics.keys() - _NO_METRICS)},
        task_id=_task_id(record["example_id"], run, source),
        prompt=prompt_text(record["prompt"]),
        messages=[*_turns(record["prompt"], "user"), *_turns(record["completion"], "assistant")],
        reward=reward,
        markers={name: score for name, value in metrics.items() if (score := reward_of(value)) is not None} or None,
        finish_reason="length" if record.get("is_truncated") is True else record.get("stop_condition"),
        error=None if failure is None else error_text(failure),
        source_error=failure if isinstance(failure, Mapping) else None,
        tools=record.get("tool_defs"),
        usage=usage,
        token_logprobs=_logprobs(record.get("trajectory")) or None,
        model_version=run.get("model"),
        sampling=sampling_of(run.get("sampling_args"), run.get("model")),
    )
    return [failed_run(row, row["error"], source, raw_reward=reward) if "error" in row else row]


def _task_id(number: Any, run: Mapping[str, Any], source: Source) -> str:
    """The row number of the data set, with the environment where files of several may be read together."""
    env = id_text(first_of(run, ("env_id", "env")))
    return f"{env}/{number}" if env and source.several else str(number)


def _run_facts(source: Source) -> Mapping[str, Any]:
    run = source.sibling("metadata.json")
    if not isinstance(run, Mapping):
        return {}
    if not source.facts:
        source.facts.update(run)
    return run


def _metrics(record: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    """The metrics of a rollout; where there is no `metrics` (0.1.9), the numeric columns that are nothing else."""
    if isinstance(record.get("metrics"), Mapping):
        return dict(record["metrics"])
    extra = run.get("state_columns")
    others = _NO_METRICS.union(map(str, extra)) if isinstance(extra, list) else _NO_METRICS
    return {
        name: value
        for name, value in record.items()
        if name not in others and isinstance(value, int | float) and not isinstance(value, bool)
    }


def _turns(part: Any, speaker: str) -> Iterable[dict[str, Any]]:
    if isinstance(part, str):
        return [message(speaker, part)]
    return [chat_turn(turn) for turn in part if isinstance(turn, Mapping)] if isinstance(part, list) else []


def _logprobs(trajectory: Any) -> list[Any]:
    """The log-probabilities of the generated tokens, turn by turn, where the trajectory was saved."""
    found: list[Any] = []
    for turn in trajectory if isinstance(trajectory, list) else []:
        tokens = turn.get("tokens") if isinstance(turn, Mapping) else None
        if not isinstance(tokens, Mapping) or not isinstance(tokens.get("completion_logprobs"), list):
            continue
        logprobs, mask = tokens["completion_logprobs"], tokens.get("completion_mask")
        if isinstance(mask, list) and len(mask) == len(logprobs):
            logprobs = [value for value, own in zip(logprobs, mask, strict=True) if own]
        found += logprobs
    return found
