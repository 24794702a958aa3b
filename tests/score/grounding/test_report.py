from __future__ import annotations

import json
from typing import Any

import whileai.simulations as wai


def row(*calls: tuple[str, str, str], prompt: str = "go") -> dict[str, Any]:
    return {"prompt": prompt, "steps": [{"tool": tool, "arguments": {key: value}} for tool, key, value in calls]}


def test_each_row_counts_once_for_an_argument_and_the_first_value_is_shown() -> None:
    rows = [
        row(("refund", "id", "Q-11"), ("refund", "id", "Q-12")),
        row(("cancel", "id", "Q-13")),
        row(("cancel", "id", "Q-14")),
        row(("refund", "id", "Q-15"), prompt="refund q 15"),
        {"prompt": "hi"},
        None,
    ]
    report = wai.grounding_report(iter(rows))
    assert dict(report) == {
        "rows": 5,
        "grounded_rate": 0.4,
        "rows_with_calls": 4,
        "invented": [
            {"argument": "cancel.id", "rows": 2, "example": "Q-13"},
            {"argument": "refund.id", "rows": 1, "example": "Q-11"},
        ],
    }
    assert json.loads(json.dumps(report)) == report


def test_it_prints_itself() -> None:
    report = wai.grounding_report([row(("refund", "id", "Q-11\x1b[31m" + "x" * 80))])
    assert str(report).splitlines() == [
        "grounded 0.0000 of 1 row (1 with calls)",
        "  refund.id: 1 row, such as 'Q-11\\x1b[31m" + "x" * 47 + "…'",
    ]
    assert str(wai.grounding_report([])) == "no rows"


def test_options_reach_the_check() -> None:
    assert wai.grounding_report([row(("a", "note", "Dear Ann"))], ignore_keys=["note"])["grounded_rate"] == 1.0
