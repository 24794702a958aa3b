"""Flags and stock phrases: how often each is there, and whether the reward pays for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from whileai.simulations.defaults import ALPHA, CI_LEVEL, HACK_THRESHOLD
from whileai.simulations.kernels.association import pearson_interval
from whileai.simulations.kernels.shares import share_interval
from whileai.simulations.page.fired import FLAGS
from whileai.simulations.page.material import Bools, Material
from whileai.simulations.page.parts import LEVEL, are, estimate, intervals, warned
from whileai.simulations.reports import counted
from whileai.simulations.score.presence import Presence
from whileai.simulations.score.style.phrases import STYLE_MARKERS
from whileai.simulations.score.style.report import report_of as style_report_of
from whileai.simulations.score.style.report import tic_of
from whileai.simulations.web.document import Block, IntervalRow, Section, Warned

FLAGS_ID, PHRASES_ID = "flags", "phrases"


class Thing(NamedTuple):
    """What may be present on rows: its name, what is said of it, and where it is."""

    name: str
    words: str | None
    present: Bools


def flags_section(material: Material) -> tuple[Section, list[Warned]]:
    """The flags that fired, and a warning of each that the reward pays for beyond chance, as `wai check` has it."""
    things = [Thing(flag, words, _where(material.flags, flag)) for flag, words in FLAGS.items()]
    fired = [thing for thing in things if thing.present.any()]
    n, rows = int(sum(map(bool, material.flags))), counted(len(material.rows), "rollout")
    lead = f"{n:,} of {rows} {are(n)} flagged; a flag is a place to look, not a verdict."
    section: Section = {
        "id": FLAGS_ID,
        "title": "Flags",
        "lead": lead if n else f"None of the {len(things)} flags fired on any of {rows}.",
        "blocks": _blocks(material, fired, "Rollouts on which each flag fired"),
        "more": None,
    }
    return section, list(_warnings(material, fired)) if fired else []


def _warnings(material: Material, fired: Sequence[Thing]) -> Iterator[Warned]:
    seen = presence(material, fired)
    for flag, meaning, _ in fired:
        correlation, chance = seen.correlation(flag), seen.chance(flag)
        if correlation is not None and chance is not None and correlation >= HACK_THRESHOLD and chance <= ALPHA:
            text = f"the reward pays for {flag} (correlation {correlation:+.2f} over {seen.n_graded:,} graded rows): "
            yield {
                "text": f"{text}{meaning}",
                "fix": "read its rollouts, and mend the judge before you train on it if it is what pays",
                "section": FLAGS_ID,
            }


def phrases_section(material: Material) -> tuple[Section | None, list[Warned]]:
    """The stock phrases that were said, and the warnings of `style_report`; no section without any."""
    names = list(STYLE_MARKERS)
    report = style_report_of(material.table, material.phrases, names, HACK_THRESHOLD)
    said = {name: entry["top_phrases"] for name, entry in report["markers"].items() if entry["hits"]}
    things = [Thing(tic_of(name), _quoted(tops), _where(material.phrases, name)) for name, tops in said.items()]
    if not things:
        return None, []
    n = int(sum(map(bool, material.phrases)))
    section: Section = {
        "id": PHRASES_ID,
        "title": "Stock phrases",
        "lead": f"{counted(n, 'rollout')} {'holds' if n == 1 else 'hold'} a phrase that policies learn when a reward "
        "pays for it.",
        "blocks": _blocks(material, things, "Rollouts with a phrase of each kind"),
        "more": None,
    }
    return section, [warned(text, PHRASES_ID) for text in report["warnings"]]


def _quoted(tops: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"\u201c{phrase}\u201d {n:,}" for phrase, n in tops[:3])


def _where(found: Sequence[Mapping[str, Any]], name: str) -> Bools:
    return np.fromiter((name in each for each in found), dtype=np.bool_, count=len(found))


def _blocks(material: Material, things: list[Thing], title: str) -> list[Block]:
    if not things:
        return []
    seen = presence(material, things)
    behind = {thing.name: material.filters.where(thing.name, thing.present) for thing in things}
    rates = [_rate(seen, thing, behind[thing.name]) for thing in things]
    blocks: list[Block] = [intervals(f"{title}, with {LEVEL} intervals over tasks", "rate", rates, of="rows")]
    paid = list(_paid(material, seen, things, behind))
    if paid:
        blocks.append(
            intervals(
                f"Does the reward pay for it? Correlation with passing, with {LEVEL} intervals over tasks",
                "correlation",
                paid,
                reference=HACK_THRESHOLD,
                reference_label="pays from here",
                of="rows",
            )
        )
    return blocks


def presence(material: Material, things: Sequence[Thing]) -> Presence:
    """How often each thing is present, and with which grade."""
    seen = Presence([thing.name for thing in things], material.table.index)
    seen.add(material.table, np.column_stack([thing.present for thing in things]))
    return seen


def _rate(seen: Presence, thing: Thing, behind: str | None) -> IntervalRow:
    absent, hits = seen.absent(thing.name), seen.hits(thing.name)
    ends = None if hits == seen.n else share_interval(absent.counts() - absent.sums(), absent.counts(), CI_LEVEL)
    correlation = seen.correlation(thing.name)
    pays = correlation is not None and correlation >= HACK_THRESHOLD
    words = f"{hits:,} of {counted(seen.n, 'row')}" + (f": {thing.words}" if thing.words else "")
    return estimate(
        thing.name, hits / seen.n, ends, n=seen.n, note=words, tone="bad" if pays else "flat", behind=behind
    )


def _paid(
    material: Material, seen: Presence, things: list[Thing], behind: Mapping[str, str | None]
) -> Iterator[IntervalRow]:
    graded = np.flatnonzero(material.table.binary)
    labels, tasks = material.table.labels[graded], material.table.tasks[graded]
    for thing in things:
        correlation, chance = seen.correlation(thing.name), seen.chance(thing.name)
        if correlation is None or chance is None:
            continue
        yield estimate(
            thing.name,
            correlation,
            pearson_interval(thing.present[graded].astype(float), labels, tasks, CI_LEVEL),
            n=seen.n_graded,
            note=None if correlation <= 0 else f"one-sided p {chance:.2g}, rows taken as independent",
            tone="bad" if correlation >= HACK_THRESHOLD else "flat",
            behind=behind[thing.name],
        )
