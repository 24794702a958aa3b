"""The printed style report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.reports import counted, interval_text, number_text, printable, wrapped

_SHOWN_PHRASES = 2
_NAME_CHARS = 60


def format_style(report: Mapping[str, Any]) -> str:
    """A line of counts, one a marker, then warnings, notes and what was not stamped.

    >>> print(format_style({"n": 0, "n_graded": 0, "markers": {}, "warnings": [], "notes": [], "not_stamped": {}}))
    style 0 rows, 0 graded
    no row has a 0/1 reward: grade the rows first to see whether the reward pays for a phrase
    """
    lines = [f"style {counted(report['n'], 'row')}, {report['n_graded']} graded"]
    lines += [_marker_line(name, entry) for name, entry in report["markers"].items()]
    if not report["n_graded"]:
        lines.append("no row has a 0/1 reward: grade the rows first to see whether the reward pays for a phrase")
    for text in report["warnings"]:
        lines += wrapped(f"warning: {text}")
    for text in report["notes"]:
        lines += wrapped(f"note: {text}")
    return "\n".join(lines + _elsewhere(report["not_stamped"]))


def _marker_line(name: Any, entry: Mapping[str, Any]) -> str:
    clean = "none" if entry["clean"] is None else number_text(entry["clean"])
    parts = [printable(name, _NAME_CHARS), f"clean {clean}"]
    if entry["ci95"] is not None:
        parts.append(interval_text(entry["ci95"]))
    parts.append(f"hits {entry['hits']}")
    if entry["degenerate"]:
        parts.append("no interval: constant, see the note below")
    elif entry["ci95"] is None and entry["clean"] is not None:
        parts.append("no interval: under 3 tasks")
    if entry["reward_corr"] is not None:
        parts.append(f"corr {entry['reward_corr']:+.2f}")
    if entry.get("flagged"):
        parts.append("flagged")
    parts += [f'"{printable(phrase, _NAME_CHARS)}" {rows}' for phrase, rows in entry["top_phrases"][:_SHOWN_PHRASES]]
    return "  ".join(parts)


def _elsewhere(not_stamped: Mapping[str, list[str]]) -> list[str]:
    stamps = [f"{call}(rows) stamps {', '.join(names)}" for call, names in not_stamped.items() if names]
    n = sum(map(len, not_stamped.values()))
    markers = "marker" if n == 1 else "markers"
    return wrapped(f"not stamped here: {n} {markers} in other families. {'; '.join(stamps)}") if n else []
