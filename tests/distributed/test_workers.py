"""What workers do to rows where these are, and what becomes of a result when a worker dies."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

import whileai.simulations as wai
from whileai.simulations import distributed as far
from whileai.simulations.distributed.judge import RateLimit

pytestmark = pytest.mark.usefixtures("cluster", "parts")
Rows = list[dict[str, Any]]


class DiesOnce:
    """Ends the process the first time it is asked in the middle of the rows, whichever worker that is."""

    def __init__(self, flag: Path) -> None:
        self.flag = flag
        self.name = "dies-once"

    def __call__(self, row: dict[str, Any]) -> float:
        if row["rollout_index"] == 400:
            try:
                self.flag.touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                os._exit(1)
        return float(len(row["final_text"]) > 16)


def copies(rows: Rows) -> Rows:
    return [{**row, "markers": dict(row["markers"])} for row in rows]


def test_stamps_are_those_in_memory(rows: Rows, path: Path) -> None:
    assert list(far.rows_of(far.style_markers(path, {"no_tuesday": ["tuesday"]}))) == wai.style_markers(
        copies(rows), {"no_tuesday": ["tuesday"]}
    )
    assert list(far.rows_of(far.trace_markers(path))) == wai.trace_markers(copies(rows))
    assert list(far.rows_of(far.mark_grounding(path, min_len=3))) == wai.mark_grounding(rows, min_len=3)
    assert list(far.rows_of(far.rank_rows(path))) == wai.rank_rows(copies(rows))
    assert list(far.rows_of(far.conduct_grade(path))) == [{**row, **wai.conduct_grade(row)} for row in rows]


def test_leaks_are_marked_on_rows_that_could_leak() -> None:
    secret = {"reference": "the seal was broken"}
    rows = [
        {"task_id": "a", "final_text": "The seal was broken.", "privileged": secret},
        {"task_id": "a", "final_text": "I cannot say.", "privileged": secret, "markers": {"polite": 1}},
        {"task_id": "a", "final_text": "The seal was broken."},
    ]
    marked = [row.get("markers") for row in far.rows_of(far.mark_leaks(far.dataset_of(rows)))]
    assert marked == [{"no_privileged_leak": 0.0}, {"polite": 1, "no_privileged_leak": 1.0}, None]


def test_leak_reports_are_those_in_memory() -> None:
    secret = {"reference": "the seal was broken"}
    said = ["The seal was broken.", "I cannot say.", ""]
    rows = [{"task_id": i, "final_text": said[i % 3]} | ({"privileged": secret} if i % 5 else {}) for i in range(120)]
    assert far.leak_report(far.dataset_of(rows, 30)) == wai.leak_report(rows)
    assert far.leak_report(far.dataset_of(rows[:1])) == wai.leak_report(rows[:1])


def test_bad_arguments_are_refused_before_a_worker_starts(path: Path) -> None:
    with pytest.raises(TypeError, match="min_length"):
        far.mark_grounding(path, min_length=3)  # type: ignore[call-arg]


def test_written_rows_are_read_again(rows: Rows, path: Path, tmp_path: Path) -> None:
    assert far.write_rows(far.dataset_of(rows, 300), tmp_path / "out") == len(rows)
    assert [file.name for file in sorted((tmp_path / "out").iterdir())] == [f"part-0000{i}.jsonl" for i in range(3)]
    assert list(wai.load_rows(tmp_path / "out")) == rows
    with pytest.raises(FileExistsError, match="holds files: name a new folder"):
        far.write_rows(path, tmp_path / "out")


def test_a_worker_that_dies_in_a_report_leaves_no_trace(rows: Rows, path: Path, tmp_path: Path) -> None:
    judge = DiesOnce(tmp_path / "died")
    there = far.delta_report(path, far.dataset_of(rows, 200), by=judge)
    assert judge.flag.exists()
    assert dict(there) == dict(wai.delta_report(rows, rows, by=judge))


def test_a_worker_that_dies_in_the_rows_of_a_dataset_leaves_no_trace(cluster: Any, rows: Rows, tmp_path: Path) -> None:
    dies = DiesOnce(tmp_path / "died")

    def ask(batch: dict[str, Any]) -> dict[str, Any]:
        for attempt in batch["rollout_index"]:
            dies({"rollout_index": attempt, "final_text": ""})
        return batch

    plain = [{key: row.get(key) for key in ("task_id", "rollout_index", "reward", "final_text")} for row in rows]
    dataset = cluster.data.from_items(plain, override_num_blocks=6).map_batches(ask)
    assert far.pass_at(dataset) == wai.pass_at(plain)
    assert dies.flag.exists()


def test_a_judge_that_dies_is_asked_again_and_counted_once_at_one_rate_for_all(
    rows: Rows, path: Path, tmp_path: Path
) -> None:
    judge, rate = DiesOnce(tmp_path / "died"), 200
    started = time.monotonic()
    scored = list(far.rows_of(far.run_judge(path, judge, run_id="run", actors=2, calls_per_second=rate)))
    assert time.monotonic() - started > (len(rows) - 1) / rate
    assert judge.flag.exists()
    here = wai.run_judge(rows, judge, run_id="run").rows
    without_parent = [{**row, "lineage": {**row["lineage"], "parent": ""}} for row in here]
    assert [{**row, "lineage": {**row["lineage"], "parent": ""}} for row in scored] == without_parent


def test_a_row_that_ends_every_worker_ends_the_run(cluster: Any) -> None:
    rows = far.dataset_of([{"task_id": "a", "final_text": "Done."}])
    with pytest.raises(cluster.exceptions.RayActorError):
        list(far.rows_of(far.run_judge(rows, lambda row: os._exit(1), judge_name="dies", actors=1)))


def test_a_rate_is_shared_by_all_who_ask() -> None:
    limit = RateLimit(calls_per_second=10)
    waits = [limit.wait() for _ in range(5)]
    assert waits == pytest.approx([0, 0.1, 0.2, 0.3, 0.4], abs=0.05)
