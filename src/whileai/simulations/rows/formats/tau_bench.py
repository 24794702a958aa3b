"""tau-bench results: a list of `{task_id, reward, info, traj, trial}`, one entry a run of a task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.formats.common import as_mapping, chat_turn, failed_run, make_row, reward_of
from whileai.simulations.rows.source import Source

NAME = "tau-bench"
LOOKS_FOR = "`task_id`, `reward`, `info`, `traj`"
_CONSUMED = ("task_id", "reward", "info", "traj", "trial")


def sniff(record: Mapping[str, Any]) -> bool:
    """Whether the record is one tau-bench run.

    >>> sniff({"task_id": 0, "reward": 1.0, "info": {}, "traj": [], "trial": 0})
    True
    """
    return isinstance(record.get("traj"), list) and "task_id" in record and "info" in record


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """The one row of a run; the simulated user's hidden goal (`info.task`) becomes `privileged.reference`.

    >>> run = {"task_id": 0, "reward": 1.0, "info": {}, "traj": [{"role": "user", "content": "Hi"}], "trial": 2}
    >>> row = to_rows(run, Source("airline.json"))[0]
    >>> row["task_id"], row["rollout_index"], row["prompt"], row["reward"]
    ('0', 2, 'Hi', 1.0)
    """
    info = as_mapping(record["info"])
    goal = info.get("task")
    row = make_row(
        record,
        source,
        form=NAME,
        consumed=_CONSUMED,
        task_id=record["task_id"],
        rollout_index=_trial(record.get("trial")),
        messages=[chat_turn(turn) for turn in record["traj"] if isinstance(turn, Mapping)],
        reward=reward_of(record.get("reward")),
        privileged=None if goal is None else {"reference": goal},
        info={name: value for name, value in info.items() if name != "task"} or None,
    )
    if info.get("error") is not None:
        failed_run(row, str(info["error"]), source, raw_reward=record.get("reward"))
    return [row]


def _trial(value: Any) -> int | None:
    trial = reward_of(value)
    return None if trial is None else int(trial)
