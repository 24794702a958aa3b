"""What a grouped update can learn from: tasks whose rollouts disagree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from whileai.simulations.defaults import DIFFICULTY_BAND
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.reports import Report, counted, number_text, wrapped
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.optimize.arguments import checked_band
from whileai.simulations.score.optimize.rewards import vote_notes
from whileai.simulations.score.passat import PassAt, pass_at
from whileai.simulations.score.stats.summary import PASS, metric_sums
from whileai.simulations.signature import public

LOW, HIGH = DIFFICULTY_BAND


@public
def group_signal(rows: Iterable[Any], lo: float = LOW, hi: float = HIGH) -> Report:
    """How many tasks have the contrast within them that a grouped update learns from.

    Only 0/1 labels vote. A task with two labels or more is mixed, all zero or all one; a group that agrees has no
    gradient (DAPO, Yu et al. 2025, arXiv:2503.14476). A task with one label cannot mix and is counted apart.

    Keys: `n_groups` (tasks with a label), `n_single`, `n_mixed`, `n_all_zero`, `n_all_one`, `n_in_band` (mixed, with
    a pass rate from `lo` to `hi`, the ends inside), `mixed_rate` (mixed over groups of two or more, None without),
    and `pass_at`'s `k`, `pass_at_1`, `pass_pow_k`, `pass_at_k` and `headroom`.

    >>> passes = {"a": "10", "b": "11", "c": "1"}
    >>> print(group_signal([{"task_id": task, "reward": r} for task, rewards in passes.items() for r in rewards]))
    tasks 3: mixed 1 (in band 1)  all zero 0  all one 1  single 1
    mixed rate 0.500  pass@1 0.833  headroom -
    """
    low, high = checked_band(lo, hi)
    table = RowTable(rows)
    return signal_report(signal_of(metric_sums(table, PASS), pass_at(table.rows), low, high), vote_notes(table))


def signal_report(values: dict[str, Any], notes: list[str]) -> Report:
    """The keys of `group_signal` as its report, with these notes on the rewards."""
    return Report(values, show=partial(_text, notes=notes))


def signal_of(sums: TaskSums, rates: PassAt, low: float, high: float) -> dict[str, Any]:
    """The keys of `group_signal`, of labels summed by task whose pass rates are known."""
    n, p = sums.counts(), sums.means()
    group = n > 1
    mixed = group & (p > 0) & (p < 1)
    n_group, n_mixed = int(group.sum()), int(mixed.sum())
    return {
        "n_groups": n.size,
        "n_single": n.size - n_group,
        "n_mixed": n_mixed,
        "n_all_zero": int((group & (p == 0)).sum()),
        "n_all_one": int((group & (p == 1)).sum()),
        "n_in_band": int(np.count_nonzero(mixed & (p >= low) & (p <= high))),
        "mixed_rate": n_mixed / n_group if n_group else None,
        "k": rates.k,
        "pass_at_1": rates.pass_at_1,
        "pass_pow_k": rates.pass_pow_k,
        "pass_at_k": rates.pass_at_k,
        "headroom": rates.headroom,
    }


def signal_lines(signal: Mapping[str, Any]) -> list[str]:
    """The signal in two lines."""
    return [
        f"tasks {signal['n_groups']:,}: mixed {signal['n_mixed']:,} (in band {signal['n_in_band']:,})  "
        f"all zero {signal['n_all_zero']:,}  all one {signal['n_all_one']:,}  single {signal['n_single']:,}",
        f"mixed rate {number_text(signal['mixed_rate'])}  pass@1 {number_text(signal['pass_at_1'])}  "
        f"headroom {number_text(signal['headroom'])}",
    ]


def _text(report: Mapping[str, Any], notes: list[str]) -> str:
    lines = signal_lines(report)
    if report["n_groups"] and not report["n_mixed"]:
        notes = [f"no mixed group among {counted(report['n_groups'], 'task')}: a grouped update learns nothing", *notes]
    return "\n".join([*lines, *(line for note in notes for line in wrapped(f"! {note}"))])
