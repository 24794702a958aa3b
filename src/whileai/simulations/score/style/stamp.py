"""Style markers on rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.rows.table import row_items
from whileai.simulations.rows.text import agent_texts
from whileai.simulations.score.style.phrases import style_book, style_lists
from whileai.simulations.signature import public


@public
def style_markers(rows: Iterable[Any], phrases: Mapping[str, Iterable[str]] | None = None) -> list[Any]:
    """Stamp the style markers on every row in place: 1.0 when the agent's words are clean, 0.0 with a phrase.

    The agent's words are every assistant turn and `final_text`, less code and quotations. `phrases` maps a marker
    to its list: it replaces that of a stock marker (`STYLE_MARKERS`) or adds a marker. Markers of other names stay;
    a `markers` that is no dict becomes one. Returns a new list of the same objects, items that are no dict included.
    `phrases` of another shape are a `TypeError`.

    >>> style_markers([{"final_text": "It depends."}], {"no_slang": ["cheers mate"]})[0]["markers"]["no_hedging"]
    0.0
    """
    held = row_items(rows)
    names, book = list(style_lists(phrases)), style_book(phrases)
    for row in held:
        if isinstance(row, dict):
            kept = row.get("markers")
            found = book.said(agent_texts(row))
            stamped = {name: 0.0 if name in found else 1.0 for name in names}
            row["markers"] = {**kept, **stamped} if isinstance(kept, dict) else stamped
    return list(held)
