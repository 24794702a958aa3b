from __future__ import annotations

import datetime as dt
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from whileai.simulations import load_rows
from whileai.simulations.errors import MissingExtraError
from whileai.simulations.rows.columns import plain, plain_record, without_filler

ROWS = [
    {"task_id": "a", "reward": 1.0, "steps": [{"tool": "get", "arguments": {"id": 17}}]},
    {"task_id": "b", "reward": None, "steps": [{"tool": "pay", "arguments": {"amount": 2}}, {"text": "Done."}]},
]
pa = pytest.importorskip("pyarrow")


def as_polars(table):
    return pytest.importorskip("polars").from_arrow(table)


def as_datasets(table):
    return pytest.importorskip("datasets").Dataset(table)


def as_narwhals(table):
    return pytest.importorskip("narwhals").from_native(table)


@pytest.mark.parametrize(
    "make",
    [lambda t: t, lambda t: t.to_reader(), lambda t: t.to_batches()[0], as_polars, as_datasets, as_narwhals],
)
def test_every_kind_of_table_gives_the_rows_it_was_made_from(make) -> None:
    assert list(load_rows(make(pa.Table.from_pylist(ROWS)))) == ROWS


def test_pandas_gives_none_for_missing_objects() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        [{"task_id": "a", "final_text": "x", "n": 1}, {"task_id": "b", "final_text": float("nan"), "n": 2}]
    )
    assert list(load_rows(frame)) == [
        {"task_id": "a", "final_text": "x", "n": 1},
        {"task_id": "b", "final_text": None, "n": 2},
    ]


@pytest.mark.parametrize("index", [["task_id"], ["task_id", "k"]])
def test_a_named_index_of_a_pandas_frame_is_a_column_again(index: list[str]) -> None:
    rows = [{"task_id": "a", "k": 1, "reward": 0.5}, {"task_id": "b", "k": 2, "reward": 1.0}] * 2000
    frame = pytest.importorskip("pandas").DataFrame(rows).set_index(index)
    assert list(load_rows(frame)) == rows
    assert list(frame.columns) == [name for name in rows[0] if name not in index]


def test_an_index_without_a_name_or_with_that_of_a_column_is_dropped() -> None:
    frame = pytest.importorskip("pandas").DataFrame([{"task_id": "a"}, {"task_id": "b"}])
    assert list(load_rows(frame[1:])) == [{"task_id": "b"}]
    assert list(load_rows(frame.set_index("task_id", drop=False))) == [{"task_id": "a"}, {"task_id": "b"}]


@pytest.mark.parametrize("kind", ["parquet", "stream", "file"])
def test_files_of_columns_are_streamed_and_known_by_content(tmp_path: Path, kind: str) -> None:
    table, path = pa.Table.from_pylist(ROWS * 3000), tmp_path / "rows.bin"
    if kind == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
    else:
        new = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
        with new(str(path), table.schema) as sink:
            sink.write_table(table, 500)
    reader = load_rows(path)
    assert list(reader) == ROWS * 3000
    assert reader.bytes_read == reader.bytes_total
    with path.open("rb") as file:
        assert len(list(load_rows(file))) == 6000


def test_a_selection_of_a_dataset_is_what_is_read() -> None:
    datasets = pytest.importorskip("datasets")
    chosen = datasets.Dataset.from_list([{"task_id": i} for i in range(5)]).select([3, 1])
    assert list(load_rows(chosen)) == [{"task_id": 3}, {"task_id": 1}]


def test_null_keys_go_and_top_level_nulls_stay() -> None:
    record = {"reward": None, "m": [{"role": "user", "name": None, "args": {"a": None, "b": [None, {"c": None}]}}]}
    assert plain_record(record) == {"reward": None, "m": [{"role": "user", "args": {"b": [None, {}]}}]}


def test_a_dict_of_lists_is_a_conversation_only_under_a_name_that_holds_one() -> None:
    columns = {"role": ["user", "assistant"], "content": ["Hi", "Hello."]}
    turns = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    assert plain_record({"messages": columns, "other": columns}) == {"messages": turns, "other": columns}
    assert plain_record({"messages": {"role": ["user"], "content": []}})["messages"] == {
        "role": ["user"],
        "content": [],
    }


def test_typed_values_become_plain_json_values() -> None:
    day = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
    values = [day, Decimal("2"), Decimal("0.5"), b"text", b"\xff", dt.timedelta(seconds=90), [("k", 1)]]
    assert [plain(v) for v in values] == ["2026-11-30T12:00:00+00:00", 2, 0.5, "text", "/w==", 90.0, {"k": 1}]


def test_null_keys_of_json_are_filler_only_when_every_message_has_the_same_keys() -> None:
    even = [{"role": "user", "tool_calls": None}, {"role": "assistant", "tool_calls": None}]
    uneven = [{"role": "user"}, {"role": "assistant", "tool_calls": None}]
    assert without_filler({"messages": even})["messages"] == [{"role": "user"}, {"role": "assistant"}]
    assert without_filler({"messages": uneven})["messages"] == uneven


def test_missing_pyarrow_names_the_extra(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "r.parquet").write_bytes(b"PAR1....")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(
        MissingExtraError, match=r"reading Parquet files needs pyarrow: pip install 'whileai\[parquet\]'"
    ):
        list(load_rows(tmp_path / "r.parquet"))
