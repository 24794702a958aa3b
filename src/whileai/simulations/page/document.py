"""Rows into the document of a page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from whileai.simulations.page.held import Held, Place
from whileai.simulations.page.keys import Keys
from whileai.simulations.page.material import Material
from whileai.simulations.page.parts import warned
from whileai.simulations.page.review import MOST_QUEUED, Wanted, wanted
from whileai.simulations.page.rollout import rollout_of
from whileai.simulations.page.sample import Sample
from whileai.simulations.page.sections.changes import TASKS_ID, flag_changes_section, tasks_section
from whileai.simulations.page.sections.delta import DELTA_ID, delta_headline, delta_section
from whileai.simulations.page.sections.difficulty import difficulty_section
from whileai.simulations.page.sections.flags import flags_section, phrases_section
from whileai.simulations.page.sections.length import LENGTH_ID, length_section
from whileai.simulations.page.sections.markers import markers_section
from whileai.simulations.page.sections.missing import missing_section
from whileai.simulations.page.sections.passes import headline, passes_section
from whileai.simulations.page.sections.read import read_section, sides_section
from whileai.simulations.page.sections.review import review_section
from whileai.simulations.page.sections.scan import scan_section
from whileai.simulations.page.sections.selection import selection_section
from whileai.simulations.page.sections.trust import trust_section
from whileai.simulations.page.sides import NAMES, Sides
from whileai.simulations.reports import counted
from whileai.simulations.score.delta.options import as_options
from whileai.simulations.web.document import Document, Rollout, Section, Source, Warned

Read = Sequence[Mapping[str, Any]]  # what was read of each source, as `wai` gives it
_TITLE_NAMES = 3
_SHOWN = (  # words of a warning, and where its rows are
    ("token cap", LENGTH_ID),
    ("no spoken reply", LENGTH_ID),
    ("short of rollouts", TASKS_ID),
)


def report_document(
    held: Held,
    overview: Mapping[str, Any],
    read: Read = (),
    located: Callable[..., Place] | None = None,
    trust: Mapping[str, Any] | None = None,
) -> Document:
    """The page of some rollouts, from their rows and the `overview` of them; the rows are not changed.

    Every number is over all rows; `rollouts` holds as many of them as a page can. The same rows give the same page.
    `trust` is the `judge_trust` report of the rows where their judge was tried.

    >>> from whileai.simulations.score.overview import overview
    >>> held = Held()
    >>> held.add([{"task_id": t, "prompt": "Hi", "final_text": "Yes.", "reward": r} for t in "abc" for r in (1, 0)])
    >>> document = report_document(held, overview(held.rows))
    >>> document["headline"][0]["value"], document["rollouts"]["shown"], document["sections"][0]["id"]
    (0.5, 6, 'passes')
    """
    material = Material(held.rows)
    queue = wanted(material)
    sections, warnings = _sections(material, overview, queue, held.files(located), trust)
    keys = Keys(material.rows)

    def made(position: int) -> Rollout:
        return rollout_of(material, position, keys, held.place(position, located))

    sample = Sample(material, [each.position for each in queue[:MOST_QUEUED]], material.by_task, made)
    shown = {position: index for index, position in enumerate(sample.positions)}
    said = [*_unjudged(overview), *_warned(overview["warnings"], sections, "read")]
    beyond = bool(((material.table.grades < 0) | (material.table.grades > 1)).any())
    return {
        "title": _title("Report", read),
        "subtitle": f"{counted(overview['rows'], 'rollout')} of {counted(overview['tasks'], 'task')}",
        "sources": _sources(read),
        "warnings": [*said, *warnings, *_unnamed(sample.items)],
        "headline": headline(next((section for section in sections if section["id"] == "passes"), None), beyond=beyond),
        "sections": sections,
        "filters": material.filters.of_sample(sample.positions),
        "rollouts": {
            "total": len(material.rows),
            "shown": len(sample.items),
            "rule": sample.rule,
            "items": sample.items,
        },
        "queue": [
            {"rollout": shown[each.position], "why": each.why, "rank": each.rank}
            for each in queue[:MOST_QUEUED]
            if each.position in shown
        ],
    }


def _sections(
    material: Material,
    overview: Mapping[str, Any],
    queue: list[Wanted],
    files: Mapping[str, Sequence[range]],
    tried: Mapping[str, Any] | None,
) -> tuple[list[Section], list[Warned]]:
    """The sections that the rows support, in order, and their warnings."""
    flags, phrases = flags_section(material), phrases_section(material)
    scan, trust = scan_section(material), trust_section(material, tried)
    sections = [
        passes_section(material, overview),
        difficulty_section(material, overview),
        review_section(material, queue),
        markers_section(material, overview),
        flags[0],
        phrases[0],
        scan[0],
        trust[0],
        length_section(material),
        selection_section(material, overview),
        read_section(material, overview, files),
        missing_section(overview),
    ]
    warnings = [warning for _, said in (trust, scan, flags, phrases) for warning in said]
    return [section for section in sections if section is not None], warnings


def compare_document(before: Held, after: Held, report: Mapping[str, Any], read: Read) -> Document:
    """The page of two runs, from the rows of either and their `delta_report`; `read` has a source a side or more."""
    sides = Sides(before.rows, after.rows)
    flags = flag_changes_section(sides)
    found = [delta_section(sides, report), tasks_section(sides), flags, sides_section(sides)]
    sections = [section for section in found if section is not None]
    top = delta_headline(sides, report)
    first = len(before.rows)  # rollouts have no key: both runs answer to the same names

    def made(position: int) -> Rollout:
        held, at = (before, position) if position < first else (after, position - first)
        side = NAMES[position >= first]
        rollout = rollout_of(sides, position, None, {"file": side, "row": held.place(at)["row"]})
        return {**rollout, "side": side}

    sample = Sample(sides, [], sides.groups(), made)
    return {
        "title": _title("Comparison", read),
        "subtitle": f"{counted(len(before.rows), 'rollout')} before, {len(after.rows):,} after",
        "sources": _sources(read),
        "warnings": _warned(map(as_options, report["warnings"]), sections, DELTA_ID),
        "headline": top,
        "sections": sections,
        "filters": sides.filters.of_sample(sample.positions),
        "rollouts": {
            "total": len(sides.rows),
            "shown": len(sample.items),
            "rule": f"{sample.rule} To label some, make a page of their file: wai report FILE --html.",
            "items": sample.items,
        },
        "queue": [],
    }


def _title(word: str, read: Read) -> str:
    names = [os.path.basename(entry["source"]) or entry["source"] for entry in read]
    more = f" and {len(names) - _TITLE_NAMES} more" if len(names) > _TITLE_NAMES else ""
    return f"{word}: {', '.join(names[:_TITLE_NAMES])}{more}" if names else word


def _sources(read: Read) -> list[Source]:
    return [
        {
            "source": entry["source"],
            "formats": entry["formats"],
            "rows": entry["rows"],
            "bad": entry["bad"],
            "first_bad": entry["first_bad"],
            "notes": entry["notes"],
        }
        for entry in read
    ]


def _warned(sentences: Iterable[str], sections: Sequence[Section], otherwise: str) -> list[Warned]:
    """Warnings, each with the section that shows what it is about."""
    there = {section["id"] for section in sections}
    return [
        warned(sentence, next((at for words, at in _SHOWN if words in sentence and at in there), otherwise))
        for sentence in sentences
    ]


def _unjudged(overview: Mapping[str, Any]) -> list[Warned]:
    """That no row is graded, with what grades them."""
    if overview["graded"] or not overview["rows"]:
        return []
    fixes = [entry["fix"] for entry in overview["ungraded_fixes"]]
    return [
        {"text": "no row is graded, so there are no pass rates", "fix": "; ".join(fixes) or None, "section": "read"}
    ]


def _unnamed(items: Sequence[Rollout]) -> list[Warned]:
    """That a label could not say which of some rollouts it is of."""
    n = sum(item["key"] is None for item in items)
    if not n:
        return []
    return [
        {
            "text": f"{counted(n, 'rollout')} shown here cannot be labelled: other rows answer to the same name",
            "fix": "give every row a rollout_id, or its task a rollout_index for each rollout",
            "section": None,
        }
    ]
