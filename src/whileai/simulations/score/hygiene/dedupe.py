"""Repeats of one trajectory within an ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.listing import listed
from whileai.simulations.reports import Report
from whileai.simulations.rows.grade import label
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.text import agent_texts, calls, reply
from whileai.simulations.rows.words import normalised
from whileai.simulations.score.grading import behavior_signature
from whileai.simulations.score.hygiene.ask import ask_key
from whileai.simulations.signature import public


@public
def dedupe_groups(rows: Iterable[Any]) -> tuple[list[Any], Report]:
    """The rows less every repeat of a trajectory within its ask, and what was dropped.

    A repeat has the same ask, the same `behavior_signature` and the same reply, case, white space and Unicode form
    aside; the first of each stays, the same object in the order given. A row that holds neither a reply nor a call
    repeats nothing. Repeats carry no new signal into a group and weigh one sample more (Lambert 2025, chapter
    Rejection Sampling).

    The report: `n`, `n_kept`, `n_dropped`, `groups_affected` (asks that lost a row), `duplicate_rate` (dropped over
    all, 0.0 of none), `conflicting_rewards` (dropped rows whose 0/1 label differs from that of the one kept: noise of
    the judge, as the trajectory is the same).

    >>> rewards = {"It ships Tuesday.": 1, "it ships  tuesday.": 0, "No idea.": 0}
    >>> kept, report = dedupe_groups([{"prompt": "When?", "final_text": t, "reward": r} for t, r in rewards.items()])
    >>> [row["final_text"] for row in kept], report["duplicate_rate"], report["conflicting_rewards"]
    (['It ships Tuesday.', 'No idea.'], 0.3333333333333333, 1)
    """
    held = RowTable(rows).rows
    said = [(ask_key(row), said_of(row)) for row in held]
    times = Counter(said)
    first: dict[tuple[str, str, str], Any] = {}
    kept: list[Any] = []
    affected: set[str] = set()
    conflicting = 0
    for row, (ask, words) in zip(held, said, strict=True):
        if words is not None and times[ask, words] > 1:  # only there can a signature tell
            key = ask, words, behavior_signature(dict(row))
            if key in first:
                affected.add(ask)
                conflicting += _conflict(first[key], row)
                continue
            first[key] = row
        kept.append(row)
    dropped = len(held) - len(kept)
    values = {
        "n": len(held),
        "n_kept": len(kept),
        "n_dropped": dropped,
        "groups_affected": len(affected),
        "duplicate_rate": dropped / len(held) if held else 0.0,
        "conflicting_rewards": conflicting,
    }
    return kept, Report(values, show=listed)


def said_of(row: Mapping[str, Any]) -> str | None:
    """The reply as replies are compared, `""` for steps without one; None when the row holds nothing of the agent's.

    >>> said_of({"final_text": "It  ships."}), said_of({"task_id": "a", "reward": 1})
    ('it ships.', None)
    """
    text = reply(row)
    if text is None:
        return "" if calls(row) or agent_texts(row) else None
    return normalised(text)


def _conflict(kept: Any, dropped: Any) -> bool:
    labels = label(kept), label(dropped)
    return None not in labels and labels[0] != labels[1]
