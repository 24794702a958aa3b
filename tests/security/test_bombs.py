"""Small files that stand for much more: refused with the limit in the words, or read in bounded memory."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import zstandard

from whileai.simulations import defaults, load_rows
from whileai.simulations.errors import ReadError

MIB = 2**20
HEAD = b'{"task_id": "a", "final_text": "'
CHILD = """
import sys, warnings
warnings.simplefilter("ignore")
from whileai.simulations import load_rows
try:
    n = sum(1 for row in load_rows(sys.argv[1]))
except ValueError as error:
    n = str(error)
with open("/proc/self/status") as status:  # ru_maxrss would count the process that started this one
    print(n, next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) // 1024, sep="|")
"""


def read_apart(path: Path) -> tuple[str, int]:
    """What reading a file gives, in a process of its own, and the most MiB that this process had."""
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak of a process is read from /proc, which is not there")
    done = subprocess.run([sys.executable, "-c", CHILD, path], capture_output=True, text=True, check=True)
    said, peak = done.stdout.strip().rsplit("|", 1)
    return said, int(peak)


def test_a_line_that_unpacks_to_gigabytes_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl.zst"
    with path.open("wb") as out, zstandard.ZstdCompressor().stream_writer(out) as file:
        file.write(HEAD)
        for _ in range(600):
            file.write(b"a" * MIB)
    assert path.stat().st_size < MIB
    said, peak = read_apart(path)
    assert f"a line is longer than the limit of {defaults.MAX_RECORD_BYTES} bytes" in said
    assert "defaults.MAX_RECORD_BYTES to read it" in said
    assert peak < 1024


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(defaults, "MAX_RECORD_BYTES", MIB)
    return MIB


def test_a_gzip_bomb_is_refused_and_read_once_the_limit_is_raised(
    tmp_path: Path, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(HEAD + b"a" * 3 * limit + b'"}\n'))
    with pytest.raises(ReadError, match=r"the limit of 1048576 bytes .*MAX_RECORD_BYTES"):
        list(load_rows(tmp_path / "r.jsonl.gz"))
    monkeypatch.setattr(defaults, "MAX_RECORD_BYTES", 4 * limit)
    assert len(list(load_rows(tmp_path / "r.jsonl.gz"))) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.jsonl", HEAD + b"a" * 3 * MIB + b'"}\n'),
        ("r.json", b"[" + HEAD + b"a\n" * 2 * MIB + b'"}]'),
        ("r.csv", b'task_id,reward,final_text\na,1,"' + b"a" * 3 * MIB + b'"\n'),
    ],
)
def test_a_record_over_the_limit_is_refused(tmp_path: Path, limit: int, name: str, text: bytes) -> None:
    (tmp_path / name).write_bytes(text)
    with pytest.raises(ReadError, match="limit of 1048576 bytes"):
        list(load_rows(tmp_path / name))


def test_a_quote_that_never_ends_is_no_record_and_is_said(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_bytes(b'task_id,reward,final_text\na,1,"' + b"a\n" * 100_000 + b"b,0,c\n")
    with pytest.raises(ReadError, match="a quote is never closed"):
        list(load_rows(tmp_path / "r.csv"))


@pytest.mark.parametrize("deep", [b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 100_000 + b"1" + b"}" * 100_000])
@pytest.mark.parametrize("name", ["r.jsonl", "r.json"])
def test_json_nested_a_hundred_thousand_deep_is_refused_with_the_limit(tmp_path: Path, name: str, deep: bytes) -> None:
    row = b'{"task_id": "a", "x": ' + deep + b"}"
    (tmp_path / name).write_bytes(row + b"\n" if name == "r.jsonl" else b"[" + row + b"]")
    with pytest.raises(ReadError, match="nested too deeply: the limit is about 1,000 levels"):
        list(load_rows(tmp_path / name))


def test_a_number_of_a_million_digits_is_refused_with_the_limit(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(b'{"task_id": "a", "reward": ' + b"9" * 1_000_000 + b"}\n")
    with pytest.raises(ReadError, match=r"limit \(4300 digits\)"):
        list(load_rows(tmp_path / "r.jsonl"))


def test_a_parquet_file_of_equal_values_is_read_in_bounded_memory(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"task_id": ["a"] * 60, "x": [[0] * 100_000] * 60})
    parquet.write_table(table, tmp_path / "r.parquet", compression="zstd")
    assert (tmp_path / "r.parquet").stat().st_size < MIB
    said, peak = read_apart(tmp_path / "r.parquet")
    assert said == "60"
    assert peak < 400


def test_a_parquet_row_over_the_limit_is_refused(tmp_path: Path, limit: int) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"task_id": ["a"], "x": ["y" * 3 * limit]}), tmp_path / "r.parquet")
    with pytest.raises(ReadError, match="a row is longer than the limit"):
        list(load_rows(tmp_path / "r.parquet"))


def eval_log(path: Path, members: dict[str, str]) -> Path:
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "created": "2024-01-01"}}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(header))
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def test_a_deep_member_of_a_zip_is_refused_with_the_limit(tmp_path: Path) -> None:
    path = eval_log(tmp_path / "r.eval", {"samples/a_epoch_1.json": "[" * 100_000 + "]" * 100_000})
    with pytest.raises(ReadError, match="the limit is about 1,000 levels"):
        list(load_rows(path))


@pytest.mark.parametrize("name", ["../../out.json", "/tmp/out.json", "samples/../../../out.json", "..\\out.json"])
def test_no_member_of_a_zip_leaves_it(tmp_path: Path, name: str) -> None:
    """Members are read in memory, never unpacked: a name that leads out is a name and no more."""
    sample = json.dumps({"id": "a", "epoch": 1, "input": "Hi", "target": "", "messages": [], "scores": {}})
    (tmp_path / "in").mkdir()
    path = eval_log(tmp_path / "in" / "r.eval", {name: sample, "samples/a_epoch_1.json": sample})
    list(load_rows(path))
    assert sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*")) == ["in", "in/r.eval"]


def test_a_name_in_a_dataset_folder_leads_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "secret.arrow").write_bytes(b"ARROW1")
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "state.json").write_text(json.dumps({"_data_files": [{"filename": "../secret.arrow"}]}))
    with pytest.raises(ReadError, match=r"no file in it holds rows|holds no rows"):
        list(load_rows(tmp_path / "set"))
