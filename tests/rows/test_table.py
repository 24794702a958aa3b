from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai.simulations.rows.grade import grade, label
from whileai.simulations.rows.table import RowTable, Tasks, row_items
from whileai.simulations.rows.task import task_key

REWARDS = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 2), st.sampled_from([0.0, 1.0, 0.5, math.nan, math.inf, 10**400]),
    st.sampled_from(["1", "0", " 1.0 ", "x", "", "nan", "1e0"]), st.lists(st.integers(), max_size=1),
)  # fmt: skip
IDS = st.one_of(st.none(), st.just(""), st.sampled_from(["a", "b"]), st.integers(0, 1), st.booleans(), st.just([1]))
ROWS = st.lists(
    st.fixed_dictionaries({"reward": REWARDS}, optional={"qwen_reward": REWARDS, "scenario_id": IDS, "task_id": IDS})
)


@given(ROWS)
def test_columns_agree_with_the_rules_of_one_row(rows: list[dict]) -> None:
    table = RowTable(rows)
    labels = [label(row) for row in rows]
    assert [None if math.isnan(x) else int(x) for x in table.labels] == labels
    assert table.binary.tolist() == [x is not None for x in labels]
    assert np.array_equal(table.grades, np.array([grade(row) for row in rows]), equal_nan=True)
    assert [table.index.names[code] for code in table.tasks] == [task_key(row) for row in rows]


def test_batches_that_share_an_index_number_tasks_alike() -> None:
    index = Tasks()
    first = RowTable([{"task_id": "a"}, {"task_id": "b"}], index).tasks
    second = RowTable([{"task_id": "b"}, {"task_id": "c"}], index).tasks
    assert (first.tolist(), second.tolist(), index.names) == ([0, 1], [1, 2], ["a", "b", "c"])


def test_marker_values_are_numbers_with_booleans_and_text_read() -> None:
    markers = [{"m": True}, {"m": "0.5"}, {"m": None}, {"m": "warm"}, {"m": math.nan}, {3: 2}, "no"]
    table = RowTable([{"markers": each} for each in markers])
    places, values = table.markers["m"]
    assert (places.tolist(), values.tolist()) == ([0, 1], [1.0, 0.5])
    assert table.markers["3"][1].tolist() == [2.0]


@pytest.mark.parametrize(
    ("rows", "hint"),
    [
        ({"reward": 1}, "wrap one row"),
        (Path("a.jsonl"), "load_rows"),
        (7, "int"),
        (pd.DataFrame({"reward": [1]}), "load_rows"),
    ],
)
def test_what_is_no_list_of_rows_is_refused_with_a_hint(rows: object, hint: str) -> None:
    with pytest.raises(TypeError, match=hint):
        RowTable(rows)


def test_numpy_numbers_are_graded_and_numpy_booleans_are_no_rewards() -> None:
    values = [np.int64(1), np.float32(0.5), np.float64(0), np.bool_(True)]
    table = RowTable([{"reward": value, "markers": {"m": value}} for value in values])
    assert np.array_equal(table.grades, [1, 0.5, 0, np.nan], equal_nan=True)
    assert table.markers["m"][1].tolist() == [1.0, 0.5, 0.0, 1.0]


def test_numbers_whose_fourth_power_is_no_float_are_not_computed_with() -> None:
    table = RowTable([{"reward": 1e200, "markers": {"m": value}} for value in (1e71, -1e308, 2.0)])
    assert np.isnan(table.grades).all()
    assert table.markers["m"][1].tolist() == [2.0]


def test_items_that_are_no_mapping_are_left_out() -> None:
    assert len(RowTable([{"reward": 1}, None, "x", [1]])) == 1


def test_all_items_come_back_and_a_list_as_it_is():
    rows = [{"reward": 1}, None, "x"]
    assert row_items(rows) is rows
    assert row_items(iter(rows)) == rows
    with pytest.raises(TypeError, match="wrap one row in a list"):
        row_items({"reward": 1})


@pytest.mark.parametrize("others", [{"a": 2, "b": 3}, {"b": 3, "a": None}, {"a": 2}, {"a": 2, "c": 5}])
def test_a_column_of_a_batch_is_what_each_row_has(others: dict[str, Any]) -> None:
    rows = [{"a": 1, "b": 2}, others]
    table = RowTable(rows)
    assert {key: list(table.column(key)) for key in "abc"} == {key: [row.get(key) for row in rows] for key in "abc"}
