"""What was read: rows by grade, and why the others have none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from whileai.simulations.page.material import Bools, Material
from whileai.simulations.page.parts import fact
from whileai.simulations.page.sides import NAMES, Sides
from whileai.simulations.reports import counted
from whileai.simulations.score.overview.ungraded import why_ungraded
from whileai.simulations.web.document import Bar, Block, Column, Fact, Section, Table

_MOST_FILES = 500


def read_section(material: Material, overview: Mapping[str, Any], files: Mapping[str, Sequence[range]]) -> Section:
    """Rows, tasks and rollouts a task, then the rows by grade, by file where there are several, the ungraded by why."""
    blocks: list[Block] = [
        {"kind": "facts", "items": list(_facts(material, overview))},
        {"kind": "bars", "title": "Rows by grade", "x": "rows", "rows": list(_grades(material))},
    ]
    if files:
        blocks.append(_files(material, files))
    if overview["ungraded"]:
        blocks.append({"kind": "bars", "title": "Why rows are ungraded", "x": "rows", "rows": list(_why(material))})
    return {
        "id": "read",
        "title": "What was read",
        "lead": f"{counted(overview['rows'], 'row')} of {counted(overview['tasks'], 'task')}; "
        f"{overview['graded']:,} graded.",
        "blocks": blocks,
        "more": None,
    }


def _facts(material: Material, overview: Mapping[str, Any]) -> Iterator[Fact]:
    spread = overview["rollouts_per_task"]
    yield fact("rows", f"{overview['rows']:,}")
    yield fact("tasks", f"{overview['tasks']:,}")
    if spread is not None:
        least, most = spread["min"], spread["max"]
        value = f"{least:g}" if least == most else f"{least:g} to {most:g} (median {spread['median']:g})"
        yield fact("rollouts a task", value)
    if overview["failed_runs"]:
        ended = np.array([reason == "error" for reason in material.table.column("finish_reason")])
        behind = material.filters.where("runs that ended in an error", ended)
        yield fact("runs that ended in an error", f"{overview['failed_runs']:,}", behind=behind)


def _grades(material: Material) -> Iterator[Bar]:
    for name, mask in grade_masks(material).items():
        n = int(mask.sum())
        if n:
            yield bar(name, n, material.filters.where(name, mask), f"{n:,} ({n / mask.size:.0%})")


def _files(material: Material, files: Mapping[str, Sequence[range]]) -> Table:
    masks = grade_masks(material)
    rows = []
    for name, ranges in list(files.items())[:_MOST_FILES]:
        positions = np.concatenate([np.arange(each.start, each.stop) for each in ranges])
        counts = {grade: int(mask[positions].sum()) for grade, mask in masks.items()}
        behind = material.filters.add(f"rows of {name}", positions, leads=False)
        rows.append({"file": name, "rows": positions.size, **counts, "filter": behind})
    more = f", the first {_MOST_FILES} of {len(files):,}" if len(files) > _MOST_FILES else ""
    numbers: list[Column] = [{"key": key, "label": key, "type": "number"} for key in ("rows", *masks)]
    return {
        "kind": "table",
        "title": f"Rows by file{more}",
        "columns": [{"key": "file", "label": "file", "type": "text"}, *numbers],
        "rows": rows,
        "search": False,
    }


def grade_masks(material: Material) -> dict[str, Bools]:
    """Which rows pass, fail, have a reward other than 0 or 1, or have none."""
    labels, grades = material.table.labels, material.table.grades
    return {
        "pass": labels == 1,
        "fail": labels == 0,
        "partial": np.isnan(labels) & ~np.isnan(grades),
        "ungraded": np.isnan(labels) & np.isnan(grades),
    }


def _why(material: Material) -> Iterator[Bar]:
    reasons: dict[str, list[int]] = {}
    for position in np.flatnonzero(grade_masks(material)["ungraded"]).tolist():
        reasons.setdefault(why_ungraded(material.rows[position]).reason, []).append(position)
    for reason, positions in sorted(reasons.items(), key=lambda item: -len(item[1])):
        yield bar(reason, len(positions), material.filters.add(f"ungraded: {reason}", positions))


def bar(label: str, n: int, behind: str | None, text: str | None = None) -> Bar:
    """A bar of a count."""
    return {"label": label, "value": n, "text": text or f"{n:,}", "filter": behind}


def sides_section(sides: Sides) -> Section:
    """What was read of either side of a comparison."""
    bars: list[Bar] = []
    for name, side in zip(NAMES, sides.is_side, strict=True):
        for grade, mask in grade_masks(sides).items():
            n = int((mask & side).sum())
            if n:
                bars.append(bar(f"{name}: {grade}", n, sides.filters.where(f"{name}: {grade}", mask & side)))
    n_before, n_after = (int(side.sum()) for side in sides.is_side)
    return {
        "id": "read",
        "title": "What was read",
        "lead": f"{counted(n_before, 'row')} before, {n_after:,} after, of {counted(len(sides.table.index), 'task')}.",
        "blocks": [{"kind": "bars", "title": "Rows by grade", "x": "rows", "rows": bars}],
        "more": None,
    }
