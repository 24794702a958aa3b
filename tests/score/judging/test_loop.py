"""The loop around a judge: order, limits, failures and time, for plain and async judges."""

from __future__ import annotations

import asyncio
import contextvars
import copy
import functools
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import json_values
from tables import each_of
from whileai.simulations.score.judging import judge_name_of, normalize_judge_result, run_judge

Row = dict[str, Any]
BOTH = pytest.mark.parametrize("concurrency", [1, 8])


def numbered(n: int) -> list[Row]:
    return [{"scenario_id": f"s{i}", "i": i} for i in range(n)]


def rewards(scored: Any) -> list[Any]:
    return [row["reward"] for row in scored]


def statuses(scored: Any) -> list[str]:
    return [row["judge_status"] for row in scored]


async def later(row: Row) -> float:
    await asyncio.sleep(0.001 * (row["i"] % 3))
    return row["i"] / 100


class AsyncJudge:
    name = "slow and steady"

    async def __call__(self, row: Row) -> float:
        return await later(row)


ASYNC = [later, AsyncJudge(), lambda row: later(row), functools.partial(later)]


@BOTH
@pytest.mark.parametrize("judge", ASYNC)
def test_async_judges_of_every_form_are_awaited_in_order(judge: Any, concurrency: int) -> None:
    assert rewards(run_judge(numbered(30), judge, concurrency=concurrency))[1:] == [i / 100 for i in range(1, 30)]


def test_an_async_client_stays_in_the_loop_it_met() -> None:
    met: set[int] = set()

    async def judge(row: Row) -> int:
        met.add(id(asyncio.get_running_loop()))
        return 1

    run_judge(numbered(5), judge)
    run_judge(numbered(5), judge, concurrency=2)
    assert len(met) == 1


def test_run_judge_works_inside_a_running_loop() -> None:
    async def cell() -> list[Any]:
        return rewards(run_judge(numbered(4), later))

    assert asyncio.run(cell())[3] == 0.03


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("limit", [1, 3, 8])
def test_at_most_concurrency_calls_are_under_way(limit: int, is_async: bool) -> None:
    lock, now, most = threading.Lock(), [0], [0]

    def enter(step: int) -> None:
        with lock:
            now[0] += step
            most[0] = max(most[0], now[0])

    def plain(row: Row) -> int:
        enter(1)
        time.sleep(0.005)
        enter(-1)
        return 1

    async def awaited(row: Row) -> int:
        enter(1)
        await asyncio.sleep(0.005)
        enter(-1)
        return 1

    run_judge(numbered(40), awaited if is_async else plain, concurrency=limit)
    assert most[0] == limit


def test_one_worker_without_a_timeout_is_the_calling_thread() -> None:
    threads: list[Any] = []
    run_judge(numbered(3), lambda row: threads.append(threading.current_thread()) or 1, concurrency=1)
    assert set(threads) == {threading.current_thread()}


def test_threads_see_the_context_variables_of_the_caller() -> None:
    model: contextvars.ContextVar[str] = contextvars.ContextVar("model")
    model.set("m1")
    assert {row["reason"] for row in run_judge(numbered(9), lambda row: {"reward": 1, "reason": model.get()})} == {"m1"}


class _Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@BOTH
@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(3), _Unprintable(), GeneratorExit(), RecursionError()])
def test_whatever_a_judge_raises_costs_its_row_only(error: BaseException, concurrency: int) -> None:
    def judge(row: Row) -> int:
        if row["i"] == 2:
            raise error
        return 1

    scored = run_judge(numbered(5), judge, concurrency=concurrency)
    assert rewards(scored) == [1, 1, None, 1, 1]
    assert scored[2]["judge_status"] == "error"
    assert scored[2]["judge_meta"]["error"].startswith(type(error).__name__ + ":")


@pytest.mark.parametrize("is_async", [False, True])
@BOTH
def test_an_interrupt_ends_the_run(concurrency: int, is_async: bool) -> None:
    calls: list[int] = []

    def plain(row: Row) -> int:
        calls.append(row["i"])
        if row["i"] == 2:
            raise KeyboardInterrupt
        time.sleep(0.01)
        return 1

    async def awaited(row: Row) -> int:
        return plain(row)

    with pytest.raises(KeyboardInterrupt):
        run_judge(numbered(500), awaited if is_async else plain, concurrency=concurrency)
    assert len(calls) < 100


@pytest.mark.parametrize("judge", ["openai:gpt-4o", None, 7])
def test_a_judge_that_cannot_be_called_is_an_error_on_each_row(judge: Any) -> None:
    assert statuses(run_judge(numbered(2), judge)) == ["error", "error"]


@pytest.mark.parametrize("rows", [None, 3, "rows", b"rows", {"prompt": "one row"}])
def test_what_are_no_rows_is_a_type_error(rows: Any) -> None:
    with pytest.raises(TypeError, match="rows must be"):
        run_judge(rows, len)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"scale": (5, 1)}, "scale"), ({"scale": 5}, "scale"), ({"scale": (0, float("inf"))}, "scale"),
        ({"timeout": 0}, "timeout"), ({"timeout": "soon"}, "timeout"), ({"concurrency": "many"}, "concurrency"),
    ],
)  # fmt: skip
def test_a_malformed_argument_is_refused_before_a_row_is_judged(arguments: Row, word: str) -> None:
    seen: list[Row] = []
    with pytest.raises(ValueError, match=word):
        run_judge(numbered(3), lambda row: seen.append(row) or 1, **arguments)
    assert seen == []


@pytest.mark.parametrize("rows", [[], [7, None, "x"]])
@pytest.mark.parametrize("timeout", [None, 5.0])
def test_no_rows_is_an_empty_result(rows: list[Any], timeout: float | None) -> None:
    scored = run_judge(rows, len, timeout=timeout)
    assert (len(scored), scored.warnings) == (0, [])


def test_a_generator_of_rows_is_read_once() -> None:
    assert rewards(run_judge((row for row in numbered(3)), lambda row: 1)) == [1, 1, 1]


@BOTH
def test_what_a_judge_writes_on_its_row_reaches_neither_input_nor_result(concurrency: int) -> None:
    def judge(row: Row) -> int:
        row["steps"][0]["arguments"]["id"] = "X"
        row["markers"]["seen"] = 1.0
        row.clear()
        return 1

    rows = [{"steps": [{"tool": "get", "arguments": {"id": i}}], "markers": {}} for i in range(4)]
    before = copy.deepcopy(rows)
    scored = run_judge(rows, judge, concurrency=concurrency)
    assert rows == before
    assert [row["steps"] for row in scored] == [row["steps"] for row in before]


@given(st.lists(json_values, max_size=4))
def test_any_answer_of_a_judge_is_a_verdict_with_a_status(answers: list[Any]) -> None:
    scored = run_judge(numbered(len(answers)), lambda row: answers[row["i"]], concurrency=1)
    for row in scored:
        reward = row["reward"]
        assert (row["judge_status"] == "ok") is (reward is not None)
        assert reward is None or (type(reward) is int and reward in (0, 1)) or 0 < reward < 1


# --- time


def hanging(row: Row) -> int:
    if row["i"] % 7 == 3:
        time.sleep(60)
    return 1


async def hanging_politely(row: Row) -> int:
    if row["i"] % 7 == 3:
        await asyncio.sleep(60)
    return 1


async def hanging_rudely(row: Row) -> int:
    if row["i"] % 7 == 3:
        time.sleep(60)  # blocks the event loop
    await asyncio.sleep(0.01)
    return 1


async def hanging_stubbornly(row: Row) -> int:
    while row["i"] % 7 == 3:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            continue
    return 1


@each_of("judge", [hanging, hanging_politely, hanging_rudely, hanging_stubbornly])
@each_of(("n", "concurrency"), [(14, 3), (5, 1)])
def test_a_judge_that_hangs_costs_its_row_and_its_time(judge: Any, n: int, concurrency: int) -> None:
    start = time.monotonic()
    scored = run_judge(numbered(n), judge, concurrency=concurrency, timeout=0.3)
    assert time.monotonic() - start < 10
    assert statuses(scored) == ["timeout" if i % 7 == 3 else "ok" for i in range(n)]
    assert scored[3]["judge_meta"] == {"timeout_s": 0.3}
    assert scored[3]["reward"] is None


def test_a_verdict_that_comes_too_late_is_not_taken() -> None:
    late = threading.Event()

    def judge(row: Row) -> int:
        if row["i"] == 0:
            time.sleep(0.2)
            late.set()
        return 1

    scored = run_judge(numbered(2), judge, timeout=0.05)
    assert late.wait(5)
    assert statuses(scored) == ["timeout", "ok"]


STUCK = """
import asyncio, time
from whileai.simulations.score.judging import run_judge
def stuck(row):
    time.sleep(300)
async def stuck_too(row):
    await asyncio.to_thread(time.sleep, 300) if row["n"] else time.sleep(300)
rows = [{"n": 0}, {"n": 1}]
for judge in (stuck, stuck_too):
    print([row["judge_status"] for row in run_judge(rows, judge, timeout=0.2)])
"""


def test_stuck_judges_do_not_keep_the_interpreter() -> None:
    done = subprocess.run([sys.executable, "-c", STUCK], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == ["['timeout', 'timeout']"] * 2
    assert (done.returncode, done.stderr) == (0, "")  # and no word of tasks that were left


# --- what is recorded


def test_a_row_that_was_scored_before_remembers_it_and_keeps_no_reward() -> None:
    row = {"id": 0, "reward": 1, "reason": "old", "lineage": {"scoring_run_id": "score_a", "dataset": "d"}}
    found = run_judge([row], lambda row: None, run_id="score_b", version="2", model="m")[0]
    assert (found["reward"], found["reason"], found["judge_status"]) == (None, "old", "invalid_result")
    assert found["lineage"] == {
        "scoring_run_id": "score_b", "source": "grade", "judge": "lambda_judge", "parent": "0", "dataset": "d",
        "model": "m", "judge_version": "2", "prior_scoring_run_id": "score_a",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("own", "given", "expected"),
    [
        (None, {"a": 1.0}, {"a": 1.0}), ({"a": 0.0, "b": 1.0}, {"a": 1.0}, {"a": 1.0, "b": 1.0}),
        ({"b": 1.0}, {}, {"b": 1.0}), ({"b": 1.0}, ["a"], {"b": 1.0}), ("odd", {3: 1.0}, {"3": 1.0}),
    ],
)  # fmt: skip
def test_markers_of_the_judge_win_over_the_rows_own(own: Any, given: Any, expected: Row) -> None:
    row = {"markers": own}
    assert run_judge([row], lambda row: {"reward": 1, "markers": given})[0]["markers"] == expected
    assert row == {"markers": own}


class Verifier:
    name = "  tests  "
    kind = "rule"

    def __call__(self, row: Row) -> int:
        return 1


def test_a_scorer_that_is_no_model_is_recorded_as_what_it_is() -> None:
    found = run_judge([{}], Verifier())[0]
    assert (found["judge_name"], found["judge_meta"]) == ("tests", {"scorer_kind": "rule"})


@pytest.mark.parametrize(
    ("judge", "name"),
    [(len, "len"), (functools.partial(len), "judge"), (lambda row: 1, "lambda_judge"), (Verifier(), "tests")],
)
def test_the_name_of_a_judge(judge: Any, name: str) -> None:
    assert judge_name_of(judge) == name
    assert judge_name_of(judge, "given") == "given"


def test_an_object_gives_its_rows_its_tools_and_its_profile() -> None:
    profile = type("Profile", (), {"policy": "Be brief.", "tools": ["get", "put"]})()
    run = type("Run", (), {"trajectories": numbered(2), "declared_tools": ["get"], "profile": profile})()
    scored = run_judge(run, lambda row: 1)
    assert (scored.rows.system_prompt, scored.rows.tools) == ("Be brief.", ["get", "put"])
    assert "0 of 2" in scored.warnings[0]


def test_the_bar_is_drawn_when_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    run_judge(numbered(3), lambda row: 1, concurrency=1, progress=True)
    run_judge(numbered(3), lambda row: 1, progress=None)
    assert normalize_judge_result(1)["reward"] == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("concurrency", [1, 4])
def test_an_async_judge_that_waits_for_an_async_judge_is_refused(concurrency: int) -> None:
    async def inner(row: dict[str, Any]) -> int:
        return 1

    async def outer(row: dict[str, Any]) -> Any:
        return run_judge([row], inner, concurrency=concurrency)[0]["reward"]

    async def apart(row: dict[str, Any]) -> Any:
        return (await asyncio.to_thread(run_judge, [row], inner))[0]["reward"]

    rows = [{"i": i} for i in range(3)]
    with pytest.raises(RuntimeError, match=r"await asyncio\.to_thread"):
        run_judge(rows, outer, concurrency=concurrency)
    assert [row["reward"] for row in run_judge(rows, apart, concurrency=concurrency)] == [1, 1, 1]
    assert [row["reward"] for row in run_judge(rows, lambda row: run_judge([row], inner)[0]["reward"])] == [1, 1, 1]


def test_what_an_earlier_verdict_said_does_not_speak_for_the_new_one() -> None:
    row = {"reward": 0, "judge_status": "ok", "judge_meta": {"rubric": 1}, "failure_class": "lied", "reason": "old"}
    [scored] = run_judge([row], lambda row: 1)
    assert (scored["reward"], scored["reason"]) == (1, "old")
    assert not {"judge_meta", "failure_class"} & scored.keys()
    [failed] = run_judge([row], lambda row: 1 / 0)
    assert failed["judge_meta"] == {"error": "ZeroDivisionError: division by zero"}


def test_one_value_nested_too_deep_to_copy_leaves_the_others_copies() -> None:
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    row = {"deep": deep, "steps": [{"tool": "get"}]}
    run_judge([row], lambda given: given["steps"].clear() or 1, quiet=True)
    assert row["steps"] == [{"tool": "get"}]
