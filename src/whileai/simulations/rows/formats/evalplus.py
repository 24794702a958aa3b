"""EvalPlus `*eval_results.json`: `{date, hash, eval: {task_id: [attempt, ...]}, pass_at_k}`, all attempts of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.formats.common import make_row
from whileai.simulations.rows.source import Source

NAME = "evalplus"
LOOKS_FOR = "`eval`, `hash`, `date`, `pass_at_k`"
_VERDICTS = {"pass": 1, "fail": 0, "timeout": 0}


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is an EvalPlus result file.

    >>> sniff({"date": "2026-11-01", "hash": "00", "eval": {}})
    True
    """
    return (
        isinstance(record.get("eval"), Mapping)
        and ("hash" in record or "pass_at_k" in record or "date" in record)
        and "status" not in record
    )


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """One row an attempt, the attempts of a task in their order; date, hash and pass@k are facts of the file.

    >>> attempt = {"task_id": "HumanEval/0", "solution": "...", "base_status": "pass", "plus_status": "fail"}
    >>> row = to_rows({"hash": "00", "eval": {"HumanEval/0": [attempt]}}, Source("eval_results.json"))[0]
    >>> row["reward"], row["markers"]
    (0, {'base': 1, 'plus': 0})
    """
    source.facts.update((name, value) for name, value in record.items() if name != "eval")
    rows: list[dict[str, Any]] = []
    for task, attempts in record["eval"].items():
        if not isinstance(attempts, list):
            raise ValueError(
                f"task {task!r} holds one object for all attempts (the oldest EvalPlus layout, `nfiles`), "
                "which is not read: evaluate the samples again with a newer evalplus"
            )
        rows.extend(_row(task, index, attempt, source) for index, attempt in enumerate(attempts))
    return rows


def _row(task: str, index: int, attempt: Any, source: Source) -> dict[str, Any]:
    if not isinstance(attempt, Mapping):
        raise ValueError(f"attempt {index} of task {task!r} is no object but {type(attempt).__name__}")
    statuses = {name: attempt.get(f"{name}_status") for name in ("base", "plus")}
    verdicts = {name: _VERDICTS.get(status) for name, status in statuses.items() if isinstance(status, str)}
    unreadable = [status for name, status in statuses.items() if status is not None and verdicts.get(name) is None]
    solution = attempt.get("solution")
    row = make_row(
        attempt,
        source,
        form=NAME,
        consumed=("task_id", "solution"),
        task_id=task,
        rollout_index=index,
        final_text=solution if isinstance(solution, str) else "",
        reward=None if unreadable else _reward(verdicts),
        markers={name: verdict for name, verdict in verdicts.items() if verdict is not None} or None,
    )
    if unreadable:
        row |= {"judge_status": "invalid_result", "judge_meta": {"raw_reward": unreadable[0]}}
    return row


def _reward(verdicts: Mapping[str, int | None]) -> int | None:
    """1 when every set of tests that was run passed, 0 when one did not; None without a verdict of the base tests."""
    if verdicts.get("base") is None:
        return None
    return int(all(verdicts.values()))
