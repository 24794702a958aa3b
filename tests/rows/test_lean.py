"""JSON lines without their conversations: what is left is what whole parsing gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai.simulations.rows.jsontext import parse
from whileai.simulations.rows.lean import CONVERSATION, LeanLines
from whileai.simulations.rows.load import load_rows

Row = dict[str, Any]
TURNS = [{"role": "user", "content": "Hi"}]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)
ROWS = st.fixed_dictionaries(
    {},
    optional={
        "scenario_id": VALUES,
        "task_id": VALUES,
        "reward": VALUES,
        "final_text": st.sampled_from(["Done.", "", " ", None, 3]),
        "messages": VALUES,
        "steps": VALUES,
        "a b": VALUES,
        "class": VALUES,
    },
)


def whole_or_error(read: Any, line: bytes) -> Any:
    try:
        return read(line)
    except ValueError:
        return ValueError


def alike(lean: Any, whole: Any) -> bool:
    """Equal but for a conversation that is left out; compared as text, where NaN is NaN."""
    if isinstance(lean, dict) and isinstance(whole, dict):
        whole = {key: value for key, value in whole.items() if key in lean or key not in CONVERSATION}
    return json.dumps(lean, sort_keys=True, default=str) == json.dumps(whole, sort_keys=True, default=str)


@given(st.lists(ROWS, min_size=1, max_size=6), st.data())
def test_a_line_is_read_as_parse_reads_it_but_for_the_conversation(rows: list[Row], data: st.DataObject) -> None:
    read = LeanLines(set(), parse)
    for row in [*rows, *rows]:
        line = json.dumps(row).encode()
        if data.draw(st.booleans()):
            at = data.draw(st.integers(0, len(line)))
            line = line[:at] + data.draw(st.sampled_from([b"", b"x", b'"', b"\\", b"1e999", b"\x01"])) + line[at + 1 :]
        lean, whole = whole_or_error(read, line), whole_or_error(parse, line)
        assert alike(lean, whole) or lean is whole


def test_big_numbers_stay_exact_and_the_last_of_two_equal_keys_counts() -> None:
    read = LeanLines(set(), parse)
    lines = [b'{"scenario_id": 36893488147419103232, "final_text": "x", "messages": []}'] * 2
    assert [read(line)["scenario_id"] for line in lines] == [2**65, 2**65]
    assert read(b'{"scenario_id": 1, "final_text": "x", "scenario_id": 2}')["scenario_id"] == 2


@pytest.mark.parametrize("final", ["", " ", None])
def test_a_row_without_a_reply_keeps_its_conversation(final: str | None) -> None:
    line = json.dumps({"scenario_id": "a", "final_text": final, "messages": TURNS}).encode()
    read = LeanLines(set(), parse)
    assert [read(line)["messages"], read(line)["messages"]] == [TURNS, TURNS]


def test_rows_of_unlike_keys_are_learnt_one_after_the_other() -> None:
    read = LeanLines(set(), parse)
    base = {"scenario_id": "a", "final_text": "x", "messages": TURNS}
    lines = [json.dumps({key: 1, **base}).encode() for key in ("seed", "step", "ts")]
    assert all("messages" in read(line) for line in lines)
    assert not any("messages" in read(line) for line in lines)


def test_keys_that_never_repeat_end_the_attempt() -> None:
    read = LeanLines(set(), parse)
    for number in range(400):
        row = {"scenario_id": "a", "final_text": "x", "messages": TURNS, f"k{number}": 1}
        assert read(json.dumps(row).encode()) == row


@pytest.mark.parametrize("key", ["task_id", "prompt"])
def test_rows_without_a_scenario_become_lean_once_they_are_known_as_ours(key: str, tmp_path: Path) -> None:
    rows = [{key: f"t{n}", "reward": 1, "final_text": "x", "steps": [{"tool": "get"}]} for n in range(5)]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    reader = load_rows(path)
    reader.lean = True
    found = list(reader)
    assert [row[key] for row in found] == [row[key] for row in rows]
    assert "steps" in found[0]
    assert "steps" not in found[-1]


def test_bytes_that_are_no_utf8_are_told_also_where_they_are_left_out(tmp_path: Path) -> None:
    good = b'{"scenario_id": "a", "final_text": "x", "messages": "y"}\n'
    path = tmp_path / "rows.jsonl"
    path.write_bytes(good * 3 + good.replace(b'"y"', b'"\xff"'))
    reader = load_rows(path)
    reader.lean = True
    with pytest.warns(UserWarning, match="1 of 4 records"):
        assert len(list(reader)) == 3
    assert reader.bad[0].reason.startswith("not UTF-8")


LINE = b'{"scenario_id": "a", "final_text": "Done.", "messages": []}'


def learnt() -> LeanLines:
    read = LeanLines(set(), parse)
    read(LINE)
    return read


@given(st.lists(ROWS, min_size=1, max_size=6))
def test_a_block_is_read_as_its_lines_are(rows: list[Row]) -> None:
    read, lines = LeanLines(set(), parse), [json.dumps(row).encode() for row in rows]
    for line in lines:
        read(line)
    values = read.block(b"\n".join(lines) + b"\n")
    assert values is None or all(map(alike, values, map(parse, lines)))
    assert values is None or len(values) == len(lines)


@pytest.mark.parametrize(
    "block",
    [
        LINE + LINE,
        LINE + b" " + LINE + b"\n",
        LINE.replace(b", ", b",\n"),
        LINE + LINE + b"\n" + LINE.replace(b", ", b",\n", 1),
        LINE + b"\n\n" + LINE,
        LINE + b"\r\n" + LINE,
        b"\n",
        b"{\n",
    ],
)
def test_a_block_of_anything_but_a_row_a_line_is_left_to_its_lines(block: bytes) -> None:
    assert learnt().block(block) is None


def test_a_row_without_a_reply_costs_its_block_nothing() -> None:
    bare = LINE.replace(b"Done.", b"")
    values = learnt().block(LINE + b"\n" + bare + b"\n" + LINE + b"\n")
    assert values == [
        {"scenario_id": "a", "final_text": "Done."},
        parse(bare),
        {"scenario_id": "a", "final_text": "Done."},
    ]
