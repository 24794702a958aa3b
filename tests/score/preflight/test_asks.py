from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai.simulations.score.preflight.asks import read_asks

SUITE = '''
import pytest
PROMPTS = ["Where is my order A1001 today?", "short one", "Cancel order A1002 right away please"]
PAIR, KINDS = ("Is order A1004 on its way yet?", 5), {"What does shipping cost to Norway?"}
NAME = "not an ask because it is only assigned"
TABLE = {"a key that is in no list": "a value that is in no list"}
def test_it(agent):
    """Not an ask because it documents the test."""
    assert agent("I want a refund for order A1003") == "done"
    agent(prompt="Where is my order A1001 today?", other=f"not {NAME} but built")
'''
ASKED = [
    "Where is my order A1001 today?",
    "Cancel order A1002 right away please",
    "Is order A1004 on its way yet?",
    "What does shipping cost to Norway?",
    "I want a refund for order A1003",
]


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_texts_and_rows_mix_and_blanks_are_left_out() -> None:
    chat = {"messages": [{"role": "user", "content": "Hi there"}, {"role": "assistant", "content": "Hello"}]}
    asks = ["Where is it?", " ", None, {"prompt": "Cancel it"}, {"prompt": ""}, {"reward": 1}, 5, chat]
    assert read_asks(iter(asks)).texts == ["Where is it?", "Cancel it", "5", "Hi there"]
    assert read_asks(None).texts == []


def test_python_gives_the_texts_of_calls_and_lists(tmp_path: Path) -> None:
    assert read_asks(written(tmp_path, "suite.py", SUITE)).texts == ASKED


@pytest.mark.parametrize("source", ["def (", "\0", "[" * 5000, "x = '\\d a long text with a strange escape'"])
def test_python_that_does_not_parse_gives_none(tmp_path: Path, source: str) -> None:
    assert read_asks(written(tmp_path, "suite.py", source)).texts == []


def test_json_gives_the_prompts_of_rows_or_texts(tmp_path: Path) -> None:
    lines = '{"prompt": "Where is it?"}\n\n{"prompt": "Cancel it", "reward": 1}\n{"reward": 0}\n'
    assert read_asks(str(written(tmp_path, "a.jsonl", lines))).texts == ["Where is it?", "Cancel it"]
    assert read_asks(written(tmp_path, "a.json", '[{"prompt": "Where is it?"}]')).texts == ["Where is it?"]
    assert read_asks(written(tmp_path, "b.json", '["Where is it?", " "]')).texts == ["Where is it?"]


def test_a_file_of_another_tool_gives_its_asks(tmp_path: Path) -> None:
    turns = [{"from": "human", "value": "Where is it?"}, {"from": "gpt", "value": "Here."}]
    path = written(tmp_path, "sharegpt.jsonl", json.dumps({"conversations": turns}) + "\n")
    assert read_asks(path).texts == ["Where is it?"]


@pytest.mark.parametrize("asks", ["Where is my order?", "asks.txt", Path("asks"), ""])
def test_another_text_is_refused_with_what_to_pass(asks: object) -> None:
    with pytest.raises(ValueError, match=r"a path to a \.py, \.jsonl or \.json file"):
        read_asks(asks)


@pytest.mark.parametrize("asks", [{"prompt": "one row"}, b"bytes", 5])
def test_what_is_no_list_is_refused(asks: object) -> None:
    with pytest.raises(TypeError, match="asks takes a list"):
        read_asks(asks)


@pytest.mark.parametrize("name", ["none.py", "none.jsonl", "none.json"])
def test_a_missing_file_is_said_to_be_missing(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileNotFoundError):
        read_asks(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '\ufeff"Where is it?"\n\n"Cancel it"\n'),
        ("a.jsonl", '"Where is it?"\n{"prompt": "Cancel it"}\n'),
        ("a.json", '{"asks": ["Where is it?", {"prompt": "Cancel it"}]}'),
        ("a.json", '{"prompts": ["Where is it?", "Cancel it"]}'),
        ("a.json", '["Where is it?", {"prompt": "Cancel it"}]'),
    ],
)
def test_a_file_of_plain_prompts_is_read(tmp_path: Path, name: str, text: str) -> None:
    assert read_asks(written(tmp_path, name, text)) == (["Where is it?", "Cancel it"], [])


@pytest.mark.parametrize(
    "text", ['{"prompt": "Where is it?"}\n{bad\n', '"Where is it?"\n{bad\n', '"Where is it?"\n5\n']
)
def test_a_bad_line_is_told_in_a_note_and_raises_no_warning(tmp_path: Path, text: str) -> None:
    texts, (note,) = read_asks(written(tmp_path, "a.jsonl", text))
    assert texts == ["Where is it?"]
    assert "1 bad record left out; first: record 2" in note


@pytest.mark.parametrize(("name", "text"), [("a.json", '{"x": 1}'), ("a.jsonl", "{bad"), ("a.jsonl", "Where is it?\n")])
def test_a_file_without_asks_is_refused_with_its_name_and_what_to_pass(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(ValueError, match=rf"{name} holds no asks.*wanted prompts"):
        read_asks(written(tmp_path, name, text))


def test_python_that_does_not_parse_says_why(tmp_path: Path) -> None:
    (note,) = read_asks(written(tmp_path, "suite.py", "x = 1\ndef (")).notes
    assert "suite.py does not parse as Python" in note
    assert "line 2" in note


def test_an_empty_list_holds_no_ask(tmp_path: Path) -> None:
    assert read_asks(written(tmp_path, "a.json", "[]")) == ([], [])
