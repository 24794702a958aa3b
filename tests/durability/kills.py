"""Kill writers with SIGKILL at random points of their life: `make durability`.

    python tests/durability/kills.py [--kills 50] [--seed N]

Each kill is a job in a new folder: it is started in a process of its own, killed after a random share of the time that
it takes, what it left is checked, it is run again to its end, and that is checked too. The seed is printed.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "src")]

from durability import jobs

JOBS: dict[str, list[Any]] = {
    "write": [
        jobs.Write(suffix, old) for suffix in (".jsonl", ".json", ".jsonl.gz", ".jsonl.zst", ".parquet")
        for old in (True, False)
    ],
    "judge": [jobs.Judge()],
    "select": [jobs.Select(1), jobs.Select(1), jobs.Select(2)],
    "push": [jobs.PushFolder(), jobs.PushHttp()],
    "grade": [jobs.Grade()],
    "simulate": [jobs.Simulate()],
    "labels": [jobs.Labels()],
}  # fmt: skip
FOUR = ("write", "judge", "select", "push")  # killed as often as asked for; the others a fifth as often
_CONTEXT = multiprocessing.get_context("forkserver")
_LONGEST = 120.0
_PRELOADED = [  # what the jobs import when they begin, imported once for all processes
    "durability.jobs",
    "pyarrow.parquet",
    *(
        f"whileai.simulations.{name}"
        for name in (
            "distributed.sft", "distributed.rl", "parallel.reading", "registry.push", "registry.session",
            "run.simulate", "score.decontaminate", "score.judging", "score.optimize", "rows.load", "schema.check",
        )
    ),
]  # fmt: skip


class Job(Protocol):
    """What is killed."""

    name: str

    def prepare(self, folder: Path) -> None: ...
    def run(self, folder: Path) -> None: ...
    def after_kill(self, folder: Path) -> None: ...
    def after_again(self, folder: Path) -> None: ...


def _child(job: Job, folder: Path, begun: Any) -> None:
    logging.disable()
    begun.send(True)
    job.run(folder)


def started(job: Job, folder: Path) -> Any:
    """The process of a job, from the moment that it has all its modules and begins."""
    _CONTEXT.set_forkserver_preload(_PRELOADED)
    mine, theirs = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_child, args=(job, folder, theirs))
    process.start()
    theirs.close()
    mine.recv()
    return process


def run_whole(job: Job, folder: Path) -> float:
    """Run a job to its end, in seconds."""
    process = started(job, folder)
    start = time.monotonic()
    process.join(_LONGEST)
    assert process.exitcode == 0, f"{job.name} ended with {process.exitcode}"
    return time.monotonic() - start


def killed(job: Job, folder: Path, after: float) -> bool:
    """Kill the job after some seconds, its own workers left to notice; whether it was still at work."""
    process = started(job, folder)
    time.sleep(after)
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
    process.join(_LONGEST)
    return bool(process.exitcode == -signal.SIGKILL)


def life_of(job: Job) -> float:
    """The seconds that a job takes when nobody kills it; it is checked like any other."""
    with tempfile.TemporaryDirectory() as folder:
        job.prepare(Path(folder))
        life = run_whole(job, Path(folder))
        job.after_again(Path(folder))
    return life


def kill_once(job: Job, after: float) -> bool:
    """One kill and what must hold after it; an `AssertionError` otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        job.prepare(Path(folder))
        was_at_work = killed(job, Path(folder), after)
        job.after_kill(Path(folder))
        run_whole(job, Path(folder))
        job.after_again(Path(folder))
    return was_at_work


def main() -> int:
    """All kills, a line a job; 1 when one of them left something wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("only", nargs="*", choices=[[], *JOBS])
    given = parser.parse_args()
    print(f"seed {given.seed}")
    draw = random.Random(given.seed)
    faults = 0
    for name in given.only or JOBS:
        kinds = JOBS[name]
        lives = [life_of(job) for job in kinds]
        counts: Counter[str] = Counter()
        for number in range(given.kills if name in FOUR else max(1, given.kills // 5)):
            job, life = kinds[number % len(kinds)], lives[number % len(kinds)]
            after = draw.random() * 1.05 * life
            try:
                counts["at work" if kill_once(job, after) else "already done"] += 1
            except AssertionError as error:
                counts["WRONG"] += 1
                print(f"  {job}: killed after {after:.4f} s of {life:.4f}: {error!r} at line {_line(error)}")
        faults += counts["WRONG"]
        print(f"{name}: {sum(counts.values())} kills, " + ", ".join(f"{n} {how}" for how, n in counts.items()))
    print(f"{faults} left something wrong" if faults else "no half file, no lost row, no double row")
    return 1 if faults else 0


def _line(error: AssertionError) -> int | None:
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    return at and at.tb_lineno


if __name__ == "__main__":
    sys.exit(main())
