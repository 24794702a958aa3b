"""Measure false alarms and power of the trust checks, and write the table of the docs.

    python tests/calibration/full_trust.py [--runs 4000] [--processes 2] [--write docs/calibration-judge-trust.md]

About 5 minutes on two cores. Exit status 1 when a bar of the table is missed.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import pathlib
import sys

import trust_cells as cells
from full_compare import Job, Table
from trust_cells import BASES, CHURN, RIGHT, ROWS, TIES, Share

HEAD = """# Do the trust checks accuse honest judges, and what do they find?

Judges are drawn whose faults are known: right with a given chance whatever the length of the reply, flipping at random
(churn), or paying for length or for an added text. Where rollouts share a task, so they do a length, and the judge is
wrong on 15% of the rows or on all rows of 15% of the tasks. `false alarm` rows have nothing to find, `power` rows do.
`measured` is the worst cell of a row, with its Monte Carlo error.

Wrong labels beside a judge that is right look like a bias for length where passes and fails differ in length: replies
of 90 characters, standard deviation 25, true passes 10, 25 or 60 characters longer. A gap that they would give as well
is told as that, `judge or labels`, and takes no trust away; what is lost for it is the third `power` row of that kind.

Made by `python tests/calibration/full_trust.py --write docs/calibration-judge-trust.md` ({runs} reports a cell), which
leaves what stands below the table.

| what | cells | measured | bar | |
| --- | --- | --- | --- | --- |
"""


def _length(table: Table, runs: int) -> None:
    for n in ROWS:
        jobs: list[Job] = [
            (_flagged, (n, right, base, runs, ties)) for right in RIGHT for base in BASES for ties in TIES
        ]
        table.row(f"length, false alarm, {n} rows, judge 50% to 95% right", jobs, "≤ .06", 0.06)
    for tasks, rollouts in cells.SHARED:
        jobs = [
            (cells.task_length_flags, (tasks, rollouts, wrong, of_task, runs))
            for wrong in cells.WRONG
            for of_task in (False, True)
        ]
        table.row(f"length, false alarm, {tasks} tasks of {rollouts}, a length a task", jobs, "≤ .06", 0.06)
    jobs = [(_flagged, (60, 0.85, base, runs, "none")) for base in BASES]
    table.row("length, false alarm, 60 rows, judge 85% right", jobs, "≤ .05", 0.05)
    table.row("what a gap of .15 alone would flag there", [(_gap_only, (runs,))], "", None)
    for n, bias, bar in ((60, 0.6, 0.6), (100, 0.6, 0.85), (200, 0.4, 0.88)):
        jobs = [(_biased, (n, bias, runs))]
        table.row(f"length, power, {n} rows, {bias:.0%} of long replies pass regardless", jobs, f"≥ {bar:g}", bar)


def _mislabelled(table: Table, runs: int) -> None:
    for share in cells.MISLABELLED:
        sizes = [(*size, share, longer, runs) for size in cells.SIZES for longer in cells.LONGER]
        jobs: list[Job] = [(_beside_wrong_labels, (*size, wrong)) for size in sizes for wrong in (0.0, 0.1)]
        name = f"length, false alarm, {share:.0%} of labels wrong, judge 90% or 100% right"
        table.row(name, jobs, "≤ .06", 0.06)
        table.row("what a gap beyond noise would flag there", [(_beyond_noise, (50, 2, share, 60, runs))], "", None)
    for longer, told, bar in ((0, "flagged", 0.85), (25, "flagged", None), (25, "labels_may_explain", 0.6)):
        name = "length, power, 50 tasks of 2, 60% of long replies pass regardless, "
        name += f"passes {longer} longer, told as {'a bias' if told == 'flagged' else 'judge or labels'}"
        table.row(name, [(_truly_biased, (longer, told, runs))], "" if bar is None else f"≥ {bar:g}", bar)


def _again(table: Table, runs: int) -> None:
    jobs: list[Job] = [(cells.filler_flags, (40, churn, base, runs)) for churn in CHURN for base in BASES]
    table.row("filler, false alarm, 40 rows, churn .02 to .2", jobs, "≤ .025", 0.025)
    for paid, bar in ((0.3, 0.42), (0.5, 0.88)):
        table.row(f"filler, power, 20 failures of 40, {paid:.0%} pass", [(_paid, (paid, runs))], f"≥ {bar:g}", bar)
    for probes in (1, 4, 7):
        jobs = [(_probed, (churn, failing, 0.0, probes, runs)) for churn in CHURN for failing in (20, 50, 100)]
        table.row(
            f"{_out_of('any', probes)}, false alarm, 20 to 100 failures, churn .02 to .2",
            jobs,
            "≤ .05",
            0.05,
        )
    jobs = [(_replaced, (churn, failing, runs)) for churn in (0.02, 0.05, 0.1) for failing in (20, 50, 100)]
    table.row("any of 2 replacements, false alarm, churn .02 to .1", jobs, "≤ .05", 0.05)
    for failing, paid, probes, bar in ((20, 0.3, 1, 0.6), (20, 0.5, 7, 0.75), (50, 0.3, 7, 0.9), (100, 0.2, 7, 0.95)):
        jobs = [(_probed, (0.02, failing, paid, probes, runs))]
        table.row(
            f"{_out_of('one', probes)}, power, {failing} failures, {paid:.0%} pass",
            jobs,
            f"≥ {bar:g}",
            bar,
        )


def _agreement(table: Table, runs: int) -> None:
    jobs: list[Job] = [
        (cells.agreement_coverage, (n, truth, 5 * runs))
        for n in (20, 50, 100, 200)
        for truth in (0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
    ]
    table.row("agreement, coverage, 20 to 200 labels, truth .6 to .99", jobs, "≥ .91", 0.91)


def _flagged(n: int, right: float, base: float, runs: int, ties: str) -> Share:
    return cells.length_flags(n, right, base, runs, ties=ties)


def _beside_wrong_labels(tasks: int, rollouts: int, mislabelled: float, longer: int, runs: int, wrong: float) -> Share:
    return cells.mislabelled_flags(tasks, rollouts, mislabelled, longer, runs, wrong=wrong)


def _beyond_noise(tasks: int, rollouts: int, mislabelled: float, longer: int, runs: int) -> Share:
    told = ("flagged", "labels_may_explain")
    return cells.mislabelled_flags(tasks, rollouts, mislabelled, longer, runs, told=told)


def _truly_biased(longer: int, told: str, runs: int) -> Share:
    return cells.mislabelled_flags(50, 2, 0.0, longer, runs, wrong=0.1, bias=0.6, told=(told,))


def _gap_only(runs: int) -> Share:
    return cells.length_flags(60, 0.85, 0.5, runs, gap_only=True)


def _biased(n: int, bias: float, runs: int) -> Share:
    return cells.length_flags(n, 0.85, 0.5, runs, bias=bias)


def _paid(paid: float, runs: int) -> Share:
    return cells.filler_flags(40, 0.02, 0.5, runs, paid=paid)


def _out_of(how_many: str, probes: int) -> str:
    return "a probe" if probes == 1 else f"{how_many} of {probes} probes"


def _probed(churn: float, failing: int, paid: float, probes: int, runs: int) -> Share:
    return cells.probe_flags(churn, runs, failing=failing, paid=paid, probes=probes)


def _replaced(churn: float, failing: int, runs: int) -> Share:
    return cells.probe_flags(churn, runs, failing=failing, probes=2, kind="replacement")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    with concurrent.futures.ProcessPoolExecutor(options.processes) as pool:
        table = Table(pool)
        for part in (_length, _mislabelled, _again, _agreement):
            part(table, options.runs)
        lines = table.lines()
    text = HEAD.format(runs=options.runs) + "\n".join(line for line, _ in lines) + "\n"
    print(text)
    if options.write:
        below = options.write.read_text(encoding="utf-8").partition("\n## ")[1:] if options.write.is_file() else ()
        options.write.write_text(text + "".join(below), encoding="utf-8")
    return 0 if all(held for _, held in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
