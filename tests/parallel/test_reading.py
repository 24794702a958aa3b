"""Whatever the number of workers, and wherever parts begin, a file reads the same."""

from __future__ import annotations

import gzip
import json
import os
import signal
from functools import partial
from pathlib import Path

import pytest

from whileai.cli.reading import Reading
from whileai.simulations.errors import ReadError
from whileai.simulations.parallel import Crew, cores, parts_for, reading
from whileai.simulations.rows.load import load_rows
from whileai.simulations.score.checks import Checks
from whileai.simulations.score.hygiene import dedupe_groups, near_duplicate_prompts
from whileai.simulations.score.hygiene.repeats import Repeats
from whileai.simulations.score.overview import Overview

ROWS = [
    {
        "task_id": f"t{i // 4}",
        "prompt": f"Where is order {i // 4}?",
        "final_text": ("It depends.", "On its way.", "Done, perhaps.")[i % 3],
        "reward": (0, 1, 0.3, 1, None)[i % 5],
        "markers": {"length": i / 7},
    }
    for i in range(400)
]
BAD = (3, 4, 90, 399)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(reading, "_LEAST_BYTES", 4000)
    monkeypatch.setattr(reading, "MOST_BYTES", 4000)


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "rows.jsonl"
    lines = ["", *(json.dumps(row) for row in ROWS)]
    for at in reversed(BAD):
        lines[at:at] = ["{bad"]
    path.write_text("\n".join([*lines, '{"task_id": "cut']))
    return str(path)


def gathered(make, files, workers, **options):
    held = Reading(files, strict=False, source_format=None, workers=workers, **options)
    found = held.gathered(make)
    located = [held.located(row, next(iter(held._records), None)) for row in (1, 5, 95, 400)]
    return found, held.read, located


@pytest.mark.parametrize(("make", "workers"), [(Overview, 3), (partial(Checks, every="hedging"), 2)])
def test_reports_and_the_account_are_those_of_one_process(broken, make, workers):
    alone, read, located = gathered(make, [broken], 1)
    several, read_too, located_too = gathered(make, [broken], workers)
    assert json.dumps(several.report()) == json.dumps(alone.report())
    assert read_too == read
    assert located_too == located
    assert read[0]["bad"] == len(BAD) + 1
    assert located[1] == {"row": 5, "record": 8}


def test_one_process_and_several_stop_at_the_same_record(broken):
    said = []
    for workers in (1, 2):
        with pytest.raises(ReadError) as stopped:
            Reading([broken], strict=True, source_format=None, workers=workers).gathered(Overview)
        said.append(str(stopped.value))
    assert (
        said == ["rows.jsonl, record 4: no JSON: Expecting property name enclosed in double quotes at character 2"] * 2
    )


def test_a_folder_of_parts_compressed_files_and_parquet_is_read_in_order(broken, tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "folder"
    folder.mkdir()
    text = Path(broken).read_bytes()
    (folder / "a.jsonl").write_bytes(text)
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(text))
    parquet.write_table(arrow.Table.from_pylist(ROWS), folder / "c.parquet", row_group_size=50)
    (folder / "README.md").write_text("hello")
    alone, read, _ = gathered(partial(Checks, every="hedging"), [str(folder)], 1)
    several, read_too, _ = gathered(partial(Checks, every="hedging"), [str(folder)], 2)
    assert several.report() == alone.report()
    assert several.fired == alone.fired
    assert read_too == read
    assert read[0]["notes"] == ["skipped files that hold no rows: README.md"]
    parts = parts_for(load_rows(str(folder)), 2)
    assert sum(part.input.name == "c.parquet" for part in parts) > 1


def test_rows_of_another_format_are_read_by_one_process(tmp_path):
    path = tmp_path / "chats.jsonl"
    chat = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
    path.write_text("".join(json.dumps(chat) + "\n" for _ in range(300)))
    alone, read, _ = gathered(Overview, [str(path)], 1)
    several, read_too, _ = gathered(Overview, [str(path)], 2)
    assert several.report() == alone.report()
    assert read_too == read
    assert read[0]["formats"] == {"openai-chat": 300}


def test_repeats_of_a_stream_are_those_of_the_library(broken):
    rows = list(map(dict, ROWS)) + [{**row, "reward": 1} for row in ROWS[:9]]
    found, rest = Repeats(), Repeats()
    found.add(rows[:150])
    rest.add(rows[150:])
    found.merge(rest)
    assert found.asks() == near_duplicate_prompts(rows)
    assert found.rollouts() == dedupe_groups(rows)[1]
    assert found.rollouts()["conflicting_rewards"]


@pytest.mark.parametrize("cut", [1, 7, 100, 5000])
def test_parts_cover_every_line_once(broken, cut):
    whole = load_rows(broken, format="row")
    parts = load_rows(broken, format="row").parts(cut)
    text = Path(broken).read_bytes()
    assert b"".join(text[part.start : part.stop or None] for part in parts) == text
    assert all(text[part.start - 1 : part.start] == b"\n" for part in parts[1:])
    assert whole.parts(10**9)[0].stop == 0


@pytest.mark.parametrize("wanted", [[], [0, 5, 6, 150, 399], [399, 3]])
def test_rows_that_were_passed_are_read_again_by_their_numbers(broken, wanted):
    held = Reading([broken], strict=False, source_format=None, workers=2)
    held.gathered(Overview)
    assert len(held.passed) > 5
    assert held.rows_at(wanted) == {at: ROWS[at] for at in wanted}


def fails(job):
    if job == 3:
        raise ValueError("three")
    return job * 2


def dies(job):
    os.kill(os.getpid(), signal.SIGKILL)


def test_answers_come_in_order_and_errors_when_they_are_due():
    with Crew(2, fails) as crew:
        answers = crew.answers(range(6))
        assert [next(answers) for _ in range(3)] == [0, 2, 4]
        with pytest.raises(ValueError, match="three"):
            next(answers)


def test_a_worker_that_dies_is_told_and_the_others_end():
    with Crew(2, dies) as crew:
        processes = list(crew._processes.values())
        with pytest.raises(ChildProcessError, match="--workers"):
            list(crew.answers([1, 2]))
    assert not any(process.is_alive() for process in processes)


def test_small_files_are_worth_one_process():
    assert cores(1000) == cores(None) == 1
    assert cores(10**9) >= 1
