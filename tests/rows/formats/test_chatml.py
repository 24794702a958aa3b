from __future__ import annotations

from whileai.simulations.rows.formats.chatml import conversation, messages_of, tagged_steps, turns
from whileai.simulations.rows.text import calls, last_agent_text

ASKED = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nStatus of 9?<|im_end|>\n<|im_start|>assistant\n"


def test_a_completion_continues_the_last_turn_of_the_prompt():
    messages = conversation(ASKED, "Order 9 is lost.<|im_end|>")
    assert [(m["role"], m["content"]) for m in messages] == [
        ("system", "Be brief."),
        ("user", "Status of 9?"),
        ("assistant", "Order 9 is lost."),
    ]


def test_calls_and_results_in_tags_bind_in_order():
    said = (
        'Looking.\n<tool_call>\n{"name": "get", "arguments": {"id": "1"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "get", "arguments": {"id": "2"}}\n</tool_call><|im_end|>\n'
        "<|im_start|>user\n<tool_response>\nopen\n</tool_response>\n<tool_response>\nlost\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\nOne is lost.<|im_end|>"
    )
    messages = conversation(ASKED, said)
    found = [(call.arguments["id"], call.result) for call in calls({"messages": messages})]
    assert found == [("1", "open"), ("2", "lost")]
    assert messages[2]["content"] == "Looking."
    assert last_agent_text(messages) == "One is lost."


def test_a_block_may_hold_several_calls_one_a_line():
    text = '<tool_call>\n{"name": "a", "arguments": {}}\n{"name": "b", "arguments": {}}\n</tool_call>'
    assert [call["name"] for call in turns("assistant", text)[0]["tool_calls"]] == ["a", "b"]


def test_a_block_that_is_no_call_stays_in_the_text():
    (turn,) = turns("assistant", "<tool_call>get order 9</tool_call>")
    assert turn == {"role": "assistant", "content": "<tool_call>get order 9</tool_call>"}


def test_arguments_that_are_no_object_are_kept_as_text():
    (turn,) = turns("assistant", '<tool_call>{"name": "get", "arguments": "order 9"}</tool_call>')
    assert turn["tool_calls"] == [{"name": "get", "arguments": {}, "arguments_text": "order 9"}]


def test_reasoning_is_no_part_of_the_reply():
    for text in ("<think>\nHm.\n</think>\n\nLost.", "Hm.\n</think>\nLost."):
        assert turns("assistant", text) == [{"role": "assistant", "content": "Lost.", "reasoning_content": "Hm."}]


def test_reasoning_that_was_cut_off_leaves_no_reply():
    assert turns("assistant", "<think>\nSo many") == [
        {"role": "assistant", "content": "", "reasoning_content": "So many"}
    ]


def test_words_beside_results_in_a_user_turn_are_the_users():
    found = turns("user", "<tool_response>open</tool_response>\nAnd order 8?")
    assert found == [{"role": "tool", "content": "open"}, {"role": "user", "content": "And order 8?"}]


def test_a_result_that_names_its_tool_is_bound_by_it():
    (turn,) = turns("tool", '<tool_response>{"name": "get", "content": {"id": 9}}</tool_response>')
    assert turn == {"role": "tool", "content": '{"id": 9}', "name": "get"}


def test_an_opened_last_turn_is_none():
    assert [m["role"] for m in messages_of(ASKED)] == ["system", "user"]


def test_text_of_another_template_is_kept_whole():
    asked, said = "[INST] Hi [/INST]", "Hello.</s>"
    assert [m["content"] for m in conversation(asked, said)] == [asked, said]


def test_steps_of_text_without_turns_hold_a_result_only_when_it_came():
    text = (
        '<tool_call>{"name": "a", "arguments": {}}</tool_call>user\n<tool_response>{"n": 1}</tool_response>assistant\n'
    )
    again = '<tool_call>{"name": "b", "arguments": {"x": 1}}</tool_call>'
    assert tagged_steps(text + again) == [
        {"tool": "a", "arguments": {}, "result": {"n": 1}},
        {"tool": "b", "arguments": {"x": 1}},
    ]


def test_many_tags_that_never_close_are_read_in_no_time():
    text = "<tool_call>" * 20_000 + "<tool_response>" + " " * 20_000 + "x"
    assert turns("assistant", text) == [{"role": "assistant", "content": text}]
    assert tagged_steps(text) == []
