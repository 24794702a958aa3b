"""What is the pass rate, when a judge graded every row and people labelled some?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from whileai.simulations.defaults import CI_LEVEL, MIN_CI_TASKS
from whileai.simulations.kernels.corrected import Bools, Corrected, Sample, corrected_rate, draw_p_value, task_means
from whileai.simulations.reports import Report, counted, interval_text, number_text, printable, wrapped
from whileai.simulations.rows.table import Floats, RowTable
from whileai.simulations.rows.values import finite
from whileai.simulations.score.labels.kinds import MEASUREMENTS, gold_kinds, kind_warnings, one_kind
from whileai.simulations.score.labels.label import GOLD, exact_labels
from whileai.simulations.signature import public

CHANCE = "gold_chance"
MIN_OF_VERDICT = 10  # labelled rows of each verdict; convention, intervals.md section 7
MIN_CHANCE = 1e-9  # least chance of a row to be drawn for labelling; convention, smaller ones are mistakes
DRAW_P_MIN = 0.005  # p of a draw by chance below which labels are refused; convention, about as often wrong
_PLACES = 4


class _Read(NamedTuple):
    """The rows with a verdict as a sample, with what was known of the chances: a reason where they cannot be used."""

    sample: Sample
    has_chances: bool
    trouble: str | None

    def labelled(self, verdict: bool) -> int:
        return int((self.sample.judge[self.sample.labelled] == verdict).sum())

    @property
    def n_gold_tasks(self) -> int:
        return int(np.unique(self.sample.tasks[self.sample.labelled]).size)


@public
def corrected_pass_rate(
    rows: Iterable[Any], gold: str = GOLD, chance: str = CHANCE, allow_model_gold: bool = False
) -> Report:
    """The pass rate that the gold labels stand for, from a judge's 0/1 rewards on all rows and labels on some.

    A judge's own rate carries its mistakes; labels alone are few. Both together (prediction-powered inference,
    Angelopoulos et al. 2023, arXiv:2301.09633) give the mean over tasks with the judge's mistakes taken out, and an
    interval that is narrower the better the judge. Labelled rows must have been drawn by chance, at most depending on
    the verdict; where some rows were likelier than others, the row key `chance` says how likely each was.

    Keys: `pass_rate` and `ci95` (95%, over tasks), None when the labels cannot carry them, and `reason` then says
    why; `judge_pass_rate` and `judge_bias`, how far that is above; `judge_weight`, from 0 (no use) to 1; `n_rows` with
    a verdict on `n_tasks`, `n_gold` of them labelled on `n_gold_tasks`, `n_gold_judge_pass` and `n_gold_judge_fail` (10
    of each are needed); `n_left_out`, rows without a 0/1 reward; `weights`, `chance` or `verdict`; `gold_kind`, `ok`
    and `warnings` as in `judge_agreement`, `ok` being false without a rate.

    >>> truth = [(r, 1 if r and i % 5 else 0) for i in range(40) for r in (1, 0)]
    >>> rows = [{"task_id": i // 4, "reward": r, "gold_reward": g} for i, (r, g) in enumerate(truth)]
    >>> for row in rows[40:]:
    ...     del row["gold_reward"]
    >>> report = corrected_pass_rate(rows)
    >>> report["judge_pass_rate"], report["pass_rate"], [round(end, 2) for end in report["ci95"]]
    (0.5, 0.4, [0.27, 0.55])
    """
    table = RowTable(rows)
    gold_labels, judged = exact_labels(table.column(gold)), table.binary
    labelled = judged & ~np.isnan(gold_labels)
    read = _read(table, gold_labels, labelled, chance)
    reason = _refusal(read, gold, chance)
    found = None if reason else corrected_rate(read.sample, CI_LEVEL)
    kinds = gold_kinds(table, labelled)
    other_kinds = set() if allow_model_gold else kinds - MEASUREMENTS
    values = {
        **_rates(read.sample, found),
        "reason": reason,
        "n_tasks": int(read.sample.tasks.max(initial=-1)) + 1,
        "n_rows": int(judged.sum()),
        "n_gold": int(labelled.sum()),
        "n_gold_tasks": read.n_gold_tasks,
        "n_gold_judge_pass": read.labelled(True),
        "n_gold_judge_fail": read.labelled(False),
        "n_left_out": len(table) - int(judged.sum()),
        "weights": "chance" if read.has_chances else "verdict",
        "gold_kind": one_kind(kinds),
        "ok": found is not None and not other_kinds,
        "warnings": list(kind_warnings(other_kinds)),
    }
    return Report(values, show=format_corrected)


def _read(table: RowTable, gold: Floats, labelled: Bools, chance: str) -> _Read:
    places = np.flatnonzero(table.binary)
    held = [table.rows[place].get(chance) for place in np.flatnonzero(labelled).tolist()]
    recorded = any(value is not None for value in held)
    read = [finite(value) for value in held]
    wrong = sum(value is None or not MIN_CHANCE <= value <= 1 for value in read)
    chances, trouble = np.ones(len(table)), None
    if recorded and wrong:
        trouble = (
            f"{wrong} of {counted(len(held), 'labelled row')} without a {printable(chance, 40)} above 0 and at most 1: "
            "record for each how likely it was to be drawn for labelling, or drop the key from all"
        )
    elif recorded:
        chances[labelled] = read
    _, codes = np.unique(table.tasks[places], return_inverse=True)
    sample = Sample(codes, table.labels[places] == 1, labelled[places], gold[places] == 1, chances[places])
    return _Read(sample, recorded, trouble)


def _refusal(read: _Read, gold: str, chance: str) -> str | None:
    """Why the labels cannot carry a corrected rate; None when they can."""
    if not read.sample.judge.size:
        return "no row has a 0/1 reward (a boolean is none): grade the rows with run_judge or evaluate"
    if not read.sample.labelled.any():
        return f"no graded row has a 0/1 label in {printable(gold, 40)}: label a sample with attach_labels"
    for verdict, word in ((True, "passed"), (False, "failed")):
        if (n := read.labelled(verdict)) < MIN_OF_VERDICT:
            return (
                f"{counted(n, 'labelled row')} that the judge {word}, {MIN_OF_VERDICT} are needed: draw "
                f"{MIN_OF_VERDICT - n} more of its {'passes' if verdict else 'failures'} and label them"
            )
    if read.n_gold_tasks < MIN_CI_TASKS:
        return f"labels on {counted(read.n_gold_tasks, 'task')}, {MIN_CI_TASKS} are needed: label rows of more tasks"
    if read.trouble or read.has_chances:
        return read.trouble
    p_value = draw_p_value(read.sample)
    if p_value is not None and p_value < DRAW_P_MIN:
        return (
            f"the labelled rows are of tasks the judge passes more or less often than the rest (p {p_value:.2g}): they "
            f"were not drawn by chance; draw anew, or record in {printable(chance, 40)} how likely each was to be drawn"
        )
    return None


def _rates(sample: Sample, found: Corrected | None) -> dict[str, Any]:
    judge_rate = _mean_over_tasks(sample)
    values = {
        "pass_rate": None,
        "ci95": None,
        "judge_pass_rate": None if judge_rate is None else round(judge_rate, _PLACES),
        "judge_bias": None,
        "judge_weight": None,
    }
    if found is None or judge_rate is None:
        return values
    return values | {
        "pass_rate": round(found.rate, _PLACES),
        "ci95": tuple(found.interval),
        "judge_bias": round(judge_rate - found.rate, _PLACES),
        "judge_weight": round(found.judge_weight, _PLACES),
    }


def _mean_over_tasks(sample: Sample) -> float | None:
    if not sample.judge.size:
        return None
    return float(task_means(sample.tasks, sample.judge.astype(float)).mean())


def format_corrected(report: Mapping[str, Any]) -> str:
    """The corrected rate with its interval beside the judge's own, what they rest on, the reason or the warnings."""
    labels = f"{counted(report['n_gold'], 'label')} on {counted(report['n_gold_tasks'], 'task')}"
    lines = [
        f"pass rate {number_text(report['pass_rate'])} {interval_text(report['ci95'])}, judge alone "
        f"{number_text(report['judge_pass_rate'])}",
        f"{counted(report['n_rows'], 'row')} on {counted(report['n_tasks'], 'task')}, {labels} "
        f"({report['n_gold_judge_pass']} judged pass, {report['n_gold_judge_fail']} judged fail; "
        f"gold: {printable(report['gold_kind'] or 'none', 40)})",
    ]
    if report["n_left_out"]:
        lines.append(f"left out: {counted(report['n_left_out'], 'row')} without a 0/1 reward")
    for problem in [*([f"no corrected rate: {report['reason']}"] if report["reason"] else []), *report["warnings"]]:
        lines += wrapped(f"! {problem}")
    return "\n".join(lines)
