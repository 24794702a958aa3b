"""One rollout as the viewer shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from whileai.simulations.page.held import Place
from whileai.simulations.page.keys import Keys
from whileai.simulations.page.material import Material
from whileai.simulations.page.turns import middle_out, turns_of
from whileai.simulations.rows.content import first_of
from whileai.simulations.rows.grade import grade, label
from whileai.simulations.rows.values import as_text, finite, is_mapping
from whileai.simulations.score.labels.identity import written
from whileai.simulations.score.style.report import tic_of
from whileai.simulations.web.document import Flag, Rollout, Turn

Label = Literal["pass", "fail", "partial", "other", "ungraded"]
_MOST_REASON = 4000  # characters
_MOST_NAME = 300  # characters of a task or another name
_MOST_MARKERS = 60
_NO_STATUS = frozenset({"", "ok", "stop"})  # what says that nothing is amiss


def rollout_of(material: Material, position: int, keys: Keys | None, place: Place) -> Rollout:
    """The rollout at a position, with its turns, its flags and where its row stands; without `keys` it has none."""
    row = material.rows[position]
    turns, cut = turns_of(row)
    reward = grade(row)
    gold = material.gold[position]
    return {
        "key": None if keys is None else keys.of(position),
        "task": middle_out(material.table.index.name(int(material.table.tasks[position])), _MOST_NAME),
        "attempt": written(row.get("rollout_index"))[:_MOST_NAME] or None,
        "reward": None if reward != reward else reward,
        "label": label_of(row),
        "status": _status(row),
        "reason": middle_out(as_text(first_of(row, ("reason", "grader_reason"))), _MOST_REASON) or None,
        "gold": None if gold != gold else float(gold),
        "file": place.get("file"),
        "row": place["row"],
        "flags": list(_flags(material, position, turns)),
        "markers": _markers(row.get("markers")),
        "length": int(material.lengths[position]),
        "cut": cut,
        "turns": turns,
    }


def label_of(row: Mapping[str, Any]) -> Label:
    """What a person calls the grade of a row.

    >>> [label_of({"reward": reward}) for reward in (1, 0, 0.5, 2, None)]
    ['pass', 'fail', 'partial', 'other', 'ungraded']
    """
    found, reward = label(row), grade(row)
    if found is not None:
        return "pass" if found else "fail"
    if reward != reward:
        return "ungraded"
    return "partial" if 0 < reward < 1 else "other"


def _status(row: Mapping[str, Any]) -> str | None:
    said = (as_text(row.get(field)) for field in ("judge_status", "finish_reason"))
    return ", ".join(text[:_MOST_NAME] for text in said if text not in _NO_STATUS) or None


def _markers(held: Any) -> dict[str, float]:
    """The markers that are numbers."""
    if not is_mapping(held):
        return {}
    read = ((as_text(name)[:_MOST_NAME], finite(value)) for name, value in list(held.items())[:_MOST_MARKERS])
    return {name: value for name, value in read if value is not None}


def _flags(material: Material, position: int, turns: Sequence[Turn]) -> Iterator[Flag]:
    for name, evidence in material.flags[position].items():
        yield {"name": name, "evidence": _stretch(evidence, turns)}
    for marker, phrases in material.phrases[position].items():
        for phrase in phrases:
            yield {"name": f"phrase: {tic_of(marker)}", "evidence": _spelled(phrase, turns)}


def _stretch(evidence: str, turns: Sequence[Turn]) -> str:
    """The evidence as it stands in a turn: less the name of its tool, or the mark of a cut; else as it is."""
    whole = evidence.removesuffix("…").replace("\r\n", "\n")
    for part in (whole, whole.partition(": ")[2]):
        if part and any(part in turn["text"] for turn in turns):
            return part
    return evidence


def _spelled(phrase: str, turns: Sequence[Turn]) -> str:
    """A phrase, in any case, as the agent wrote it."""
    pattern = re.compile(re.escape(phrase), re.IGNORECASE)
    found = (pattern.search(turn["text"]) for turn in turns if turn["who"] == "agent")
    return next((match[0] for match in found if match), phrase)
