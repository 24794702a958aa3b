"""What each distributed report shuffles: bytes that leave the tasks which read rows, on local Ray with two workers.

    python benchmarks/ray_scale.py 100000
    python benchmarks/ray_scale.py 1000000 pass_at --here

`--here` does what the tasks do one part after another in this process, without Ray: the same bytes.

Rows are those of `benchmarks/make_rows.py`, about 1.5 KB each, eight rollouts a task, in a file that the workers read
in parts of 32 MB. Columns: bytes in all, a row, a task; seconds of the pass; peak memory of the driver and of the
largest worker.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import make_rows as made

os.environ.setdefault("RAY_AUTH_MODE", "disabled")
MB = 2**20


def jobs() -> dict[str, Any]:
    from whileai.simulations.defaults import DIFFICULTY_BAND
    from whileai.simulations.distributed.delta import SideJob
    from whileai.simulations.distributed.flow import FlowJob
    from whileai.simulations.distributed.pairs import CandidateJob
    from whileai.simulations.distributed.rates import MarkersJob, PassJob
    from whileai.simulations.distributed.repeats import RepeatsJob
    from whileai.simulations.distributed.scan import CountJob
    from whileai.simulations.distributed.sft import DemonstrationJob
    from whileai.simulations.distributed.tasks import TaskJob
    from whileai.simulations.score.optimize.rl import settings_of

    settings = settings_of(1000, *DIFFICULTY_BAND, True, True, True, True, "drop", "spread", "auto")
    return {
        "pass_at": PassJob(),
        "marker_summary": MarkersJob(),
        "delta_report, a side": SideJob(),
        "group_signal, trims": TaskJob(),
        "curriculum": TaskJob("prompts"),
        "dedupe_groups": RepeatsJob(),
        "select_for_rl": FlowJob(settings),
        "select_for_sft": DemonstrationJob(1.0, "", True),
        "preference pairs": CandidateJob(True),
        "hack_scan, counts": CountJob("reward"),
    }


def count_here(n: int, names: list[str]) -> None:
    from whileai.simulations.distributed.cluster import _gather
    from whileai.simulations.distributed.source import _file_parts

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.jsonl")
        made.write(path, n)
        for name, job in jobs().items():
            if not names or any(map(name.startswith, names)):
                sent = sum(list(_gather(job, part, i, 2))[-1][1] for i, part in enumerate(_file_parts([path])))
                print(f"{name:22} {sent / MB:8.2f} MB, {sent / n:.1f} B/row, {8 * sent / n:.1f} B/task", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("n", type=int)
    arguments.add_argument("jobs", nargs="*")
    arguments.add_argument("--here", action="store_true")
    given = arguments.parse_args()
    if given.here:
        count_here(given.n, given.jobs)
        return
    import ray

    from whileai.simulations.distributed.cluster import got, left_there, remote
    from whileai.simulations.distributed.source import source_of

    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200 * MB, log_to_driver=False)

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.jsonl")
        made.write(path, given.n)
        n_tasks = given.n / 8
        print(f"{given.n:,} rows, {path.stat().st_size / MB:,.0f} MB, {n_tasks:,.0f} tasks", flush=True)
        print(f"{'report':22} {'MB':>8} {'B/row':>7} {'B/task':>7} {'s':>6} {'driver MB':>10} {'worker MB':>10}")
        for name, job in jobs().items():
            if given.jobs and not any(name.startswith(each) for each in given.jobs):
                continue
            started = time.perf_counter()
            found = left_there(source_of(path).parts(), job)
            ray.wait(found.shards, num_returns=len(found.shards))
            seconds = time.perf_counter() - started
            worker = max(got([remote(peak).remote() for _ in range(4)]))
            print(
                f"{name:22} {found.n_bytes / MB:8.2f} {found.n_bytes / given.n:7.1f} {found.n_bytes / n_tasks:7.1f} "
                f"{seconds:6.1f} {peak() / MB:10.0f} {worker / MB:10.0f}",
                flush=True,
            )
    ray.shutdown()


if __name__ == "__main__":
    main()
