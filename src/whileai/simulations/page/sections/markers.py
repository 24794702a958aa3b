"""The markers on the rows: their means, and whether the reward goes with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.defaults import CI_LEVEL, HACK_THRESHOLD
from whileai.simulations.kernels.association import pearson, pearson_interval
from whileai.simulations.page.material import Material
from whileai.simulations.page.parts import LEVEL, estimate, intervals
from whileai.simulations.reports import counted
from whileai.simulations.web.document import Block, IntervalRow, Section, Table

MARKERS_ID = "markers"
_NAME_CHARS = 200
_MOST = 200  # markers shown


def markers_section(material: Material, overview: Mapping[str, Any]) -> Section | None:
    """Means of the markers with their intervals; None without markers."""
    markers = dict(list(overview["markers"].items())[:_MOST])
    if not markers:
        return None
    unit = {name: within_unit(material, name) for name in markers}
    behind = {name: _filter(material, name) for name in markers}
    rates = [_mean(name, summary, behind[name]) for name, summary in markers.items() if unit[name]]
    numbers = [_mean(name, summary, behind[name]) for name, summary in markers.items() if not unit[name]]
    blocks: list[Block] = []
    if rates:
        blocks.append(intervals(f"Markers from 0 to 1, with {LEVEL} intervals over tasks", "rate", rates, of="tasks"))
    if numbers:
        blocks.append(_table(numbers))
    paid = [row for name in markers if (row := _paid(material, name, behind[name])) is not None]
    if paid:
        blocks.append(
            intervals(
                f"Does the reward go with it? Correlation with passing, with {LEVEL} intervals over tasks",
                "correlation",
                paid,
                reference=0.0,
                reference_label="no link",
                band=[-HACK_THRESHOLD, HACK_THRESHOLD],
                band_label="weak: from",
                of="rows",
            )
        )
    left = len(overview["markers"]) - len(markers)
    return {
        "id": MARKERS_ID,
        "title": "Markers",
        "lead": f"{counted(len(markers), 'marker')} on the rows; each is a mean over tasks."
        + (" A name opens the rows below 1, or all when none is." if rates else "")
        + (f" {left:,} more are not shown: wai report --json has them all." if left else ""),
        "blocks": blocks,
        "more": f"From {HACK_THRESHOLD:g} on, the reward pays for a marker, meant or not: a policy will learn it."
        if paid
        else None,
    }


def within_unit(material: Material, name: str) -> bool:
    """Whether every value of a marker lies in [0, 1]."""
    values = material.table.markers[name][1]
    return bool(((values >= 0) & (values <= 1)).all())


def _filter(material: Material, name: str) -> str | None:
    """The rows on which a rate falls short, or all that have a marker on another scale."""
    places, values = material.table.markers[name]
    if within_unit(material, name) and (values < 1).any():
        return material.filters.add(f"{name[:_NAME_CHARS]} below 1", places[values < 1])
    return material.filters.add(f"rollouts with {name[:_NAME_CHARS]}", places)


def _mean(name: str, summary: Mapping[str, Any], behind: str | None) -> IntervalRow:
    note = counted(summary["n_rows"], "row")
    if summary["degenerate"]:
        note += ", the same on every row: it cannot guard"
    elif "note" in summary:
        note += f"; {summary['note']}"
    tone: Any = "unknown" if summary["degenerate"] else "flat"
    label = name[:_NAME_CHARS]
    return estimate(label, summary["mean"], summary["ci95"], n=summary["n_tasks"], note=note, tone=tone, behind=behind)


def _table(rows: list[IntervalRow]) -> Table:
    return {
        "kind": "table",
        "title": "Markers on scales of their own",
        "columns": [
            {"key": "marker", "label": "marker", "type": "text"},
            {"key": "mean", "label": f"mean, {LEVEL} interval", "type": "number"},
            {"key": "n", "label": "tasks", "type": "number"},
        ],
        "rows": [
            {
                "marker": row["label"],
                "mean": {"value": row["value"], "low": row["low"], "high": row["high"]},
                "n": row["n"],
                "filter": row["filter"],
            }
            for row in rows
        ],
        "search": False,
    }


def _paid(material: Material, name: str, behind: str | None) -> IntervalRow | None:
    places, values = material.table.markers[name]
    both = material.table.binary[places]
    rows = places[both]
    found = pearson(values[both], material.table.labels[rows])
    if found is None:
        return None
    ends = pearson_interval(values[both], material.table.labels[rows], material.table.tasks[rows], CI_LEVEL)
    return estimate(name[:_NAME_CHARS], found, ends, n=rows.size, behind=behind)
