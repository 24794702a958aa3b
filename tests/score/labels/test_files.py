"""Label files as people have them: a table from a spreadsheet, JSON lines, a JSON object of keys."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import whileai.simulations as wai
from whileai.simulations.errors import ReadError


def rows() -> list[dict[str, Any]]:
    return [{"scenario_id": f"t-{i}", "rollout_index": 0, "prompt": f"ask {i}", "reward": 1} for i in range(4)]


def attached(path: Path, content: str | bytes) -> tuple[list[Any], Any]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    found, report = wai.attach_labels(rows(), path)
    return [row.get("gold_reward") for row in found], report


TABLE = "key,label,annotator,note\nt-0#0,1,ana,fine\nt-1#0,0,bo,\n"


@pytest.mark.parametrize("name", ["labels.csv", "labels.jsonl", "labels.txt", "labels"])
def test_a_table_is_read_whatever_its_name_its_labels_being_digits(tmp_path: Path, name: str) -> None:
    golds, report = attached(tmp_path / name, TABLE)
    assert golds == [1, 0, None, None]
    assert (report["labels"], report["matched"], report["annotators"]) == (2, 2, ["ana", "bo"])


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + TABLE.encode(), TABLE.replace("\n", "\r\n").encode(), TABLE.replace(",", ";").encode(),
        TABLE.replace(",", "\t").encode(), gzip.compress(TABLE.encode()), TABLE.encode("utf-16"),
        b'"key","label"\n"t-0#0","1"\n"t-1#0","0.0"\n', b"scenario_id,rollout_index,label\nt-0,0,1\nt-1,0,0\n",
        b"label,prompt\n1,ask 0\n0,ask 1\n",
    ],
    ids=["bom", "crlf", "semicolons", "tabs", "gzip", "utf-16", "quoted", "scenario", "prompt"],
)  # fmt: skip
def test_a_table_as_spreadsheets_write_it(tmp_path: Path, content: bytes) -> None:
    assert attached(tmp_path / "labels.csv", content)[0] == [1, 0, None, None]


def test_a_table_cell_that_is_no_digit_is_counted_and_named(tmp_path: Path) -> None:
    golds, report = attached(tmp_path / "l.csv", "key,label\nt-0#0,1\nt-1#0,PASS\nt-2#0,\nt-3#0,0.5\n")
    assert golds == [1, None, None, None]
    assert report["invalid"] == 3
    assert "'t-1#0', 't-2#0', 't-3#0'" in report["warnings"][0]


def test_a_table_line_that_is_cut_is_refused_by_its_number(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"l\.csv, record 2: 1 cells, the header names 2 columns"):
        attached(tmp_path / "l.csv", "key,label\nt-0#0,1\nt-1#0\n")


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["labels.json", "labels.jsonl"])
def test_one_object_of_keys_is_a_mapping_as_it_is_in_python(tmp_path: Path, name: str, indent: int | None) -> None:
    labels = {"t-0#0": 1, "t-1#0": 0, "t-2#0": True}
    golds, report = attached(tmp_path / name, json.dumps(labels, indent=indent))
    assert golds == [1, 0, None, None]
    of_mapping = wai.attach_labels(rows(), labels)[1]
    assert report == {**of_mapping}
    assert report["invalid"] == 1


def test_an_object_that_names_a_key_twice_says_nothing(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"labels\.json, record 1: t-0#0 has two values"):
        attached(tmp_path / "labels.json", '{"t-0#0": 1, "t-0#0": 0}')
    assert attached(tmp_path / "labels.json", '{"t-0#0": 1, "t-0#0": 1}')[0][0] == 1


def test_text_stays_no_label_in_json_lines_and_one_record_stays_a_record(tmp_path: Path) -> None:
    assert attached(tmp_path / "l.jsonl", '{"key": "t-0#0", "label": "1"}\n')[1]["invalid"] == 1
    assert attached(tmp_path / "l.jsonl", '{"prompt": "ask 0", "label": 1}\n')[0][0] == 1


def test_a_table_without_a_label_column_is_said(tmp_path: Path) -> None:
    golds, report = attached(tmp_path / "l.csv", "key,verdict\nt-0#0,1\n")
    assert (golds, report["invalid"]) == ([None] * 4, 1)
    assert "'t-0#0'" in report["warnings"][0]
