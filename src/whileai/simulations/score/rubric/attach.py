"""Rubrics on rows: `privileged.rubric`, put there and read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from whileai.simulations.rows.content import filled
from whileai.simulations.rows.table import row_items
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.score.rubric.rubric import Rubric
from whileai.simulations.signature import public

Row = dict[str, Any]
RubricForm = Rubric | Mapping[str, Any] | Sequence[Any] | str


@public
def attach_rubric(
    rows: Iterable[Any], rubric: RubricForm | Callable[[Row], RubricForm | None], overwrite: bool = True
) -> list[Row]:
    """Put a rubric on each row's `privileged` block, in place; the rows that are dicts come back in a list.

    `rubric` is a `Rubric`, its dict or list form, or a function of the row that gives one (None leaves the row alone).
    The rest of the block stays. `overwrite=False` keeps a rubric that is there. A form without criteria, or with one
    that has no title, is a `ValueError`, raised before any row is changed.

    >>> rows = attach_rubric([{"prompt": "Refund A-1"}], [{"title": "Issues the refund", "kind": "hard"}])
    >>> rubric_of(rows[0]).criteria[0].kind
    'hard'
    """
    kept = [row for row in row_items(rows) if isinstance(row, dict)]
    if callable(rubric):
        found = [None if (form := rubric(row)) is None else Rubric.from_dict(form) for row in kept]
    else:
        found = [Rubric.from_dict(rubric)] * len(kept)
    for row, given in zip(kept, found, strict=True):
        if given is not None and (overwrite or not has_rubric(row)):
            put_rubric(row, given)
    return kept


def put_rubric(row: Row, rubric: Rubric) -> None:
    """Put a rubric on one row, in place, in the form of its own dict; the rest of `privileged` stays."""
    held = row.get("privileged")
    row["privileged"] = {**(held if is_mapping(held) else {}), "rubric": rubric.to_dict()}


def has_rubric(row: Mapping[str, Any]) -> bool:
    """Whether a row carries anything as its rubric, readable or not."""
    return filled(_held(row))


@public
def rubric_of(row: Any) -> Rubric | None:
    """The rubric a row carries in `privileged.rubric`; None when there is none or it cannot be read. Never raises.

    A plain text there is one hard criterion.

    >>> rubric_of({"privileged": {"rubric": "Is the reply correct?"}}).checklist()
    '1. [Hard rule, weight 1] Is the reply correct?'
    """
    held = _held(row) if is_mapping(row) else None
    if not filled(held):
        return None
    try:
        return Rubric.from_dict(held)
    except (ValueError, TypeError, RecursionError):
        return None


def _held(row: Mapping[str, Any]) -> Any:
    privileged = row.get("privileged")
    return privileged.get("rubric") if is_mapping(privileged) else None
