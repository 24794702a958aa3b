"""Measure the corrected pass rate on the full grid and print its table.

    python tests/calibration/full_corrected.py [--runs 1000] [--processes 2]

About 15 minutes on two cores. Exit status 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import sys

import corrected_cells
from corrected_cells import MeasuredCorrection

HEAD = """| labels drawn | judge | cells | least coverage | mean | bar | bias | width / labels alone | refused | |
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    grid = [*corrected_cells.corrected_cells(), *corrected_cells.lopsided_cells()]
    with concurrent.futures.ProcessPoolExecutor(options.processes) as pool:
        settle = functools.partial(corrected_cells.settle_correction, runs=options.runs)
        found = list(pool.map(settle, grid, chunksize=4))
    print(HEAD)
    every = True
    for draw in corrected_cells.DRAWS:
        for judge in sorted({m.cell.judge for m in found if m.cell.draw == draw}, reverse=True):
            line, held = _line(draw, judge, [m for m in found if (m.cell.draw, m.cell.judge) == (draw, judge)])
            every &= held
            print(line)
    return 0 if every else 1


if __name__ == "__main__":
    sys.exit(main())
