"""Two runs compared task by task, and flag by flag."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from whileai.simulations.defaults import BOOTSTRAP_DRAWS, CI_LEVEL
from whileai.simulations.kernels.proportions import difference_interval
from whileai.simulations.page.fired import FLAGS
from whileai.simulations.page.parts import LEVEL, are, estimate, intervals
from whileai.simulations.page.sections.difficulty import NAME_CHARS, listed, listed_note
from whileai.simulations.page.sides import Sides
from whileai.simulations.page.turns import middle_out
from whileai.simulations.reports import counted, figure
from whileai.simulations.score.stats.compare import Pair, compare_sums
from whileai.simulations.score.stats.summary import MARKER
from whileai.simulations.web.document import Block, IntervalRow, Point, Section, Table, Tone

TASKS_ID = "tasks"
_TONES: dict[str, Tone] = {"b_better": "bad", "a_better": "good", "insufficient_data": "unknown"}


def tasks_section(sides: Sides) -> Section | None:
    """The pass rate of every shared task before and after; None without a shared task."""
    pair = Pair(*sides.passes())
    if not pair.n_shared:
        return None
    differences = pair.differences()
    up, down = int((differences > 0).sum()), int((differences < 0).sum())
    before, after = pair.a.means()[pair.at_a], pair.b.means()[pair.at_b]
    counts = pair.a.counts()[pair.at_a], pair.b.counts()[pair.at_b]
    points: list[Point] = []
    rows: list[dict[str, object]] = []
    for at in listed(np.argsort(differences, kind="stable")).tolist():
        code = int(pair.codes[at])
        task = middle_out(sides.table.index.name(code), NAME_CHARS)
        behind = sides.filters.add(sides.sized(f"task {task}", sides.by_task[code]), sides.by_task[code], leads=False)
        x, y = float(before[at]), float(after[at])
        points.append({"label": task, "x": x, "y": y, "filter": behind})
        n_before, n_after = int(counts[0][at]), int(counts[1][at])
        ends = difference_interval(round(x * n_before), n_before, round(y * n_after), n_after, CI_LEVEL)
        change = {"value": y - x, "low": ends.low, "high": ends.high}
        sizes = {"n_before": n_before, "n_after": n_after}
        rows.append({"task": task, "before": x, "after": y, "change": change, **sizes, "filter": behind})
    blocks: list[Block] = [
        {
            "kind": "scatter",
            "title": "Pass rate of each task",
            "x": "before",
            "y": "after",
            "points": points,
            "diagonal": True,
        },
        _table(rows, pair.n_shared),
    ]
    return {
        "id": TASKS_ID,
        "title": "Task by task",
        "lead": f"{up:,} of {counted(pair.n_shared, 'task')} {are(up)} up, {down:,} {are(down)} down; single tasks "
        "move by chance, the verdict is over all of them.",
        "blocks": blocks,
        "more": None,
    }


def _table(rows: list[dict[str, object]], n: int) -> Table:
    return {
        "kind": "table",
        "title": "Tasks" + listed_note(n),
        "columns": [
            {"key": "task", "label": "task", "type": "text"},
            {"key": "before", "label": "before", "type": "rate"},
            {"key": "after", "label": "after", "type": "rate"},
            {"key": "change", "label": f"change, {LEVEL} interval", "type": "delta"},
            {"key": "n_before", "label": "rollouts before", "type": "number"},
            {"key": "n_after", "label": "rollouts after", "type": "number"},
        ],
        "rows": rows,
        "search": True,
    }


def flag_changes_section(sides: Sides) -> Section | None:
    """How often each flag fires before and after; None when none fires on either side."""
    rows = list(_flags(sides))
    if not rows:
        return None
    forest = intervals(
        f"Change of the share of rollouts with each flag, with {LEVEL} intervals",
        "delta",
        rows,
        reference=0.0,
        reference_label="no change",
        of="tasks",
    )
    return {
        "id": "flags",
        "title": "Flags, before and after",
        "lead": "A flag that fires more often is a place to look for what was learned beside the task.",
        "blocks": [forest],
        "more": "wai scan AFTER --against BEFORE ranks everything that came to separate reward.",
    }


def _flags(sides: Sides) -> Iterator[IntervalRow]:
    every = np.ones(len(sides.rows), dtype=np.bool_)
    for flag in FLAGS:
        fired = np.fromiter((flag in flags for flags in sides.flags), dtype=np.bool_, count=len(sides.rows))
        if not fired.any():
            continue
        a, b = sides.sums(fired.astype(np.float64), every)
        found = compare_sums(MARKER + flag, a, b, level=CI_LEVEL, draws=BOOTSTRAP_DRAWS, seed=0)
        yield estimate(
            flag,
            found["delta"],
            found["ci95"],
            n=found["n_used"],
            note=f"{figure(found['mean_a'])} \u2192 {figure(found['mean_b'])}; {FLAGS[flag]}",
            tone=_TONES.get(found["verdict"], "flat"),
            behind=sides.filters.where(sides.sized(flag, np.flatnonzero(fired)), fired),
        )
