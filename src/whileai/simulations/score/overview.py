"""The first look at a file of rollouts: what was read, how good the policy is, where the tasks lie, what is missing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import DIFFICULTY_BAND, DIFFICULTY_BAND_ROLLOUTS, MIN_CI_TASKS
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report
from whileai.simulations.rows.grade import REWARD_FIELDS, score_of
from whileai.simulations.rows.table import Row, RowTable
from whileai.simulations.score.overview_text import format_overview
from whileai.simulations.score.passat import PassAt, PassTally
from whileai.simulations.score.stats.summary import MarkerTally

Floats = NDArray[np.float64]
_WANTED_HALF_WIDTH = 0.05


def overview(rows: Iterable[Any], ks: Sequence[int] | None = None) -> Report:
    """The first report on some rows: a `Report` that prints itself.

    Keys: `rows`, `tasks`, `rollouts_per_task` (`min`, `median`, `max`), `graded`, `passed`, `failed`, `partial`,
    `ungraded`, `ungraded_why` (reason: rows), `pass_at` (as `PassAt.to_dict`, without `per_task`), `k_way` (a dict for
    each k: `k`, `pass_pow_k`, `pass_at_k`, their intervals, `n_tasks`), `difficulty` (tasks by pass rate), `markers`
    (as `marker_summary`), `missing` (what is missing to say more). `ks` are the draw sizes wanted, any from 1; without
    them the one `pass_at` chooses.

    >>> report = overview([{"task_id": t, "reward": r} for t in "abcd" for r in (1, 1, 0, 1)])
    >>> report["tasks"], report["pass_at"]["pass_at_1"], report["difficulty"]["n_in_band"]
    (4, 0.75, 4)
    """
    gathered = Overview()
    gathered.add(rows)
    return gathered.report(ks)


class Overview:
    """Gathers an overview over any number of batches; memory grows with the tasks, not with the rows."""

    def __init__(self) -> None:
        self.passes = PassTally()
        self.markers = MarkerTally(self.passes.index)
        self._rollouts = TaskSums()
        self._ungraded: Counter[str] = Counter()
        self._failed_runs = 0

    def add(self, rows: Iterable[Any]) -> None:
        """Add some rows."""
        table = RowTable(rows, self.passes.index)
        self.passes.add(table)
        self.markers.add(table)
        self._rollouts.add(table.tasks, np.ones(len(table)))
        ungraded = np.flatnonzero(np.isnan(table.grades)).tolist()
        self._ungraded.update(why_ungraded(table.rows[position]) for position in ungraded)
        self._failed_runs += sum(reason == "error" for reason in table.column("finish_reason"))

    def report(self, ks: Sequence[int] | None = None) -> Report:
        """The overview of everything added."""
        main = self.passes.result(k=max(ks), min_k=1) if ks else self.passes.result()
        values: dict[str, Any] = {
            "rows": self._rollouts.n,
            "tasks": int(self._rollouts.codes().size),
            "rollouts_per_task": _spread(self._rollouts.counts().astype(np.float64)),
            "failed_runs": self._failed_runs,
            "graded": main.n_rows + main.n_partial,
            "passed": self.passes.sums.n_at_1,
            "failed": self.passes.sums.n_at_0,
            "partial": main.n_partial,
            "ungraded": self._ungraded.total(),
            "ungraded_why": dict(self._ungraded.most_common()),
            "pass_at": {key: value for key, value in main.to_dict().items() if key != "per_task"},
            "k_way": self._k_way(main, ks),
            "difficulty": _difficulty(self.passes.rates(), self.passes.counts()[0]),
            "markers": _plain(self.markers.result()),
        }
        values["missing"] = _missing(values, main, "" in self.passes.index.names)
        return Report(values, show=format_overview)

    def _k_way(self, main: PassAt, ks: Sequence[int] | None) -> list[dict[str, Any]]:
        wanted = sorted(set(ks)) if ks else [main.k] if main.pass_pow_k is not None else []
        return [self._draws(k) for k in wanted] if main.n_groups else []

    def _draws(self, k: int) -> dict[str, Any]:
        ways = self.passes.k_way(k)
        power, power_ends = ways.pow_k()
        at, at_ends = ways.at_k()
        return {
            "k": k,
            "pass_pow_k": power,
            "pass_pow_k_ci95": _listed(power_ends),
            "pass_at_k": at,
            "pass_at_k_ci95": _listed(at_ends),
            "n_tasks": int(ways.sizes.size),
        }


def why_ungraded(row: Row) -> str:
    """Why a row has no grade, in a few words.

    >>> why_ungraded({"reward": None, "judge_status": "timeout"}), why_ungraded({"prompt": "Hi"})
    ('judge status timeout', 'no reward key')
    """
    status = row.get("judge_status")
    if status is not None and status != "ok":
        return f"judge status {str(status)[:40]}"
    found = next((field for field in REWARD_FIELDS if field in row), None)
    if found is None:
        return "no reward key"
    value = row[found]
    if value is None:
        return f"{found} is null"
    if isinstance(value, bool):
        return f"{found} is a boolean, not a number"
    if isinstance(value, float) and score_of(value) is None:
        return f"{found} is {value}"
    return f"{found} is {type(value).__name__}, not a number"


def _spread(counts: Floats) -> dict[str, float] | None:
    if not counts.size:
        return None
    return {"min": int(counts.min()), "median": float(np.median(counts)), "max": int(counts.max())}


def _listed(ends: tuple[float, float] | None) -> list[float] | None:
    return None if ends is None else list(ends)


def _plain(markers: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: {**summary, "ci95": _listed(summary["ci95"])} for name, summary in markers.items()}


def _difficulty(rates: Floats, rollouts: NDArray[np.int64]) -> dict[str, Any]:
    low, high = DIFFICULTY_BAND
    inner = [low + (high - low) * step / 3 for step in (1, 2)]
    inside = (rates >= low) & (rates <= high)
    bins = [
        ("never", 0.0, 0.0, rates == 0),
        ("hard", 0.0, low, (rates > 0) & (rates < low)),
        ("band", low, inner[0], inside & (rates < inner[0])),
        ("band", inner[0], inner[1], inside & (rates >= inner[0]) & (rates < inner[1])),
        ("band", inner[1], high, inside & (rates >= inner[1])),
        ("easy", high, 1.0, (rates > high) & (rates < 1)),
        ("always", 1.0, 1.0, rates == 1),
    ]
    return {
        "band": [low, high],
        "n_tasks": int(rates.size),
        "n_in_band": int(inside.sum()),
        "rollouts": _spread(rollouts.astype(np.float64)),
        "bins": [{"name": name, "low": lo, "high": hi, "n": int(where.sum())} for name, lo, hi, where in bins],
    }


def _missing(values: dict[str, Any], main: PassAt, keyless: bool) -> list[str]:
    """What is missing to say more, each with what to do about it."""
    said = [
        _missing_grades(values),
        _missing_labels(values),
        "some rows have no scenario_id, task_id or prompt and count as one task: give each its task_id"
        if keyless and values["tasks"] > 0
        else "",
        main.note if main.n_groups else "",
        _missing_tasks(main),
        _missing_rollouts(values),
        _mixed(main),
        "no markers on the rows: a `markers` dict of 0/1 values adds a rate for each" if not values["markers"] else "",
    ]
    return [sentence for sentence in said if sentence]


def _missing_grades(values: dict[str, Any]) -> str:
    if not values["ungraded"]:
        return ""
    return f"{values['ungraded']} of {values['rows']} rows are ungraded and in no rate: grade them"


def _missing_labels(values: dict[str, Any]) -> str:
    if values["pass_at"]["n_rows"] or not values["rows"]:
        return ""
    return values["pass_at"]["note"] or "no row has a 0/1 reward: grade the rows first"


def _missing_tasks(main: PassAt) -> str:
    if main.ci95 is None or main.n_groups < MIN_CI_TASKS:
        return ""
    half = (main.ci95[1] - main.ci95[0]) / 2
    if half <= _WANTED_HALF_WIDTH:
        return ""
    need = math.ceil(main.n_groups * (half / _WANTED_HALF_WIDTH) ** 2)
    need = round(need, 1 - len(str(need)))
    return f"pass@1 is known to about ±{half:.2f}; about {need} tasks like these would give ±{_WANTED_HALF_WIDTH:.2f}"


def _missing_rollouts(values: dict[str, Any]) -> str:
    rollouts = values["difficulty"]["rollouts"]
    if rollouts is None or rollouts["median"] >= DIFFICULTY_BAND_ROLLOUTS:
        return ""
    n, low = int(rollouts["median"]), DIFFICULTY_BAND[0]
    return (
        f"difficulty is coarse: a task at {low:.0%} passes none of {n} in {(1 - low) ** n:.0%} of draws; "
        f"{DIFFICULTY_BAND_ROLLOUTS} rollouts a task place it"
    )


def _mixed(main: PassAt) -> str:
    mixed = main.config.get("mixed")
    return f"the rows disagree on {', '.join(mixed)}: rates pool them, split the rows to compare" if mixed else ""
