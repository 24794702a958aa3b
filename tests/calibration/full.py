"""Measure the coverage of the pass-rate intervals on the full grid and write the table of the docs.

    python tests/calibration/full.py [--runs 2000] [--processes 2] [--write docs/calibration.md]

About 15 minutes on two cores. Exit status 1 when a bar of the table is missed.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import pathlib
import sys
from collections.abc import Callable, Sequence

import cells
from cells import Cell, Measured

HEAD = """# Do the intervals hold what they say?

An interval that claims 95% should hold the truth in 95 of 100 evaluations. Each row below draws thousands of
evaluations from known truths (task difficulties all equal, spread as Beta with a + b = 10, 2 and .6, all-or-nothing,
four fifths easy and one fifth hard) and counts how often the library's interval holds it. `least` is the worst cell of
the grid, with its Monte Carlo error; `bar` is what the method has to reach. A cell close to its bar is measured again
with ten times the runs.

Made by `python tests/calibration/full.py --write docs/calibration.md` ({runs} runs a cell); the test run measures a
smaller grid (`tests/calibration/test_coverage.py`).

| what | cells | least | mean | bar | |
| --- | --- | --- | --- | --- | --- |
"""


def _settled(task: tuple[Cell, int, float]) -> Measured:
    cell, runs, bar = task
    return next(cells.settle([cell], runs, lambda _: bar))


def _measure(
    pool: concurrent.futures.Executor, grid: Sequence[Cell], runs: int, bar: Callable[[Cell], float]
) -> list[Measured]:
    tasks = [(cell, runs, bar(cell)) for cell in grid]
    return list(pool.map(_settled, tasks, chunksize=8))


def _row(what: str, found: list[Measured], bar: float) -> tuple[str, bool]:
    worst = min(found, key=lambda m: m.coverage)
    missed = [m for m in found if cells.below_bar(m, bar)]
    mean = sum(m.coverage for m in found) / len(found)
    verdict = "reached" if not missed else f"missed in {len(missed)}"
    return (
        f"| {what} | {len(found)} | {worst.coverage:.3f} ± {worst.error:.3f} | {mean:.3f} | {bar:g} | {verdict} |",
        not missed,
    )


def _extreme(cell: Cell) -> bool:
    return not 0.05 <= cells.truth_of(cell) <= 0.95


def _k_way(pool: concurrent.futures.Executor, runs: int) -> list[tuple[str, bool]]:
    full = cells.k_way_cells((3, 5, 10, 30, 100, 300), [(4, 4), (8, 8)])
    part = cells.k_way_cells((3, 5, 10, 30, 100, 300), [(4, 8), (4, 16), (8, 16), (2, 8)])
    middle = [cell for cell in part if not _extreme(cell)]
    ends = [cell for cell in part if _extreme(cell)]
    return [
        _row("pass^k and pass@k, k = n (4, 8)", _measure(pool, full, runs, lambda _: 0.94), 0.94),
        _row("pass^k and pass@k, k < n, truth .05 to .95", _measure(pool, middle, runs, lambda _: 0.935), 0.935),
        _row("pass^k and pass@k, k < n, truth beyond", _measure(pool, ends, runs, lambda _: 0.90), 0.90),
    ]


def _line(what: str, n: int, measured: str, bar: str, held: bool) -> tuple[str, bool]:
    return f"| {what} | {n} | {measured} | | {bar} | {'reached' if held else 'missed'} |", held


def _widths(found: list[Measured]) -> list[tuple[str, bool]]:
    lines = []
    for tasks in (5, 10, 20, 50, 300):
        chosen = [m for m in found if m.cell.tasks == tasks and 0.3 <= m.cell.mean <= 0.7]
        ratio = sum(m.width for m in chosen) / sum(m.t_width for m in chosen)
        what = f"mean width against the t interval, {tasks} tasks, means .3 to .7"
        lines.append(_line(what, len(chosen), f"{ratio:.2f}", "≤ 1.1", ratio <= 1.1))
    for tasks, want in ((3, 0.83), (5, 0.63), (10, 0.40), (30, 0.21), (100, 0.11)):
        width = sum(cells.measure(cell, 2000).width for cell in cells.five_truths(tasks)) / 5
        what = f"mean width, {tasks} tasks of 4 rollouts, five truths with means .1 to .9"
        lines.append(_line(what, 5, f"{width:.2f}", f"≤ {1.15 * want:.2f}", width <= 1.15 * want))
    least = min(m.least_width for m in found)
    lines.append(_line("least width of any interval", len(found), f"{least:.4f}", "> 0", least > 0))
    return lines


def _skewed(runs: int) -> list[tuple[str, bool]]:
    lines = []
    for sigma, bars in ((0.6, (0.89, 0.92, 0.92)), (1.0, (0.86, 0.89, 0.90))):
        for tasks, bar in zip((10, 20, 50), bars, strict=True):
            share, error = cells.skewed_coverage(sigma, tasks, runs)
            what = f"mean of log-normal values, sigma {sigma:g}, {tasks} tasks"
            lines.append(_line(what, 1, f"{share:.3f} ± {error:.3f}", f"{bar:g}", share >= bar - 3 * error))
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    with concurrent.futures.ProcessPoolExecutor(options.processes) as pool:
        plain = _measure(pool, cells.pass_rate_cells(), options.runs, lambda _: 0.94)
        lines = [
            _row("pass@1: 3 to 300 tasks; 1, 2, 4, 8, 16 and 1 to 8 rollouts; means .02 to .98", plain, 0.94),
            *_k_way(pool, options.runs),
            *_widths(plain),
            *_skewed(10 * options.runs),
        ]
    text = HEAD.format(runs=options.runs) + "\n".join(line for line, _ in lines) + "\n"
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")
    return 0 if all(held for _, held in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
