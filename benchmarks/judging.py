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
from collections.abc import Callable, Iterator
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


def table(n: int, workers: int, seconds: float) -> Iterator[tuple[str, float, float]]:
    """Each way to judge, its wall time over the ideal, and its CPU in ms a row."""
    rows, ideal = made.rows(n), math.ceil(n / workers) * seconds
    wai.run_judge(rows[:64], len, concurrency=workers)  # what is imported, is imported
    for name, judge in judges(seconds).items():
        for kept in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "verdicts" if kept else None
                wall, cpu = measured(
                    lambda judge=judge, path=path: wai.run_judge(
                        rows, judge, concurrency=workers, timeout=60, checkpoint=path, progress=False
                    )
                )
            yield f"{name}{', checkpoint' if kept else ''}", wall / ideal, 1000 * cpu / n


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=32)
    parser.add_argument("--milliseconds", type=float, default=50.0)
    options = parser.parse_args()
    print(f"{options.rows} rows, {options.workers} workers, {options.milliseconds:g} ms a call")
    print(f"{'judge':24} {'of ideal':>9} {'CPU a row':>10}")
    for label, wall, ms in table(options.rows, options.workers, options.milliseconds / 1000):
        print(f"{label:24} {wall:9.3f} {ms:7.3f} ms")


if __name__ == "__main__":
    main()
