"""Situations that want a tool call."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.content import filled
from whileai.simulations.rows.text import ask_text
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.checklist.vocabulary import UNSPECIFIED

_TOOL_FAMILY = "tool"
_NO_STATE = frozenset({"", UNSPECIFIED, "unknown"})
_ACTION = re.compile(
    r"\b(?:merg(?:e|ed|ing)|refund(?:s|ed|ing)?|(?:re)?schedul(?:e|ed|ing)|commit(?:s|ted|ting)?"
    r"|deploy(?:s|ed|ing|ment)?|rebas(?:e|ed|ing)|check(?:ed|ing)?[ -]?out)\b",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"#\d{1,20}\b"
    r"|\b[A-Z]{2,10}-\d{1,20}\b"
    r"|\bPR[ #]{1,2}\d{1,10}\b"
    r"|\bB0[0-9A-Z]{8}\b"  # an ASIN
)


def wants_tool(row: Mapping[str, Any]) -> bool:
    """Whether a row's situation, or the words of its ask, call for a tool.

    >>> wants_tool({"prompt": "Please refund order #4411"}), wants_tool({"prompt": "What is a credit note?"})
    (True, False)
    """
    if filled(row.get("tool_known")) or row.get("ask_family") == _TOOL_FAMILY or filled(row.get("faults")):
        return True
    if as_text(row.get("world_state")).strip().lower() not in _NO_STATE:
        return True
    dimensions = row.get("scenario_dimensions")
    if is_mapping(dimensions) and (filled(dimensions.get("intent")) or filled(dimensions.get("tool"))):
        return True
    ask = ask_text(row)
    return _ACTION.search(ask) is not None or _IDENTIFIER.search(ask) is not None
