"""Reports on Ray hold the numbers of those in memory, to the last digit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import whileai.simulations as wai
from whileai.simulations import distributed as far

pytestmark = pytest.mark.usefixtures("cluster", "parts")
Rows = list[dict[str, Any]]


def test_pass_rates_are_those_in_memory(rows: Rows, path: Path) -> None:
    here, there = wai.pass_at(rows), far.pass_at(path)
    assert there == here
    assert list(there.per_task) == list(here.per_task)
    assert far.pass_at(path, k=3, unanimous_short=True) == wai.pass_at(rows, k=3, unanimous_short=True)


def test_summaries_are_those_in_memory(rows: Rows, path: Path) -> None:
    assert far.metric_summary(path) == wai.metric_summary(rows)
    assert far.marker_summary(path) == wai.marker_summary(rows)
    assert far.marker_summary(path, ["brief", "none"]) == wai.marker_summary(rows, ["brief", "none"])


def test_an_unknown_metric_is_refused_before_anything_is_read(path: Path) -> None:
    with pytest.raises(ValueError, match="metric 'pass' is not known"):
        far.metric_summary(path, "pass")


def test_comparisons_are_those_in_memory(rows: Rows, path: Path) -> None:
    after = rows[200:]
    there = far.compare_runs(path, far.dataset_of(after, 300), "marker:polite")
    assert there == wai.compare_runs(rows, after, "marker:polite")


@pytest.mark.parametrize("options", [{"target": "marker:brief", "must_not_regress": ["pass_at_1"]}, {"by": "polite"}])
def test_delta_reports_are_those_in_memory(rows: Rows, path: Path, options: dict[str, Any]) -> None:
    after = [{**row, "reward": 1} if i % 5 == 0 else row for i, row in enumerate(rows)]
    here = wai.delta_report(rows, after, **options)
    there = far.delta_report(path, far.dataset_of(after, 300), **options)
    assert dict(there) == dict(here)
    assert str(there) == str(here)


def test_delta_reports_know_training_seeds_and_equal_sides(rows: Rows, path: Path) -> None:
    seeds = [rows[:300], rows[300:]]
    here = wai.delta_report(rows, rows, train_runs=seeds)
    there = far.delta_report(path, far.dataset_of(rows, 700), train_runs=[far.dataset_of(each) for each in seeds])
    assert dict(there) == dict(here)
    assert "both sides hold the same rows: is the second path right?" in there["warnings"]
    assert far.delta_report(path, far.dataset_of(rows[::-1]))["warnings"] != there["warnings"]


def test_balanced_rollouts_are_refused_with_the_reason(path: Path) -> None:
    with pytest.raises(ValueError, match="which no worker sees"):
        far.delta_report(path, path, balance_rollouts=True)


def test_eval_variance_is_that_in_memory(rows: Rows, path: Path) -> None:
    named = [row if i % 7 else {**row, "lineage": {}} for i, row in enumerate(rows)]
    assert far.eval_variance(far.dataset_of(named, 300), metric="marker:polite") == wai.eval_variance(
        named, metric="marker:polite"
    )
    runs = [rows[:200], rows[200:500], rows[500:]]
    assert far.eval_variance(*map(far.dataset_of, runs)) == wai.eval_variance(*runs)


def test_signal_and_curriculum_are_those_in_memory(rows: Rows, path: Path) -> None:
    assert str(far.group_signal(path)) == str(wai.group_signal(rows))
    assert dict(far.group_signal(path)) == dict(wai.group_signal(rows))
    assert dict(far.curriculum(path)) == dict(wai.curriculum(rows))


def test_struct_columns_are_read_without_what_arrow_filled_in(cluster: Any, rows: Rows) -> None:
    plain = [{key: row[key] for key in ("task_id", "messages", "markers")} | {"reward": 1} for row in rows[:90]]
    structs = cluster.data.from_items(plain, override_num_blocks=3)
    assert far.pass_at(structs) == wai.pass_at(plain)
    said = [
        [{key: cell for key, cell in turn.items() if cell is not None} for turn in row["messages"]] for row in plain
    ]
    assert [row["messages"] for row in far.rows_of(structs)] == said


def test_no_rows_give_the_reports_of_no_rows() -> None:
    nothing = far.dataset_of([])
    assert far.pass_at(nothing) == wai.pass_at([])
    assert dict(far.curriculum(nothing)) == dict(wai.curriculum([]))
    assert dict(far.delta_report(nothing, nothing)) == dict(wai.delta_report([], []))


def test_rows_in_memory_are_refused_with_the_way_out() -> None:
    with pytest.raises(TypeError, match=r"rows must be a ray\.data\.Dataset, a path, or a list of paths, got list"):
        far.pass_at([{"task_id": "a", "reward": 1}])


def test_parquet_and_records_that_cannot_be_read(rows: Rows, path: Path, tmp_path: Path) -> None:
    wai.write_rows(rows[:600], tmp_path / "a.parquet")
    (tmp_path / "b.jsonl").write_bytes(path.read_bytes() + b'{"task_id": "cut\n')
    with pytest.warns(UserWarning, match="1 of 1321 records could not be read"):
        held = list(wai.load_rows(tmp_path))
    with pytest.warns(UserWarning, match=r"1 record could not be read; the first: b\.jsonl, record \d+ after byte \d"):
        there = far.pass_at(tmp_path)
    assert there == wai.pass_at(held)
    with pytest.warns(UserWarning, match="1 record could not be read"):
        assert list(far.rows_of(tmp_path)) == held


def test_files_of_other_tools_are_read_as_in_memory(tmp_path: Path) -> None:
    chats = [
        {
            "messages": [{"role": "user", "content": f"Order {i % 3}?"}, {"role": "assistant", "content": "Yes."}],
            "score": i % 2,
        }
        for i in range(12)
    ]
    (tmp_path / "chats.json").write_text(json.dumps(chats))
    assert far.pass_at(tmp_path / "chats.json") == wai.pass_at(wai.load_rows(tmp_path / "chats.json"))
