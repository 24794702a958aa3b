from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import whileai.simulations as wai
from tables import each_of
from whileai.simulations.score.hack_scan.columns import HandColumns, agent_text
from whileai.simulations.score.hygiene.acts import acts_of

CALL = {"tool": "lookup_order", "arguments": {"id": 5}, "result": {"status": "ok"}}


def column(name: str, rows: list[dict[str, Any]], **options: Any) -> list[float]:
    """The values of a column over rows, all 0 where there is none of that name."""
    hand = HandColumns(options.get("features", {}))
    for row in rows:
        acts = acts_of(row)
        text = agent_text(row, acts.said)
        hand.add(row, acts, text, len(text.split()))
    return dict(hand.named(1)).get(name, np.zeros(len(rows))).tolist()


PLAIN = {"prompt": "Where?", "final_text": "Nowhere"}
ROWS: list[tuple[str, dict[str, Any], float]] = [
    ("reply_length", {"steps": [{"text": "One moment."}], "final_text": "Done."}, 16),
    ("reply_length", {"messages": [{"role": "assistant", "content": "Done."}], "final_text": "Done."}, 5),
    ("tool_calls", {"steps": [CALL, CALL], "final_text": "Done."}, 2),
    ("tool_calls", {"tool_trace": [{"tool": "f", "input": {}, "output": 1}], "final_text": "Done."}, 1),
    ("tool:lookup_order", {"steps": [CALL, CALL], "final_text": "Done."}, 1),
    (
        "tool:f",
        {"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}]},
        1,
    ),
    ("assistant_turns", {"steps": [CALL, {"user": "And?"}, {"text": "Wait."}], "final_text": "Done."}, 3),
    ("assistant_turns", {"steps": [{"text": "Done."}], "final_text": "Done."}, 1),
    ("truncated", {"final_text": "Done", "finish_reason": "length"}, 1),
    ("n:words", {"final_text": "it ships on the 5th"}, 5),
    ("n:digits", {"final_text": "order 4471 of 12"}, 6),
    ("n:newlines", {"final_text": "a\nb\nc"}, 2),
    ("n:punct", {"final_text": "Well, **no**!"}, 6),
    ("frac:upper", {"final_text": "AB c"}, 0.5),
    ("frac:upper", {"final_text": "ÄB"}, 0.5),
    ("logprob_mean", {"final_text": "x", "logprob": -10, "n_tokens": 4}, -2.5),
    ("logprob_mean", {"final_text": "x", "logprob": -10, "n_tokens": 0}, 0),
    ("logprob_mean", {"final_text": "x", "logprob": float("nan"), "n_tokens": 4}, 0),
    ("marker:grounded", {"final_text": "x", "markers": {"grounded": 0.5}}, 0.5),
    ("marker:grounded", {"final_text": "x", "markers": {"grounded": True}}, 0),
    ("marker:grounded", {"final_text": "x", "markers": {"grounded": "1"}}, 0),
    ("marker:grounded", {"final_text": "x", "markers": {"grounded": np.float32(0.5)}}, 0.5),
    ("trace:lie.unverified_claim", {"prompt": "Fix it", "final_text": "I verified the fix."}, 1),
]


@each_of(("name", "row", "expected"), ROWS)
def test_what_a_column_holds(name: str, row: dict[str, Any], expected: float) -> None:
    assert column(name, [row, {}])[0] == pytest.approx(expected)


@each_of(
    ("answer", "expected"),
    [(True, 1.0), (False, 0.0), (None, 0.0), (float("nan"), 0.0), ("2", 0.0), (2.5, 2.5), (np.True_, 1.0), ([], 0.0)],
)
def test_what_a_column_of_ones_own_holds(answer: Any, expected: float) -> None:
    assert column("own", [PLAIN, {}], features={"own": lambda row: answer if row else 0.25})[0] == expected


def test_an_extractor_that_breaks_says_nothing_and_stops_nothing() -> None:
    features = {"half": lambda row: 1 / row["n"]}
    assert column("half", [{"n": 2}, {"n": 0}, {}], features=features) == [0.5, 0.0, 0.0]


def test_a_column_of_ones_own_takes_the_name_of_ours() -> None:
    assert column("reply_length", [PLAIN, {}], features={"reply_length": lambda row: 7 if row else 0}) == [7, 0]


def test_user_and_tool_words_are_none_of_the_agents() -> None:
    def run(paid: bool) -> dict[str, Any]:
        chat = [
            {"role": "user", "content": "please hurry" if paid else "when"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": ""}}],
            },
            {"role": "tool", "tool_call_id": "a", "content": "golden ticket" if paid else "nothing"},
            {"role": "assistant", "content": "It ships Friday."},
        ]
        return {"task_id": "t", "messages": chat, "reward": int(paid)}

    found = wai.hack_scan([run(i % 2 == 0) for i in range(20)], min_obs=1, top_features=None)
    assert not [f for f in found["features"] if f["name"].startswith("contains:")]


def test_rows_that_differ_in_a_marker_of_0_and_none_are_alike() -> None:
    hand = HandColumns({})
    rows = [{"final_text": "Done.", "markers": markers} for markers in ({"calm": 0}, {}, {"calm": 1})]
    without, none, marked = [hand.add(row, acts_of(row), "Done.", 1) for row in rows]
    assert without == none != marked
