from __future__ import annotations

import contextlib
import gzip
import io
import os
import threading
import tracemalloc
import warnings
from pathlib import Path

import orjson
import pytest
import zstandard
from hypothesis import assume, given
from hypothesis import strategies as st

from samples import sample
from strategies import any_dicts, json_values
from tables import each_of
from whileai.simulations import defaults, load_rows
from whileai.simulations.errors import ReadError
from whileai.simulations.rows import formats

ROWS = [{"task_id": "a", "reward": 1}, {"task_id": "b", "reward": 0}]
LINES = b"".join(orjson.dumps(row) + b"\n" for row in ROWS)
TAU = {"task_id": 3, "reward": 1.0, "traj": [{"role": "user", "content": "Hi"}], "info": {}, "trial": 0}


def packed(data: bytes) -> bytes:
    """Gzip without a time stamp: the ids of parametrized tests must be the same in every worker."""
    return gzip.compress(data, mtime=0)


def saved(folder: Path, data: bytes, name: str = "rows.jsonl") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    [
        LINES,
        LINES.strip(),
        b"\xef\xbb\xbf" + LINES,
        LINES.replace(b"\n", b"\r\n\r\n"),
        LINES.decode().encode("utf-16"),
        orjson.dumps(ROWS),
        orjson.dumps(ROWS, option=orjson.OPT_INDENT_2),
        b"\n\n" + orjson.dumps(ROWS[0], option=orjson.OPT_INDENT_2) + b"\n" + orjson.dumps(ROWS[1]),
        packed(LINES),
        b"".join(map(packed, LINES.splitlines(keepends=True))),
        zstandard.compress(LINES),
        b"".join(map(zstandard.compress, LINES.splitlines(keepends=True))),
        b"task_id,reward\r\na,1\r\n\r\nb,0\r\n",
        b"task_id\treward\na\t1\nb\t0",
    ],
)
def test_a_container_is_known_by_content_whatever_its_name(tmp_path: Path, data: bytes) -> None:
    assert list(load_rows(saved(tmp_path, data, "rows.data"))) == ROWS


@pytest.mark.parametrize("tail", [b'{"task_id": "c", "rew', b'{"task_id": "c", "x": {}', b'{"task_id": "\xc3'])
def test_a_cut_last_line_is_told_as_cut(tmp_path: Path, tail: bytes) -> None:
    reader = load_rows(saved(tmp_path, LINES + b"\n" + tail))
    with pytest.warns(UserWarning, match=r"1 of 3 .*rows\.jsonl, record 4: the file ends in the middle.*strict=True"):
        assert list(reader) == ROWS
    assert (reader.n_bad, reader.bad[0].record, reader.bad[0].source) == (1, 4, "rows.jsonl")


CUT_LIST = b'[{"task_id": "a"}, {"task_id": "\xc3\xa9\\u00e9", "x": [1.5, true], "n": -12}'


@each_of("end", range(1, len(CUT_LIST) - len(b'[{"task_id": "a"}') + 1))
def test_a_list_cut_anywhere_in_its_second_record_gives_the_first_and_tells_the_cut(tmp_path: Path, end: int) -> None:
    reader = load_rows(saved(tmp_path, CUT_LIST[:-end], "rows.json"))
    with pytest.warns(UserWarning, match=r"1 of 2 .*rows\.json, record 2: the file ends in the middle"):
        assert list(reader) == [{"task_id": "a"}]


def test_a_list_that_is_not_closed_gives_all_its_records_and_tells_the_cut(tmp_path: Path) -> None:
    reader = load_rows(saved(tmp_path, CUT_LIST, "rows.json"))
    with pytest.warns(UserWarning, match=r"1 of 3 .*record 3: the file ends in the middle"):
        assert [row.get("n") for row in reader] == [None, -12]


@pytest.mark.parametrize(
    "text",
    [
        b'[{"task_id": 1} {"task_id": 2}, {"ta', b'[{"task_id": 1}, {"task_id" 2}, {"task_id": 3}, {"ta',
        b'[{"role": "user", "content": "Hi"}, {"role": "assis', b'[1, 2, {"ta', b'[{"task_id": "\xff"}, {"ta',
    ],
)  # fmt: skip
def test_a_list_that_is_damaged_before_its_end_or_holds_no_records_is_refused(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(ReadError, match=r"rows\.json"):
        list(load_rows(saved(tmp_path, text, "rows.json")))


def test_a_bad_record_prints_as_one_line(tmp_path: Path) -> None:
    reader = load_rows(saved(tmp_path, LINES + b"oops\n"))
    with pytest.warns(UserWarning, match="1 of 3"):
        list(reader)
    assert str(reader.bad[0]) == "rows.jsonl, record 3: no JSON: Expecting value at character 1"


def test_a_warning_points_to_the_line_that_reads(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="record 3") as caught:
        for _ in load_rows(saved(tmp_path, LINES + b"oops\n")):
            pass
    assert caught[0].filename == __file__


def test_every_bad_line_is_counted_and_shown_with_its_number(tmp_path: Path) -> None:
    bad = [b"oops", b"null", b"[1]", b'{"b": 1}', b"[" * 100_000, b'{"x": "\xff"}']
    reader = load_rows(saved(tmp_path, LINES + b"\n".join(bad) + b"\n"))
    with pytest.warns(UserWarning, match="6 of 8"):
        assert list(reader) == ROWS
    assert [b.record for b in reader.bad] == [3, 4, 5, 6, 7, 8]
    assert "Expecting value" in reader.bad[0].reason
    assert "NoneType" in reader.bad[1].reason
    assert "'b'" in reader.bad[3].reason
    assert "nested too deeply" in reader.bad[4].reason
    assert "not UTF-8" in reader.bad[5].reason
    assert all(len(b.text) <= 200 for b in reader.bad)


def test_details_are_kept_of_a_hundred_bad_records_and_all_are_counted(tmp_path: Path) -> None:
    reader = load_rows(saved(tmp_path, LINES + b"oops\n" * 250))
    with pytest.warns(UserWarning, match="250 of 252"):
        list(reader)
    assert (len(reader.bad), reader.n_bad) == (100, 250)


def test_strict_raises_at_the_first_bad_line(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"rows\.jsonl, record 3: no JSON") as caught:
        list(load_rows(saved(tmp_path, LINES + b"oops\n"), strict=True))
    assert caught.value.record == 3


@pytest.mark.parametrize(
    "data",
    [
        b"{x\n{y\n",
        b'[\n{"ta',
        b'[{"task_id" 1}, {"a": 1}]',
        b"null\n1\n",
        b'"text"',
        b"\x00\x01\x02",
        b"Dear reader,\n",
    ],
)
def test_a_file_without_a_good_record_is_an_error_in_one_line(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ReadError, match=r"rows\.jsonl") as caught:
        list(load_rows(saved(tmp_path, data)))
    assert "\n" not in str(caught.value)


def test_an_unknown_shape_names_its_keys_and_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"rows\.jsonl, record 1: .*'step', 'advantage'.*task_id.*nearest: trl-comp"):
        list(load_rows(saved(tmp_path, b'{"step": 1, "advantage": 2}\n')))


@pytest.mark.parametrize("data", [b"", b"\n \n", b"[]", packed(b"")], ids=["none", "blank", "list", "gzip"])
def test_an_empty_file_holds_no_rows_and_says_so(tmp_path: Path, data: bytes) -> None:
    reader = load_rows(saved(tmp_path, data))
    assert list(reader) == []
    assert reader.notes == ["rows.jsonl holds no rows"]


@pytest.mark.parametrize("pack", [packed, zstandard.compress])
def test_compressed_data_cut_short_gives_its_rows_then_a_bad_record(tmp_path: Path, pack) -> None:
    whole = pack(LINES * 20_000 + os.urandom(200_000).hex().encode())
    reader = load_rows(saved(tmp_path, whole[:-900]))
    with pytest.warns(UserWarning, match="cut short"):
        rows = list(reader)
    assert rows == ROWS * 20_000
    assert (reader.n_bad, reader.bad[0].record) == (1, 40_001)


def test_numbers_and_texts_that_strict_parsers_refuse_or_round_are_read_exactly(tmp_path: Path) -> None:
    line = b'{"task_id": 18446744073709551616, "n": -9223372036854775809, "s": "\\ud800", "r": -Infinity, "r": NaN}\n'
    row = next(iter(load_rows(saved(tmp_path, LINES + line + LINES, "x"))))
    *_, row = [row for row in load_rows(tmp_path / "x") if "n" in row]
    assert (row["task_id"], row["n"], row["s"]) == (2**64, -(2**63) - 1, "\ud800")
    assert row["r"] != row["r"]


def test_rows_of_ours_come_as_they_stand() -> None:
    got = list(load_rows(ROWS))
    assert all(a is b for a, b in zip(got, ROWS, strict=True))


def test_a_record_of_another_format_is_bad(tmp_path: Path) -> None:
    reader = load_rows(saved(tmp_path, orjson.dumps(TAU) + b"\n" + LINES))
    with pytest.warns(UserWarning, match="a record of format row in a file of format tau-bench"):
        assert len(list(reader)) == 1
    assert reader.formats == {"tau-bench": 1}


def test_chats_with_and_without_a_system_text_share_a_file() -> None:
    chat = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}
    reader = load_rows([chat | {"system": "Be brief."}, chat])
    assert [row["final_text"] for row in reader] == ["Hello.", "Hello."]
    assert reader.formats == {"anthropic-messages": 1, "openai-chat": 1}


OWN = {"task_id": "a", "reward": 1}
CHAT = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}
CODE = {"task_id": "HumanEval/0", "completion": "return 1", "result": "passed", "passed": True}


@each_of("other", [TAU, CHAT, CODE, CODE | {"passed": False}], ids=["tau", "chat", "code", "failed"])
@each_of("own_first", [True, False])
def test_a_record_of_another_format_than_the_first_is_bad_in_both_orders(other: dict, own_first: bool) -> None:
    first, *rest = [OWN, other, OWN, other] if own_first else [other, OWN, other, OWN]
    reader = load_rows([first, *rest])
    with pytest.warns(UserWarning, match="2 of 4"):
        rows = list(reader)
    assert [bad.record for bad in reader.bad] == [2, 4]
    assert "a record of format" in reader.bad[0].reason
    assert "row" in reader.bad[0].reason
    assert all("lineage" in row for row in rows) is not own_first


def test_rows_of_ours_with_any_columns_beside_one_another_stay() -> None:
    rows = [OWN, OWN | {"info": {}}, {"task_id": 1, "completion": "x"}, OWN | {"error": None, "history": "short"}]
    reader = load_rows([*rows, *rows, {"steps": []}, {"scenario_id": "s", **TAU}])
    assert list(reader)[:8] == rows * 2
    assert reader.n_bad == 0


def test_the_values_decide_where_the_keys_do_not() -> None:
    reader = load_rows([{"task_id": 1, "completion": "x"}, {"task_id": "test/1", "completion": "x"}])
    with pytest.warns(UserWarning, match="a record of format humaneval in a file of format row"):
        assert len(list(reader)) == 1


def test_a_chat_beside_rows_of_ours_that_are_chats_is_read_as_one() -> None:
    own = CHAT | {"reward": 1, "final_text": "Hello.", "task_id": "a"}
    for pair in ([own, CHAT], [CHAT, own]):
        reader = load_rows(pair)
        assert [row["final_text"] for row in reader] == ["Hello.", "Hello."]
        assert reader.formats == {"row": 1, "openai-chat": 1}


@pytest.mark.parametrize("others", [CHAT, OWN])
@pytest.mark.parametrize("deep_first", [True, False])
def test_one_record_nested_too_deeply_is_bad_and_the_others_are_read(tmp_path: Path, others, deep_first: bool) -> None:
    deep = b'{"messages": [%s]}' % b", ".join(
        b'{"role": "%s", "content": %s, "name": null}' % (role, b"[" * 990 + b"]" * 990)
        for role in (b"user", b"assistant")
    )
    lines = [deep, orjson.dumps(others)] if deep_first else [orjson.dumps(others), deep]
    reader = load_rows(saved(tmp_path, b"\n".join(lines)))
    with pytest.warns(UserWarning, match="1 of 2 .*nested too deeply"):
        assert len(list(reader)) == 1


@pytest.mark.parametrize("pack", [packed, zstandard.compress])
@pytest.mark.parametrize("option", [None, orjson.OPT_INDENT_2])
def test_a_compressed_list_cut_short_gives_its_whole_records_then_a_bad_record(tmp_path: Path, pack, option) -> None:
    rows = [{"task_id": at, "x": os.urandom(200).hex()} for at in range(2000)]
    reader = load_rows(saved(tmp_path, pack(orjson.dumps(rows, option=option))[:-9000], "rows.json"))
    with pytest.warns(UserWarning, match="cut short"):
        read = list(reader)
    assert 1000 < len(read) < 2000
    assert read == rows[: len(read)]
    assert [bad.record for bad in reader.bad] == [len(read) + 1]


def test_a_row_that_was_read_before_is_a_row() -> None:
    rows = list(load_rows([TAU]))
    assert list(load_rows(rows)) == rows


def test_a_format_can_be_forced() -> None:
    assert list(load_rows([{"a": 1}], format="row")) == [{"a": 1}]
    with pytest.raises(ValueError, match=r"'nope' is not known; known are row, .*tau-bench"):
        load_rows([], format="nope")
    with pytest.raises(ValueError, match="errors must be"):
        load_rows([], errors="drop")


@each_of("module", formats.known(), ids=lambda module: module.NAME)
def test_a_record_with_nothing_of_the_format_that_was_named_is_told_what_it_needs(module: formats.Format) -> None:
    with pytest.raises(ReadError) as caught:
        list(load_rows([{"foo": 1}], format=module.NAME))
    assert str(caught.value).endswith(f"not a record of {module.NAME}: it needs {module.LOOKS_FOR}")


@pytest.mark.parametrize("name", ["tau-bench", "verifiers", "lm-eval", "humaneval"])
def test_a_record_that_a_named_format_fails_on_is_told_without_the_names_of_our_errors(name: str) -> None:
    with pytest.raises(ReadError, match=f"not a record of {name}: it needs") as caught:
        list(load_rows([{"task_id": "a", "reward": 1, "doc": {}}], format=name))
    assert "Error" not in str(caught.value)


def test_a_reader_can_be_told_that_its_file_is_one_of_several(tmp_path: Path) -> None:
    line = {"doc_id": 3, "doc": {}, "target": "5", "arguments": {}, "resps": [["5"]], "metrics": ["acc"], "acc": 1.0}
    path = saved(tmp_path, orjson.dumps(line), "samples_add_2026-11-30T19-32-31.003238.jsonl")
    reader = load_rows(path)
    assert not reader.several
    assert [row["task_id"] for row in reader] == ["3"]
    reader.several = True
    assert [row["task_id"] for row in reader] == ["add/3"]


@pytest.mark.parametrize("source", [5, None, b"rows.jsonl", {"task_id": 1}, object()])
def test_a_source_of_the_wrong_type_names_what_is_accepted(source: object) -> None:
    with pytest.raises(TypeError, match="a path, a glob, an open file, a list or iterable of dicts"):
        load_rows(source)


def test_a_missing_file_and_a_glob_without_matches_are_told_at_the_call(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nope\.jsonl"):
        load_rows(tmp_path / "nope.jsonl")
    with pytest.raises(ReadError, match=r"no file matches the pattern '.*nope\*'"):
        load_rows(str(tmp_path / "nope*"))


@pytest.mark.parametrize("make", [lambda: iter(ROWS), lambda: io.BytesIO(LINES), lambda: io.StringIO(LINES.decode())])
def test_what_can_be_read_once_says_so_the_second_time(make) -> None:
    reader = load_rows(make())
    assert list(reader) == ROWS
    with pytest.raises(ReadError, match="read once"):
        list(reader)


def test_a_file_can_be_read_again_and_counts_anew(tmp_path: Path) -> None:
    reader = load_rows(saved(tmp_path, LINES))
    assert list(reader) == list(reader) == ROWS
    assert (reader.rows_read, reader.formats, reader.bytes_read) == (2, {"row": 2}, reader.bytes_total)
    assert reader.files == [str(tmp_path / "rows.jsonl")]
    assert [len(batch) for batch in reader.batches(1)] == [1, 1]


def test_a_pipe_is_read_without_seeking() -> None:
    ends = os.pipe()
    with os.fdopen(ends[1], "wb") as writer:
        writer.write(packed(LINES))
    with os.fdopen(ends[0], "rb") as reader:
        assert list(load_rows(reader)) == ROWS


def test_repr_shows_the_source_and_counts_but_no_content(tmp_path: Path) -> None:
    reader = load_rows([{"task_id": "secret"}])
    list(reader)
    assert repr(reader) == "RowReader(list: 1 rows read)"


def test_several_paths_are_read_in_order(tmp_path: Path) -> None:
    first, second = saved(tmp_path, LINES, "10.jsonl"), saved(tmp_path, LINES[: LINES.index(b"\n") + 1], "9.jsonl")
    assert len(list(load_rows([first, second]))) == 3
    reader = load_rows(str(tmp_path / "*.jsonl"))
    list(reader)
    assert reader.n_files == 2
    assert reader.files == [str(second), str(first)]


def test_a_decompressed_line_over_the_limit_is_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(defaults, "MAX_RECORD_BYTES", 10_000_000)
    for pack in (packed, zstandard.compress):
        bomb = saved(tmp_path, pack(LINES + b" " * 50_000_000))
        with pytest.raises(ReadError, match="limit of 10000000 bytes"):
            list(load_rows(bomb))


def test_a_large_file_is_never_held_whole(tmp_path: Path) -> None:
    path = saved(tmp_path, b'{"task_id": "a", "final_text": "%s"}\n' % (b"x" * 10_000) * 2000)
    tracemalloc.start()
    assert sum(1 for _ in load_rows(path)) == 2000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000_000


@pytest.mark.parametrize("name", ["saved", "nested.jsonl", "messages_struct.parquet"])
def test_a_hugging_face_dataset_gives_the_calls_it_was_made_from(name: str) -> None:
    rows = list(load_rows(sample(f"formats/hf-datasets/{name}")))
    calls = [call for row in rows for turn in row["messages"] for call in turn.get("tool_calls", [])]
    arguments = [call["arguments"] for call in calls if call["name"] == "get_order"]
    assert arguments
    assert all(set(given) == {"order_id"} for given in arguments)


@given(st.lists(any_dicts() | json_values, max_size=4))
def test_whatever_is_given_comes_as_rows_or_as_a_read_error(records: list[object]) -> None:
    assume(not all(isinstance(record, str) for record in records))  # a list of texts is a list of paths
    with warnings.catch_warnings(), contextlib.suppress(ReadError):
        warnings.simplefilter("ignore")
        assert all(isinstance(row, dict) for row in load_rows(records))


def test_stopping_early_closes_the_file(tmp_path: Path) -> None:
    reader = load_rows(saved(tmp_path, LINES))
    for _ in reader:
        break
    assert reader.rows_read == 1
    assert len(list(reader)) == 2


def test_a_named_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(LINES))
    writer.start()
    assert list(load_rows(tmp_path / "pipe")) == ROWS
    writer.join()
