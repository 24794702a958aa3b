"""Where gold labels come from, and which of them a judge can be measured against."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whileai.simulations.reports import printable
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.labels.identity import written
from whileai.simulations.score.labels.label import UNKNOWN, records_of

GOLD_KIND = "gold_kind"
HUMAN, PROGRAM, MODEL, MIXED = "human", "program", "model", "mixed"
KINDS = {HUMAN: HUMAN, PROGRAM: PROGRAM, "verifier": PROGRAM, MODEL: MODEL}  # as written -> as stored
MEASUREMENTS = frozenset({HUMAN, PROGRAM})  # kinds a judge can be measured against; Lambert 2025, chapter Evaluation
_KIND_CHARS = 40


def kind_of(value: Any) -> str:
    """The kind written on a row or record: any text, `verifier` read as `program`, `unknown` when there is none.

    >>> kind_of("verifier"), kind_of(None), kind_of("crowd")
    ('program', 'unknown', 'crowd')
    """
    text = written(value)
    return KINDS.get(text, text) or UNKNOWN


def gold_kinds(table: RowTable, compared: NDArray[np.bool_]) -> set[str]:
    """The kinds of the gold on the compared rows; for a row of `mixed` kind those of its records where it keeps them.

    >>> table = RowTable([{"gold_kind": "verifier"}, {"gold_kind": "model"}, {}])
    >>> sorted(gold_kinds(table, np.array([True, False, True])))
    ['program', 'unknown']
    """
    kinds: set[str] = set()
    for place in np.flatnonzero(compared).tolist():
        kind = kind_of(table.rows[place].get(GOLD_KIND))
        own = kind == MIXED and {kind_of(record.get("kind")) for record, _ in records_of(table.rows[place])}
        kinds |= own or {kind}
    return kinds


def one_kind(kinds: set[str]) -> str | None:
    """One word for the kinds of the labels compared: what cannot be trusted is named first.

    >>> one_kind({"human", "model"}), one_kind({"human", "program"}), one_kind(set())
    ('model', 'mixed', None)
    """
    if not kinds:
        return None
    named = kinds - MEASUREMENTS or kinds
    return next(iter(named)) if len(named) == 1 else MIXED


def kind_warnings(other_kinds: set[str]) -> Iterator[str]:
    """A warning for gold of these kinds, which are neither a person's nor a program's; none for no kind.

    >>> list(kind_warnings(set()))
    []
    """
    if UNKNOWN in other_kinds:
        yield (
            "who made the gold labels is unknown, so they measure nothing yet; a person's labels are "
            f'attached with attach_labels(kind="human"), which records it in {GOLD_KIND}'
        )
    elif other_kinds:
        kinds = ", ".join(printable(kind, _KIND_CHARS) for kind in sorted(other_kinds))
        yield (
            f"gold labels are a model's, not a person's or a program's (kind: {kinds}): two models agreeing is no "
            "measurement; hand-label a sample, or pass allow_model_gold=True"
        )
