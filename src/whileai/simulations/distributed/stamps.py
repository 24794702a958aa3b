"""Row-wise stamps: each worker stamps the rows it has, and nothing is shuffled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any, Unpack

from whileai.simulations.arguments import whole
from whileai.simulations.distributed.source import source_of
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.score import grading, grounding, quality, style, trace
from whileai.simulations.score.grounding.row import Options
from whileai.simulations.score.secrets import MIN_LEN, untold_leak

NO_LEAK = "no_privileged_leak"  # the marker of `mark_leaks`: 1.0 clean, 0.0 where the block is quoted


def style_markers(rows: Any, phrases: Mapping[str, Iterable[str]] | None = None) -> Any:
    """A dataset of the rows with the markers of `whileai.simulations.style_markers`."""
    held = None if phrases is None else {name: list(each) for name, each in phrases.items()}
    return _stamped(rows, partial(style.style_markers, phrases=held))


def trace_markers(rows: Any, kinds: Mapping[str, str] | None = None, evidence: bool = True) -> Any:
    """A dataset of the rows with the markers and flags of `whileai.simulations.trace_markers`."""
    return _stamped(rows, partial(trace.trace_markers, kinds=kinds, evidence=evidence))


def mark_grounding(rows: Any, **options: Unpack[Options]) -> Any:
    """A dataset of the rows with the marker of `whileai.simulations.mark_grounding`."""
    return _stamped(rows, partial(grounding.mark_grounding, **options))


def rank_rows(rows: Any) -> Any:
    """A dataset of the rows with `quality`, `quality_reason`, `quality_scores` of `whileai.simulations.rank_rows`."""
    return _stamped(rows, quality.rank_rows)


def conduct_grade(rows: Any, declared_tools: Collection[str | Mapping[str, Any]] | None = None) -> Any:
    """A dataset of the rows with the keys of `whileai.simulations.conduct_grade`: `reward`, `reason`, a fault found."""
    tools = None if declared_tools is None else list(declared_tools)

    def graded(held: list[Any]) -> list[Any]:
        return [{**row, **grading.conduct_grade(row, tools)} for row in held]

    return _stamped(rows, graded)


def mark_leaks(rows: Any, min_len: int = MIN_LEN) -> Any:
    """A dataset of the rows, with `markers["no_privileged_leak"]` on those that have a `privileged` block.

    It is 0.0 where the agent quotes a text of the block, of `min_len` characters or more, that it had not been told:
    the rows that `select_for_rl` and `select_for_sft` drop; else 1.0.
    """
    least = max(1, whole("min_len", min_len, 0))

    def marked(held: list[Any]) -> list[Any]:
        return [_leak_marked(row, least) if is_mapping(row.get("privileged")) else row for row in held]

    return _stamped(rows, marked)


def _leak_marked(row: Any, least: int) -> Any:
    markers = row.get("markers")
    clean = float(untold_leak(row, least) is None)
    return {**row, "markers": {**(markers if is_mapping(markers) else {}), NO_LEAK: clean}}


def _stamped(rows: Any, stamp: Callable[[list[Any]], Iterable[Any]]) -> Any:
    stamp([])  # refuses bad arguments here, before any worker starts
    return source_of(rows).changed(lambda held, at: stamp(held))
