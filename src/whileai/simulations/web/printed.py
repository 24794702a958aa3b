"""The page of one printed block."""

from __future__ import annotations

from collections.abc import Sequence

from whileai.simulations.web.document import Document, Intervals


def printed_document(title: str, text: str, blocks: Sequence[Intervals]) -> Document:
    """A document that shows a block as it is printed, and its estimates below it.

    >>> document = printed_document("Report", "3 rows", [])
    >>> [block["kind"] for block in document["sections"][0]["blocks"]]
    ['text']
    """
    lead = "As it is printed, then its estimates with their intervals." if blocks else "As it is printed."
    return {
        "title": title,
        "subtitle": text.partition("\n")[0] if "\n" in text else None,
        "sources": [],
        "warnings": [],
        "headline": [],
        "sections": [
            {
                "id": "report",
                "title": "Report",
                "lead": lead,
                "blocks": [{"kind": "text", "text": text}, *blocks],
                "more": None,
            }
        ],
        "filters": {},
        "rollouts": {"total": 0, "shown": 0, "rule": "", "items": []},
        "queue": [],
    }
