"""Measure the corrected pass rate on the full grid, and write its section of the docs.

    python tests/calibration/full_corrected.py [--runs 1000] [--processes 2] [--quick]
        [--write docs/calibration-judge-trust.md]

About 15 minutes on two cores, 1 with --quick (the grid of the test). Exit status 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import math
import pathlib
import sys

import corrected_cells
from corrected_cells import MeasuredCorrection

TITLE = "## Does the corrected pass rate hold the truth?"
HEAD = """{title}

A judge passes what is right and what is wrong with known chances (`judge`, in this order), a few rows carry a person's
label, and `corrected_pass_rate` is asked for the rate and its 95% interval. Labels are drawn evenly over the rows, half
of them of either verdict, as whole tasks, or judged failures four times likelier with the chances recorded. `cells` are
numbers of tasks and labels and truths, 4 rollouts a task; `bias` is the largest, `width / labels alone` how much the
judge narrows the interval that the labels give by themselves, `refused` the share of fair samples called unfair.

Made by `python tests/calibration/full_corrected.py --write docs/calibration-judge-trust.md{quick}` ({runs} reports a
cell, ten times as many where those leave it open).

| labels drawn | judge | cells | least coverage | mean | bar | bias | width / labels alone | refused | |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def _line(draw: str, judge: tuple[float, float], found: list[MeasuredCorrection]) -> tuple[str, bool]:
    worst = min(found, key=lambda m: m.coverage)
    mean = sum(m.coverage for m in found) / len(found)
    bias = max(abs(m.bias) for m in found)
    ratio = sum(m.width for m in found) / sum(m.gold_width for m in found)
    refused = sum(m.refused_draws for m in found) / len(found)
    held = all(m.reached() for m in found)
    cells = (
        draw,
        f"{judge[0]:.0%} / {judge[1]:.0%}",
        str(len(found)),
        f"{worst.coverage:.3f} ± {worst.error:.3f}",
        f"{mean:.3f}",
        f"{corrected_cells.BAR:g}",
        f"{bias:.3f}",
        f"{ratio:.2f}",
        f"{refused:.4f}",
        "reached" if held else "missed",
    )
    return f"| {' | '.join(cells)} |", held


def _quick_cells() -> list[corrected_cells.CorrectedCell]:
    return corrected_cells.corrected_cells(tasks=[100], gold=[20, 100], truths=[(0.5, 2.0), (0.3, math.inf)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    cells = _quick_cells() if options.quick else corrected_cells.corrected_cells()
    grid = [*cells, *corrected_cells.lopsided_cells()]
    with concurrent.futures.ProcessPoolExecutor(options.processes) as pool:
        settle = functools.partial(corrected_cells.settle_correction, runs=options.runs)
        found = list(pool.map(settle, grid, chunksize=4))
    lines = [HEAD.format(title=TITLE, quick=" --quick" if options.quick else "", runs=options.runs)]
    every = True
    for draw in corrected_cells.DRAWS:
        for judge in sorted({m.cell.judge for m in found if m.cell.draw == draw}, reverse=True):
            line, held = _line(draw, judge, [m for m in found if (m.cell.draw, m.cell.judge) == (draw, judge)])
            every &= held
            lines.append(line)
    text = "\n".join(lines) + "\n"
    print(text)
    if options.write:
        above = options.write.read_text(encoding="utf-8").partition(TITLE)[0].rstrip("\n")
        options.write.write_text(f"{above}\n\n{text}", encoding="utf-8")
    return 0 if every else 1


if __name__ == "__main__":
    sys.exit(main())
