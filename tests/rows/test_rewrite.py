"""A row whose reply is edited says it in both places, and nothing else moves."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given

from strategies import rows as odd_rows
from whileai.simulations.rows.rewrite import with_reply
from whileai.simulations.rows.text import reply

USER = {"role": "user", "content": "Hi"}
CALL = {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": {"name": "get", "arguments": "{}"}}]}
TOOL = {"role": "tool", "tool_call_id": "c", "content": "rain"}


def shout(text: str) -> str:
    return text + "!"


@pytest.mark.parametrize(
    ("last", "edited"),
    [
        ({"role": "assistant", "content": "Yes"}, {"role": "assistant", "content": "Yes!"}),
        ({"from": "gpt", "value": "Yes"}, {"from": "gpt", "value": "Yes!"}),
        (
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "Yes"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Yes!"}, {"type": "thinking", "thinking": "t"}]},
        ),
        (
            {"role": "assistant", "content": ["Ye", "s"]},
            {"role": "assistant", "content": [{"type": "text", "text": "Ye\ns!"}]},
        ),
        (
            {"role": "assistant", "content": None, "refusal": "No"},
            {"role": "assistant", "content": "No!", "refusal": None},
        ),
    ],
)
def test_last_assistant_message_is_edited_whatever_its_shape(last: dict[str, Any], edited: dict[str, Any]) -> None:
    row = {"final_text": "Yes", "messages": [USER, last]}
    assert with_reply(row, shout) == {"final_text": "Yes!", "messages": [USER, edited]}


def test_messages_after_the_last_words_and_other_turns_stay_the_same_objects() -> None:
    first, spoken = {"role": "assistant", "content": "One moment"}, {"role": "assistant", "content": "Rain"}
    row = {"messages": [USER, first, spoken, CALL, TOOL]}
    changed = with_reply(row, shout)
    assert changed["messages"][2] == {"role": "assistant", "content": "Rain!"}
    assert all(changed["messages"][at] is row["messages"][at] for at in (0, 1, 3, 4))
    assert changed["final_text"] == "Rain!"


def test_each_place_keeps_its_own_words_where_they_differ() -> None:
    row = {"final_text": "42", "messages": [{"role": "assistant", "content": "6 x 7 is 42."}]}
    changed = with_reply(row, shout)
    assert (changed["final_text"], changed["messages"][0]["content"]) == ("42!", "6 x 7 is 42.!")


@pytest.mark.parametrize("row", [{}, {"messages": "text"}, {"messages": [CALL, TOOL]}, {"messages": [None, 5]}])
def test_a_row_without_words_gets_them_in_final_text_alone(row: dict[str, Any]) -> None:
    assert with_reply(row, shout) == {**row, "final_text": "!"}


@given(odd_rows())
def test_any_row_takes_a_new_reply_and_is_not_changed(row: dict[str, Any]) -> None:
    before = copy.deepcopy(row)
    assert reply(with_reply(row, lambda _: "new words")) == "new words"
    assert repr(row) == repr(before)
