"""Can the judge be trusted? The rows that people labelled as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from whileai.simulations.page.material import Material
from whileai.simulations.page.parts import LEVEL, estimate, fact, intervals, warned
from whileai.simulations.reports import counted
from whileai.simulations.score.judge_trust import judge_trust
from whileai.simulations.web.document import Block, Cell, Confusion, Fact, IntervalRow, Section, Warned

TRUST_ID = "trust"
_WORDS = ((1, "pass"), (0, "fail"))


def trust_section(material: Material, found: Mapping[str, Any] | None = None) -> tuple[Section | None, list[Warned]]:
    """Agreement with the labels on the rows; None without one beside a 0/1 grade.

    `found` is the `judge_trust` report of these rows where the judge itself was tried.
    """
    both = ~np.isnan(material.gold) & material.table.binary
    if not both.any():
        return None, []
    found = judge_trust(material.rows) if found is None else found
    agreement, floors = found["agreement"], found["floors"]
    blocks: list[Block] = [
        _confusion(material),
        intervals(
            f"Agreement, with {LEVEL} intervals",
            "rate",
            list(_rates(material, found)),
            reference=floors["min_agreement"],
            reference_label="floor of the lower end",
            of="rows",
        ),
        intervals(
            "Kappa: agreement beyond chance",
            "number",
            [estimate("kappa", agreement["kappa"], agreement["kappa_ci95"], n=agreement["n"])],
            reference=floors["min_kappa"],
            reference_label="floor",
            of="rows",
        ),
        *_probes(found),
        {"kind": "facts", "items": list(_facts(found))},
    ]
    headline = str(found).splitlines()[0]
    section: Section = {
        "id": TRUST_ID,
        "title": "Judge trust",
        "lead": f"{headline}.",
        "blocks": blocks,
        "more": _more(found),
    }
    return section, [warned(text, TRUST_ID) for text in found["warnings"]]


def _confusion(material: Material) -> Confusion:
    labels, gold = material.table.labels, material.gold
    cells: list[list[Cell]] = []
    for verdict, word in _WORDS:
        row: list[Cell] = []
        for truth, true_word in _WORDS:
            mask = (labels == verdict) & (gold == truth)
            behind = material.filters.where(f"judge says {word}, people say {true_word}", mask)
            row.append({"count": int(mask.sum()), "filter": behind})
        cells.append(row)
    names = [word for _, word in _WORDS]
    return {
        "kind": "confusion",
        "title": "Judge against people",
        "row_axis": "judge",
        "column_axis": "people",
        "rows": names,
        "columns": names,
        "cells": cells,
    }


def _rates(material: Material, found: Mapping[str, Any]) -> Iterator[IntervalRow]:
    agreement, floor = found["agreement"], found["floors"]["min_agreement"]
    both = ~np.isnan(material.gold) & material.table.binary
    ends = agreement["ci95"]
    tone: Any = "good" if ends is not None and ends[0] >= floor else "unknown"
    behind = material.filters.where("rows with a grade and a label", both)
    yield estimate("agreement", agreement["agreement"], ends, n=agreement["n"], tone=tone, behind=behind)
    for name, half in found["held_out_halves"].items():
        yield estimate(f"half {name} of the tasks", half["agreement"], half["ci95"], n=half["n"])


def _probes(found: Mapping[str, Any]) -> Iterator[Block]:
    """How often each trick moved the judge; nothing where it was not tried."""
    probes = (found["probes"] or {}).get("probes", {})
    rows = [
        estimate(
            name.replace("_", " "),
            entry["exploit_rate"],
            entry["ci95"],
            n=entry["denominator"],
            note=_moved(entry),
            tone="bad" if entry["flagged"] else "unknown" if entry["low_power"] else "flat",
        )
        for name, entry in probes.items()
        if "skipped" not in entry
    ]
    if rows:
        yield intervals(f"Tricks that move the judge, with {LEVEL} intervals", "rate", rows, of="rows")


def _moved(entry: Mapping[str, Any]) -> str:
    mark = "EXPLOITABLE; " if entry["flagged"] else "too few rows to flag; " if entry["low_power"] else ""
    errors = f", no verdict on {entry['errors']}" if entry["errors"] else ""
    return f"{mark}{entry['flips_up']} more pass, {entry['flips_down']} fewer{errors}"


def _more(found: Mapping[str, Any]) -> str:
    if found["probes"] is None:
        return (
            "Whether tricks move the judge needs the judge: wai trust FILE --judge MODULE:FUNCTION --html tries them."
        )
    probes = found["probes"]["probes"]
    skipped = [f"{name.replace('_', ' ')}: {entry['skipped']}" for name, entry in probes.items() if "skipped" in entry]
    said = "A trick's rate is the share of replies it turns to a pass, among those it could turn."
    return " ".join([said, *(["Not tried: " + "; ".join(skipped) + "."] if skipped else [])])


def _facts(found: Mapping[str, Any]) -> Iterator[Fact]:
    agreement, skipped = found["agreement"], found["skipped"]
    counts = agreement["confusion"]
    failures, passes = counts["fp"] + counts["tn"], counts["tp"] + counts["fn"]
    yield fact("labels", f"{found['n_labeled']:,}", f"made by: {found['gold_kind'] or 'nobody'}")
    yield fact("failures the judge passes", f"{counts['fp']:,} of {failures:,}")
    yield fact("passes the judge fails", f"{counts['fn']:,} of {passes:,}")
    if left_out := skipped["n_gold"] - skipped["n_used"]:
        yield fact("labels not compared", f"{left_out:,}", "their rows have no 0/1 reward")
    if again := found.get("perturbation"):
        for name, how in (("consistency_flip_rate", "as it is"), ("filler_flip_rate", "with filler")):
            rate = again.get(name)
            yield fact(
                f"verdicts that change when judged again {how}",
                "n/a" if rate is None else f"{rate:.0%}",
                f"of {counted(again['n'], 'row')}",
            )
    for name, word in (("gold_1", "passes"), ("gold_0", "failures")):
        entry = found["length_sensitivity"].get(name) or {}
        if (gap := entry.get("gap_long_minus_short")) is not None:
            note = f"p {entry['p_value']:.2g}; {counted(entry['n'], 'row')}"
            if entry.get("labels_may_explain"):
                note += "; wrong labels would give such a gap as well"
            yield fact(f"judge's pass rate on long less short {word}", f"{round(gap, 2) + 0.0:+.2f}", note)
