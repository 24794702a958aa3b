from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from strategies import json_values, messages, steps, texts
from tables import each_of

REPLY = "It left the depot this morning and should reach you by Friday evening, I think."
CALL = {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "get_order", "arguments": "{}"}}]}
RESULT = {"role": "tool", "content": "{}"}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def agent(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


ASK, ANSWER = user("Where is my parcel right now?"), agent(REPLY)
WORKED = [ASK, CALL, RESULT, ANSWER]


def chat(*said: dict[str, Any], final: str = REPLY) -> dict[str, Any]:
    return {"messages": list(said), "final_text": final}


def scored(row: dict[str, Any], dimension: str) -> float:
    return wai.score_row(row)["quality_scores"][dimension]


def test_a_chat_without_final_text_holds_its_reply() -> None:
    assert scored({"messages": WORKED}, "structure") == 1.0
    assert scored({"messages": WORKED, "final_text": ""}, "structure") == 0.6
    assert scored({"messages": WORKED[:3]}, "structure") < 0.6


def test_the_mean_of_the_five_and_conforms_when_none_fails() -> None:
    report = wai.score_row(chat(*WORKED))
    assert report["quality_scores"] == {
        "opener": 1.0,
        "ping_pong": 0.7,
        "leak": 1.0,
        "complexity": 0.7,
        "structure": 1.0,
    }
    assert report["quality"] == pytest.approx((1 + 0.7 + 1 + 0.7 + 1) / 5)
    assert report["quality_reason"] == "conforms"


def test_notes_of_all_dimensions_are_named_once_one_fails() -> None:
    row = chat(user("<USER_TURN> where is it"), ANSWER, user("and?"), final="")
    report = wai.score_row(row)
    assert report["quality_reason"] == "leaked user_turn; ends on user"


@each_of(
    ("said", "score", "note"),
    [
        ([], 0.0, "empty conversation"),
        ([agent("Welcome, how are you?"), ASK, ANSWER], 0.2, "does not start with user"),
        ([ASK, agent("One moment please, I am looking."), ANSWER], 0.0, "stacked assistant variants"),
        ([ASK, agent("Hm."), agent("Well."), agent("So."), ANSWER], 0.0, "one user turn, many agent turns"),
        ([ASK], 0.1, "no agent turn"),
        ([ASK, user("hello?? anyone there today"), ANSWER], 0.3, "adjacent user turns"),
        ([ASK, agent("Hm."), ANSWER], 0.3, "adjacent agent turns"),
        ([ASK, ANSWER, user("and where is the other one?")], 0.4, "ends on user"),
        ([ASK, agent("Let me look that up now."), CALL, RESULT, ANSWER], 0.7, None),
        ([ASK, CALL, RESULT, CALL, RESULT, CALL, RESULT, CALL, RESULT, ANSWER], 0.7, None),
        ([ASK, ANSWER, user("Can it come on Monday?"), ANSWER], 1.0, None),
    ],
)
def test_ping_pong(said: list, score: float, note: str | None) -> None:
    report = wai.score_row({"messages": said, "prompt": "Where is my parcel right now?", "final_text": REPLY})
    if not said:
        report = wai.score_row({})
    assert report["quality_scores"]["ping_pong"] == score
    if note and score < 0.5:
        assert note in report["quality_reason"].split("; ")


@each_of(
    ("said", "final", "score", "note"),
    [
        ([ASK, CALL, RESULT, agent("no " + "z" * 30)], "no " + "z" * 30, 0.2, "degenerate reply"),
        ([ASK, CALL, RESULT, agent("-" * 60 + "\nGhent.")], "-" * 60 + "\nGhent.", 0.55, None),
        ([ASK, agent("502 Bad Gateway")], "502 Bad Gateway", 0.1, "empty or infra stub"),
        ([ASK, CALL, RESULT, agent("502 Bad Gateway")], "502 Bad Gateway", 0.55, None),
        ([user("billing help"), ANSWER], REPLY, 0.15, "one-line dead end"),
        ([user("我的订单在哪里？"), ANSWER], REPLY, 0.35, "thin conversation"),
        ([ASK, agent("Which one?")], "Which one?", 0.25, "clarify and stop"),
        ([ASK, agent("是哪一个？")], "是哪一个？", 0.25, "clarify and stop"),
        ([ASK, agent("Which one?"), user("the red one"), agent("Ghent.")], "Ghent.", 0.5, None),
        ([user("Refund order 4017 for me"), ANSWER], REPLY, 0.3, "actionable ask unused tools"),
        ([user("Where is ORD-4017 today?"), ANSWER], REPLY, 0.3, "actionable ask unused tools"),
        ([user("How do I merge two branches?"), ANSWER], REPLY, 0.35, "thin conversation"),
        ([user("What is your refund policy?"), ANSWER], REPLY, 0.35, "thin conversation"),
        ([ASK, ANSWER], REPLY, 0.35, "thin conversation"),
        ([ASK, CALL, RESULT, agent("Ghent.")], "Ghent.", 0.55, None),
    ],
)
def test_complexity(said: list, final: str, score: float, note: str | None) -> None:
    report = wai.score_row(chat(*said, final=final))
    assert report["quality_scores"]["complexity"] == score
    assert note is None or note in report["quality_reason"].split("; ")


ECHO = "So it left the depot this morning and should reach me by Friday evening then"


@each_of(
    ("said", "final", "score"),
    [
        (WORKED, REPLY, 1.0),
        (WORKED, f"  {REPLY.replace(' ', '  ')}\n", 1.0),
        ([ASK, CALL, RESULT], "", 0.05),
        ([ASK, ANSWER, user("and the other one, please?")], REPLY, 0.4),
        (WORKED, "", 0.6),
        (WORKED, "Something else.", 0.45),
        ([ASK, agent("Which one?"), user("the red one"), ANSWER], "Which one?", 0.45),
        ([ASK], REPLY, 0.2),
        ([agent("Welcome!"), ASK, ANSWER], REPLY, 0.8),
        ([ASK, ANSWER, user(ECHO), agent("Yes.")], "Yes.", 0.65),
        ([ASK, ANSWER, user(ECHO + ", at 5 Elm Street?"), agent("Yes.")], "Yes.", 1.0),
        ([ASK, ANSWER, user("this morning, Friday evening?"), agent("Yes.")], "Yes.", 1.0),
        ([ASK, ANSWER, user("How can I help you today?"), agent("Yes.")], "Yes.", 0.65),
        ([ASK, ANSWER, user("How can I help you today?"), ANSWER, user(ECHO), agent("Yes.")], "Yes.", 0.65),
    ],
)
def test_structure(said: list, final: str, score: float) -> None:
    assert scored(chat(*said, final=final), "structure") == score


def test_the_first_structural_fault_is_the_note() -> None:
    row = chat(agent("Welcome!"), ASK, CALL, RESULT, final="")
    assert "ends on tool" in wai.score_row(row)["quality_reason"].split("; ")


@pytest.mark.parametrize("said", [[ASK, agent("The world_state is gone.")], [user("my ask (all lowercase)"), ANSWER]])
def test_a_leak_of_either_side_is_zero(said: list) -> None:
    assert scored(chat(*said, final=said[-1]["content"]), "leak") == 0.0


def test_a_stage_direction_in_the_agents_words_is_none() -> None:
    said = agent("Your file names are now all lowercase, with a typo fixed: all lowercase.")
    assert scored(chat(ASK, said, final=said["content"]), "leak") == 1.0


def test_steps_are_read_as_messages_are() -> None:
    steps = [
        {"tool": "get_order", "arguments": {}, "result": {}},
        {"text": "Which one?"},
        {"user": "the red one please"},
    ]
    row = {"prompt": ASK["content"], "steps": steps, "final_text": REPLY}
    turns = [ASK, CALL, RESULT, agent("Which one?"), user("the red one please"), ANSWER]
    assert wai.score_row(row) == wai.score_row(chat(*turns))


def test_trailing_user_turns_of_steps_are_dropped_when_unanswered() -> None:
    steps = [{"text": REPLY}, {"user": "ok thanks, bye"}]
    assert scored({"prompt": ASK["content"], "steps": steps, "final_text": ""}, "ping_pong") == 0.7
    assert scored({"prompt": ASK["content"]}, "ping_pong") == 0.1


def test_rows_are_written_in_place_and_stay_in_order() -> None:
    rows = [chat(ASK, ANSWER), {"prompt": "ok", "final_text": "Hello", "quality": 7, "task_id": "t"}]
    held = copy.deepcopy(rows)
    assert wai.rank_rows(rows) is rows
    assert [row["quality"] for row in rows] == [wai.score_row(row)["quality"] for row in held]
    added = {"quality", "quality_reason", "quality_scores"}
    assert [set(row) for row in rows] == [set(row) | added for row in held]


def test_another_sequence_comes_back_as_a_list_of_the_same_rows() -> None:
    rows = (chat(*WORKED), {})
    ranked = wai.rank_rows(rows)
    assert type(ranked) is list
    assert [id(row) for row in ranked] == [id(row) for row in rows]


def test_a_row_that_is_no_dict_is_refused_before_any_is_written() -> None:
    rows = [chat(*WORKED), "text"]
    with pytest.raises(TypeError, match="rows must be dicts, got str at position 1"):
        wai.rank_rows(rows)
    assert "quality" not in rows[0]


columns = {
    "messages": st.lists(messages, max_size=4) | json_values, "steps": st.lists(steps, max_size=3) | json_values,
    "prompt": texts | json_values, "final_text": texts | json_values, "opener": texts | json_values,
}  # fmt: skip


@given(st.fixed_dictionaries({}, optional=columns))
def test_odd_rows_are_scored_and_left_as_they_were(row: dict) -> None:
    held = copy.deepcopy(row)
    report = wai.score_row(row)
    assert repr(row) == repr(held)
    assert all(0 <= score <= 1 for score in report["quality_scores"].values())
    assert report["quality"] == pytest.approx(sum(report["quality_scores"].values()) / 5, abs=0.0011)
    failing = any(score < 0.5 for score in report["quality_scores"].values())
    assert (report["quality_reason"] == "conforms") is not failing
