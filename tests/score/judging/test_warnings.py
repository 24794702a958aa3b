"""What is said of a hollow run, and what is not."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from tables import each_of
from whileai.simulations.score.judging import run_judge
from whileai.simulations.score.judging.warnings import run_warnings

Row = dict[str, Any]
GOOD, BAD = {"tool": "get", "result": {"ok": True}}, {"tool": "get", "result": {"status": "error"}}


def rows(n: int, *steps: Row, **more: Any) -> list[Row]:
    return [{"prompt": f"ask {i}", "steps": list(steps), **more} for i in range(n)]


@each_of(
    ("found", "tools", "words"),
    [
        (rows(3), ["get"], ["0 of 3", "tool"]), (rows(3), None, None), (rows(3), [], None),
        ([*rows(18, GOOD), *rows(2)], ["get"], ["2 of 20", "'ask 0', 'ask 1'"]),
        ([*rows(19, GOOD), *rows(1)], ["get"], None),
        ([*rows(9, GOOD), *rows(1)], ["get"], ["1 of 10"]),
        (rows(3, GOOD), ["put", "get", "cut"], ["2 of 3", "put, cut"]),
        (rows(3, GOOD), {"put", "get", "cut"}, ["cut, put"]), (rows(3, GOOD), [{"function": {"name": "get"}}], None),
        (rows(9, BAD), None, ["get", "0 of 9"]), (rows(8, BAD), None, None), (rows(9, {"tool": "get"}), None, None),
        (rows(9, BAD, faults={"get": {"mode": "timeout"}}), None, None), (rows(9, BAD, faults={"*": {}}), None, None),
        (rows(9, BAD, faults={"put": {}}), None, ["get", "0 of 9"]),
        ([*rows(50, GOOD), *rows(200, BAD)], None, ["50 of 250"]), ([*rows(70, GOOD), *rows(180, BAD)], None, None),
        ([*rows(200, BAD), *rows(50, GOOD)], None, ["50 of 250"]), ([*rows(180, BAD), *rows(70, GOOD)], None, None),
        (rows(2, markers={"polite": None, "kind": 1.0}), None, ["polite", "0 of 2"]),
        (rows(2, markers={"polite": True}), None, ["polite"]),
        (rows(2, markers={"polite": float("nan")}), None, ["polite"]),
        ([*rows(1, markers={"polite": None}), *rows(1, markers={"polite": 0})], None, None), ([], ["get"], None),
    ],
)  # fmt: skip
def test_one_warning_or_none(found: list[Row], tools: Any, words: list[str] | None) -> None:
    warnings = run_warnings(found, tools)
    assert len(warnings) == (words is not None)
    for word in words or ():
        assert word in warnings[0]


def test_calls_are_also_read_from_messages() -> None:
    messages = [{"role": "assistant", "tool_calls": [{"function": {"name": "get", "arguments": "{}"}}]}]
    assert run_warnings([{"messages": messages}], ["get"]) == []


def test_warnings_come_in_order_and_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    found = [*rows(9, BAD, markers={"b": None, "a": "x"}), *rows(2)]
    with caplog.at_level(logging.WARNING, "whileai.simulations"):
        warnings = run_judge(found, lambda row: 1, tools=["get", "put"]).warnings
    assert [line.split()[0] for line in warnings] == ["2", "1", "get", "marker", "marker"]
    assert [record.getMessage() for record in caplog.records][:5] == warnings
    assert "all 11 rows score 1" in caplog.text
    assert not any("score" in line for line in warnings)


def test_a_foreign_name_does_not_reach_the_terminal_raw() -> None:
    warnings = run_warnings(rows(9, {"tool": "a\x1b[31mb", "result": "Error: x"}), None)
    assert "\x1b" not in warnings[0]
