"""JSON lines without their conversations: what is left is what whole parsing gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.rows.batch import CONVERSATION, Batch, in_batches
from whileai.simulations.rows.jsontext import parse
from whileai.simulations.rows.lean import LeanLines
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


def alike(lean: Any, whole: Any) -> bool:
    """Equal but for a conversation that is left out; compared as text, where NaN is NaN."""
    if isinstance(lean, dict) and isinstance(whole, dict):
        whole = {key: value for key, value in whole.items() if key in lean or key not in CONVERSATION}
    return json.dumps(lean, sort_keys=True, default=str) == json.dumps(whole, sort_keys=True, default=str)


def learnt_from(lines: list[bytes], own: Any = ()) -> LeanLines:
    read = LeanLines(set(own), parse)
    for line in [*lines, *lines]:
        read.line(line)
    return read


@given(st.lists(ROWS, min_size=1, max_size=6), st.data())
def test_a_damaged_block_is_read_as_its_lines_are_or_left_to_them(rows: list[Row], data: st.DataObject) -> None:
    lines = [json.dumps({"scenario_id": "a", "final_text": "x", **row}).encode() for row in rows]
    read, at = learnt_from(lines), data.draw(st.integers(0, len(lines[-1])))
    lines[-1] = lines[-1][:at] + data.draw(st.sampled_from([b"", b"x", b'"', b"\\", b"1e999"])) + lines[-1][at + 1 :]
    found = read.block(b"\n".join(lines) + b"\n")
    assert found is None or all(map(alike, found, map(parse, lines)))


def test_big_numbers_stay_exact_and_the_last_of_two_equal_keys_counts() -> None:
    line = b'{"scenario_id": 36893488147419103232, "final_text": "x", "messages": []}'
    read = learnt_from([line])
    assert found(read, line)[0]["scenario_id"] == 2**65
    assert found(read, line.replace(b"[]}", b'[], "scenario_id": 2}'))[0]["scenario_id"] == 2


def found(read: LeanLines, *lines: bytes) -> list[Row]:
    batch = read.block(b"".join(line + b"\n" for line in lines))
    assert batch is not None
    return list(batch)


@each_of("final", ["", " ", None])
def test_a_row_without_a_reply_keeps_its_conversation(final: str | None) -> None:
    said = json.dumps({"scenario_id": "a", "final_text": "x", "messages": TURNS}).encode()
    unsaid = json.dumps({"scenario_id": "a", "final_text": final, "messages": TURNS}).encode()
    assert [row.get("messages") for row in found(learnt_from([said]), said, unsaid)] == [None, TURNS]


def test_a_block_of_rows_without_replies_is_left_to_its_lines() -> None:
    line = json.dumps({"scenario_id": "a", "messages": TURNS}).encode()
    assert learnt_from([line]).block(line + b"\n") is None


def test_rows_of_unlike_keys_are_learnt_one_after_the_other() -> None:
    base = {"scenario_id": "a", "final_text": "x", "messages": TURNS}
    rows = [{key: 1, **base} for key in ("seed", "step", "ts")]
    lines = [json.dumps(row).encode() for row in rows]
    kept = [{key: value for key, value in row.items() if key != "messages"} for row in rows]
    assert found(learnt_from(lines), *lines) == kept


def test_keys_that_never_repeat_end_the_attempt() -> None:
    read = LeanLines(set(), parse)
    for number in range(9):
        line = json.dumps({"scenario_id": "a", "final_text": "x", "messages": TURNS, f"k{number}": 1}).encode()
        assert read.block(line + b"\n") is None
        read.line(line)
    assert read.given_up


def test_rows_without_a_scenario_are_lean_where_their_keys_are_known_as_ours() -> None:
    row = {"task_id": "a", "final_text": "x", "steps": [{"tool": "get"}]}
    lines = [json.dumps(row | extra).encode() for extra in ({}, {"reward": 1})]
    assert learnt_from(lines, [("task_id", "final_text", "steps")]).block(b"\n".join(lines)) is None
    both = [("task_id", "final_text", "steps"), ("task_id", "final_text", "steps", "reward")]
    assert len(found(learnt_from(lines, both), *lines)) == 2


@each_of("key", ["scenario_id", "task_id", "prompt"])
def test_a_lean_reader_tells_the_rows_and_bad_lines_that_a_whole_one_does(key: str, tmp_path: Path) -> None:
    rows = [{key: f"t{n}", "reward": 1, "final_text": "x" * 500, "steps": [{"tool": "get"}]} for n in range(900)]
    lines = [json.dumps(row) for row in rows]
    lines[500:500] = ["{", "", '{"seen": 1}']
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(lines))
    told = []
    for lean in (False, True):
        reader = load_rows(path)
        reader.lean = lean
        with pytest.warns(UserWarning, match="2 of 902 records"):
            batches = list(in_batches(reader, 10_000, light=True))
        told.append(([row[key] for batch in batches for row in batch], reader.bad, reader.bad_after, reader.rows_read))
        assert any(isinstance(batch, Batch) for batch in batches) == lean
    assert told[0] == told[1]


def test_bytes_that_are_no_utf8_are_told_also_where_they_are_left_out(tmp_path: Path) -> None:
    good = b'{"scenario_id": "a", "final_text": "x", "messages": "%s"}\n' % (b"y" * 1000)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(good * 200 + good.replace(b"y", b"\xff", 1))
    reader = load_rows(path)
    reader.lean = True
    with pytest.warns(UserWarning, match="1 of 201 records"):
        assert sum(map(len, in_batches(reader, 100, light=True))) == 200
    assert reader.bad[0].reason.startswith("not UTF-8")


LINE = b'{"scenario_id": "a", "final_text": "Done.", "messages": []}'


def learnt() -> LeanLines:
    return learnt_from([LINE])


@given(st.lists(ROWS, min_size=1, max_size=6))
def test_a_block_is_read_as_its_lines_are(rows: list[Row]) -> None:
    lines = [json.dumps({"scenario_id": "a", "final_text": "x", **row}).encode() for row in rows]
    batch = learnt_from(lines).block(b"\n".join(lines) + b"\n")
    assert batch is None or all(map(alike, batch, map(parse, lines)))
    assert batch is None or len(batch) == len(lines)


@each_of(
    "block",
    [
        LINE + LINE,
        LINE + b" " + LINE + b"\n",
        LINE.replace(b", ", b",\n"),
        LINE + LINE + b"\n" + LINE.replace(b", ", b",\n", 1),
        LINE + b"\n\n" + LINE,
        b"\n" + LINE + LINE,
        b"\r\n" + LINE + LINE,
        b"\n",
        b"{\n",
    ],
)
def test_a_block_of_anything_but_a_row_a_line_is_left_to_its_lines(block: bytes) -> None:
    assert learnt().block(block) is None


def test_a_row_without_a_reply_costs_its_block_nothing() -> None:
    bare = LINE.replace(b"Done.", b"")
    assert found(learnt(), LINE, bare, LINE) == [
        {"scenario_id": "a", "final_text": "Done."},
        parse(bare),
        {"scenario_id": "a", "final_text": "Done."},
    ]


def test_lines_may_end_as_windows_ends_them() -> None:
    assert len(found(learnt(), LINE + b"\r", LINE + b"\r")) == 2
    assert learnt().block(LINE.replace(b"[]", b"[{},\r\n{}]")) is None
