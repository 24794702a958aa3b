"""Every public function on one task of very many rollouts, and on very many tasks of one: CPU and growth.

python tests/common/many.py            100,000 rows, a line a function
python tests/common/many.py 20000      another number of rows
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator

from common.given import row
from common.registry import CASES, Case

_ALLOWED = 3.0  # times the time of a tenth of the rows, over ten: above it the cost is not linear


def rollouts(n: int, per_task: int) -> list[dict[str, object]]:
    """So many rows, so many a task."""
    return [row(place // per_task, place % per_task) for place in range(n)]


def seconds(case: Case, n: int, per_task: int) -> float:
    """CPU seconds of one call."""
    given = rollouts(n, per_task)
    start = time.process_time()
    case.call(given)
    return time.process_time() - start


def lines(n: int) -> Iterator[str]:
    """What each function took on both shapes, and whether it grew faster than the rows."""
    for case in CASES:
        if case.takes != "rows":
            continue
        for shape, per_task in (("one task", n), ("tasks of one", 1)):
            small, large = seconds(case, n // 10, max(1, per_task // 10)), seconds(case, n, per_task)
            grown = large / max(small, 0.05) / 10
            yield f"{case.name:24} {shape:13} {large:8.2f} s{'' if grown <= _ALLOWED else f'   grows {grown:.1f} fold'}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000):
        print(line, flush=True)
