"""Score rows as conversations; no row is rewritten or sorted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whileai.simulations.rows.single import need_row
from whileai.simulations.rows.table import row_items
from whileai.simulations.score.quality.complexity import complexity
from whileai.simulations.score.quality.conversation import read
from whileai.simulations.score.quality.leak import leak
from whileai.simulations.score.quality.opener import opener
from whileai.simulations.score.quality.pingpong import ping_pong
from whileai.simulations.score.quality.structure import structure
from whileai.simulations.signature import public

DIMENSIONS = ("opener", "ping_pong", "leak", "complexity", "structure")
FAILING_BELOW = 0.5  # score under which a dimension fails; convention


@public
def score_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """How much a row reads like a conversation that a person had: `quality`, `quality_reason`, `quality_scores`.

    `quality_scores` holds `opener` (a person would send it), `ping_pong` (the turns alternate), `leak` (no simulator
    vocabulary), `complexity` (something was done) and `structure` (it ends on the reply), each 0 to 1 at 3 decimals;
    `quality` is their mean. `quality_reason` is `conforms` when every dimension has 0.5 or more, else the notes of all
    dimensions joined by `; `. The row is not changed. The scores are conventions, not measurements.

    >>> score_row({"prompt": "ok", "final_text": "Hello"})["quality_reason"]
    'ack-only opener; one-line dead end'
    """
    need_row("score_row", row)
    return _scored(row)


def _scored(row: Mapping[str, Any]) -> dict[str, Any]:
    talk = read(row)
    marks = (opener(talk.opener), ping_pong(talk), leak(talk), complexity(talk), structure(talk))
    scores = [mark[0] for mark in marks]
    reason = "conforms"
    if min(scores) < FAILING_BELOW:
        reason = "; ".join(dict.fromkeys(mark.note for mark in marks if mark.note))
    return {
        "quality": round(sum(scores) / len(scores), 3),
        "quality_reason": reason,
        "quality_scores": dict(zip(DIMENSIONS, scores, strict=True)),
    }


@public
def rank_rows(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Write the three fields of `score_row` on every row in place; the rows stay in the order given.

    A list comes back as the same object, any other sequence as a new list of the same rows. Raises `TypeError` for a
    row that is no dict, before any row is written to.

    >>> rows = [{"prompt": "Where is my order 4017?", "final_text": "It is due on Friday."}]
    >>> rank_rows(rows) is rows, rows[0]["quality_scores"]["opener"]
    (True, 1.0)
    """
    held = row_items(rows)
    for place, row in enumerate(held):
        if not isinstance(row, dict):
            raise TypeError(f"rows must be dicts, got {type(row).__name__} at position {place}")
    for row in held:
        row.update(_scored(row))
    return held
