"""Whole tasks that carry little or no gradient."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from whileai.simulations.arguments import whole
from whileai.simulations.reports import Report, wrapped
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.optimize.account import account_lines
from whileai.simulations.score.optimize.arguments import checked_band
from whileai.simulations.score.optimize.rates import MIN_K, Rate, measured_rates, task_rates
from whileai.simulations.score.optimize.reasons import TOO_EASY, TOO_HARD, UNANIMOUS, rl_words
from whileai.simulations.score.optimize.rewards import vote_notes
from whileai.simulations.score.optimize.signal import HIGH, LOW, group_signal
from whileai.simulations.signature import public


@public
def trim_unanimous_groups(rows: Iterable[Any], min_k: int = MIN_K) -> tuple[list[Any], Report]:
    """The rows less every task whose rollouts all passed or all failed, and what is left of the signal.

    A task goes whole, its ungraded rows too, when it has at least `min_k` labels (2 at the least) and they agree:
    such a group has no gradient. Smaller groups stay, as they show no contrast either way. The rows kept are the same
    objects in order. The report: `n`, `n_kept`, `n_dropped`, `n_groups_dropped` and `signal`, `group_signal` of what
    is kept.

    >>> rows = [{"task_id": t, "reward": r} for t, r in [("a", 1), ("a", 1), ("b", 1), ("b", 0)]]
    >>> kept, report = trim_unanimous_groups(rows)
    >>> print(report)
    unanimous tasks dropped: 1
       4  rows given
      -2  all rollouts of the task agree
      =2  kept
    """
    table = RowTable(rows)
    gone = unanimous_tasks(measured_rates(table), _least(min_k))
    kept = without_tasks(table, gone)
    values = {
        "n": len(table),
        "n_kept": len(kept),
        "n_dropped": len(table) - len(kept),
        "n_groups_dropped": len(gone),
        "signal": dict(group_signal(kept)),
    }
    return kept, unanimous_report(values, vote_notes(table))


def unanimous_report(values: dict[str, Any], notes: list[str]) -> Report:
    """The keys of `trim_unanimous_groups` as its report, with these notes on the rewards."""
    return Report(values, show=partial(_unanimous_text, notes=notes))


def _unanimous_text(report: Mapping[str, Any], notes: list[str]) -> str:
    head = f"unanimous tasks dropped: {report['n_groups_dropped']}"
    return _text(head, report, {UNANIMOUS: report["n_dropped"]}, rl_words(LOW, HIGH), notes)


@public
def trim_out_of_band(
    rows: Iterable[Any], lo: float = LOW, hi: float = HIGH, min_k: int = MIN_K
) -> tuple[list[Any], Report]:
    """The rows less every task that the policy solves too often or too seldom to learn much from.

    A task goes whole when its pass rate is above `hi` (too easy) or below `lo` (too hard) and rests on at least
    `min_k` rollouts (2 at the least). Rates of exactly 0 and 1 are `trim_unanimous_groups`'s and stay. The rate is
    that of the 0/1 labels; a task without any may carry one, as `pass_rate` and `n` or under `calibration` (without
    an `n` it is taken at its word). The band: Lambert 2025, chapter Reasoning; DAPO, arXiv:2503.14476.

    The report: `n`, `n_kept`, `n_dropped`, `n_groups_dropped`, `too_easy` and `too_hard` (tasks), `from_rates` (tasks
    whose rate was carried), `band`. A band that is none is a `ValueError`.

    >>> rows = [{"task_id": "a", "reward": int(i == 0)} for i in range(8)] + [{"task_id": "b", "pass_rate": 0.5}]
    >>> kept, report = trim_out_of_band(rows)
    >>> kept, report["too_hard"], report["from_rates"]
    ([{'task_id': 'b', 'pass_rate': 0.5}], 1, 1)
    """
    low, high = checked_band(lo, hi)
    table = RowTable(rows)
    rates = task_rates(table)
    gone = out_of_band(rates, low, high, _least(min_k))
    kept = without_tasks(table, gone)
    values = {
        "n": len(table),
        "n_kept": len(kept),
        "n_dropped": len(table) - len(kept),
        "n_groups_dropped": len(gone),
        TOO_EASY: sum(reason == TOO_EASY for reason in gone.values()),
        TOO_HARD: sum(reason == TOO_HARD for reason in gone.values()),
        "from_rates": sum(rate.carried for rate in rates.values()),
        "band": [low, high],
    }
    return kept, band_report(values, rows_of_tasks(table, gone), vote_notes(table))


def band_report(values: dict[str, Any], dropped: Mapping[str, int], notes: list[str]) -> Report:
    """The keys of `trim_out_of_band` as its report, with the rows dropped by reason and these notes on the rewards."""
    return Report(values, show=partial(_band_text, dropped=dropped, notes=notes))


def _band_text(report: Mapping[str, Any], dropped: Mapping[str, int], notes: list[str]) -> str:
    low, high = report["band"]
    head = f"tasks out of band {low:g}..{high:g}: {report[TOO_EASY]} too easy, {report[TOO_HARD]} too hard"
    return _text(head, report, dropped, rl_words(low, high), notes)


def unanimous_tasks(rates: Mapping[int, Rate], least: int) -> dict[int, str]:
    """The tasks whose labels, `least` or more, all agree."""
    return {code: UNANIMOUS for code, rate in rates.items() if rate.unanimous and (rate.n or 0) >= least}


def out_of_band(rates: Mapping[int, Rate], low: float, high: float, least: int = MIN_K) -> dict[int, str]:
    """The tasks outside the band, each with the side it is on; unanimous ones are none of them."""
    return {
        code: TOO_EASY if rate.value > high else TOO_HARD
        for code, rate in rates.items()
        if not (rate.unanimous or low <= rate.value <= high) and (rate.n is None or rate.n >= least)
    }


def without_tasks(table: RowTable, gone: Mapping[int, str]) -> list[Any]:
    """The rows of a table less those of some tasks, in order."""
    if not gone:
        return list(table.rows)
    return [row for row, code in zip(table.rows, table.tasks.tolist(), strict=True) if code not in gone]


def rows_of_tasks(table: RowTable, gone: Mapping[int, str]) -> dict[str, int]:
    """How many rows of a table go with some tasks, by the reason of each."""
    counts = dict.fromkeys(gone.values(), 0)
    for code in table.tasks.tolist() if gone else ():
        if code in gone:
            counts[gone[code]] += 1
    return counts


def _least(min_k: Any) -> int:
    return max(MIN_K, whole("min_k", min_k))


def _text(
    head: str, report: Mapping[str, Any], dropped: Mapping[str, int], words: Mapping[str, str], notes: list[str]
) -> str:
    account = {"given": report["n"], "dropped": dropped, "kept": report["n_kept"]}
    return "\n".join(
        [head, *account_lines(account, words, "kept"), *(line for note in notes for line in wrapped(f"! {note}"))]
    )
