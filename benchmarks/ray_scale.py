"""What each distributed report shuffles: bytes that leave the tasks which read rows.

    python benchmarks/ray_scale.py 100000 5000000 --here --write docs/scale.md
    python benchmarks/ray_scale.py 100000 --jobs pass_at

Without `--here` the reports run one after another on a Ray of this machine with two workers, with the seconds of each
pass and the peak memory of the driver and of the largest worker. `--here` does what the tasks do, all of them on each
part once it was read, in as many processes as there are cores and without Ray: the same bytes in less time.

A report that fails has `failed` in its place, and the others go on; `--write` fills the page after each number of rows.
The exit status is 1 when one failed.

Rows are those of `benchmarks/make_rows.py`, about 1.4 KB each, eight rollouts a task, in a file that is read in parts
of 32 MB. The column for a billion rollouts is the last number of rows scaled up.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import make_rows as made
from scale import write_into

os.environ.setdefault("RAY_AUTH_MODE", "disabled")
MB = 2**20
ROLLOUTS = 8  # of a task
START = "<!-- made by `python benchmarks/ray_scale.py 100000 5000000 --here --write docs/scale.md` -->"
END = "<!-- end of the bytes -->"
ON_THE_DRIVER = {
    "`pass_at`, `metric_summary`": "names and two numbers a task",
    "`marker_summary`": "two numbers a task and marker",
    "`delta_report`, `compare_runs`: a side": "as `pass_at`, of both sides",
    "`eval_variance`": "as `pass_at`, of each run",
    "`group_signal`, trims, `retire_solved`": "as `pass_at`",
    "`curriculum`": "as `pass_at`, and each prompt",
    "`dedupe_groups`": "trajectories that repeat",
    "`select_for_rl`": "a record a task; the selection on one worker",
    "`select_for_sft`": "a record a prompt; the selection on one worker",
    "`build_preference_pairs`": "two positions a pair; then both rows of each pair move once",
    "`hack_scan`": "the report; then at most `max_rows` rows move to one worker",
    "`leak_report`": "20 hits",
}


def jobs() -> dict[str, Any]:
    """The first pass of each report."""
    from whileai.simulations.defaults import DIFFICULTY_BAND
    from whileai.simulations.distributed.leaks import LeakJob
    from whileai.simulations.distributed.lean import FlowJob
    from whileai.simulations.distributed.pairs import CandidateJob
    from whileai.simulations.distributed.rates import MarkersJob, PassJob
    from whileai.simulations.distributed.repeats import RepeatsJob
    from whileai.simulations.distributed.scan import CountJob
    from whileai.simulations.distributed.sft import DemonstrationJob
    from whileai.simulations.distributed.sidejob import SideJob
    from whileai.simulations.distributed.tasks import TaskJob
    from whileai.simulations.distributed.variance import RunsJob
    from whileai.simulations.score.optimize.rl import settings_of
    from whileai.simulations.score.privileged import MIN_LEN

    settings = settings_of(1000, *DIFFICULTY_BAND, True, True, True, True, "drop", "spread", "auto")
    found = (
        PassJob(),
        MarkersJob(),
        SideJob(),
        RunsJob("run", None),
        TaskJob(),
        TaskJob("prompts"),
        RepeatsJob(),
        FlowJob(settings),
        DemonstrationJob(1.0, "", True),
        CandidateJob(True),
        CountJob("reward"),
        LeakJob(MIN_LEN),
    )
    return dict(zip(ON_THE_DRIVER, found, strict=True))


@dataclass(frozen=True)
class Gathers:
    """What the tasks of some reports send of a part."""

    jobs: dict[str, Any]
    n_shards: int

    def __call__(self, numbered: tuple[int, Any]) -> dict[str, float]:
        """The bytes by report; NaN for one that failed."""
        from whileai.simulations.distributed.reduction import packed
        from whileai.simulations.distributed.source import position, read_part

        number, part = numbered
        rows = read_part(part).rows
        return {
            name: tried(name, lambda job=job: packed(job, rows, position(number), self.n_shards)[2])
            for name, job in self.jobs.items()
        }


def tried(name: str, call: Callable[[], float]) -> float:
    """What a call gives; NaN when it fails, which is said."""
    try:
        return call()
    except Exception as error:
        print(f"{name} failed: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        return math.nan


def count_here(path: Path, held: dict[str, Any]) -> dict[str, float]:
    """The bytes of each report over a file."""
    from whileai.simulations.distributed.source import _file_parts
    from whileai.simulations.parallel import Crew

    with Crew(os.cpu_count() or 1, Gathers(held, 2)) as crew:
        found = list(crew.answers(enumerate(_file_parts([path]))))
    return {name: sum(part[name] for part in found) for name in held}


def count_on_ray(path: Path, n: int, held: dict[str, Any]) -> dict[str, float]:
    """The same as Ray moves them, with the time and memory of each pass printed."""
    import ray

    from whileai.simulations.distributed.cluster import got, remote
    from whileai.simulations.distributed.reduction import left_there
    from whileai.simulations.distributed.source import source_of

    if not ray.is_initialized():
        ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200 * MB, log_to_driver=False)

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def moved(name: str, job: Any) -> float:
        started = time.perf_counter()
        found = left_there(source_of(path).parts(), job)
        ray.wait(found.shards, num_returns=len(found.shards))
        seconds = time.perf_counter() - started
        worker = max(got([remote(peak).remote() for _ in range(4)]))
        print(
            f"{n:,} rows, {name}: {found.n_bytes / MB:.2f} MB, {seconds:.1f} s, driver {peak() / MB:.0f} MB, "
            f"worker {worker / MB:.0f} MB",
            flush=True,
        )
        return found.n_bytes

    return {name: tried(name, lambda name=name, job=job: moved(name, job)) for name, job in held.items()}


def table(sent: dict[int, dict[str, float]]) -> list[str]:
    """The bytes a row at each number of rows, and at a billion."""
    last = max(sent)
    sizes = " | ".join(f"bytes a row: {n:,} rows" for n in sent)
    lines = [f"| report | {sizes} | MB | bytes a task | GB at 10⁹ | on the driver |", "| --- " * (5 + len(sent)) + "|"]
    for name in sent[last]:
        a_row = sent[last][name] / last
        each = [f"{found[name] / n:.1f}" for n, found in sent.items()]
        figures = [*each, f"{sent[last][name] / 1e6:,.1f}", f"{a_row * ROLLOUTS:,.1f}", f"{a_row:.1f}"]
        shown = " | ".join("failed" if figure == "nan" else figure for figure in figures)
        lines.append(f"| {name} | {shown} | {ON_THE_DRIVER[name]} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", type=int, nargs="+", help="numbers of rows")
    parser.add_argument("--jobs", nargs="+", help="parts of the names of reports; all by default")
    parser.add_argument("--here", action="store_true")
    parser.add_argument("--folder", help="where the files are written")
    parser.add_argument("--write", type=Path, help="the page that the table is put into")
    options = parser.parse_args()
    held = {name: job for name, job in jobs().items() if any(each in name for each in options.jobs or [""])}
    sent: dict[int, dict[str, float]] = {}
    for n in sorted(options.n):
        try:
            with tempfile.TemporaryDirectory(dir=options.folder) as folder:
                path = Path(folder, "rows.jsonl")
                made.write(path, n)
                sent[n] = count_here(path, held) if options.here else count_on_ray(path, n, held)
        except OSError as error:  # no room for the file, or a process that ended
            print(f"{n:,} rows: {error}", file=sys.stderr, flush=True)
            continue
        if options.write:
            write_into(options.write, START, END, ["", *table(sent), ""])
    if sent:
        print("\n".join(table(sent)))
    sys.exit(
        len(sent) < len(set(options.n)) or any(math.isnan(size) for found in sent.values() for size in found.values())
    )


if __name__ == "__main__":
    main()
