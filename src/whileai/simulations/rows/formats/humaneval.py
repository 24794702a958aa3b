"""HumanEval samples and their `*_results.jsonl`: `{task_id, completion}`, with `result` and `passed` once evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.formats.common import make_row, reward_of
from whileai.simulations.rows.source import Source

NAME = "humaneval"
LOOKS_FOR = "`task_id`, `completion`"
_NOT_HERE = frozenset({"prompt", "messages", "steps", "reward", "example_id", "final_text"})


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is a completion of a HumanEval problem, evaluated or not.

    >>> sniff({"task_id": "test/0", "completion": "    return 1"}), sniff({"task_id": "test/0", "reward": 1})
    (True, False)
    """
    texts = isinstance(record.get("task_id"), str) and isinstance(record.get("completion"), str)
    return texts and _NOT_HERE.isdisjoint(record)


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a completion: the problem's prompt is not in the file, `passed` is the reward.

    >>> to_rows({"task_id": "test/0", "completion": "    return 1", "passed": True}, Source("r.jsonl"))[0]["reward"]
    1
    """
    return [
        make_row(
            record,
            source,
            form=NAME,
            consumed=("task_id", "completion", "passed"),
            task_id=record["task_id"],
            final_text=record["completion"],
            reward=reward_of(record.get("passed")),
        )
    ]
