"""Where a row stands, in words: its file, its number, its record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.reports import printable

_FILE_CHARS = 40


def row_place(entry: Mapping[str, Any]) -> str:
    """Its file, cut in front so that the name stays; its number, from 1; its record where that differs.

    >>> row_place({"row": 3, "record": 5}), row_place({"file": "runs/of/last/week/" * 3 + "rows.jsonl", "row": 3})
    ('row 3 (record 5)', '…/last/week/runs/of/last/week/rows.jsonl row 3')
    """
    place = f"row {entry['row']}"
    if entry.get("record", entry["row"]) != entry["row"]:
        place += f" (record {entry['record']})"
    if "file" not in entry:
        return place
    file = printable(entry["file"])
    return f"{file if len(file) <= _FILE_CHARS else '…' + file[1 - _FILE_CHARS :]} {place}"
