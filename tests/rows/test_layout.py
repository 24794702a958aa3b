"""Rows in a layout that is not read are refused with the way to give them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from whileai.simulations import load_rows
from whileai.simulations.errors import ReadError

ROWS = [{"task_id": "a", "reward": 1}, {"task_id": "b", "reward": 0}]
CHAT = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
TAU = {"task_id": 3, "reward": 1.0, "traj": CHAT, "info": {}, "trial": 0}
COLUMNS = [
    {"task_id": {"0": "a", "1": "b"}, "reward": {"0": 1, "1": 0}},
    {"task_id": {"x": "a", "y": "b"}, "reward": {"x": 1, "y": 0}},
    {"task_id": ["a", "b"], "reward": [1, 0]},
    {"scenario_id": ["a"], "messages": [CHAT]},
    {"task_id": {"0": "a"}, "messages": {"0": CHAT}},
    {"prompt": {"0": "2+3?"}, "completion": {"0": "5"}},
    {"prompt": ["2+3?"], "completion": ["5"]},
]


def refusal(folder: Path, value: Any) -> str:
    path = folder / "rows.json"
    path.write_text(json.dumps(value))
    with pytest.raises(ReadError, match=r"rows\.json") as caught:
        list(load_rows(path))
    return str(caught.value)


@pytest.mark.parametrize("table", COLUMNS)
def test_a_table_by_column_is_told_as_one(tmp_path: Path, table: dict[str, Any]) -> None:
    told = refusal(tmp_path, table)
    assert "column-oriented" in told
    assert 'orient="records", lines=True' in told


@pytest.mark.parametrize("orient", ["columns", "index", "split"])
def test_what_pandas_writes_by_other_orients_names_the_one_to_use(tmp_path: Path, orient: str) -> None:
    frame = pytest.importorskip("pandas").DataFrame(ROWS)
    assert 'orient="records", lines=True' in refusal(tmp_path, json.loads(frame.to_json(orient=orient)))


@pytest.mark.parametrize("key", ["results", "rows", "data"])
@pytest.mark.parametrize("rows", [ROWS, [TAU]])
def test_a_list_of_rows_inside_an_object_is_named_and_not_read(tmp_path: Path, key: str, rows: list[Any]) -> None:
    assert f"the list under '{key}' looks like rows: pass that list" in refusal(tmp_path, {"n": 2, key: rows})


@pytest.mark.parametrize("other", [{"data": [1, 2]}, {"data": [{"loss": 1}]}, {"data": []}, {"a": {}, "b": {}}, {}])
def test_an_object_without_rows_is_of_no_known_format(tmp_path: Path, other: dict[str, Any]) -> None:
    told = refusal(tmp_path, other)
    assert "no known format" in told
    assert "looks like rows" not in told


@pytest.mark.parametrize(
    "record",
    [
        {"messages": CHAT, "tools": [{"name": "get"}, {"name": "pay"}]},
        {"messages": CHAT},
        {"task_id": "a", "reward": [0.5, 0.5]},
        {"steps": [{"tool": "get"}]},
        {"messages": {"role": ["user", "assistant"], "content": ["Hi", "Hello."]}},
    ],
)
def test_a_record_of_lists_is_one_record(record: dict[str, Any]) -> None:
    assert len(list(load_rows([record]))) == 1
