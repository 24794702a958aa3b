"""Does the judge agree with labels you trust?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.defaults import CI_LEVEL, MAX_GOLD_ASK, MIN_GOLD
from whileai.simulations.kernels.agreement import Confusion, confusion, kappa, kappa_interval
from whileai.simulations.kernels.intervals import Interval, wilson
from whileai.simulations.reports import Report, counted, interval_text, number_text, printable, wrapped
from whileai.simulations.rows.table import Floats, RowTable
from whileai.simulations.score.labels.identity import identity
from whileai.simulations.score.labels.kinds import MEASUREMENTS, MODEL, gold_kinds, kind_warnings, one_kind
from whileai.simulations.score.labels.label import GOLD, exact_labels
from whileai.simulations.signature import public

LEAK_THRESHOLD = 0.1  # share of gold failures a judge passes from which that is warned about; convention
_PLACES = 4
Bools = NDArray[np.bool_]


@dataclass
class _Sides:
    """The judge's and the gold label of each row, NaN where it is no 0/1, and the kinds of the gold compared."""

    test: Floats
    gold: Floats
    kinds: set[str] = field(default_factory=set)
    n_unmatched: int = 0

    @property
    def compared(self) -> Bools:
        return ~(np.isnan(self.test) | np.isnan(self.gold))

    def counts(self) -> Confusion:
        both = self.compared
        return confusion(self.test[both] == 1, self.gold[both] == 1)


class Agreement(Report):
    """The report of `judge_agreement`; its intervals are computed from the counts when asked for."""

    @property
    def counts(self) -> Confusion:
        """The confusion counts."""
        return Confusion(**self["confusion"])

    @property
    def ci95(self) -> Interval | None:
        """Interval for `agreement` over rows (Wilson 1927); None when nothing was compared."""
        counts = self.counts
        return wilson(counts.tp + counts.tn, counts.n, CI_LEVEL) if counts.n else None

    @property
    def kappa_ci95(self) -> Interval | None:
        """Interval for `kappa` (Fleiss, Cohen and Everitt 1969); None without it or with one class on both sides."""
        return kappa_interval(self.counts, CI_LEVEL)

    def _estimated(self) -> dict[str, Any]:
        return {**self, "ci95": self.ci95, "kappa_ci95": self.kappa_ci95}


@public
def judge_agreement(
    rows: Iterable[Any],
    gold: str | Iterable[Any] = GOLD,
    reward: str = "reward",
    allow_model_gold: bool = False,
) -> Agreement:
    """Compare the judge's `reward` with a trusted label of the same rollouts.

    `gold` is a column of the same rows, or the rows of a second scoring pass: matched by `rollout_id`, else scenario
    and `rollout_index`, else prompt and `final_text`. Only the numbers 0 and 1 count, on both sides.

    Keys: `n` rows compared, `n_skipped` without a 0/1 on a side, `n_unmatched` without a twin; `agreement`, `kappa`
    (Cohen 1960), `pass_when_gold_fail` (the leak rate), `fail_when_gold_pass`, `judge_pass_rate`, `gold_pass_rate` in
    shares at 4 decimals, None without a denominator; `confusion` with `tp`, `fp`, `fn`, `tn`, the judge being the
    test; `gold_kind`; `ok`, true when rows were compared and a person or a program labelled them (or with
    `allow_model_gold`); `warnings`. The attributes `ci95` and `kappa_ci95` are intervals over rows.

    >>> rows = [{"reward": r, "gold_reward": g, "gold_kind": "human"} for r, g in [(1, 1), (1, 0), (0, 0), (0, 0)]]
    >>> report = judge_agreement(rows)
    >>> report["agreement"], report["kappa"], report["pass_when_gold_fail"], report["ok"]
    (0.75, 0.5, 0.3333, True)
    """
    table = RowTable(rows)
    in_column = isinstance(gold, str)
    sides = _of_column(table, gold, reward) if isinstance(gold, str) else _of_second_pass(table, gold, reward)
    counts = sides.counts()
    other_kinds = set() if allow_model_gold else sides.kinds - MEASUREMENTS
    if counts.n:
        warnings = [*_warnings(counts), *kind_warnings(other_kinds)]
    else:
        warnings = [_missing(sides, gold, reward) if in_column else _no_twins(sides)]
    values = {
        "n": counts.n,
        "n_skipped": int(sides.test.size) - counts.n - sides.n_unmatched,
        "n_unmatched": sides.n_unmatched,
        **_rates(counts),
        "gold_kind": one_kind(sides.kinds),
        "ok": counts.n > 0 and not other_kinds,
        "warnings": warnings,
    }
    return Agreement(values, show=format_agreement)


def _of_column(table: RowTable, gold: str, reward: str) -> _Sides:
    sides = _Sides(exact_labels(table.column(reward)), exact_labels(table.column(gold)))
    sides.kinds = gold_kinds(table, sides.compared)
    return sides


def _of_second_pass(table: RowTable, gold: Iterable[Any], reward: str) -> _Sides:
    other = RowTable(gold)
    twins: dict[str, float] = {}
    for row, label in zip(other.rows, exact_labels(other.column(reward)).tolist(), strict=True):
        twins.setdefault(identity(row), label)
    twins.pop("", None)
    names = [identity(row) for row in table.rows]
    found = np.array([twins.get(name, np.nan) for name in names], dtype=np.float64)
    unmatched = sum(name not in twins for name in names)
    sides = _Sides(exact_labels(table.column(reward)), found, n_unmatched=unmatched)
    if sides.compared.any():
        sides.kinds = {MODEL}
    return sides


def _rates(counts: Confusion) -> dict[str, Any]:
    tp, fp, fn, tn = counts
    chance_corrected = kappa(counts)
    return {
        "agreement": _share(tp + tn, counts.n),
        "kappa": None if chance_corrected is None else round(chance_corrected, _PLACES),
        "confusion": counts._asdict(),
        "pass_when_gold_fail": _share(fp, fp + tn),
        "fail_when_gold_pass": _share(fn, fn + tp),
        "judge_pass_rate": _share(tp + fp, counts.n),
        "gold_pass_rate": _share(tp + fn, counts.n),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, _PLACES) if whole else None


def _warnings(counts: Confusion) -> Iterator[str]:
    if counts.n < MIN_GOLD:
        yield (
            f"only {counted(counts.n, 'label')}: the agreement is coarse below {MIN_GOLD}; "
            f"label {MIN_GOLD} to {MAX_GOLD_ASK} rows"
        )
    failures = counts.fp + counts.tn
    if counts.fp and counts.fp >= LEAK_THRESHOLD * failures:
        yield (
            f"the judge passed {counts.fp} of {failures} gold failures ({counts.fp / failures:.0%}): "
            "training on this reward rewards them; read those rows and tighten the judge"
        )


def _missing(sides: _Sides, gold: Any, reward: str) -> str:
    """Which half of a comparison is missing, and what makes it."""
    rewards, labels = (int((~np.isnan(side)).sum()) for side in (sides.test, sides.gold))
    reward, gold = printable(reward, 40), printable(gold, 40)
    no_reward = f"no row has a 0/1 {reward} (text or a boolean is none): grade the rows with run_judge or evaluate"
    no_gold = f"no row has a 0/1 gold label in {gold}: label a sample with attach_labels"
    if rewards and labels:
        return (
            f"no row has both: {counted(rewards, 'row')} with a 0/1 {reward}, {counted(labels, 'row')} with a 0/1 "
            f"gold label in {gold}, none with the two; label rows that are graded"
        )
    if rewards:
        return no_gold
    return no_reward if labels else f"{no_reward}; {no_gold}"


def _no_twins(sides: _Sides) -> str:
    if sides.n_unmatched == sides.test.size:
        return (
            "nothing matched: no row of the second pass has the rollout_id, the scenario_id and rollout_index, or "
            "the prompt and final_text of a row"
        )
    return "nothing to compare: no matched row has a 0/1 label in both passes"


def format_agreement(report: Mapping[str, Any]) -> str:
    """Agreement and kappa with their intervals, the two kinds of error, what was left out, then the warnings."""
    counts = Confusion(**report["confusion"])
    ends = wilson(counts.tp + counts.tn, counts.n, CI_LEVEL) if counts.n else None
    lines = [
        f"agreement {number_text(report['agreement'])} {interval_text(ends)} on {counted(counts.n, 'row')}"
        f"  kappa {number_text(report['kappa'])} {interval_text(kappa_interval(counts, CI_LEVEL))}"
        f"  gold: {printable(report['gold_kind'] or 'none', 40)}",
        f"passed {counts.fp} of {counts.fp + counts.tn} gold failures, "
        f"failed {counts.fn} of {counts.fn + counts.tp} gold passes",
    ]
    if report["n_skipped"] or report["n_unmatched"]:
        lines.append(f"left out: {report['n_skipped']} without a 0/1 on both sides, {report['n_unmatched']} unmatched")
    for warning in report["warnings"]:
        lines += wrapped(f"! {warning}")
    return "\n".join(lines)
