"""What the loop around a judge adds to the judge's own time: wall time against the ideal, and CPU a row.

    python benchmarks/judging.py [--rows 2000] [--workers 32] [--milliseconds 50]

The ideal is rows x milliseconds / workers. CPU is that of the process, less what the rows cost the same judge without
a wait. The project's bounds are 1.1 times the ideal and 0.3 ms a row.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rows as made
import whileai.simulations as wai


def judges(seconds: float) -> dict[str, Callable[[dict[str, Any]], Any]]:
    def plain(row: dict[str, Any]) -> int:
        time.sleep(seconds)
        return 1

    async def awaited(row: dict[str, Any]) -> int:
        await asyncio.sleep(seconds)
        return 1

    return {"plain": plain, "async": awaited}


def measured(call: Callable[[], Any]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=32)
    parser.add_argument("--milliseconds", type=float, default=50.0)
    options = parser.parse_args()
    wai.run_judge(made.rows(64), len, concurrency=options.workers)  # what is imported, is imported
    rows, seconds = made.rows(options.rows), options.milliseconds / 1000
    ideal = math.ceil(options.rows / options.workers) * seconds
    print(f"{options.rows} rows, {options.workers} workers, {options.milliseconds:g} ms a call: ideal {ideal:.2f} s")
    print(f"{'judge':24} {'wall':>8} {'of ideal':>9} {'CPU a row':>10}")
    for name, judge in judges(seconds).items():
        for kept in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "verdicts" if kept else None
                wall, cpu = measured(
                    lambda judge=judge, path=path: wai.run_judge(
                        rows, judge, concurrency=options.workers, timeout=60, checkpoint=path, progress=False
                    )
                )
            label = f"{name}{', checkpoint' if kept else ''}"
            print(f"{label:24} {wall:6.2f} s {wall / ideal:9.3f} {1000 * cpu / options.rows:7.3f} ms")


if __name__ == "__main__":
    main()
