"""The rewards that no pass rate counts, those that are no 0/1 label, and what to do about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.reports import out_of
from whileai.simulations.rows.grade import REWARD_FIELDS
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.values import is_bool

BOOLEANS_FIX = "write 1 and 0 for True and False"


@dataclass(frozen=True)
class Labels:
    """One side's rewards: its rows, and how many are graded, 0/1, boolean, another grade, and of those -1."""

    rows: int
    n_graded: int
    n_binary: int
    n_booleans: int
    n_others: int
    n_minus_one: int

    def __add__(self, more: Labels) -> Labels:
        """Those of other rows too."""
        return Labels(*(getattr(self, each.name) + getattr(more, each.name) for each in fields(Labels)))


def labels_of(table: RowTable) -> Labels:
    """The rewards of a table; booleans are looked for only where a label is missing."""
    graded = is_graded(table)
    unread = np.flatnonzero(~graded).tolist()
    booleans = sum(any(is_bool(table.rows[i].get(field)) for field in REWARD_FIELDS) for i in unread)
    others = table.grades[graded & ~table.binary]
    n_graded, n_binary = int(graded.sum()), int(table.binary.sum())
    return Labels(len(table), n_graded, n_binary, booleans, others.size, int(np.count_nonzero(others == -1)))


def is_graded(table: RowTable) -> NDArray[np.bool_]:
    """Which rows have a numeric reward."""
    return ~np.isnan(table.grades) | table.binary


def partly_labelled(sides: Mapping[str, Labels]) -> str:
    """How many graded rows of each side are 0/1, when some are not, and the mend; else "".

    >>> table = RowTable([{"reward": 1}, {"reward": -1}])
    >>> partly_labelled({"before": labels_of(table), "after": labels_of(table)})
    '1 of 2 graded rows before and 1 of 2 after are 0/1; the others are in no pass rate: write 0 for -1'
    """
    if not any(labels.n_others for labels in sides.values()):
        return ""
    counts = [f"{labels.n_binary} of {labels.n_graded}" for labels in sides.values()]
    said = " and ".join(
        f"{count}{'' if i else ' graded rows'} {side}"
        for i, (side, count) in enumerate(zip(sides, counts, strict=True))
    )
    return f"{said} are 0/1; the others are in no pass rate: {_fix(list(sides.values()))}"


def booleans_said(sides: Mapping[str, Labels]) -> str:
    """How many rows have a boolean reward, which is no grade, on a side that has labels too; "" for none."""
    if not any(labels.n_booleans and labels.n_binary for labels in sides.values()):
        return ""
    counts = " and ".join(f"{out_of(labels.n_booleans, labels.rows, 'row')} {side}" for side, labels in sides.items())
    return f"the reward is a boolean, which is no grade, on {counts}: {BOOLEANS_FIX}"


def unlabelled(sides: Mapping[str, Labels]) -> str:
    """Why a side has no 0/1 reward at all, and the mend; "" when both sides have one.

    >>> unlabelled({"before": labels_of(RowTable([])), "after": labels_of(RowTable([{"reward": 0.5}]))})
    'the before side has no rows; no reward on the after side is 0/1 (grade 0/1 or set a threshold)'
    """
    found = {side: _absence(labels) for side, labels in sides.items() if not labels.n_binary}
    whole = list(found.values())
    if len(whole) == 2 and whole[0] == whole[1]:
        return whole[0].replace("{} has", "both sides have").replace("{}", "either side")
    return "; ".join(said.replace("{}", f"the {side} side") for side, said in found.items())


def _absence(labels: Labels) -> str:
    if labels.n_graded or labels.n_booleans:
        return f"no reward on {{}} is 0/1 ({_fix([labels]) if labels.n_graded else BOOLEANS_FIX})"
    return "{} has no graded rows (grade them)" if labels.rows else "{} has no rows"


def _fix(sides: list[Labels]) -> str:
    only_minus_one = all(labels.n_others == labels.n_minus_one for labels in sides)
    return "write 0 for -1" if only_minus_one else "grade 0/1 or set a threshold"
