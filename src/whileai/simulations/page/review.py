"""What a person should look at first: where judge and people disagree, where a flag fired, where the judge wavers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from whileai.simulations.defaults import DECISION_UNSURE_BAND, PASS_THRESHOLD
from whileai.simulations.page.fired import FLAGS
from whileai.simulations.page.material import Material
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.score.labels.label import records_of

MOST_QUEUED = 500  # rollouts a page asks a person to look at
DISAGREE, DIVIDED, PAID, UNSURE, NEAR, OPEN, FIRED = (
    "judge and people disagree",
    "people disagree",
    "a flag fired and the reward paid",
    "the judge was unsure",
    "reward near the threshold",
    "a flag fired, and there is no verdict",
    "a flag fired on a failure",
)
RANKS = {DISAGREE: 7.0, DIVIDED: 6.0, PAID: 5.0, UNSURE: 4.0, NEAR: 3.0, OPEN: 2.0, FIRED: 1.0}
_FIRED = {1.0: PAID, 0.0: FIRED}  # by the label of the row
_MORE = 0.01  # of a rank, for each further flag


class Wanted(NamedTuple):
    """A row to look at: why in words, the kinds of reason, and how much it is wanted."""

    position: int
    why: list[str]
    kinds: list[str]
    rank: float


def wanted(material: Material) -> list[Wanted]:
    """Every row that a person should judge, most wanted first; rows that people have settled are none.

    >>> rows = [{"task_id": "a", "reward": 1, "gold_reward": 0}, {"task_id": "b", "reward": 1}]
    >>> [(each.position, each.why) for each in wanted(Material(rows))]
    [(0, ['the judge says pass, people say fail'])]
    """
    found = [each for position in range(len(material.rows)) if (each := _wanted(material, position)) is not None]
    return sorted(found, key=lambda each: (-each.rank, each.position))


def _wanted(material: Material, position: int) -> Wanted | None:
    reasons = list(_reasons(material, position))
    if not reasons:
        return None
    kinds = list(dict.fromkeys(kind for kind, _ in reasons))
    rank = max(RANKS[kind] for kind in kinds) + _MORE * (len(reasons) - 1)
    return Wanted(position, [text for _, text in reasons], kinds, rank)


def _reasons(material: Material, position: int) -> Iterator[tuple[str, str]]:
    row, gold, label = material.rows[position], material.gold[position], material.table.labels[position]
    if gold == gold:
        if label == label and gold != label:
            words = ("fail", "pass")
            yield DISAGREE, f"the judge says {words[int(label)]}, people say {words[int(gold)]}"
        return
    if len({label for _, label in records_of(row)}) > 1:
        yield DIVIDED, "as many people pass it as fail it"
    for flag in material.flags[position]:
        yield _FIRED.get(float(label), OPEN), f"{flag}: {FLAGS[flag]}"
    meta: Any = row.get("judge_meta")
    if is_mapping(meta) and meta.get("unsure"):
        yield UNSURE, "the judge said that it was unsure"
    reward = float(material.table.grades[position])
    if not np.isnan(reward) and label != label and abs(reward - PASS_THRESHOLD) <= DECISION_UNSURE_BAND:
        yield NEAR, f"reward {reward:g} is within {DECISION_UNSURE_BAND:g} of the threshold {PASS_THRESHOLD:g}"
