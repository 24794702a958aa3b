from __future__ import annotations

from pathlib import Path

import pytest

from whileai.simulations import load_rows
from whileai.simulations.errors import ReadError
from whileai.simulations.rows.csvtext import separator


def table(folder: Path, text: str | bytes) -> Path:
    path = folder / "rows.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_cells_that_hold_json_are_read_where_rows_nest_and_stay_text_elsewhere(tmp_path: Path) -> None:
    text = 'task_id,prompt,steps,final_text\n1,"[1, 2]","[{""tool"": ""x""}]","{""a"": 1}"\n2,[1,{cut,\n'
    rows = list(load_rows(table(tmp_path, text)))
    assert rows[0] == {"task_id": "1", "prompt": "[1, 2]", "steps": [{"tool": "x"}], "final_text": '{"a": 1}'}
    assert rows[1] == {"task_id": "2", "prompt": "[1", "steps": "{cut", "final_text": None}


def test_numbers_are_read_where_rows_have_numbers(tmp_path: Path) -> None:
    rows = list(load_rows(table(tmp_path, "task_id;reward;rollout_index\n007;0.5;1\n008;pass;\n")))
    assert rows == [
        {"task_id": "007", "reward": 0.5, "rollout_index": 1},
        {"task_id": "008", "reward": "pass", "rollout_index": None},
    ]


def test_a_chat_in_a_cell_is_a_chat(tmp_path: Path) -> None:
    text = 'messages\n"[{""role"": ""user"", ""content"": ""Hi""}, {""role"": ""assistant"", ""content"": ""Yes.""}]"\n'
    assert [row["final_text"] for row in load_rows(table(tmp_path, text))] == ["Yes."]


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_the_index_that_pandas_writes_is_a_column_of_that_name(tmp_path: Path, delimiter: str) -> None:
    text = ",task_id,reward\n0,a,1\n1,b,0\n".replace(",", delimiter)
    rows = [{"index": "0", "task_id": "a", "reward": 1}, {"index": "1", "task_id": "b", "reward": 0}]
    assert list(load_rows(table(tmp_path, text))) == rows


def test_an_index_column_takes_a_name_that_is_free(tmp_path: Path) -> None:
    text = ",,task_id,index\n0,x,a,7\n"
    want = [{"index_1": "0", "index_2": "x", "task_id": "a", "index": "7"}]
    assert list(load_rows(table(tmp_path, text))) == want


def test_blank_lines_before_the_header_are_passed_over(tmp_path: Path) -> None:
    assert list(load_rows(table(tmp_path, "\n  \ntask_id,reward\na,1\n"))) == [{"task_id": "a", "reward": 1}]


@pytest.mark.parametrize("text", ["a,1\nb,0\n", "a,1\n", "0,a,1\n1,b,0\n", "0;1\na;1\n", "Hi\n"])
def test_a_table_without_a_header_says_that_one_is_needed(tmp_path: Path, text: str) -> None:
    with pytest.raises(ReadError, match=r"rows\.csv: .*a header line with column names"):
        list(load_rows(table(tmp_path, text)))


def test_even_lines_of_cells_are_told_as_a_table_whatever_the_name(tmp_path: Path) -> None:
    path = table(tmp_path, "a,1\nb,0\n").rename(tmp_path / "rows")
    with pytest.raises(ReadError, match="a header line with column names"):
        list(load_rows(path))


def test_ragged_and_undecodable_lines_are_bad(tmp_path: Path) -> None:
    reader = load_rows(table(tmp_path, b"task_id,reward\na,1\nb\nc,1,2\n\xe9,1\nd,1"))
    with pytest.warns(UserWarning, match="3 of 5"):
        assert [row["task_id"] for row in reader] == ["a", "d"]
    assert [bad.record for bad in reader.bad] == [2, 3, 4]
    assert "UTF-8" in reader.bad[2].reason


def test_a_cell_may_be_long_and_hold_line_ends(tmp_path: Path) -> None:
    cell = "line\n" * 100_000
    rows = list(load_rows(table(tmp_path, f'task_id,final_text\na,"{cell}"\n')))
    assert rows == [{"task_id": "a", "final_text": cell}]


@pytest.mark.parametrize("line", [b"", b"hello world", b"a,a", b"1,2,3", b"x" * 200_000, b"%PDF-1.4", b'"'])
def test_text_that_is_no_header_is_no_table(line: bytes) -> None:
    assert separator([line]) is None


def test_a_quote_that_is_never_closed_is_told_with_what_it_swallowed(tmp_path: Path) -> None:
    reader = load_rows(table(tmp_path, 'task_id,reward,final_text\na,1,ok\nb,1,"oops\nc,0,fine\nd,0,fine\n'))
    with pytest.warns(UserWarning, match="1 of 2"):
        assert [row["task_id"] for row in reader] == ["a"]
    assert [bad.record for bad in reader.bad] == [2]
    assert "the rest of the file from record 2 on, 3 lines, is inside it" in reader.bad[0].reason


def test_text_after_a_closing_quote_is_bad_and_the_lines_after_it_are_read(tmp_path: Path) -> None:
    reader = load_rows(table(tmp_path, 'task_id,final_text\na,"oops\nb,"fine"\nc,"x" y\nd,fine\n'))
    with pytest.warns(UserWarning, match="2 of 3"):
        assert [row["task_id"] for row in reader] == ["d"]
    assert "in a quote that spans 2 lines" in reader.bad[0].reason


@pytest.mark.parametrize(
    "text", ["task_id,reward\ra,1\rb,0\r", "task_id,reward\na,1\rb,0\n", "task_id,reward\r\na,1\rb,0"]
)
def test_a_carriage_return_alone_ends_a_line_too(tmp_path: Path, text: str) -> None:
    assert list(load_rows(table(tmp_path, text))) == [{"task_id": "a", "reward": 1}, {"task_id": "b", "reward": 0}]


def test_a_carriage_return_inside_a_quote_is_text(tmp_path: Path) -> None:
    text = 'task_id,final_text\na,"x\ry\r\nz"\n'
    assert list(load_rows(table(tmp_path, text))) == [{"task_id": "a", "final_text": "x\ry\r\nz"}]


@pytest.mark.parametrize("name", ["rows.csv", "rows"])
def test_a_column_name_that_comes_twice_is_named(tmp_path: Path, name: str) -> None:
    path = table(tmp_path, "task_id,reward,reward\na,1,0\n").rename(tmp_path / name)
    with pytest.raises(ReadError, match="2 columns are named 'reward': rename all but one"):
        list(load_rows(path))


@pytest.mark.parametrize(
    "text", ["import time, json\n\nprint(1)\n", "Runs of Monday, second batch\nof two\n", "Failed, error\n"]
)
def test_prose_and_code_with_commas_are_no_table(tmp_path: Path, text: str) -> None:
    (tmp_path / "notes.txt").write_text(text)
    with pytest.raises(ReadError, match=r"notes\.txt: neither JSON nor a table"):
        list(load_rows(tmp_path / "notes.txt"))
    (tmp_path / "rows.jsonl").write_text('{"task_id": 1}\n')
    reader = load_rows(tmp_path, strict=True)
    assert list(reader) == [{"task_id": 1}]
    assert reader.notes == ["skipped files that hold no rows: notes.txt"]


def test_a_table_is_known_by_a_column_of_rows_or_by_its_name(tmp_path: Path) -> None:
    assert separator([b"question,score"]) == separator([b"input,output", b"a,b"]) == ","
    assert separator([b"foo,bar", b"a,b"]) is None
    assert separator([b"foo,bar"], named=True) == ","
