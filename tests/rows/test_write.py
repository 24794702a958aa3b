from __future__ import annotations

import datetime as dt
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from uuid import UUID

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations import load_rows, write_rows

ODD = ["", "\ud800", "é", 2**64, -(2**70), 1e308, float("nan"), float("inf"), 0.1, True, None, 0]
values = st.recursive(
    st.sampled_from(ODD) | st.text(max_size=5) | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
rows_of_any = st.lists(st.dictionaries(st.sampled_from(["reward", "steps", "messages", "x", "é"]), values), max_size=4)


def exact(value: object) -> str:
    return json.dumps(value, sort_keys=True)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=rows_of_any, suffix=st.sampled_from([".jsonl", ".json", ".jsonl.gz", ".json.zst", ".rows"]))
def test_rows_written_and_loaded_again_are_equal(tmp_path: Path, rows, suffix: str) -> None:
    rows = [{"scenario_id": "s", **row} for row in rows]
    path = tmp_path / f"rows{suffix}"
    assert write_rows(rows, path) == len(rows)
    assert exact(list(load_rows(path))) == exact(rows)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=rows_of_any)
def test_parquet_gives_every_row_every_column_and_changes_no_value(tmp_path: Path, rows) -> None:
    rows = [{"scenario_id": "s", **row} for row in rows]
    columns = {name for row in rows for name in row}
    write_rows(rows, tmp_path / "rows.parquet")
    got = list(load_rows(tmp_path / "rows.parquet"))
    assert [repr(sorted(r.items())) for r in map(as_floats, got)] == [
        repr(sorted(r.items())) for r in map(as_floats, [{name: row.get(name) for name in columns} for row in rows])
    ]


def as_floats(value):
    """Equal numbers made the same: a column of ints and floats is one of floats."""
    if isinstance(value, dict):
        return {key: as_floats(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_floats(inner) for inner in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else value


def test_a_column_arrow_cannot_unify_is_json_text(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_rows([{"task_id": 1, "x": [1]}, {"task_id": 2, "x": {"a": None}}], tmp_path / "rows.parquet")
    assert parquet.read_table(tmp_path / "rows.parquet").column_names == ["task_id", "x_json"]
    assert [row["x"] for row in load_rows(tmp_path / "rows.parquet")] == [[1], {"a": None}]


def test_tuples_and_numpy_values_become_plain_ones(tmp_path: Path) -> None:
    row = {
        "task_id": np.int64(3),
        "reward": np.float64(0.5),
        "x": (1, np.bool_(True)),
        "v": np.arange(2),
        "n": np.float32("nan"),
    }
    write_rows([row], tmp_path / "r.jsonl")
    got = next(iter(load_rows(tmp_path / "r.jsonl")))
    assert got.pop("n") != 0
    assert got == {"task_id": 3, "reward": 0.5, "x": [1, True], "v": [0, 1]}


class Color(Enum):
    RED = "red"


@each_of(
    ("value", "text"),
    [
        (UUID(int=5), "00000000-0000-0000-0000-000000000005"), (Color.RED, "red"), (Path("a/b"), "a/b"),
        (dt.datetime(2024, 5, 1, 12, 30), "2024-05-01T12:30:00"), (dt.date(2024, 5, 1), "2024-05-01"),
        (dt.time(12, 30), "12:30:00"), (dt.timedelta(minutes=2), 120.0), (Decimal("0.5"), 0.5), (Decimal(7), 7),
        (np.datetime64("2024-05-01T12:30"), "2024-05-01T12:30"), (np.datetime64("NaT"), None), (pd.NaT, None),
        (np.array(["2024-05-01", "NaT"], "M8[D]"), ["2024-05-01", None]), (np.timedelta64(2, "m"), 120.0),
        (pd.NA, None), (pd.Timestamp("2024-05-01"), "2024-05-01T00:00:00"), (np.longdouble(2), 2.0),
        ({"a": Color.RED}, {"a": "red"}),
    ],
    ids=str,
)  # fmt: skip
@each_of("beside", [{}, {"n": None}, {"n": float("nan")}, {"n": "\ud800"}, {"n": 2**70}], ids=str)
def test_a_value_is_written_alike_whatever_stands_beside_it(tmp_path: Path, value, text, beside) -> None:
    write_rows([{"task_id": 1, "x": value, **beside}], tmp_path / "r.jsonl")
    assert next(iter(load_rows(tmp_path / "r.jsonl")))["x"] == text


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ({1: "a", "1": "b"}, "key '1': the key 1 is an int"),
        ({"n": None, 1.5: 2}, "key '1.5': the key 1.5 is a float"),
        ({"a": {"b": [{None: 1}]}}, "key 'a'"), ({"a": {True: 1, "true": 2}, "n": None}, "key 'a': the key True"),
        ({"a": MappingProxyType({1: 2})}, "key 'a': the key 1"),
        ({"a": np.array([{1: 2}], object)}, "key 'a': the key 1"),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("name", ["r.jsonl", "r.parquet"])
def test_a_key_that_is_no_text_is_refused(tmp_path: Path, row, place, name) -> None:
    with pytest.raises(ValueError, match=f"row 1, {place}"):
        write_rows([row], tmp_path / name)


def nested(levels: int) -> list[object]:
    value: list[object] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("name", ["r.jsonl", "r.json", "r.parquet"])
@pytest.mark.parametrize("levels", [30, 60, 300, 600])
def test_a_deeply_nested_value_comes_back(tmp_path: Path, levels, name) -> None:
    write_rows([{"task_id": 1, "x": nested(levels)}], tmp_path / name)
    assert next(iter(load_rows(tmp_path / name)))["x"] == nested(levels)


@pytest.mark.parametrize("name", ["r.jsonl", "r.json", "r.parquet"])
def test_a_value_nested_too_deeply_is_named(tmp_path: Path, name) -> None:
    with pytest.raises(ValueError, match="row 2, key 'x': nested too deeply"):
        write_rows([{"x": 1}, {"x": nested(5000)}], tmp_path / name)


def test_a_boolean_among_numbers_stays_one_in_parquet(tmp_path: Path) -> None:
    write_rows([{"task_id": 1, "x": [0.0, True]}], tmp_path / "r.parquet")
    assert str(next(iter(load_rows(tmp_path / "r.parquet")))["x"]) == "[0.0, True]"


def cyclic() -> list[object]:
    ring: list[object] = []
    ring.append(ring)
    return ring


@each_of("value", [{1, 2}, object(), b"x", np.add, np.clongdouble(1j), cyclic(), 1j, {"a": {1: 2}}])
@pytest.mark.parametrize("name", ["r.jsonl", "r.json", "r.jsonl.gz", "r.jsonl.zst", "r.parquet"])
def test_a_failed_write_names_the_row_and_key_and_leaves_the_old_file(tmp_path: Path, value: object, name: str) -> None:
    write_rows([{"task_id": "old"}], tmp_path / name)
    before = (tmp_path / name).read_bytes()
    with pytest.raises(ValueError, match="row 2, key 'bad'"):
        write_rows([{"task_id": 1}, {"task_id": 2, "bad": value}], tmp_path / name)
    assert (tmp_path / name).read_bytes() == before
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
def test_rows_that_fail_halfway_leave_nothing_behind(tmp_path: Path, failure: type[BaseException]) -> None:
    def rows():
        yield {"task_id": 1}
        raise failure

    with pytest.raises(failure):
        write_rows(rows(), tmp_path / "new.jsonl")
    assert os.listdir(tmp_path) == []


WRITER = """
import sys, time
from whileai.simulations import write_rows
def rows():
    yield {"task_id": 1}
    print("writing", flush=True)
    time.sleep(60)
write_rows(rows(), sys.argv[1])
"""


@contextmanager
def writer(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that is in the middle of writing the file."""
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True, env=own) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "writing\n"
            yield process
        finally:
            process.kill()


def test_what_killed_writers_left_is_removed_and_what_live_ones_write_is_not(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with writer(path) as first, writer(path) as second:
        left = set(os.listdir(tmp_path))
        assert len(left) == 2
        write_rows([{"task_id": 2}], path)
        assert set(os.listdir(tmp_path)) == {*left, "r.jsonl"}
        first.kill()
        second.terminate()
        first.wait()
        second.wait()
    write_rows([{"task_id": 3}], path)
    assert os.listdir(tmp_path) == ["r.jsonl"]


def test_writers_of_one_file_in_several_threads_each_finish(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: write_rows([{"task_id": n}] * 50, path), range(64)))
    assert os.listdir(tmp_path) == ["r.jsonl"]
    assert len(list(load_rows(path))) == 50


@pytest.mark.parametrize("name", ["😀" * 61, "é" * 120, "a" * 249])
def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path: Path, name) -> None:
    write_rows([{"task_id": 1}], tmp_path / f"{name}.jsonl")
    assert os.listdir(tmp_path) == [f"{name}.jsonl"]


def test_a_file_can_be_rewritten_from_itself(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    write_rows([{"task_id": i} for i in range(5000)], path)
    assert write_rows((row for row in load_rows(path) if row["task_id"] % 2), path) == 2500
    assert next(iter(load_rows(path))) == {"task_id": 1}


def test_permissions_stay_and_a_new_file_has_the_usual_ones(tmp_path: Path) -> None:
    path, usual = tmp_path / "r.jsonl", tmp_path / "usual"
    usual.touch()
    write_rows([{"task_id": 1}], path)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    path.chmod(0o640)
    write_rows([{"task_id": 2}], path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_keeps_pointing_to_what_was_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.jsonl"
    link.symlink_to(tmp_path / "real" / "r.jsonl")
    write_rows([{"task_id": 1}], link)
    assert link.is_symlink()
    assert list(load_rows(tmp_path / "real" / "r.jsonl")) == [{"task_id": 1}]


@pytest.mark.parametrize("name", ["r.csv", "r.tsv.gz", "r.parquet.gz", "r.arrow"])
def test_a_container_that_cannot_hold_rows_is_refused_with_a_hint(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"write \.(jsonl|parquet)"):
        write_rows([], tmp_path / name)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("rows", [{"task_id": 1}, "rows", 5])
def test_rows_that_are_no_iterable_of_dicts_are_refused(tmp_path: Path, rows) -> None:
    with pytest.raises(TypeError, match="iterable of dicts"):
        write_rows(rows, tmp_path / "r.jsonl")
    with pytest.raises(ValueError, match="row 1 must be a dict"):
        write_rows([[]], tmp_path / "r.jsonl")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nope"):
        write_rows([], tmp_path / "nope" / "r.jsonl")


def test_what_is_no_regular_file_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a regular file"):
        write_rows([], tmp_path)
    with pytest.raises(ValueError, match="not a regular file"):
        write_rows([], "/dev/null")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_disk_that_is_full_names_the_file(tmp_path, monkeypatch):
    real = os.fdopen
    monkeypatch.setattr(os, "fdopen", lambda handle, mode: (os.close(handle), real(os.open("/dev/full", 1), mode))[1])
    with pytest.raises(OSError, match=r"rows\.jsonl"):
        write_rows([{"a": "x" * 100_000}], tmp_path / "rows.jsonl")
    assert list(tmp_path.iterdir()) == []
