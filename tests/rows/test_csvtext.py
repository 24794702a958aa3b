from __future__ import annotations

from pathlib import Path

import pytest

from whileai.simulations import load_rows
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
    assert separator(line) is None
