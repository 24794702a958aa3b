"""A worker that dies half-way through skewed rows: every function gives what it gives in memory, nothing twice."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import whileai.simulations as wai
from whileai.simulations import distributed as far
from whileai.simulations.distributed.source import FilePart, PartRows, Source, source_of

pytestmark = pytest.mark.usefixtures("cluster", "parts")
Rows = list[dict[str, Any]]
AGAINST = [{"task_id": "task-4", "prompt": "?"}, {"prompt": "where is   BIG?"}]


@dataclass(frozen=True)
class Deadly(FilePart):
    """Ends the worker that reads it, the first time."""

    flag: str = ""

    def read(self) -> PartRows:
        found = super().read()
        try:
            Path(self.flag).touch(exist_ok=False)
        except FileExistsError:
            return found
        os._exit(1)


def deadly(path: Path, flag: Path) -> Source:
    parts = list(source_of(path).parts())
    half = len(parts) // 2
    parts[half] = Deadly(parts[half].part, parts[half].options, str(flag))
    return Source(parts)


def listed(found: Any) -> Any:
    """Rows of a dataset or a list in one order, reports as they are, and pairs of the two."""
    if isinstance(found, tuple):
        return tuple(map(listed, found))
    if hasattr(found, "map_batches"):
        found = list(far.rows_of(found))
    return sorted(map(dict, found), key=repr) if isinstance(found, list) else found


def row_by_row(name: str) -> Callable[[Rows], Rows]:
    if name == "conduct_grade":
        return lambda rows: [{**row, **wai.conduct_grade(row)} for row in rows]
    return getattr(wai, name)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pass_at", {}),
        ("metric_summary", {"metric": "marker:polite"}),
        ("marker_summary", {}),
        ("group_signal", {}),
        ("curriculum", {}),
        ("eval_variance", {}),
        ("leak_report", {}),
        ("hack_scan", {"n_perm": 5, "top_k": 5}),
        ("trim_unanimous_groups", {}),
        ("trim_out_of_band", {}),
        ("retire_solved", {}),
        ("dedupe_groups", {}),
        ("decontaminate", {"against": AGAINST}),
        ("select_for_rl", {"target": 40}),
        ("select_for_sft", {"target": 20}),
        ("build_preference_pairs", {"min_margin": 0.5}),
        ("style_markers", {}),
        ("trace_markers", {}),
        ("mark_grounding", {}),
        ("rank_rows", {}),
        ("conduct_grade", {}),
    ],
)
def test_a_death_half_way_changes_nothing(
    rows: Rows, path: Path, tmp_path: Path, name: str, options: dict[str, Any]
) -> None:
    flag = tmp_path / "died"
    there = listed(getattr(far, name)(deadly(path, flag), **options))
    assert flag.exists()
    assert there == listed(row_by_row(name)([{**row, "markers": dict(row["markers"])} for row in rows], **options))


@pytest.mark.parametrize(("name", "options"), [("compare_runs", {}), ("delta_report", {"by": "category"})])
def test_a_death_half_way_changes_no_comparison(
    rows: Rows, path: Path, tmp_path: Path, name: str, options: dict[str, Any]
) -> None:
    flag = tmp_path / "died"
    there = getattr(far, name)(path, deadly(path, flag), **options)
    assert flag.exists()
    assert dict(there) == dict(getattr(wai, name)(rows, rows, **options))


def test_every_public_function_is_tried() -> None:
    parameters = [mark.args[1] for mark in test_a_death_half_way_changes_nothing.pytestmark]
    tried = {name for cases in parameters for name, _ in cases} | {"compare_runs", "delta_report"}
    elsewhere = {"run_judge", "mark_leaks", "write_rows", "rows_of", "dataset_of"}  # test_workers.py
    assert tried | elsewhere == set(far.__all__)
