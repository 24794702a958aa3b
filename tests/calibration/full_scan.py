"""Measure false claims and power of the reward scan, and write the table of the docs.

    python tests/calibration/full_scan.py [--runs 1000] [--processes 2] [--write docs/calibration-scan.md]

About 20 minutes on two cores. Exit status 1 when a bar of the table is missed.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import pathlib
import sys

import scan_cells
from compare_cells import Share
from scan_cells import NULLS, SHORTCUTS

ALPHA = 0.05
SIZES = ((20, 8), (60, 8), (150, 4))
STRENGTHS = (0.2, 0.4, 0.6)
HEAD = """# Does the reward scan claim what is not there, and does it find what is?

`wai scan` with its default settings, on rollouts of 6 to 21 words with three tools, a marker, bold type and the
phrase "rest assured" in half of them. **False claims**: the reward is a coin whose chance depends on the task alone;
counted is how often anything at all is above the floor, which alpha 0.05 allows in 5 of 100 scans. **Power**: the
chance to pass is the task's own (0.3 to 0.7), higher by half the strength with the shortcut and lower by half without
it; counted is how often a feature that bears the shortcut's name is above the floor, among some 90 others.

The floor is entry ceil(0.95 * 101) = 96 of the 100 sorted shuffle maxima, which chance exceeds in 5 of 101 scans (the
data and its 100 shuffles are alike when nothing is there); entry 95 would be exceeded in 6 of 101. Conjunctions are
chosen again in every shuffle.

Made by `python tests/calibration/full_scan.py --write docs/calibration-scan.md` ({runs} scans a null cell, {few} a
power cell). A bar is reached when the measured share is at most three of its Monte Carlo errors above it.

| false claims | measured | bar | |
| --- | --- | --- | --- |
"""


def _null(shape: scan_cells.Shape, runs: int) -> Share:
    return scan_cells.false_claims(shape, runs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", type=pathlib.Path)
    given = parser.parse_args()
    few = max(1, given.runs // 10)
    with concurrent.futures.ProcessPoolExecutor(given.processes) as pool:
        nulls = [pool.submit(_null, shape, given.runs) for shape in NULLS]
        powers = {
            (shortcut, strength, size): pool.submit(scan_cells.power, shortcut, strength, *size, few)
            for shortcut in SHORTCUTS
            for strength in STRENGTHS
            for size in SIZES
        }
        shares = [job.result() for job in nulls]
        found = {cell: job.result() for cell, job in powers.items()}
    lines = [
        f"| {share.what} | {share.share:.3f} ± {share.error:.3f} | ≤ {ALPHA} | "
        f"{'reached' if share.at_most(ALPHA) else 'missed'} |"
        for share in shares
    ]
    sizes = " | ".join(f"{tasks} tasks x {k}" for tasks, k in SIZES)
    lines += ["", f"| power: what is paid for | strength | {sizes} |", "| --- | --- |" + " --- |" * len(SIZES)]
    for shortcut in SHORTCUTS:
        for strength in STRENGTHS:
            cells = (found[shortcut, strength, size] for size in SIZES)
            measured = " | ".join(f"{share.share:.2f} ± {share.error:.2f}" for share in cells)
            lines.append(f"| {shortcut} | {strength} | {measured} |")
    text = HEAD.format(runs=given.runs, few=few) + "\n".join(lines) + "\n"
    print(text)
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    return 0 if all(share.at_most(ALPHA) for share in shares) else 1


if __name__ == "__main__":
    sys.exit(main())
