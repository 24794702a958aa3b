"""STUB: to be written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.source import Source

NAME = "mini-swe-agent"
LOOKS_FOR = "nothing yet"


def sniff(record: Mapping[str, Any]) -> bool:
    """Stub."""
    return False


def to_rows(record: Mapping[str, Any], source: Source) -> list[dict[str, Any]]:
    """Stub."""
    raise ValueError("not written")
