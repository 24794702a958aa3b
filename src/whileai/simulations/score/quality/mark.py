"""`Mark`: what one dimension says about a conversation."""

from __future__ import annotations

from typing import NamedTuple


class Mark(NamedTuple):
    """A score from 0 to 1, and in a few words why it is not better."""

    score: float
    note: str | None = None
