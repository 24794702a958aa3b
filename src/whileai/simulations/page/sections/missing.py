"""What is missing to say more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.page.parts import warned
from whileai.simulations.web.document import Section


def missing_section(overview: Mapping[str, Any]) -> Section | None:
    """Each thing that is missing, and what to do about it; None when nothing is."""
    if not overview["missing"]:
        return None
    found = [warned(sentence, None) for sentence in overview["missing"]]
    return {
        "id": "missing",
        "title": "To say more",
        "lead": "What the rows do not tell yet, and what would.",
        "blocks": [
            {
                "kind": "table",
                "title": "What is missing",
                "columns": [
                    {"key": "text", "label": "what is known", "type": "text"},
                    {"key": "fix", "label": "what to do", "type": "text"},
                ],
                "rows": [{"text": each["text"], "fix": each["fix"]} for each in found],
                "search": False,
            }
        ],
        "more": None,
    }
