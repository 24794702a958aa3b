"""No function of the topic fails on rows of odd kinds, or changes them beyond the stamp."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
import whileai.simulations as wai
from examples import few

CALLS: dict[str, Callable[[list[Any]], Any]] = {
    "filter_rl_rows": wai.filter_rl_rows,
    "group_signal": lambda rows: ([], wai.group_signal(rows)),
    "trim_unanimous_groups": wai.trim_unanimous_groups,
    "trim_out_of_band": wai.trim_out_of_band,
    "select_for_sft": lambda rows: wai.select_for_sft(rows, min_reward=0),
    "select_for_rl": lambda rows: wai.select_for_rl(rows, truncated="keep", text_gates="skip"),
    "select_for_rl, penalized": lambda rows: wai.select_for_rl(rows, truncated="penalize", prior=copy.deepcopy(rows)),
}


@pytest.mark.filterwarnings("ignore:prior:UserWarning")
@pytest.mark.parametrize("name", CALLS)
@few
@given(st.lists(strategies.any_dicts() | st.none() | st.text(max_size=2), max_size=4))
def test_odd_rows_are_read_and_left_alone(name: str, rows: list[Any]) -> None:
    before = copy.deepcopy(rows)
    kept, report = CALLS[name](rows)
    assert len(kept) <= len(rows)
    assert str(report).isprintable() or "\n" in str(report)
    json.dumps(report)
    for row, old in zip(rows, before, strict=True):
        if isinstance(row, dict) and any(row is one for one in kept):
            row = {k: v for k, v in row.items() if k != "calibration"}
            old = {k: v for k, v in old.items() if k != "calibration"}
        assert repr(row) == repr(old)
