"""Two runs compared on every metric: the forest of changes, the verdict, and the printed report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from whileai.simulations.page.parts import LEVEL, estimate, fact, intervals
from whileai.simulations.page.sides import NAMES, Sides
from whileai.simulations.reports import counted, figure
from whileai.simulations.rows.table import Floats, Ints
from whileai.simulations.score.delta.groups import weakest_first
from whileai.simulations.score.delta.options import as_options
from whileai.simulations.score.stats.summary import MARKER, PASS, summarise
from whileai.simulations.web.document import Block, Fact, Headline, IntervalRow, Section, Tone

DELTA_ID = "change"
_TONES: Mapping[str, Tone] = {"b_better": "good", "a_better": "bad", "insufficient_data": "unknown"}
_NAME_CHARS = 120
_MOST_GROUPS = 100
_NONE: tuple[Ints, Floats] = (np.zeros(0, dtype=np.int64), np.zeros(0))


def delta_section(sides: Sides, report: Mapping[str, Any]) -> Section:
    """The change of every metric with its interval, groups where there are any, then the report as it prints."""
    metrics = report["metrics"]
    rates = [_row(name, entry, _filter(sides, name)) for name, entry in metrics.items() if _is_rate(entry)]
    numbers = [_row(name, entry, _filter(sides, name)) for name, entry in metrics.items() if not _is_rate(entry)]
    blocks: list[Block] = [{"kind": "facts", "items": list(_facts(report))}]
    if rates:
        title = f"Change of each rate, after less before, with {100 * report['level']:.4g}% intervals"
        blocks.append(_forest(title, "delta", rates))
    if numbers:
        blocks.append(_forest("Change of markers on scales of their own", "number", numbers))
    if report["groups"]:
        weakest = weakest_first(report["groups"])[:_MOST_GROUPS]
        groups = [_row(name, report["groups"][name], None) for name in weakest]
        blocks.append(_forest(f"Change by {report['by']}, weakest first", "delta", groups))
    blocks.append({"kind": "text", "title": "As wai compare prints it", "text": as_options(str(report))})
    return {
        "id": DELTA_ID,
        "title": "What changed",
        "lead": f"{report['headline_verdict']}: {counted(report['n_paired_tasks'], 'task')} on both sides, "
        f"{report['n_unpaired_tasks']:,} on one. A name opens the rollouts that fall short.",
        "blocks": blocks,
        "more": None,
    }


def _forest(title: str, unit: str, rows: list[IntervalRow]) -> Block:
    return intervals(title, unit, rows, reference=0.0, reference_label="no change", of="tasks")


def _is_rate(entry: Mapping[str, Any]) -> bool:
    return all(mean is None or 0 <= mean <= 1 for mean in (entry["mean_a"], entry["mean_b"]))


def _row(name: str, entry: Mapping[str, Any], behind: str | None) -> IntervalRow:
    tone: Tone = "flat" if entry.get("within_noise") else _TONES.get(entry["gain_verdict"], "flat")
    notes = [f"{figure(entry['mean_a'])} \u2192 {figure(entry['mean_b'])}", "paired" if entry["paired"] else "unpaired"]
    if entry["lower_is_better"]:
        notes.append("lower is better")
    if entry.get("within_noise"):
        notes.append("within eval noise")
    if entry.get("note"):
        notes.append(entry["note"])
    label = "pass@1" if name == PASS else str(name)[:_NAME_CHARS]
    return estimate(
        label, entry["delta"], entry["ci95"], n=entry["n_used"], note="; ".join(notes), tone=tone, behind=behind
    )


def _filter(sides: Sides, metric: str) -> str | None:
    """The rows of both sides that a metric falls short on."""
    if metric == PASS:
        failed = np.flatnonzero(sides.table.labels == 0)
        return sides.filters.add(sides.sized("failures", failed), failed)
    places, values = sides.table.markers.get(metric.removeprefix(MARKER), _NONE)
    short = places[values < 1]
    return sides.filters.add(sides.sized(f"{metric[:_NAME_CHARS]} below 1", short), short)


def _facts(report: Mapping[str, Any]) -> Iterator[Fact]:
    yield fact("verdict", report["headline_verdict"])
    status = "exit status 0" if report["ok"] else "exit status 1"
    unguarded = "" if report["must_not_regress"] or report["target"] is not None else "no guard is named; "
    yield fact("gate", "ok" if report["ok"] else "closed", unguarded + status)
    for label, key in (("improved", "improved"), ("slipped", "slipped"), ("guards that slipped", "regressions")):
        if report[key]:
            yield fact(label, ", ".join(name[:_NAME_CHARS] for name in report[key]))
    if report["noise_band"] is not None:
        yield fact("eval noise", f"a change under {figure(report['noise_band'])} is noise")
    if report["detectable_effect"] is not None:
        yield fact("smallest change these tasks show", figure(report["detectable_effect"]))


def delta_headline(sides: Sides, report: Mapping[str, Any]) -> list[Headline]:
    """The verdict, then pass@1 of either side."""
    entry = report["metrics"][PASS]
    change = "no 0/1 grade on both sides" if entry["delta"] is None else f"pass@1 {entry['delta']:+.3f}"
    if entry["ci95"] is not None:
        change += f" [{entry['ci95'][0]:+.3f}, {entry['ci95'][1]:+.3f}] over {counted(entry['n_used'], 'task')}"
    word, _, why = report["headline_verdict"].partition(" (")
    slipped = ", ".join(name[:_NAME_CHARS] for name in report["regressions"])
    notes = [why.removesuffix(")"), f"slipped: {slipped}" if slipped else "", change]
    found: list[Headline] = [
        {
            "label": "verdict",
            "value": None,
            "low": None,
            "high": None,
            "n": None,
            "note": "; ".join(note for note in notes if note),
            "text": word,
        }
    ]
    for name, sums, side in zip(NAMES, sides.passes(), sides.is_side, strict=True):
        summary = summarise(PASS, sums)
        low, high = summary["ci95"] or (None, None)
        found.append(
            {
                "label": f"pass@1 {name}",
                "value": summary["mean"],
                "low": low,
                "high": high,
                "n": summary["n_tasks"],
                "note": f"tasks, {LEVEL} interval; {counted(summary['n_rows'], 'rollout')}",
                "filter": sides.filters.where(f"graded rollouts {name}", side & sides.table.binary),
            }
        )
    return found
