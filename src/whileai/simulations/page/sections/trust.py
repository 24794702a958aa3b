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


def trust_section(material: Material) -> tuple[Section | None, list[Warned]]:
    """Agreement with the labels on the rows; None without one beside a 0/1 grade."""
    both = ~np.isnan(material.gold) & material.table.binary
    if not both.any():
        return None, []
    found = judge_trust(material.rows)
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
        {"kind": "facts", "items": list(_facts(found))},
    ]
    headline = str(found).splitlines()[0]
    section: Section = {
        "id": TRUST_ID,
        "title": "Judge trust",
        "lead": f"{headline}.",
        "blocks": blocks,
        "more": "Whether tricks move the judge needs the judge: wai trust FILE --judge MODULE:FUNCTION tries them.",
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


def _facts(found: Mapping[str, Any]) -> Iterator[Fact]:
    agreement, skipped = found["agreement"], found["skipped"]
    counts = agreement["confusion"]
    failures, passes = counts["fp"] + counts["tn"], counts["tp"] + counts["fn"]
    yield fact("labels", f"{found['n_labeled']:,}", f"made by: {found['gold_kind'] or 'nobody'}")
    yield fact("failures the judge passes", f"{counts['fp']:,} of {failures:,}")
    yield fact("passes the judge fails", f"{counts['fn']:,} of {passes:,}")
    if left_out := skipped["n_gold"] - skipped["n_used"]:
        yield fact("labels not compared", f"{left_out:,}", "their rows have no 0/1 reward")
    for name, word in (("gold_1", "passes"), ("gold_0", "failures")):
        entry = found["length_sensitivity"].get(name) or {}
        if (gap := entry.get("gap_long_minus_short")) is not None:
            note = f"p {entry['p_value']:.2g}; {counted(entry['n'], 'row')}"
            if entry.get("labels_may_explain"):
                note += "; wrong labels would give such a gap as well"
            yield fact(f"judge's pass rate on long less short {word}", f"{gap:+.2f}", note)
