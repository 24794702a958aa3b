from __future__ import annotations

import copy
import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from strategies import rows as odd_rows


def graded(n: int = 60, seed: int = 0) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        calls = rng.randrange(4)
        text = "It depends. " * (rng.random() < 0.4) + "word " * rng.randrange(20) + "end."
        reward = int(rng.random() < 0.2 + 0.2 * calls)
        steps = [{"tool": "f", "arguments": {}, "result": 1}] * calls
        found.append({"prompt": "Why?", "final_text": text, "steps": steps, "reward": reward})
    return found


def test_correlations_are_pearsons() -> None:
    rows = graded()
    found = wai.reward_correlations(rows)["correlations"]
    labels = [row["reward"] for row in rows]
    for name, column in {
        "reply_length": [len(row["final_text"]) for row in rows],
        "tool_calls": [len(row["steps"]) for row in rows],
        "hedging": ["It depends" in row["final_text"] for row in rows],
    }.items():
        assert found[name] == round(float(np.corrcoef(column, labels)[0, 1]), 3)


def test_what_reaches_the_threshold_in_either_direction_is_flagged() -> None:
    rows = graded()
    found = wai.reward_correlations(rows, threshold=0.2)
    assert found["flagged"] == {n: v for n, v in found["correlations"].items() if v is not None and abs(v) >= 0.2}
    for row in rows:
        row["reward"] = 1 - row["reward"]
    assert wai.reward_correlations(rows, threshold=0.2)["flagged"] == {n: -v for n, v in found["flagged"].items()}


def test_unlabelled_rows_are_no_part_of_it() -> None:
    rows = graded()
    more = [*rows, *({"final_text": "x" * 5000, "reward": reward} for reward in (None, 0.5, True, "good"))]
    assert wai.reward_correlations(more) == wai.reward_correlations(rows)


def test_flags_follow_the_fixed_columns_under_their_own_names() -> None:
    rows = [{"final_text": "I verified it." if i % 2 else "Please check.", "reward": i % 2} for i in range(8)]
    names = list(wai.reward_correlations(rows)["correlations"])
    assert names[:3] == ["reply_length", "tool_calls", "assistant_turns"]
    assert names[3:] == ["boilerplate", "hedging", "sycophancy", "refusal", "lie.unverified_claim"]


@pytest.mark.parametrize("threshold", [-0.1, float("nan"), "0.3", True])
def test_odd_thresholds_are_refused(threshold: Any) -> None:
    with pytest.raises(ValueError, match="threshold"):
        wai.reward_correlations([], threshold=threshold)


@few
@given(st.lists(odd_rows() | st.none(), max_size=6))
def test_odd_rows_never_stop_it_and_stay_as_they_were(rows: list[Any]) -> None:
    for place, row in enumerate(rows):
        if isinstance(row, dict):
            row["reward"] = place % 2
    kept = copy.deepcopy(rows)
    found = wai.reward_correlations(rows)
    assert repr(rows) == repr(kept)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
