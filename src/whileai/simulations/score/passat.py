"""pass@1, pass^k and pass@k from the same graded groups.

pass@1 is the mean over tasks of the task's pass rate; pass^k the chance that all of k rollouts pass (Yao et al. 2024,
arXiv:2406.12045); pass@k the chance that at least one does (Chen et al. 2021, arXiv:2107.03374). Intervals are over
tasks, never rows (Miller 2024, arXiv:2411.00640), by the methods of `kernels.intervals`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from whileai.simulations.arguments import whole
from whileai.simulations.defaults import ROLLOUTS_PER_TASK
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Shown, counted, printable
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.kway import Ends, Floats, Ints, KWay, draw_size, interval_of, k_note
from whileai.simulations.score.passnotes import FailedJudge, OneValue, interval_note
from whileai.simulations.score.runconfig import RunConfig
from whileai.simulations.signature import public


@dataclass(frozen=True, eq=True)
class PassAt(Shown):
    """pass@1 / pass^k / pass@k over graded groups; see `pass_at` for what each field holds.

    Rates are in [0, 1], None when they cannot be given (the `note` says why). `k` is the draw size of the k-way
    numbers. `n_groups` tasks and `n_rows` labelled rows stand behind pass@1, `n_groups_at_k` tasks behind the k-way
    numbers, `n_groups_imputed` of those short and unanimous. `n_partial` rows had a reward other than 0 or 1.
    `per_task` maps each task to its pass rate. Intervals are 95% pairs over tasks, None under 3 tasks.

    >>> print(PassAt(4, 0.5, 0.1, 0.9, 3, 12))
    pass@1 0.50 | pass^4 (pass_pow_k) 0.10 | pass@4 0.90 | headroom 0.40 (3 groups, k=4)
    """

    k: int
    pass_at_1: float | None
    pass_pow_k: float | None
    pass_at_k: float | None
    n_groups: int
    n_rows: int
    n_groups_at_k: int = 0
    n_groups_imputed: int = 0
    n_partial: int = 0
    per_task: dict[str, float] = field(default_factory=dict)
    note: str = ""
    config: dict[str, Any] = field(default_factory=dict)
    ci95: Ends | None = None
    pass_pow_k_ci95: Ends | None = None
    pass_at_k_ci95: Ends | None = None

    __hash__ = None  # type: ignore[assignment]  # holds dicts

    @property
    def headroom(self) -> float | None:
        """pass@k minus pass@1, None when either is. Negative where uneven groups leave pass@k fewer tasks."""
        if self.pass_at_k is None or self.pass_at_1 is None:
            return None
        return self.pass_at_k - self.pass_at_1

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, `headroom` added, intervals as lists: ready for `json.dumps`."""
        out: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            out[each.name] = list(value) if isinstance(value, tuple) else value
            if each.name == "pass_at_k":
                out["headroom"] = self.headroom
        return {**out, "per_task": dict(self.per_task), "config": copy.deepcopy(self.config)}

    def __str__(self) -> str:
        return (
            f"pass@1 {_rate(self.pass_at_1, self.ci95)}"
            f" | pass^{self.k} (pass_pow_k) {_rate(self.pass_pow_k, self.pass_pow_k_ci95)}"
            f" | pass@{self.k} {_rate(self.pass_at_k, self.pass_at_k_ci95)}"
            f" | headroom {_rate(self.headroom, None)} ({self._tail()})"
        )

    def _tail(self) -> str:
        parts = [f"{counted(self.n_groups, 'group')}, k={self.k}"]
        if cut := self.config.get("truncated_share"):
            parts.append(f"{cut:.0%} of rows cut by the token cap")
        answered = self.config.get("answered_share")
        if answered is not None and answered < 1:
            parts.append(f"{1 - answered:.0%} of rows have no spoken reply")
        if self.note:
            parts.append(printable(self.note))
        return "; ".join(parts)

    def _estimated(self) -> dict[str, Any]:
        return self.to_dict()


def _rate(value: float | None, ends: Ends | None) -> str:
    if value is None:
        return "n/a"
    return f"{value:.2f}" + (f" [{ends[0]:.2f}..{ends[1]:.2f}]" if ends is not None else "")


@public
def pass_at(
    rows: Iterable[Any], k: int | None = None, min_k: int = ROLLOUTS_PER_TASK, unanimous_short: bool = False
) -> PassAt:
    """Compute pass@1, pass^k and pass@k from graded rows, grouped by `task_key`.

    Only rows whose `reward` (else `qwen_reward`) is exactly 0 or 1 count; fractions are counted in `n_partial`,
    unjudged rows are skipped. `k` is the draw size, by default the smallest group of two or more repeats; groups
    with fewer than `k` are left out of the k-way numbers. Below `min_k` those are None with a note. With
    `unanimous_short=True` a shorter group whose labels all agree counts as if it stayed so. `k` below 1 is a
    `ValueError`; rows that are no iterable of dicts a `TypeError`.

    >>> import whileai.simulations as wai
    >>> rows = [{"task_id": t, "reward": r} for t in "abcd" for r in (1, 1, 0, 1)]
    >>> wai.pass_at(rows).pass_at_1
    0.75
    """
    tally = PassTally()
    tally.add(RowTable(rows, tally.index))
    return tally.result(k=k, min_k=min_k, unanimous_short=unanimous_short)


class PassTally:
    """What pass rates need to know of rows, gathered over any number of batches.

    Tables added must have been made with this tally's `index`. Memory grows with the tasks, not with the rows.
    """

    def __init__(self) -> None:
        self.index = Tasks()
        self.sums = TaskSums()
        self.config = RunConfig()
        self.n_partial = 0
        self._grades = OneValue()
        self._verdicts = FailedJudge()

    def add(self, table: RowTable) -> None:
        """Add the rows of one table."""
        binary = table.binary
        self.sums.add(table.tasks[binary], table.labels[binary])
        self.n_partial += int((table.graded & ~binary).sum())
        self._grades.add(table.grades[table.graded])
        self.config.add(table)
        if not self.sums.n:
            self._verdicts.add(table)

    def merge(self, other: PassTally, codes: Ints) -> None:
        """Add what another tally gathered of rows that come after; `codes` are its tasks' codes in this `index`."""
        self.sums.merge(other.sums, codes)
        self.config.merge(other.config)
        self.n_partial += other.n_partial
        self._grades.merge(other._grades)
        self._verdicts.merge(other._verdicts)

    def counts(self) -> tuple[Ints, Ints]:
        """`(rollouts, passes)` of every labelled task, in order of first appearance."""
        return self.sums.counts(), self.sums.sums().astype(np.int64)

    def rates(self) -> Floats:
        """Pass rate of every labelled task, in order of first appearance."""
        return self.sums.means()

    def per_task(self) -> dict[str, float]:
        """Pass rate by task key."""
        names = self.index.names
        return dict(zip((names[code] for code in self.sums.codes().tolist()), self.rates().tolist(), strict=True))

    def k_way(self, k: int) -> KWay:
        """The k-way estimates at one draw size."""
        return KWay(*self.counts(), k)

    def result(self, k: int | None = None, min_k: int = ROLLOUTS_PER_TASK, unanimous_short: bool = False) -> PassAt:
        """The pass rates of everything added; arguments as for `pass_at`."""
        given = None if k is None else whole("k", k)
        if not self.sums.n:
            return self._nothing(given or 1)
        n, c = self.counts()
        draw = draw_size(n, given)
        bar = max(1, whole("min_k", min_k))
        ways = KWay(n, c, draw, unanimous_short) if draw >= bar else None
        rates = self.rates()
        power, power_ends = ways.pow_k() if ways else (None, None)
        at, at_ends = ways.at_k() if ways else (None, None)
        notes = [self._grades.note(), k_note(n, draw, bar, given, ways), interval_note(n.size), self._partial_note()]
        return PassAt(
            k=draw,
            pass_at_1=float(rates.mean()),
            pass_pow_k=power,
            pass_at_k=at,
            n_groups=n.size,
            n_rows=self.sums.n,
            n_groups_at_k=ways.powers.size if ways else 0,
            n_groups_imputed=ways.n_imputed if ways else 0,
            n_partial=self.n_partial,
            per_task=self.per_task(),
            note="; ".join(note for note in notes if note),
            config=self.config.to_dict(n_tasks=n.size, k=draw),
            ci95=interval_of(rates, n),
            pass_pow_k_ci95=power_ends,
            pass_at_k_ci95=at_ends,
        )

    def _nothing(self, k: int) -> PassAt:
        missing = self._verdicts.note() or "no row has a 0/1 reward: grade the rows first"
        notes = [self._grades.note(), missing, self._partial_note()]
        return PassAt(
            k=k,
            pass_at_1=None,
            pass_pow_k=None,
            pass_at_k=None,
            n_groups=0,
            n_rows=0,
            n_partial=self.n_partial,
            note="; ".join(note for note in notes if note),
            config=self.config.to_dict(n_tasks=0, k=k),
        )

    def _partial_note(self) -> str:
        if not self.n_partial:
            return ""
        rows = "row has a reward" if self.n_partial == 1 else "rows have a reward"
        return f"{self.n_partial} {rows} other than 0 or 1 and not in the number: criteria of kind='hard' give 0/1"
