"""Order tasks easy to hard for training, and retire the solved ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from whileai.simulations.arguments import between, report_of, whole
from whileai.simulations.defaults import DIFFICULTY_BAND
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report, counted
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.text import prompt_text
from whileai.simulations.score.stats.summary import PASS, metric_sums
from whileai.simulations.signature import public

FLOOR, SOLVED = DIFFICULTY_BAND
TIERS = 3  # buckets of the schedule; convention
MIN_ROLLOUTS = 2  # labels below which a task has no difficulty; convention


class _Task(NamedTuple):
    """A labelled task: its exact pass rate, and its entry in the report."""

    rate: float
    item: dict[str, Any]


@public
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

    >>> passes = {"a": "10", "b": "1110", "c": "11"}
    >>> rows = [{"task_id": task, "reward": r} for task, rewards in passes.items() for r in rewards]
    >>> report = curriculum(rows)
    >>> report["schedule"], [item["task_id"] for item in report["retired"]]
    (['b', 'a'], ['c'])
    >>> print(report)
    tasks 3  trainable 2 (in band 2)  retired 1  not ready 0  thin 0
    tier 1: 1 task, pass 0.75 -> 0.75
    tier 2: 1 task, pass 0.50 -> 0.50
    """
    limits = limits_of(solved, floor, band, tiers, min_rollouts)
    table = RowTable(rows)
    return curriculum_of(metric_sums(table, PASS), table.index.names, first_prompts(table), limits)


class Limits(NamedTuple):
    """The arguments of `curriculum`, checked."""

    solved: float
    floor: float
    band: tuple[float, float]
    tiers: int
    min_rollouts: int


def limits_of(solved: float, floor: float, band: tuple[float, float], tiers: int, min_rollouts: int) -> Limits:
    """The arguments, checked; a bad one is a `ValueError`."""
    return Limits(
        between("solved", solved, 0, 1),
        between("floor", floor, 0, 1),
        _band(band),
        whole("tiers", tiers),
        whole("min_rollouts", min_rollouts, 0),
    )


def curriculum_of(sums: TaskSums, names: Sequence[str], prompts: Mapping[int, str], limits: Limits) -> Report:
    """The report of `curriculum` from labels summed by task, with the name and the prompt of each task by its code."""
    solved, floor, (low, high), tiers, min_rollouts = limits
    groups: dict[str, list[_Task]] = {"thin": [], "retired": [], "not_ready": [], "trainable": []}
    for task in _tasks(sums, names, prompts):
        groups[_group(task, solved, floor, min_rollouts)].append(task)
    groups["trainable"].sort(key=lambda task: (-task.rate, task.item["task_id"]))
    items = {name: [task.item for task in tasks] for name, tasks in groups.items()}
    values = {
        "n_tasks": sum(map(len, groups.values())),
        "n_trainable": len(items["trainable"]),
        "n_solved": len(items["retired"]),
        "n_not_ready": len(items["not_ready"]),
        "n_thin": len(items["thin"]),
        "n_in_band": sum(low <= task.rate <= high for task in groups["trainable"]),
        "thresholds": {"solved": solved, "floor": floor, "band": [low, high], "min_rollouts": min_rollouts},
        "schedule": [item["task_id"] for item in items["trainable"]],
        **items,
        "tiers": _buckets(items["trainable"], max(1, tiers)),
    }
    return Report(values, show=format_curriculum)


@public
def retire_solved(rows: Iterable[Any], solved: float = SOLVED, min_rollouts: int = MIN_ROLLOUTS) -> list[Any]:
    """The rows less every row of a solved task: at least `min_rollouts` labels and a pass rate above `solved`.

    The same row objects in order, in a new list; tasks with too few labels to judge stay.

    >>> retire_solved([{"task_id": t, "reward": r} for t, r in [("a", 1), ("a", 1), ("b", 1), ("b", 0)]])
    [{'task_id': 'b', 'reward': 1}, {'task_id': 'b', 'reward': 0}]
    """
    solved, min_rollouts = between("solved", solved, 0, 1), whole("min_rollouts", min_rollouts, 0)
    table = RowTable(rows)
    sums = metric_sums(table, PASS)
    solved_codes = sums.codes()[(sums.counts() >= min_rollouts) & (sums.means() > solved)]
    kept = ~np.isin(table.tasks, solved_codes)
    return [table.rows[place] for place in np.flatnonzero(kept).tolist()]


@public
@report_of("curriculum")
def format_curriculum(report: Mapping[str, Any]) -> str:
    """One line of counts, then one for each filled bucket with its highest and lowest pass rate.

    >>> rows = [{"task_id": task, "reward": r} for task in "ab" for r in (1, 0, 1, 0)]
    >>> print(format_curriculum(curriculum(rows)).splitlines()[0])
    tasks 2  trainable 2 (in band 2)  retired 0  not ready 0  thin 0
    """
    lines = [
        f"tasks {report['n_tasks']}  trainable {report['n_trainable']} (in band {report['n_in_band']})  "
        f"retired {report['n_solved']}  not ready {report['n_not_ready']}  thin {report['n_thin']}"
    ]
    for place, bucket in enumerate(report["tiers"], 1):
        if bucket:
            rates = [item["pass_rate"] for item in bucket]
            lines.append(f"tier {place}: {counted(len(bucket), 'task')}, pass {max(rates):.2f} -> {min(rates):.2f}")
    return "\n".join(lines)


def _band(band: Any) -> tuple[float, float]:
    if not isinstance(band, list | tuple) or len(band) != 2:
        raise ValueError(f"band must be a pair of pass rates (low, high), got {band!r}")
    low, high = (between("band", end, 0, 1) for end in band)
    if low > high:
        raise ValueError(f"band must be a pair of pass rates (low, high) with low at most high, got {band!r}")
    return low, high


def _tasks(sums: TaskSums, names: Sequence[str], prompts: Mapping[int, str]) -> Iterator[_Task]:
    """Every labelled task, in order of first appearance."""
    for code, n, rate in zip(sums.codes().tolist(), sums.counts().tolist(), sums.means().tolist(), strict=True):
        item = {"task_id": names[code], "prompt": prompts.get(code, ""), "n": n, "pass_rate": round(rate, 4)}
        yield _Task(rate, item)


def _group(task: _Task, solved: float, floor: float, min_rollouts: int) -> str:
    """The list a task belongs to, by its exact rate."""
    if task.item["n"] < min_rollouts:
        return "thin"
    if task.rate > solved:
        return "retired"
    return "not_ready" if task.rate < floor else "trainable"


def first_prompts(table: RowTable) -> dict[int, str]:
    """The first prompt with text of each task that has one, by the task's code."""
    prompts: dict[int, str] = {}
    for code, prompt in zip(table.tasks.tolist(), table.column("prompt"), strict=True):
        if code not in prompts and (text := prompt_text(prompt)):
            prompts[code] = text
    return prompts


def _buckets(items: list[dict[str, Any]], count: int) -> list[list[dict[str, Any]]]:
    """Consecutive buckets: item i of N goes to bucket floor(i * count / N)."""
    buckets: list[list[dict[str, Any]]] = [[] for _ in range(count)]
    for place, item in enumerate(items):
        buckets[place * count // len(items)].append(item)
    return buckets
