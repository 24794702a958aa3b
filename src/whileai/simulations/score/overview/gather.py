"""`overview`: everything the first report says, gathered in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.keyless import Keyless
from whileai.simulations.score.overview import advice
from whileai.simulations.score.overview.difficulty import difficulty, spread
from whileai.simulations.score.overview.origins import Origins
from whileai.simulations.score.overview.text import format_overview
from whileai.simulations.score.overview.ungraded import why_ungraded
from whileai.simulations.score.passat import PassAt, PassTally
from whileai.simulations.score.stats.summary import MarkerTally, mean_interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_LARGEST_DEFAULT_K = 16  # beyond it pass^k of a whole group says little more than whether all passed
_FIXES_SHOWN = 2


def overview(rows: Iterable[Any], ks: Sequence[int] | None = None) -> Report:
    """The first report on some rows: a `Report` that prints itself.

    Keys: `rows`, `tasks`, `rollouts_per_task` (`min`, `median`, `max`), `failed_runs`, `keyless` (rows without a
    task), `graded`, `passed`, `failed`, `partial`, `ungraded`, `ungraded_why` (reason: rows), `ungraded_fixes`,
    `reward` (`mean` over tasks with `ci95`, `least`, `most`), `pass_at` (as `PassAt.to_dict`, without `per_task`),
    `k_way` (a dict for each k: `k`, `pass_pow_k`, `pass_at_k`, their intervals, `n_tasks`), `difficulty` (tasks by
    pass rate), `markers` (as `marker_summary`), `warnings` and `missing` (what is missing to say more). `ks` are the
    draw sizes wanted, any from 1; without them the one `pass_at` chooses, 16 at most.

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
        self._rewards = _Rewards()
        self._rollouts = TaskSums()
        self._ungraded: Counter[str] = Counter()
        self._fixes: dict[str, str] = {}
        self._failed_runs = 0
        self._keyless = Keyless()
        self._origins = Origins()

    def add(self, rows: Iterable[Any], file: str | None = None) -> None:
        """Add some rows, all of one file where that is known."""
        table = RowTable(rows, self.passes.index)
        self.passes.add(table)
        self.markers.add(table)
        self._rewards.add(table)
        self._rollouts.add(table.tasks, np.ones(len(table)))
        self._origins.add(table, file)
        self._failed_runs += table.column("finish_reason").count("error")
        self._note_ungraded(table)
        self._keyless.add(table)

    def merge(self, other: Overview) -> None:
        """Add what another overview gathered of rows that come after."""
        codes = self.passes.index.absorb(other.passes.index)
        self.passes.merge(other.passes, codes)
        self.markers.merge(other.markers, codes)
        self._rewards.merge(other._rewards, codes)
        self._rollouts.merge(other._rollouts, codes)
        self._origins.merge(other._origins, codes)
        self._ungraded.update(other._ungraded)
        self._fixes = other._fixes | self._fixes
        self._failed_runs += other._failed_runs
        self._keyless.merge(other._keyless)

    def _note_ungraded(self, table: RowTable) -> None:
        for position in np.flatnonzero(~table.graded).tolist():
            found = why_ungraded(table.rows[position])
            self._ungraded[found.reason] += 1
            self._fixes.setdefault(found.reason, found.fix)

    def report(self, ks: Sequence[int] | None = None) -> Report:
        """The overview of everything added."""
        main = self._main(ks)
        values: dict[str, Any] = {
            "rows": self._rollouts.n,
            "tasks": int(self._rollouts.codes().size),
            "rollouts_per_task": spread(self._rollouts.counts().astype(np.float64)),
            "failed_runs": self._failed_runs,
            "keyless": self._keyless.n,
            "graded": main.n_rows + main.n_partial,
            "passed": self.passes.sums.seen.n_at_1,
            "failed": self.passes.sums.seen.n_at_0,
            "partial": main.n_partial,
            "ungraded": self._ungraded.total(),
            "ungraded_why": dict(self._ungraded.most_common()),
            "ungraded_fixes": self._top_fixes(),
            "reward": self._rewards.values(),
            "pass_at": {key: value for key, value in main.to_dict().items() if key != "per_task"},
            "k_way": self._k_way(main, ks),
            "difficulty": difficulty(self.passes.rates(), self.passes.counts()[0]),
            "markers": _plain(self.markers.result()),
        }
        values["warnings"] = [*self._keyless.notes(), *advice.warnings(values), *self._origins.warnings()]
        values["missing"] = advice.missing(values, self.passes.rates(), self._harmonic_rollouts())
        return Report(values, show=format_overview)

    def _main(self, ks: Sequence[int] | None) -> PassAt:
        if ks:
            return self.passes.result(k=max(ks), min_k=1)
        found = self.passes.result()
        return found if found.k <= _LARGEST_DEFAULT_K else self.passes.result(k=_LARGEST_DEFAULT_K)

    def _top_fixes(self) -> list[dict[str, str]]:
        fixes = dict.fromkeys(self._fixes[reason] for reason, _ in self._ungraded.most_common())
        return [{"fix": fix} for fix in list(fixes)[:_FIXES_SHOWN]]

    def _harmonic_rollouts(self) -> float:
        counts = self.passes.counts()[0]
        return counts.size / float((1 / counts).sum()) if counts.size else 1.0

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


class _Rewards:
    """The mean of all graded rewards, partial ones included."""

    def __init__(self) -> None:
        self._sums = TaskSums()
        self._signs_only = True

    def add(self, table: RowTable) -> None:
        grades = table.grades[table.graded]
        self._sums.add(table.tasks[table.graded], grades)
        self._signs_only = self._signs_only and bool((np.abs(grades) == 1).all())

    def merge(self, other: _Rewards, codes: Ints) -> None:
        self._sums.merge(other._sums, codes)
        self._signs_only = self._signs_only and other._signs_only

    def values(self) -> dict[str, Any]:
        sums = self._sums
        ends, _ = mean_interval(sums)
        return {
            "mean": float(sums.means().mean()) if sums.n else None,
            "ci95": _listed(ends),
            "n_tasks": int(sums.codes().size),
            "least": sums.seen.least if sums.n else None,
            "most": sums.seen.most if sums.n else None,
            "minus_or_plus_one": bool(sums.n and self._signs_only and sums.seen.least == -1),
        }


def _listed(ends: tuple[float, float] | None) -> list[float] | None:
    return None if ends is None else list(ends)


def _plain(markers: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: {**summary, "ci95": _listed(summary["ci95"])} for name, summary in markers.items()}
