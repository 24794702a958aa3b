"""Measure false alarms, coverage and power of the comparisons, and write the table of the docs.

    python tests/calibration/full_compare.py [--runs 4000] [--processes 2] [--write docs/calibration-comparisons.md]

About 30 minutes on two cores. Exit status 1 when a bar of the table is missed.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import combined_cells as combined
import compare_cells as compare
import power_cells
from compare_cells import NULLS, Share

HEAD = """# Do the comparisons raise false alarms, and what do they find?

Pairs of runs are drawn from known truths, 4 rollouts a task unless said, and the library's comparison is asked for a
verdict at 0.05. `false alarm` rows have no difference to find, `power` rows do. `measured` is the worst cell of a row,
with its Monte Carlo error.

Made by `python tests/calibration/full_compare.py --write docs/calibration-comparisons.md` ({runs} pairs a cell).

| what | cells | measured | bar | |
| --- | --- | --- | --- | --- |
"""
UNPAIRED_NULLS = [name for name in NULLS if name != "easy and hard"]
Job = tuple[Callable[..., Any], tuple[Any, ...]]


class Table:
    """Rows of the table, each from jobs that run in other processes."""

    def __init__(self, pool: concurrent.futures.Executor) -> None:
        self._pool = pool
        self._rows: list[tuple[str, list[concurrent.futures.Future[Any]], str, float | None]] = []

    def row(self, what: str, jobs: list[Job], bar: str, value: float | None) -> None:
        self._rows.append((what, [self._pool.submit(call, *arguments) for call, arguments in jobs], bar, value))

    def lines(self) -> list[tuple[str, bool]]:
        return [_line(what, [job.result() for job in jobs], bar, value) for what, jobs, bar, value in self._rows]


def _line(what: str, found: list[Any], bar: str, value: float | None) -> tuple[str, bool]:
    shares = [share for each in found for share in (each.values() if isinstance(each, dict) else [each])]
    if isinstance(shares[0], int):
        total = sum(shares)
        return f"| {what} | {len(shares)} | {total} | {bar} | {'reached' if not total else 'missed'} |", not total
    most = bar.startswith("≤")
    worst = (max if most or value is None else min)(shares, key=lambda share: share.share)
    held = value is None or (worst.at_most(value) if most else worst.at_least(value))
    said = "" if value is None else "reached" if held else "missed"
    return f"| {what} | {len(shares)} | {worst.share:.3f} ± {worst.error:.3f} | {bar} | {said} |", held


def _paired(table: Table, runs: int) -> None:
    for n in (5, 6, 8, 10, 20, 50, 150):
        jobs: list[Job] = [(_null, (name, n, runs)) for name in NULLS]
        table.row(f"paired, false alarm, {n} tasks, five truths", jobs, "≤ .06", 0.06)
    for n in (5, 6, 10, 20):
        table.row(
            f"paired, values without ties, {n} tasks", [(_untied, (kind, n, runs)) for kind in (0, 1)], "≤ .07", 0.07
        )
    for n in (8, 10, 20, 50):
        jobs = [(_coverage, (name, effect, n, runs)) for name in list(NULLS)[:3] for effect in (0.0, 0.1)]
        table.row(f"paired, coverage, {n} tasks, effects 0 and .1", jobs, "≥ .92", 0.92)
    table.row(
        "verdict against p, 20,000 pairs of runs, 3 to 150 tasks", [(compare.contradictions, (20_000,))], "0", None
    )


def _power(table: Table, runs: int) -> None:
    for n, bar in ((6, 0.10), (8, 0.25), (10, 0.38), (20, 0.74), (30, 0.88)):
        table.row(f"power at +.2, even, {n} tasks", [(_gain, ("even", 0.2, n, runs))], f"≥ {bar:g}", bar)
    for n, bar in ((20, 0.23), (50, 0.55), (100, 0.85), (150, 0.94)):
        table.row(f"power at +.1, even, {n} tasks", [(_gain, ("even", 0.1, n, runs))], f"≥ {bar:g}", bar)
    for n, bar in ((10, 0.25), (20, 0.60), (50, 0.93)):
        table.row(f"power at +.2 by few tasks, {n} tasks", [(_gain, ("few", 0.2, n, runs))], f"≥ {bar:g}", bar)
    cells: list[Job] = [(_sized, (cell, runs)) for cell in power_cells.power_cells()]
    table.row("power at n_tasks_small, effects .05 to .5, k 1, 4, 8, least", cells, "≥ .76", 0.76)
    cells = [(_one_fewer, (cell, runs)) for cell in power_cells.power_cells() if not cell.fills_room]
    table.row("the same with one task fewer, most", cells, "≤ .84", 0.84)


def _others(table: Table, runs: int) -> None:
    for n in (3, 5, 8, 20, 50, 150):
        jobs: list[Job] = [(_these, (name, n, runs)) for name in list(NULLS)[:3]]
        table.row(f"p_value_these_tasks, false alarm, {n} tasks", jobs, "≤ .06", 0.06)
    sizes = ((3, 3), (5, 5), (10, 10), (20, 20), (50, 50), (3, 10), (5, 20))
    jobs = [(_unpaired, (name, a, b, 3 * runs)) for name in UNPAIRED_NULLS for a, b in sizes]
    table.row("unpaired, false alarm, 3 v 3 to 50 v 50, 3 v 10, 5 v 20, four truths", jobs, "≤ .065", 0.065)
    jobs = [(_unpaired, ("easy and hard", a, b, runs)) for a, b in sizes]
    table.row("the same where a fifth of the tasks are hard (beyond the method)", jobs, "", None)
    jobs = [(combined.floor, ("", n, drift, runs)) for n in (20, 50, 150) for drift in (0.0, 0.02, 0.04)]
    table.row("re-run floor combined, false alarm, drift 0 to .04", jobs, "≤ .075", 0.075)
    table.row(
        "re-run floor combined, power at +.1, 50 tasks", [(combined.floor, ("", 50, 0.0, runs, 0.1))], "≥ .30", 0.30
    )
    jobs = [
        (combined.seeds, ("", 50, n, arms, sd, runs)) for n in (3, 5) for arms in (1, 2) for sd in (0.0, 0.03, 0.06)
    ]
    table.row("seeds combined, false alarm, 3 and 5 seeds, sd 0 to .06", jobs, "≤ .075", 0.075)
    for sd, bar in ((0.0, 0.65), (0.03, 0.55), (0.06, 0.36)):
        jobs = [(combined.seeds, ("", 50, 3, 1, sd, runs, 0.1))]
        table.row(f"seeds combined, power at +.1, 3 seeds, sd {sd:g}", jobs, f"≥ {bar:g}", bar)
    for method, bar in (("unadjusted", None), ("Holm", 0.06), ("max statistic", 0.06)):
        jobs = [(_family, (method, correlation, runs)) for correlation in (0.0, 0.5, 0.9)]
        table.row(f"10 markers, any false flag, {method}", jobs, "≤ .06" if bar else "", bar)


def _null(name: str, n: int, runs: int) -> Share:
    return compare.verdicts(name, NULLS[name], n, runs)


def _untied(kind: int, n: int, runs: int) -> Share:
    return compare.untied("", compare.UNTIED[kind], n, runs)


def _coverage(name: str, effect: float, n: int, runs: int) -> Share:
    return compare.shifted_coverage(name, NULLS[name], effect, n, runs)


def _gain(how: str, gain: float, n: int, runs: int) -> Share:
    draw = compare.gained_evenly(gain) if how == "even" else compare.gained_by_few(gain)
    return compare.verdicts(how, draw, n, runs)


def _sized(cell: power_cells.PowerCell, runs: int) -> Share:
    return Share("", power_cells.measure_power(cell, runs).power, runs)


def _one_fewer(cell: power_cells.PowerCell, runs: int) -> Share:
    return Share("", power_cells.measure_power(cell, runs, fewer=1, salt=1).power, runs)


def _these(name: str, n: int, runs: int) -> Share:
    return compare.these_tasks(name, NULLS[name], n, runs)


def _unpaired(name: str, n_a: int, n_b: int, runs: int) -> Share:
    return compare.unpaired(name, NULLS[name], n_a, n_b, runs)


def _family(method: str, correlation: float, runs: int) -> Share:
    return combined.family(correlation, runs)[method]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    with concurrent.futures.ProcessPoolExecutor(options.processes) as pool:
        table = Table(pool)
        for part in (_paired, _power, _others):
            part(table, options.runs)
        lines = table.lines()
    text = HEAD.format(runs=options.runs) + "\n".join(line for line, _ in lines) + "\n"
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")
    return 0 if all(held for _, held in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
