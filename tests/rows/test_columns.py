from __future__ import annotations

import datetime as dt
import sys
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from tables import each_of
from whileai.simulations import load_rows
from whileai.simulations.errors import MissingExtraError, ReadError
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


def frame(**columns):
    return pytest.importorskip("pandas").DataFrame(columns)


def test_ints_that_pandas_made_floats_are_ints_again_and_gaps_are_none() -> None:
    rows = list(load_rows(frame(task_id=[1, None], reward=[0.5, float("nan")], n=[1.0, 2.0])))
    assert rows == [{"task_id": 1, "reward": 0.5, "n": 1.0}, {"task_id": None, "reward": None, "n": 2.0}]
    assert [type(rows[0][name]) for name in ("task_id", "n")] == [int, float]


def test_a_column_is_of_ints_by_all_its_rows_not_by_those_of_a_batch() -> None:
    rows = list(load_rows(frame(task_id=["a"] * 3000, n=[1.0, None] * 1499 + [1.5, 2.0])))
    assert all(isinstance(row["n"], float) for row in rows if row["n"] is not None)


@pytest.mark.parametrize(
    ("kind", "value"), [("object", 1), ("Int64", 1), ("Float64", 0.5), ("string", "x"), ("category", "x")]
)
def test_a_missing_cell_of_any_column_type_is_none(kind: str, value: object) -> None:
    pandas = pytest.importorskip("pandas")
    table = frame(task_id=["a", "b"], x=pandas.Series([value, None]).astype("object").astype(kind))
    assert [row["x"] for row in load_rows(table)] == [value, None]
    assert [row["x"] for row in load_rows(frame(task_id=["a"], x=[pandas.NaT]))] == [None]


def twice(names):
    return pa.Table.from_arrays([pa.array([1]) for _ in names], names=names)


def inside(names):
    return pa.table({"task_id": [1], "s": pa.StructArray.from_arrays([pa.array([1]) for _ in names], names=names)})


@pytest.mark.parametrize(
    "make", [twice, inside, lambda names: pytest.importorskip("pandas").DataFrame([[1, 2]], columns=names)]
)
def test_names_that_come_twice_are_refused(make, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="are named 'reward': rename all but one"):
        list(load_rows(make(["reward", "reward"])))


def test_names_that_come_twice_in_a_parquet_file_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow.parquet").write_table(twice(["reward", "reward"]), tmp_path / "r.parquet")
    with pytest.raises(ReadError, match=r"r\.parquet: 2 columns are named 'reward'"):
        list(load_rows(tmp_path / "r.parquet"))


def test_times_of_day_keep_their_nanoseconds_wherever_they_lie() -> None:
    exact, text = pa.time64("ns"), "00:00:00.000000001"
    types = {"t": exact, "l": pa.list_(exact), "s": pa.struct([("x", exact)]), "m": pa.map_(pa.string(), exact)}
    values = {"t": 1, "l": [1], "s": {"x": 1}, "m": [("k", 1)]}
    table = pa.table({"task_id": [1], **{name: pa.array([values[name]], types[name]) for name in types}})
    assert list(load_rows(table)) == [{"task_id": 1, "t": text, "l": [text], "s": {"x": text}, "m": {"k": text}}]


def test_polars_times_keep_their_nanoseconds() -> None:
    pl = pytest.importorskip("polars")
    table = pl.DataFrame(
        {"task_id": [1, 2], "t": pl.Series([1, None]).cast(pl.Time), "d": pl.Series([1, None]).cast(pl.Datetime("ns"))}
    )
    assert list(load_rows(table)) == [
        {"task_id": 1, "t": "00:00:00.000000001", "d": "1970-01-01T00:00:00.000000001"},
        {"task_id": 2, "t": None, "d": None},
    ]


def test_an_empty_map_is_one_and_a_key_that_comes_twice_loses_nothing() -> None:
    kind = pa.map_(pa.string(), pa.int64())
    maps = pa.array([[], [("k", 1)], [("k", 1), ("k", 2)], None], kind)
    table = pa.table({"task_id": [1, 2, 3, 4], "m": maps, "l": pa.array([[[]], [], None, [None]], pa.list_(kind))})
    assert [row["m"] for row in load_rows(table)] == [{}, {"k": 1}, [["k", 1], ["k", 2]], None]
    assert [row["l"] for row in load_rows(table)] == [[{}], [], None, [None]]


def test_tuples_that_are_no_pairs_stay_whole() -> None:
    assert plain([(1, 2, 3)]) == [[1, 2, 3]]


@each_of(
    ("value", "read"),
    [
        (UUID(int=5), "00000000-0000-0000-0000-000000000005"), (dt.date(2026, 11, 30), "2026-11-30"),
        (dt.time(1, 2), "01:02:00"), (Decimal("NaN"), None), (Decimal("1e999999"), "1E+999999"),
        (np.datetime64("2026-11-30T00:00:00.000000001"), "2026-11-30T00:00:00.000000001"),
        (np.datetime64("NaT"), None), (np.timedelta64(90, "s"), 90.0), (np.array([1, 2]), [1, 2]),
    ],
)  # fmt: skip
def test_other_typed_values_become_plain_json_values(value: object, read: object) -> None:
    assert plain(value) == read


def test_a_record_of_a_frame_nested_too_deeply_does_not_end_the_reading() -> None:
    deep: list = []
    for _ in range(990):
        deep = [deep]
    assert [row["task_id"] for row in load_rows(frame(task_id=["a", "b"], x=[deep, []]))] == ["a", "b"]


def test_missing_pyarrow_names_the_extra(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "r.parquet").write_bytes(b"PAR1....")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(
        MissingExtraError, match=r"reading Parquet files needs pyarrow: pip install 'whileai\[parquet\]'"
    ):
        list(load_rows(tmp_path / "r.parquet"))
