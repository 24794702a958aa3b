"""How much an evaluation moves when the same model is evaluated again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from whileai.simulations.kernels.rollout_noise import rollout_variance
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report, figure
from whileai.simulations.rows.table import Row, RowTable, Tasks
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.stats.noise import noise_band
from whileai.simulations.score.stats.summary import MARKER, PASS, metric_sums
from whileai.simulations.score.stats.variance_text import (
    count_notes,
    format_eval_variance,
    shared_draws_notes,
    task_notes,
)
from whileai.simulations.signature import public

STABILITY_POINTS = (("very_stable", 0.35), ("stable", 0.7))  # points of run_std below which; Olmo 3, Lambert 2025
HIGH_VARIANCE = "high_variance"
_HOLDERS = ("trajectories", "rows")


class EvalVarianceReport(Report):
    """What `eval_variance` returns: a dict of its keys that prints itself.

    >>> runs = [[{"task_id": task, "reward": r} for task in "abc"] for r in (0, 1, 1)]
    >>> isinstance(eval_variance(*runs), EvalVarianceReport)
    True
    """

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values, show=format_eval_variance)

    def __repr__(self) -> str:
        return f"EvalVarianceReport(run_std={figure(self['run_std'], 4)}, n_runs={self['n_runs']})"


@public
def eval_variance(*runs: Iterable[Any], metric: str = PASS, by: str | None = None) -> EvalVarianceReport:
    """How far the runs of one model on one evaluation lie apart (Lambert 2025, chapter Evaluation).

    Give each re-run's rows as its own argument, or one list whose rows name their run: the key `by` of the row or of
    its lineage, else `lineage.eval_run`, else `lineage.scoring_run_id`. `run_std` is the sample deviation of the run
    means and `noise_band` what two single runs differ by at 95% on that account, by the t quantile at
    `noise_band_df`; `run_std_by_metric` gives the deviation of pass@1 and of each marker that all runs have.
    `rollout_std` is the deviation that drawing the rollouts gives by itself, told from within the tasks: a `run_std`
    well under it means that the runs share draws. Below two runs the spread is None, and `notes` says what is missing.

    >>> runs = [[{"task_id": t, "reward": r} for t, r in zip("abcd", rewards)] for rewards in ("1100", "1110", "1000")]
    >>> report = eval_variance(*runs)
    >>> report, report["noise_band"], report["means"]
    (EvalVarianceReport(run_std=0.2500, n_runs=3), 1.5212, {'run_1': 0.5, 'run_2': 0.75, 'run_3': 0.25})
    """
    if not runs:
        raise ValueError("eval_variance needs rows: one list a run, or one list whose rows name their run")
    given = [_rows_of(run, position) for position, run in enumerate(runs, 1)]
    if len(given) > 1:
        labelled, n_left_out = {f"run_{position}": rows for position, rows in enumerate(given, 1)}, 0
    else:
        labelled, n_left_out = split(given[0], by)
    index = Tasks()
    metric_sums(RowTable(()), metric)  # refuses an unknown metric, also when no run is named
    return variance_of({label: _sums_of(RowTable(rows, index)) for label, rows in labelled.items()}, metric, n_left_out)


def _sums_of(table: RowTable) -> dict[str, TaskSums]:
    """pass@1 and every marker of a run, summed by task."""
    return {key: metric_sums(table, key) for key in (PASS, *(MARKER + name for name in table.markers))}


def _rows_of(run: Any, position: int) -> list[Row]:
    """The rows of one argument, as a list; what is no iterable of rows is a TypeError."""
    kind = type(run).__name__
    if isinstance(run, Mapping | str | bytes) or not hasattr(run, "__iter__"):
        raise TypeError(f"argument {position} is a {kind}: each run is an iterable of rows{_holder_hint(run)}")
    items = list(run)
    if any(isinstance(item, list | tuple) for item in items):
        raise TypeError(
            f"argument {position} is a {kind} of row lists: give each run as its own argument, eval_variance(*runs)"
        )
    return [item for item in items if isinstance(item, Mapping)]


def _holder_hint(run: Any) -> str:
    for name in _HOLDERS:
        held = run.get(name) if isinstance(run, Mapping) else getattr(run, name, None)
        if isinstance(held, list):
            return f"; give its {name}"
    return "; load_rows(path) reads a file" if isinstance(run, str | bytes) else ""


def split(rows: list[Row], by: str | None) -> tuple[dict[str, list[Row]], int]:
    """Rows by the run they name, in order of first appearance, and how many name none."""
    name = _named_run if by is None else _run_by(by)
    runs: dict[str, list[Row]] = {}
    for row in rows:
        run = name(row)
        if run is not None:
            runs.setdefault(as_text(run), []).append(row)
    return runs, len(rows) - sum(map(len, runs.values()))


def _named_run(row: Row) -> Any:
    lineage = _lineage(row)
    run = lineage.get("eval_run")
    return run if run is not None else (lineage.get("scoring_run_id") or None)


def _run_by(by: str) -> Callable[[Row], Any]:
    def run(row: Row) -> Any:
        found = [value for value in (row.get(by), _lineage(row).get(by)) if value is not None and value != ""]
        return found[0] if found else None

    return run


def _lineage(row: Row) -> Mapping[str, Any]:
    lineage = row.get("lineage")
    return lineage if isinstance(lineage, Mapping) else {}


def variance_of(runs: Mapping[str, Mapping[str, TaskSums]], metric: str, n_left_out: int) -> EvalVarianceReport:
    """The report of `eval_variance` from pass@1 and the markers of each run, whose task codes share one index."""
    sums = {label: held.get(metric) or TaskSums() for label, held in runs.items()}
    means = {label: _mean(each) for label, each in sums.items()}
    known = [mean for mean in means.values() if mean is not None]
    std, n = _std(known), len(known)
    shared, met = _tasks(list(sums.values()))
    noise = _rollout_std(list(sums.values()))
    return EvalVarianceReport(
        {
            "metric": metric,
            "n_runs": n,
            "means": {label: _rounded(mean) for label, mean in means.items()},
            "mean": _rounded(sum(known) / n) if n else None,
            "run_std": _rounded(std),
            "run_std_by_metric": {name: _rounded(_std_of(runs, name)) for name in _metrics(runs, metric)},
            "run_std_points": _rounded(None if std is None else 100 * std, 2),
            "noise_band": None if std is None else _rounded(noise_band(std, df=n - 1)),
            "noise_band_df": None if std is None else n - 1,
            "stability": None if std is None else stability(std),
            "rollout_std": _rounded(noise),
            "tasks_in_every_run": shared,
            "notes": [
                *count_notes(n, n_left_out),
                *task_notes(shared, met),
                *shared_draws_notes(std, noise, n),
            ],
        }
    )


def stability(run_std: float) -> str:
    """The band of Olmo 3 that a deviation between runs falls in, as a rate.

    >>> stability(0.002), stability(0.005), stability(0.02)
    ('very_stable', 'stable', 'high_variance')
    """
    return next((name for name, below in STABILITY_POINTS if 100 * run_std < below), HIGH_VARIANCE)


def _metrics(runs: Mapping[str, Mapping[str, TaskSums]], metric: str) -> list[str]:
    """pass@1, the markers that every run has, and the metric asked for."""
    names = [set(held) for held in runs.values()]
    shared = sorted(set.intersection(*names) - {PASS}) if names else []
    return list(dict.fromkeys([PASS, *shared, metric]))


def _std_of(runs: Mapping[str, Mapping[str, TaskSums]], metric: str) -> float | None:
    means = [_mean(held.get(metric) or TaskSums()) for held in runs.values()]
    return _std([mean for mean in means if mean is not None])


def _mean(sums: TaskSums) -> float | None:
    return float(sums.means().mean()) if sums.n else None


def _std(means: list[float]) -> float | None:
    return float(np.std(means, ddof=1)) if len(means) > 1 else None


def _rounded(value: float | None, decimals: int = 4) -> float | None:
    return None if value is None else round(value, decimals)


def _tasks(sums: list[TaskSums]) -> tuple[int, int]:
    """Tasks with a value in every run, and in any."""
    codes = [set(each.codes().tolist()) for each in sums]
    return (len(set.intersection(*codes)), len(set.union(*codes))) if codes else (0, 0)


def _rollout_std(sums: list[TaskSums]) -> float | None:
    """The deviation of a run's mean by its rollouts alone, over the runs that have 0/1 values."""
    found = [
        rollout_variance(each.counts(), each.sums().astype(np.int64)) for each in sums if each.n and each.all_binary()
    ]
    known = [variance for variance in found if variance is not None]
    return math.sqrt(sum(known) / len(known)) if known else None
