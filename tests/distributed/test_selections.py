"""Rows selected on Ray are those selected in memory, and so are the reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import whileai.simulations as wai
from whileai.simulations import distributed as far

pytestmark = pytest.mark.usefixtures("cluster", "parts")
Rows = list[dict[str, Any]]


def attempts(rows: Any) -> list[int]:
    return [row["rollout_index"] for row in rows]


def copies(rows: Rows) -> Rows:
    return [dict(row) for row in rows]


@pytest.mark.parametrize("name", ["trim_unanimous_groups", "trim_out_of_band"])
def test_trims_keep_the_same_rows(rows: Rows, path: Path, name: str) -> None:
    kept, here = getattr(wai, name)(rows)
    dataset, there = getattr(far, name)(path)
    assert dict(there) == dict(here)
    assert str(there) == str(here)
    assert list(far.rows_of(dataset)) == kept


def test_carried_rates_are_trimmed_too() -> None:
    rows = [{"task_id": f"t{i}", "pass_rate": i / 10, "n": 8} for i in range(11)] + [{"task_id": "t0", "reward": 1}]
    kept, here = wai.trim_out_of_band(rows)
    dataset, there = far.trim_out_of_band(far.dataset_of(rows, 4))
    assert dict(there) == dict(here)
    assert list(far.rows_of(dataset)) == kept


def test_solved_tasks_are_retired(rows: Rows) -> None:
    solved = [{**row, "reward": 1} if row["task_id"] == "task-3" else row for row in rows]
    assert list(far.rows_of(far.retire_solved(far.dataset_of(solved, 250)))) == wai.retire_solved(solved)


def test_repeats_are_dropped_alike(rows: Rows, path: Path) -> None:
    kept, here = wai.dedupe_groups(rows)
    dataset, there = far.dedupe_groups(path)
    assert there == here
    assert list(far.rows_of(dataset)) == kept
    again, _ = far.dedupe_groups(far.dataset_of(rows, 170))
    assert attempts(far.rows_of(again)) == attempts(kept)


@pytest.mark.parametrize("truncated", ["drop", "keep", "penalize"])
def test_rl_selections_are_alike(rows: Rows, path: Path, truncated: str) -> None:
    selected, here = wai.select_for_rl(copies(rows), target=40, truncated=truncated, endorsed=["polite"])
    dataset, there = far.select_for_rl(path, target=40, truncated=truncated, endorsed=["polite"])
    assert len(selected) >= 40
    assert dict(there) == dict(here)
    assert str(there) == str(here)
    assert list(far.rows_of(dataset)) == selected


def test_rl_selections_without_text_are_alike(rows: Rows) -> None:
    bare = [{key: row[key] for key in ("task_id", "reward") if key in row} for row in rows]
    selected, here = wai.select_for_rl(copies(bare), target=10_000, lo=0.4, order="middle")
    dataset, there = far.select_for_rl(far.dataset_of(bare, 300), target=10_000, lo=0.4, order="middle")
    assert dict(there) == dict(here)
    assert list(far.rows_of(dataset)) == selected != []


@pytest.mark.parametrize("select", ["top_per_prompt", "random_per_prompt"])
def test_sft_selections_are_alike(rows: Rows, path: Path, select: str) -> None:
    selected, here = wai.select_for_sft(rows, target=20, select=select, min_reward=0.5)
    dataset, there = far.select_for_sft(path, target=20, select=select, min_reward=0.5)
    assert dict(there) == dict(here)
    assert str(there) == str(here)
    assert list(far.rows_of(dataset)) == selected


def test_pairs_are_alike(rows: Rows, path: Path) -> None:
    pairs, here = wai.build_preference_pairs(rows, max_pairs_per_prompt=2, min_margin=0.5)
    dataset, there = far.build_preference_pairs(path, max_pairs_per_prompt=2, min_margin=0.5)
    assert dict(there) == dict(here)

    def by_attempt(found: Any) -> Rows:
        return sorted(found, key=lambda pair: pair["chosen"]["rollout_index"])

    assert len(pairs) > 12
    assert by_attempt(far.rows_of(dataset)) == by_attempt(pairs)


def test_decontamination_is_alike(rows: Rows, path: Path) -> None:
    against = [{"task_id": "task-4", "prompt": "?"}, {"prompt": "where is   BIG?"}]
    clean, here = wai.decontaminate(rows, against)
    dataset, there = far.decontaminate(path, against)
    assert dict(there) == dict(here)
    assert there.matches == here.matches
    assert attempts(far.rows_of(dataset)) == attempts(clean)


def test_scans_are_alike_where_the_rows_fit_and_say_so_where_not(rows: Rows, path: Path) -> None:
    options: dict[str, Any] = {"endorsed": ["polite"], "n_perm": 20, "top_k": 20}
    assert dict(far.hack_scan(path, **options)) == dict(wai.hack_scan(rows, **options))
    sampled = far.hack_scan(path, max_rows=150, **options)
    assert sampled["n_graded"] <= 150 < sampled["n_rows"] == len(rows)
    assert sampled["warnings"][0].startswith(f"scanned {sampled['n_graded']} of ")


@pytest.mark.parametrize(
    ("function", "arguments", "said"),
    [
        ("select_for_rl", {"prior": []}, "prior= is not distributed"),
        ("select_for_sft", {"select": "top_k_overall"}, "ranks all rows together"),
        ("decontaminate", {"against": [], "embedder": len}, "embedder= is not distributed"),
    ],
)
def test_what_is_not_distributed_is_refused_with_the_reason(
    path: Path, function: str, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        getattr(far, function)(path, **arguments)
