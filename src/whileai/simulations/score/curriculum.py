"""Order tasks easy to hard for training, and retire the solved ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import DIFFICULTY_BAND
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.text import prompt_text

FLOOR, SOLVED = DIFFICULTY_BAND
TIERS = 3  # buckets of the schedule; convention
MIN_ROLLOUTS = 2  # labels below which a task has no difficulty; convention
Item = dict[str, Any]
Flags = NDArray[np.bool_]


def curriculum(
    rows: Iterable[Any],
    solved: float = SOLVED,
    floor: float = FLOOR,
    band: tuple[float, float] = DIFFICULTY_BAND,
    tiers: int = TIERS,
    min_rollouts: int = MIN_ROLLOUTS,
) -> Report:
    """Split graded tasks by measured difficulty into what to train on now, later and no more.

    A task with a pass rate above `solved` is `retired` (all passes give no gradient), below `floor` it is `not_ready`
    (no signal until the policy solves it at times), with fewer than `min_rollouts` labels it is `thin`. The rest is
    `trainable`, easy to hard, its keys in `schedule`, cut into `tiers` consecutive buckets of even size. `band` only
    counts the trainable tasks within it (`n_in_band`). Rates are compared exactly and given at 4 decimals. Tasks
    without a 0/1 label are left out; the rows are not changed.

    >>> rows = [{"task_id": t, "reward": r} for t, rewards in {"a": "10", "b": "1110", "c": "11"}.items() for r in rewards]
    >>> report = curriculum(rows)
    >>> report["schedule"], [item["task_id"] for item in report["retired"]]
    (['b', 'a'], ['c'])
    >>> print(report)
    tasks 3  trainable 2 (in band 2)  retired 1  not ready 0  thin 0
    tier 1: 1 task, pass 0.75 -> 0.75
    tier 2: 1 task, pass 0.50 -> 0.50
    """
    low, high = band
    table = RowTable(rows)
    sums = _labels(table)
    n, rates = sums.counts(), sums.means()
    thin = n < min_rollouts
    retired = ~thin & (rates > solved)
    not_ready = ~thin & ~retired & (rates < floor)
    ready = ~(thin | retired | not_ready)
    items = _items(table, sums)
    trainable = sorted(_picked(items, ready), key=lambda pair: (-pair[0], pair[1]["task_id"]))
    ordered = [item for _, item in trainable]
    values = {
        "n_tasks": len(items),
        "n_trainable": len(ordered),
        "n_solved": int(retired.sum()),
        "n_not_ready": int(not_ready.sum()),
        "n_thin": int(thin.sum()),
        "n_in_band": int((ready & (rates >= low) & (rates <= high)).sum()),
        "thresholds": {"solved": solved, "floor": floor, "band": [low, high], "min_rollouts": min_rollouts},
        "schedule": [item["task_id"] for item in ordered],
        "trainable": ordered,
        "retired": [item for _, item in _picked(items, retired)],
        "not_ready": [item for _, item in _picked(items, not_ready)],
        "thin": [item for _, item in _picked(items, thin)],
        "tiers": _buckets(ordered, max(1, tiers)),
    }
    return Report(values, show=format_curriculum)


def retire_solved(rows: Iterable[Any], solved: float = SOLVED, min_rollouts: int = MIN_ROLLOUTS) -> list[Any]:
    """The rows less every row of a solved task: at least `min_rollouts` labels and a pass rate above `solved`.

    The same row objects in order, in a new list; tasks with too few labels to judge stay.

    >>> retire_solved([{"task_id": t, "reward": r} for t, r in [("a", 1), ("a", 1), ("b", 1), ("b", 0)]])
    [{'task_id': 'b', 'reward': 1}, {'task_id': 'b', 'reward': 0}]
    """
    table = RowTable(rows)
    sums = _labels(table)
    solved_codes = sums.codes()[(sums.counts() >= min_rollouts) & (sums.means() > solved)]
    kept = ~np.isin(table.tasks, solved_codes)
    return [table.rows[place] for place in np.flatnonzero(kept).tolist()]


def format_curriculum(report: Mapping[str, Any]) -> str:
    """One line of counts, then one for each filled bucket with its highest and lowest pass rate."""
    lines = [
        f"tasks {report['n_tasks']}  trainable {report['n_trainable']} (in band {report['n_in_band']})  "
        f"retired {report['n_solved']}  not ready {report['n_not_ready']}  thin {report['n_thin']}"
    ]
    for place, bucket in enumerate(report["tiers"], 1):
        if bucket:
            rates = [item["pass_rate"] for item in bucket]
            tasks = "task" if len(bucket) == 1 else "tasks"
            lines.append(f"tier {place}: {len(bucket)} {tasks}, pass {max(rates):.2f} -> {min(rates):.2f}")
    return "\n".join(lines)


def _labels(table: RowTable) -> TaskSums:
    sums = TaskSums()
    sums.add(table.tasks[table.binary], table.labels[table.binary])
    return sums


def _items(table: RowTable, sums: TaskSums) -> list[tuple[float, Item]]:
    """Each labelled task's exact rate and its entry in the report, in order of first appearance."""
    names, prompts = table.index.names, _first_prompts(table)
    return [
        (rate, {"task_id": names[code], "prompt": prompts.get(code, ""), "n": n, "pass_rate": round(rate, 4)})
        for code, n, rate in zip(sums.codes().tolist(), sums.counts().tolist(), sums.means().tolist(), strict=True)
    ]


def _first_prompts(table: RowTable) -> dict[int, str]:
    prompts: dict[int, str] = {}
    for code, prompt in zip(table.tasks.tolist(), table.column("prompt"), strict=True):
        if code not in prompts and (text := prompt_text(prompt)):
            prompts[code] = text
    return prompts


def _picked(items: list[tuple[float, Item]], flags: Flags) -> list[tuple[float, Item]]:
    return [items[place] for place in np.flatnonzero(flags).tolist()]


def _buckets(items: list[Item], count: int) -> list[list[Item]]:
    """Consecutive buckets: item i of N goes to bucket floor(i * count / N)."""
    buckets: list[list[Item]] = [[] for _ in range(count)]
    for place, item in enumerate(items):
        buckets[place * count // len(items)].append(item)
    return buckets
