"""Every shape of an episode becomes the turns it stands for."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from export_rows import parallel, stepped
from strategies import rows
from whileai.simulations.exports.turns import turns_of


def said(row: dict[str, Any], **options: Any) -> list[tuple[str, Any]]:
    return [(turn.role, turn.content) for turn in turns_of(row, **options)]


def test_steps_become_turns_with_the_reply_last() -> None:
    assert said(stepped()) == [
        ("user", "Refund order 9."),
        ("assistant", "Why?"),
        ("user", "It broke."),
        ("assistant", ""),
        ("tool", '{"ok": true, "reference": "R-1"}'),
        ("assistant", "Refunded."),
    ]


def test_parallel_calls_stay_in_one_turn_and_their_results_keep_their_order() -> None:
    turns = turns_of(parallel())
    assert [call.id for call in turns[2].calls] == ["a", "b"]
    assert [(turn.call_id, turn.name) for turn in turns[3:5]] == [("b", "get_order"), ("a", "get_order")]
    assert turns[2].content == "One moment."


def test_thoughts_are_stripped_only_when_asked() -> None:
    assert said(parallel(), strip_think=True)[-1][1] == "1: shop, 2: home."
    assert said(parallel(final_text=None))[-1][1] == "<think>easy</think>1: shop, 2: home."


def test_a_reply_that_only_final_text_holds_is_said_last_once() -> None:
    chat = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "?"},
    ]
    assert said({"messages": chat, "final_text": "Hello."})[-1] == ("user", "?")
    assert said({"messages": chat, "final_text": "Yes."})[-1] == ("assistant", "Yes.")


def test_calls_that_only_the_steps_hold_are_not_lost_to_a_chat_without_them() -> None:
    row = stepped(messages=[{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Refund order 9."}])
    assert said(row)[0] == ("system", "Be kind.")
    assert [call.name for turn in turns_of(row) for call in turn.calls] == ["refund"]


def test_anthropic_blocks_are_results_of_tools_and_what_the_user_shows() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
    call = {"type": "tool_use", "id": "t1", "name": "see", "input": {}}
    chat = [
        {"role": "user", "content": [image, {"type": "text", "text": "What is it?"}]},
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "See."}, call],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a cat"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "A cat."}]},
    ]
    assert said({"messages": chat}) == [
        ("user", [
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
            {"type": "text", "text": "What is it?"},
        ]),
        ("assistant", "See."),
        ("tool", "a cat"),
        ("assistant", "A cat."),
    ]  # fmt: skip


def test_responses_items_of_one_breath_are_one_turn() -> None:
    items = [
        {"role": "user", "content": "Both?"},
        {"type": "function_call", "call_id": "x", "name": "a", "arguments": "{}"},
        {"type": "function_call", "call_id": "y", "name": "b", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "y", "output": "2"},
        {"type": "function_call_output", "call_id": "x", "output": "1"},
    ]
    turns = turns_of({"messages": items})
    assert [call.id for call in turns[1].calls] == ["x", "y"]
    assert [turn.call_id for turn in turns[2:]] == ["y", "x"]


def test_results_without_ids_answer_by_name_then_in_order() -> None:
    calls = [{"name": "a", "arguments": {}}, {"name": "b", "arguments": {}}]
    results = [{"role": "tool", "name": "b", "content": "2"}, {"role": "tool", "content": "1"}]
    turns = turns_of({"messages": [{"role": "assistant", "tool_calls": calls}, *results]})
    assert [turn.call_id for turn in turns[1:]] == ["call_0001", "call_0000"]


def test_a_transcript_in_one_text_is_its_calls_and_what_is_said_after_them() -> None:
    final = (
        '<tool_call>{"name": "get", "arguments": {"id": 1}}</tool_call>\nuser\n<tool_response>5</tool_response>\n'
        "assistant\nIt is 5.\n"
    )
    turns = turns_of({"prompt": "What?", "final_text": final})
    assert turns[1].calls[0].arguments == {"id": 1}
    assert turns[-1].content.strip() == "It is 5."


def test_crash_stubs_and_the_calls_of_a_simulated_user_are_no_turns() -> None:
    assert said({"prompt": "Hi", "final_text": "<agent error: timeout>"}) == [("user", "Hi")]
    chat = [{"role": "user", "content": "", "tool_calls": [{"name": "look"}]}, {"role": "tool", "requestor": "user"}]
    assert said({"messages": chat}) == []


def test_a_prompt_that_is_a_conversation_comes_before_the_steps() -> None:
    prompt = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]
    row = {"prompt": prompt, "steps": [{"tool": "a", "result": 1}], "final_text": "Done."}
    assert [role for role, _ in said(row)] == ["system", "user", "assistant", "tool", "assistant"]


def test_an_ask_that_only_the_prompt_holds_comes_before_the_agent() -> None:
    chat = [{"role": "system", "content": "Be kind."}, {"role": "assistant", "content": "Hello."}]
    assert said({"prompt": "Hi", "messages": chat}) == [
        ("system", "Be kind."), ("user", "Hi"), ("assistant", "Hello."),
    ]  # fmt: skip


@settings(max_examples=25)
@given(rows())
def test_no_row_is_too_odd(row: dict[str, Any]) -> None:
    for turn in turns_of(row, strip_think=True):
        assert turn.role in ("system", "user", "assistant", "tool")
        assert isinstance(turn.content, str) or turn.role == "user"
        assert all(call.id for call in turn.calls)
