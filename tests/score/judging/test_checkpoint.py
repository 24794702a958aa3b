"""Verdicts in a file: a run that ends early goes on where it stopped."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from strategies import json_values, objects
from whileai.simulations.score.judging import evaluate, run_judge
from whileai.simulations.score.judging.checkpoint import Checkpoint, row_keys

Row = dict[str, Any]


class Recorder:
    """A judge that keeps which rows it saw, and fails on some."""

    name = "recorder"

    def __init__(self, fails: Any = lambda row: False) -> None:
        self.seen: list[int] = []
        self.fails = fails

    def __call__(self, row: Row) -> Any:
        self.seen.append(row["i"])
        if self.fails(row):
            raise ConnectionError("down")
        return {"reward": row["i"] % 2, "reason": f"r{row['i']}", "markers": {"even": 1.0 - row["i"] % 2}}


def numbered(n: int) -> list[Row]:
    return [{"i": i} for i in range(n)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "verdicts.jsonl"


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_second_call_judges_only_missing_and_failed_rows(path: Path, concurrency: int) -> None:
    first, second, third = Recorder(lambda row: row["i"] % 5 == 0), Recorder(), Recorder()
    run_judge(numbered(20), first, checkpoint=path, concurrency=concurrency)
    found = run_judge(numbered(25), second, checkpoint=path, concurrency=concurrency, run_id="r")
    again = run_judge(numbered(25), third, checkpoint=path, concurrency=concurrency, run_id="r")
    assert sorted(first.seen) == list(range(20))
    assert sorted(second.seen) == [0, 5, 10, 15, 20, 21, 22, 23, 24]
    assert third.seen == []
    assert list(found) == list(again)
    assert list(found) == list(run_judge(numbered(25), Recorder(), run_id="r"))


def test_an_interrupted_run_keeps_every_verdict_it_had(path: Path) -> None:
    def interrupted(row: Row) -> int:
        if row["i"] == 7:
            raise KeyboardInterrupt
        return 1

    with pytest.raises(KeyboardInterrupt):
        run_judge(numbered(20), interrupted, judge_name="recorder", checkpoint=path, concurrency=1)
    judge = Recorder()
    run_judge(numbered(20), judge, checkpoint=path)
    assert sorted(judge.seen) == list(range(7, 20))


def test_rows_are_known_by_their_content_not_their_place(path: Path) -> None:
    run_judge(numbered(5), Recorder(), checkpoint=path)
    judge = Recorder()
    found = run_judge([{"i": 9}, *reversed(numbered(5))], judge, checkpoint=path)
    assert judge.seen == [9]
    assert [row["reason"] for row in found] == ["r9", "r4", "r3", "r2", "r1", "r0"]


def test_equal_rows_have_a_verdict_each(path: Path) -> None:
    run_judge([{"i": 1}] * 3, Recorder(), checkpoint=path)
    judge = Recorder()
    run_judge([{"i": 1}] * 5, judge, checkpoint=path)
    assert judge.seen == [1, 1]


@pytest.mark.parametrize("other", [{"judge_name": "b"}, {"version": "2"}, {"scale": (0, 10)}])
def test_verdicts_of_another_judge_are_not_taken(path: Path, other: Row) -> None:
    run_judge(numbered(3), Recorder(), checkpoint=path)
    judge = Recorder()
    run_judge(numbered(3), judge, checkpoint=path, **other)
    assert len(judge.seen) == 3


def test_a_torn_last_line_costs_its_row_and_no_later_one(path: Path) -> None:
    run_judge(numbered(6), Recorder(), checkpoint=path, concurrency=1)
    path.write_bytes(path.read_bytes()[:-30])
    judge, idle = Recorder(), Recorder()
    run_judge(numbered(8), judge, checkpoint=path)
    run_judge(numbered(8), idle, checkpoint=path)
    assert sorted(judge.seen) == [5, 6, 7]
    assert idle.seen == []


@pytest.mark.parametrize("text", ["", '{"whileai_chec'])
def test_a_file_cut_off_at_its_start_is_begun_anew(path: Path, text: str) -> None:
    path.write_text(text)
    run_judge(numbered(2), Recorder(), checkpoint=path)
    judge = Recorder()
    run_judge(numbered(2), judge, checkpoint=path)
    assert judge.seen == []


@pytest.mark.parametrize("text", ['{"prompt": "Hi", "reward": 1}\n', "notes\n", "\n"])
def test_a_file_of_something_else_is_refused_and_left_alone(path: Path, text: str) -> None:
    path.write_text(text)
    judge = Recorder()
    with pytest.raises(ValueError, match="name a new file"):
        run_judge(numbered(2), judge, checkpoint=path)
    assert path.read_text() == text
    assert judge.seen == []


def test_lines_that_are_no_verdicts_are_skipped(path: Path) -> None:
    Checkpoint(path).close()
    odd = ['{"key": "a"}', "[1]", '{"key": [], "verdict": {"judge_status": "ok"}}', "7", "\ufeff", "[" * 5000]
    with path.open("a") as file:
        file.write("\n".join(odd) + "\n")
    with Checkpoint(path) as kept:
        assert kept.known == {}


def test_two_runs_do_not_write_one_file_at_once(path: Path) -> None:
    with Checkpoint(path), pytest.raises(BlockingIOError, match="another run"):
        run_judge(numbered(2), Recorder(), checkpoint=path)


def test_what_json_cannot_hold_comes_back_as_text_with_the_verdict(path: Path) -> None:
    circle: Row = {}
    circle["self"] = circle
    answers = [
        {"reward": 1, "cost": Decimal("0.5"), 5: {1}},
        {"reward": 0, "circle": circle},
        {"reward": 1, "\ud800": 1},
    ]
    rows = [{"i": i, "seen": {1}, "raw": b"x"} for i in range(3)]
    first = run_judge(rows, lambda row: answers[row["i"]], checkpoint=path, version="1", run_id="r")
    found = run_judge(rows, lambda row: 1 / 0, checkpoint=path, version="1", run_id="r")
    assert [row["reward"] for row in found] == [1, 0, 1]
    assert found[0]["judge_meta"]["cost"] == "0.5"
    assert list(found) == list(first)


def test_a_disk_that_is_full_ends_the_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Checkpoint, "add", full)
    with pytest.raises(OSError, match="No space"):
        run_judge(numbered(50), Recorder(), checkpoint=path)


class Filling:
    """A file of which the disk takes ten bytes of one line; then it is full for so many writes."""

    def __init__(self, file: Any, refused: int) -> None:
        self.file, self.left = file, [10, *[None] * refused]

    def write(self, line: bytes) -> int:
        took = self.left.pop(0) if self.left else len(line)
        if took is None:
            raise OSError(28, "No space left on device")
        return int(self.file.write(line[:took]))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


@pytest.mark.parametrize(("refused", "known"), [(0, ["a", "b"]), (1, ["b"])])
def test_a_line_that_a_full_disk_cut_takes_no_later_one_along(path: Path, refused: int, known: list[str]) -> None:
    verdict = {"reward": 1, "reason": "", "judge_status": "ok", "judge_meta": {}}
    with Checkpoint(path) as kept:
        kept._file = Filling(kept._file, refused)  # type: ignore[assignment]
        with pytest.raises(OSError, match="No space") if refused else contextlib.nullcontext():
            kept.add("a", verdict)
        kept.add("b", verdict)
    with Checkpoint(path) as kept:
        assert list(kept.known) == known


def test_a_run_ends_when_the_verdicts_on_their_way_to_the_file_are_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing, add = threading.Event(), Checkpoint.add

    def slow(self: Checkpoint, key: str, verdict: Row) -> Row:
        writing.set()
        time.sleep(0.05)
        return add(self, key, verdict)

    def judge(row: Row) -> int:
        if row["i"] == 1:
            writing.wait(10)
            raise KeyboardInterrupt
        return 1

    monkeypatch.setattr(Checkpoint, "add", slow)
    with pytest.raises(KeyboardInterrupt):
        run_judge(numbered(2), judge, checkpoint=path, concurrency=2)
    with Checkpoint(path) as kept:
        assert len(kept.known) == 1


def test_no_judge_waits_for_the_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whileai.simulations.score.judging.checkpoint._SYNC_SECONDS", 0)
    waited: list[threading.Thread] = []
    monkeypatch.setattr(os, "fsync", lambda _: waited.append(threading.current_thread()))
    run_judge(numbered(8), lambda row: time.sleep(0.01) or 1, checkpoint=path, version="1", concurrency=4)
    assert len(waited) > 2
    assert set(waited) == {threading.current_thread()}


def test_evaluate_goes_on_too(path: Path) -> None:
    evaluate(numbered(3), Recorder(), checkpoint=path)
    judge = Recorder()
    evaluate(numbered(3), judge, checkpoint=path)
    assert judge.seen == []


@given(objects({"prompt": json_values}, reward=json_values))
def test_any_row_has_a_key_that_tells_it_from_others(row: Row) -> None:
    first, second = row_keys([row, {**row, "more": 1}], ["judge", None])
    assert first != second
    assert [first] == list(row_keys([row], ["judge", None]))


class Nameless:
    def __call__(self, row: Row) -> int:
        return 1


@pytest.mark.parametrize(
    "judge", [lambda row: 1, functools.partial(Recorder.__call__), Nameless()], ids=["lambda", "partial", "object"]
)
def test_a_judge_without_a_name_needs_one_for_a_checkpoint(judge: Any, path: Path) -> None:
    with pytest.raises(ValueError, match=r"pass version= or judge_name="):
        run_judge(numbered(2), judge, checkpoint=path)
    assert not path.exists()
    run_judge(numbered(2), judge, checkpoint=path, version="1")
    assert path.exists()


def test_a_judge_with_a_version_of_its_own_is_told_from_others(path: Path) -> None:
    first, second = Recorder(), Recorder()
    first.version, second.version = "1", "2"  # type: ignore[attr-defined]
    run_judge(numbered(3), first, checkpoint=path, version="run")
    run_judge(numbered(3), second, checkpoint=path, version="run")
    assert len(second.seen) == 3


def test_verdicts_that_are_taken_are_counted_and_said(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run_judge(numbered(3), Recorder(), checkpoint=path)
    assert "from the checkpoint" not in caplog.text
    assert run_judge(numbered(5), Recorder(), checkpoint=path).resumed == 3
    assert "3 of 5 verdicts are from the checkpoint" in caplog.text
    caplog.clear()
    run_judge(numbered(5), Recorder(), checkpoint=path, quiet=True)
    assert caplog.text == ""


@pytest.mark.parametrize("reward", ["7", '"x"', "-1", "NaN", "true", "null", "[1]"])
def test_a_line_whose_reward_is_none_is_judged_again(path: Path, reward: str) -> None:
    run_judge(numbered(1), Recorder(), checkpoint=path)
    path.write_text(path.read_text().replace('"reward": 0', f'"reward": {reward}'))
    judge = Recorder()
    assert run_judge(numbered(1), judge, checkpoint=path)[0]["reward"] == 0
    assert judge.seen == [0]


class Plain:
    def __init__(self, value: int) -> None:
        self.value = value


def test_values_that_json_has_no_word_for_make_different_keys() -> None:
    values = [None, math.nan, math.inf, -math.inf, Fraction(1, 3), Fraction(2, 3), 1j, 2j, Plain(1), Plain(2), object()]
    values += [np.array([math.nan]), np.array([math.inf]), {"a": math.nan}, {"a": None}]
    keys = [next(row_keys([{"v": value}], ["judge"])) for value in values]
    assert len(set(keys)) == len(values)
    assert next(row_keys([{"v": Plain(1)}], ["judge"])) == keys[8]


@pytest.mark.parametrize("answer", [{5: "five", "k": (1, 2)}, {"n": np.int64(3), "a": np.arange(2)}, {"o": {1}}])
def test_a_verdict_is_the_same_fresh_and_taken(path: Path, answer: Row) -> None:
    def judge(row: Row) -> Row:
        return {"reward": 1, **answer}

    runs = [list(run_judge(numbered(2), judge, checkpoint=path, run_id="r")) for _ in range(2)]
    assert runs[0] == runs[1]


KILLED = """
import sys, time
from whileai.simulations.score.judging import run_judge
def judge(row):
    time.sleep(0.01)
    print(row["i"], file=log, flush=True)
    return {"reward": row["i"] % 2, "reason": str(row["i"])}
with open(sys.argv[2], "a") as log:
    run_judge([{"i": i} for i in range(300)], judge, concurrency=4, checkpoint=sys.argv[1], progress=False)
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_process_loses_at_most_the_calls_under_way(path: Path, tmp_path: Path, end: signal.Signals) -> None:
    log = tmp_path / "calls"
    command = [sys.executable, "-c", KILLED, str(path), str(log)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not (log.exists() and len(log.read_text().splitlines()) >= 100) and time.monotonic() < until:
        time.sleep(0.01)
    os.kill(process.pid, end)
    process.wait(60)
    kept = sum(b"verdict" in line for line in path.read_bytes().splitlines())
    called = len(log.read_text().splitlines())
    assert 90 < kept < 300
    assert called - 4 <= kept
    with mock.patch.object(sys, "argv", ["wai", str(path), str(log)]):
        exec(KILLED, {"__name__": "__main__"})
    assert len(log.read_text().splitlines()) <= 300 + 4  # none again but those under way
    with Checkpoint(path) as found:
        assert sorted(int(verdict["reason"]) for verdict in found.known.values()) == list(range(300))
        assert json.dumps(next(iter(found.known.values())))
