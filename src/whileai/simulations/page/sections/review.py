"""The review queue, counted by why a rollout is in it."""

from __future__ import annotations

from whileai.simulations.page.material import Material
from whileai.simulations.page.review import MOST_QUEUED, RANKS, Wanted
from whileai.simulations.page.sections.read import bar
from whileai.simulations.reports import counted
from whileai.simulations.web.document import Bar, Section

REVIEW_ID = "review-reasons"


def review_section(material: Material, queue: list[Wanted]) -> Section | None:
    """How many rollouts a person should look at, by reason; None when there are none."""
    if not queue:
        return None
    bars: list[Bar] = []
    for kind in RANKS:
        positions = sorted(each.position for each in queue if kind in each.kinds)
        if positions:
            bars.append(bar(kind, len(positions), material.filters.add(kind, positions)))
    more = f"; the queue holds the {MOST_QUEUED:,} most wanted" if len(queue) > MOST_QUEUED else ""
    return {
        "id": REVIEW_ID,
        "title": "What to look at",
        "lead": f"{counted(len(queue), 'rollout')} worth a person's look{more}.",
        "blocks": [{"kind": "bars", "title": "Why", "x": "rollouts", "rows": bars}],
        "more": None,
    }
