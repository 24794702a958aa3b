"""Tasks by difficulty, against the band in which a grouped update finds contrast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from whileai.simulations.defaults import CI_LEVEL
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.kernels.tally import TaskSums
from whileai.simulations.page.material import Material
from whileai.simulations.page.parts import LEVEL, are
from whileai.simulations.page.turns import middle_out
from whileai.simulations.reports import counted
from whileai.simulations.rows.table import Ints
from whileai.simulations.score.overview.difficulty import bins
from whileai.simulations.score.stats.summary import PASS, metric_sums
from whileai.simulations.web.document import Bin, Histogram, Section, Table

MOST_TASKS = 5000  # tasks listed
NAME_CHARS = 120
_NAMES = {"never": "never passes", "hard": "hard", "band": "in the band", "easy": "easy", "always": "always passes"}


def difficulty_section(material: Material, overview: Mapping[str, Any]) -> Section | None:
    """Tasks by pass rate and a table of them; None without a 0/1 grade."""
    found = overview["difficulty"]
    if not found["n_tasks"]:
        return None
    sums = metric_sums(material.table, PASS)
    low, high = found["band"]
    inside = found["n_in_band"]
    histogram: Histogram = {
        "kind": "histogram",
        "title": "Tasks by pass rate",
        "x": "pass rate",
        "y": "tasks",
        "bins": list(_bins(material, sums)),
        "band": [low, high],
        "band_label": "contrast for a grouped update",
    }
    return {
        "id": "difficulty",
        "title": "Task difficulty",
        "lead": f"{inside:,} of {counted(found['n_tasks'], 'task')} {are(inside)} in the band of {low:.0%} to "
        f"{high:.0%}, where a grouped update finds contrast.",
        "blocks": [histogram, _table(material, sums)],
        "more": None,
    }


def _bins(material: Material, sums: TaskSums) -> Iterator[Bin]:
    for name, low, high, inside in bins(sums.means()):
        label = _range(name, low, high)
        of_task = np.zeros(len(material.table.index), dtype=np.bool_)
        of_task[sums.codes()[inside]] = True
        rows = of_task[material.table.tasks]
        yield {
            "label": label,
            "low": low,
            "high": high,
            "count": int(inside.sum()),
            "filter": material.filters.where(f"rollouts of tasks that pass {label} of the time", rows),
        }


def _range(name: str, low: float, high: float) -> str:
    if low == high:
        return f"{low:.0%}"
    if name in ("hard", "easy"):
        return f"under {high:.0%}" if name == "hard" else f"over {low:.0%}"
    return f"{low:.0%}\u2013{high:.0%}"


def _table(material: Material, sums: TaskSums) -> Table:
    rates, codes, counts, passed = sums.means(), sums.codes(), sums.counts(), sums.sums()
    order = listed(np.argsort(rates, kind="stable"))
    names = np.empty(codes.size, dtype=object)
    for name, _, _, inside in bins(rates):
        names[inside] = _NAMES[name]
    rows = []
    for at in order.tolist():
        code, n, passes = int(codes[at]), int(counts[at]), int(passed[at])
        task = middle_out(material.table.index.name(code), NAME_CHARS)
        ends = wilson(passes, n, CI_LEVEL)
        rows.append(
            {
                "task": task,
                "rollouts": n,
                "passes": passes,
                "rate": {"value": passes / n, "low": ends.low, "high": ends.high},
                "difficulty": names[at],
                "filter": material.filters.add(f"task {task}", material.by_task[code], leads=False),
            }
        )
    return {
        "kind": "table",
        "title": "Tasks" + listed_note(codes.size),
        "columns": [
            {"key": "task", "label": "task", "type": "text"},
            {"key": "rate", "label": f"pass rate, {LEVEL} interval", "type": "interval"},
            {"key": "passes", "label": "passes", "type": "number"},
            {"key": "rollouts", "label": "graded rollouts", "type": "number"},
            {"key": "difficulty", "label": "difficulty", "type": "text"},
        ],
        "rows": rows,
        "search": True,
    }


def listed(order: Ints) -> Ints:
    """The tasks of an order that are listed: all of them, or as many as a page holds, evenly apart.

    >>> listed(np.arange(3)).tolist(), listed(np.arange(2 * MOST_TASKS)).size == MOST_TASKS
    ([0, 1, 2], True)
    """
    if order.size <= MOST_TASKS:
        return order
    return order[np.linspace(0, order.size - 1, MOST_TASKS).astype(np.int64)]


def listed_note(n: int) -> str:
    """What a title adds where not all of `n` tasks are listed."""
    return "" if n <= MOST_TASKS else f" ({MOST_TASKS:,} of {n:,}, spread evenly from the hardest to the easiest)"
