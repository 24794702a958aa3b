"""The one reader of trajectories: every shape of message, how results find their calls, which source of a row wins."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import json_values, messages, steps
from tables import each_of
from whileai.simulations.rows import text
from whileai.simulations.rows.calls import Binder, Call, message_calls
from whileai.simulations.rows.content import content_text
from whileai.simulations.rows.shapes import USER_ROLES
from whileai.simulations.rows.text import (
    Kind,
    calls,
    events,
    first_call,
    message_events,
    prompt_text,
    told_texts,
    words_of,
)

USER = {"role": "user", "content": "Where is order 5?"}


def agent(*tool_calls, content=None, **more):
    return {"role": "assistant", "content": content, "tool_calls": list(tool_calls), **more}


def tool(content, call_id=None, **more):
    return {"role": "tool", "content": content, **({"tool_call_id": call_id} if call_id else {}), **more}


def results(*turns):
    """(name, arguments, result, failed) of each call."""
    return [(c.name, c.arguments, c.result, c.failed) for c in calls({"messages": list(turns)})]


def spoken(turns):
    return [(e.kind.value, e.text) for e in message_events(turns) if e.call is None]


# What a message says.


@each_of(
    ("content", "words"),
    [
        ("Hi", "Hi"), (None, ""), ([], ""), (5, ""), ({"type": "text", "text": "Hi"}, "Hi"),
        ([{"type": "text", "text": "a"}, {"type": "output_text", "text": "b"}, "c"], "a\nb\nc"),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "x"}], "a"),
        ([{"type": "image_url", "image_url": {"url": "x"}}, {"type": "input_audio"}], ""),
        ([{"type": "thinking", "thinking": "t", "signature": "s"}, {"type": "text", "text": "a"}], "a"),
        ([{"type": "redacted_thinking", "data": "x"}, {"type": "reasoning", "text": "r", "reasoning": "r"}], ""),
        ([{"type": "refusal", "refusal": "No."}], "No."),
        ([{"text": "plain"}, {"text": "thought", "thought": True}], "plain"),
        ([{"type": ["text"], "text": "a"}, {"type": "text", "text": 5}, 7, None], ""),
    ],
    ids=str,
)  # fmt: skip
def test_words_of_a_content(content, words):
    assert content_text(content) == words


@each_of(
    ("role", "kind"),
    [
        ("user", "user"), ("human", "user"), ("assistant", "agent"), ("model", "agent"), ("ai", "agent"),
        ("gpt", "agent"),
        ("chatgpt", "agent"), ("bard", "agent"), ("system", "system"), ("developer", "system"),
    ],
)  # fmt: skip
@each_of("keys", [("role", "content"), ("from", "value")])
def test_who_speaks(role, kind, keys):
    assert spoken([dict(zip(keys, (role, "Hi"), strict=True))]) == [(kind, "Hi")]


@pytest.mark.parametrize(
    "turn", ["Hi", None, 5, {}, {"role": None}, {"role": ["user"]}, {"role": "exit", "content": "x"}]
)
def test_what_is_no_turn_of_the_conversation_is_passed_over(turn):
    assert message_events([turn, USER]) == message_events([USER])


@pytest.mark.parametrize("conversation", [None, "Hi", {}, 5])
def test_what_is_no_list_has_no_turns(conversation):
    assert message_events(conversation) == []


def test_a_refusal_beside_null_content_is_said():
    assert spoken([{"role": "assistant", "content": None, "refusal": "I can't."}]) == [("agent", "I can't.")]


def test_a_turn_of_only_reasoning_says_nothing():
    assert spoken([{"role": "assistant", "content": [{"type": "thinking", "thinking": "t"}], "reasoning": "r"}]) == []


def test_words_said_with_calls_are_the_speech_of_the_first_call_and_no_turn():
    turns = [agent({"name": "a", "arguments": {}}, {"name": "b", "arguments": {}}, content="Let me look.")]
    assert [call.speech for call in calls({"messages": turns})] == ["Let me look.", ""]
    assert spoken(turns) == []


# Calls in every form.

ARGUMENTS = {"order_id": 5}
TEXT = json.dumps(ARGUMENTS)


@each_of(
    "message",
    [
        {"tool_calls": [{"id": "c", "type": "function", "function": {"name": "get", "arguments": TEXT}}]},
        {"tool_calls": [{"id": "c", "function": {"name": "get", "arguments": ARGUMENTS}}]},
        {"tool_calls": [{"id": "c", "name": "get", "arguments": TEXT}]},
        {"tool_calls": [{"id": "c", "name": "get", "args": ARGUMENTS}]},
        {"tool_calls": [{"id": "c", "function": "get", "arguments": ARGUMENTS, "parse_error": None}]},
        {"tool_calls": [json.dumps({"id": "c", "name": "get", "arguments": TEXT})]},
        {
            "tool_calls": [
                None,
                "not a call",
                5,
                {"id": "x"},
                {"name": 5},
                {"id": "c", "name": "get", "arguments": ARGUMENTS},
            ]
        },
        {"tool_calls": None, "function_call": {"name": "get", "arguments": TEXT}},
        {"content": [{"type": "tool_use", "id": "c", "name": "get", "input": ARGUMENTS}]},
        {"content": [{"type": "server_tool_use", "id": "c", "name": "get", "input": ARGUMENTS}]},
        {"content": [{"type": "mcp_tool_use", "id": "c", "name": "get", "input": ARGUMENTS}]},
        {"from": "function_call", "value": json.dumps({"name": "get", "arguments": ARGUMENTS})},
    ],
    ids=lambda message: next(iter(message)),
)
def test_a_call_is_read_from_every_form(message):
    turn = message if "from" in message else {"role": "assistant", **message}
    (call,) = calls({"messages": [turn]})
    assert (call.name, call.arguments, call.unreadable, call.answered) == ("get", ARGUMENTS, None, False)


@pytest.mark.parametrize(
    ("given", "unreadable"),
    [("five", "five"), ("[5]", "[5]"), ("", None), (None, None), (5, "5"), ('{"a": ', '{"a": '), ({}, None)],
)
def test_arguments_that_are_no_object_are_empty_and_their_text_is_kept(given, unreadable):
    (call,) = message_calls({"tool_calls": [{"name": "get", "arguments": given}]})
    assert (call.arguments, call.unreadable) == ({}, unreadable)


def test_a_server_side_call_carries_its_own_result():
    block = {"type": "tool_use", "name": "search", "arguments": "{}", "result": "rain", "error": None}
    assert results({"role": "assistant", "content": [block]}) == [("search", {}, "rain", False)]


# Results and their calls.


def test_results_bind_by_id_in_any_order():
    one, two = ({"id": name, "name": "get", "arguments": {"n": name}} for name in "ab")
    assert [r[2] for r in results(agent(one, two), tool("second", "b"), tool("first", "a"))] == ["first", "second"]


def test_without_ids_a_result_goes_to_the_first_open_call_of_its_tool_then_to_the_first_open_call():
    turns = agent({"name": "weather"}, {"name": "traffic"}), tool("clear", name="traffic"), tool("rain")
    assert [r[2] for r in results(*turns)] == ["rain", "clear"]


def test_an_id_no_call_has_falls_back_to_name_and_order():
    assert results(agent({"id": "a", "name": "get"}), tool("x", "other"))[0][2] == "x"


@pytest.mark.parametrize("field", ["tool_call_id", "tool_use_id", "call_id", "id"])
def test_the_id_of_a_result_is_read_under_every_name(field):
    turns = agent({"id": "a", "name": "get"}, {"id": "b", "name": "get"}), {"role": "tool", field: "b", "content": "x"}
    assert [r[2] for r in results(*turns)] == [None, "x"]


def test_a_result_without_an_open_call_is_a_call_of_its_own():
    assert results(USER, tool("rain", name="weather")) == [("weather", {}, "rain", False)]


def test_an_old_function_result_binds_by_name():
    turns = (
        {"role": "assistant", "function_call": {"name": "get", "arguments": "{}"}},
        {"role": "function", "name": "get"},
    )
    assert results(turns[0], {**turns[1], "content": "rain"}) == [("get", {}, "rain", False)]


def test_result_blocks_of_a_user_turn_are_results_and_its_other_words_are_a_turn():
    blocks = [
        {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": '{"free": false}'}]},
        {"type": "tool_result", "tool_use_id": "a", "content": "rain"},
    ]
    use = [{"type": "tool_use", "id": name, "name": name, "input": {}} for name in "ab"]
    turns = [{"role": "assistant", "content": use}, {"role": "user", "content": blocks}]
    assert [r[2] for r in results(*turns)] == ["rain", {"free": False}]
    assert spoken(turns) == []
    turns[1] = {"role": "user", "content": [*blocks, {"type": "text", "text": "And?"}]}
    assert spoken(turns) == [("user", "And?")]


def test_a_server_result_block_of_the_agents_own_turn_answers_its_call():
    found = [{"type": "web_search_result", "url": "u"}]
    content = [
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": found},
        {"type": "text", "text": "It rains."},
    ]
    (call,) = calls({"messages": [{"role": "assistant", "content": content}]})
    assert (call.result, call.answered, call.speech) == (found, True, "It rains.")


@pytest.mark.parametrize(
    ("message", "result"),
    [
        ({"content": "no order", "is_error": True}, {"error": "no order", "status": "error"}),
        ({"content": '{"code": 7}', "is_error": True}, {"error": '{"code": 7}', "status": "error", "code": 7}),
        ({"content": '{"error": "mine"}', "is_error": True}, {"error": "mine", "status": "error"}),
        (
            {"content": "", "error": {"type": "timeout", "message": "too slow"}},
            {"error": "too slow", "status": "error"},
        ),
        ({"content": "no order", "error": True}, {"error": "no order", "status": "error"}),
        ({"content": "no order", "status": "error"}, {"error": "no order", "status": "error"}),
    ],
)
def test_a_result_marked_as_an_error_failed(message, result):
    assert results(agent({"name": "get"}), {"role": "tool", **message}) == [("get", {}, result, True)]


@pytest.mark.parametrize("message", [{"error": None}, {"error": False}, {"is_error": False}, {"status": "success"}])
def test_a_result_not_marked_as_an_error_did_not_fail(message):
    assert results(agent({"name": "get"}), tool("rain", **message)) == [("get", {}, "rain", False)]


@pytest.mark.parametrize(
    ("content", "result"),
    [('{"a": 1}', {"a": 1}), ("[1]", [1]), ("5", 5), ("null", None), ("rain", "rain"), ("{bad", "{bad"), (None, None)],
)
def test_a_result_is_parsed_when_it_is_json(content, result):
    (call,) = calls({"messages": [agent({"name": "get"}), tool(content)]})
    assert call.answered
    assert call.result == result


def test_calls_and_results_of_a_simulated_user_are_not_the_agents():
    turns = [
        USER,
        {"role": "user", "content": None, "tool_calls": [{"id": "u", "name": "toggle", "requestor": "user"}]},
        {"role": "tool", "id": "u", "content": "on", "requestor": "user"},
    ]
    assert results(*turns) == []
    assert spoken(turns) == [("user", "Where is order 5?")]


def test_thousands_of_calls_bind_in_linear_time():
    turns = [agent(*({"id": str(i), "name": "get"} for i in range(5000)))]
    turns += [tool(str(i), str(i)) for i in reversed(range(5000))]
    assert [r[2] for r in results(*turns)] == list(range(5000))


def binding_seconds(*asked):
    """What it costs to bind results to 50,000 open calls, each asked for as given or, without that, by its id."""
    binder, opened = Binder(), [Call("get", id=str(i)) for i in range(50_000)]
    for call in opened:
        binder.add(call)
    start = time.process_time()
    assert all(binder.take(*(asked or (call.id, "get"))) is call for call in opened)
    return time.process_time() - start


@pytest.mark.parametrize("asked", [(None, None), (None, "get"), ("other", "get")], ids=str)
def test_results_without_a_known_id_bind_as_fast_as_those_with_one(asked):
    """Walking past the calls that are answered takes some twenty times as long."""
    assert binding_seconds(*asked) < 5 * binding_seconds() + 0.3


@pytest.mark.parametrize("odd", [np.array([1, 2]), np.array(["a", "b"], object)], ids=str)
def test_values_whose_truth_is_an_error_are_read(odd):
    keys = ["type", "content", "tool_calls", "id", "error", "status", "is_error", "requestor", "refusal", "thought"]
    for key in [*keys, "text"]:
        turns = [USER | {key: odd}, agent({"name": "get", key: odd}) | {key: odd}, tool("x") | {key: odd}]
        blocks = [{"type": "tool_use", "name": "get", "result": 1} | {key: odd}, {"text": "x", key: odd}]
        found = calls({"messages": [*turns, {"role": "assistant", "content": blocks}]})
        assert "get" in [call.name for call in found]
        text.reply({"messages": [{"role": odd}, {"role": "assistant", "content": [{"text": "x", key: odd}]}]})
        assert calls({"steps": [{"tool": "get", "result": {key: odd}}]})[0].answered


# Steps.


@each_of("arguments", ["arguments", "input", "args", "parameters"])
@each_of("result", ["result", "output", "response"])
def test_a_step_is_read_under_every_spelling(arguments, result):
    (call,) = calls({"steps": [{"tool": "get", arguments: TEXT, result: '{"status": "not_found"}'}]})
    assert (call.arguments, call.result, call.failed) == (ARGUMENTS, {"status": "not_found"}, True)


@pytest.mark.parametrize("arguments", ["five", [5], 5, None])
def test_step_arguments_that_are_no_object_are_empty(arguments):
    assert calls({"steps": [{"tool": "get", "arguments": arguments}]})[0].arguments == {}


def test_steps_that_are_no_call_are_passed_over_when_calls_are_read():
    junk = [{"user": "Hi"}, {"text": "Yes?"}, "junk", None, {"note": 1}, {"tool": 5}, {"tool": ""}]
    assert [c.name for c in calls({"steps": [*junk, {"tool": "get"}]})] == ["get"]


@pytest.mark.parametrize(
    "row",
    [
        {"steps": ["junk", {"text": "Yes?"}, {"tool": "get", "arguments": {"id": 5}}, {"tool": "put"}]},
        {"messages": [USER, agent({"function": {"name": "get", "arguments": '{"id": 5}'}}, {"name": "put"})]},
        {"final_text": '<tool_call>{"name": "get", "arguments": {"id": 5}}</tool_call>'},
    ],
    ids=["steps", "messages", "written"],
)
def test_the_first_call_is_the_first_of_all(row):
    found = first_call(row)
    assert (found.name, found.arguments) == ("get", {"id": 5})
    assert found == calls(row)[0]


def test_a_row_without_a_call_has_no_first_one():
    assert first_call({"messages": [USER], "steps": [{"text": "Hi"}]}) is None


def test_a_step_without_a_result_is_not_answered():
    assert [c.answered for c in calls({"steps": [{"tool": "a"}, {"tool": "b", "result": None}]})] == [False, True]


@each_of(
    ("step", "kind"),
    [
        ({"tool": "get", "user": "x", "text": "y"}, Kind.CALL), ({"tool": "", "result": 1}, Kind.CALL),
        ({"tool": None, "user": "x"}, Kind.USER), ({"tool": "", "text": "x"}, Kind.AGENT), ({"text": None}, None),
        ({}, None), ({"tool": "", "input": {"id": 5}, "text": "x"}, Kind.CALL),
        ({"tool": "", "arguments": {}, "result": None, "text": "x"}, Kind.AGENT),
    ],
)  # fmt: skip
def test_the_kind_of_a_step(step, kind):
    assert text.step_kind(step) is kind


# Which source of a row wins.

STEP = {"tool": "from_steps", "arguments": {}, "result": 1}
MESSAGE = agent({"name": "from_messages", "arguments": {}})
WRITTEN = '<tool_call>{"name": "from_text", "arguments": {"id": 5}}</tool_call>'


@pytest.mark.parametrize(
    ("row", "names"),
    [
        ({"steps": [STEP], "messages": [MESSAGE], "final_text": WRITTEN}, ["from_steps"]),
        ({"steps": [], "tool_trace": [STEP], "messages": [MESSAGE]}, ["from_steps"]),
        ({"trace": [STEP], "messages": [MESSAGE]}, ["from_steps"]),
        ({"steps": [{"text": "Hm."}], "messages": [MESSAGE], "final_text": WRITTEN}, ["from_messages"]),
        ({"messages": [USER], "final_text": WRITTEN}, ["from_text"]),
        ({"messages": [USER], "final_text": "Done."}, []),
        ({}, []),
    ],
)
def test_the_first_source_that_yields_a_call_wins(row, names):
    assert [c.name for c in calls(row)] == names


@each_of(
    ("words", "found"),
    [
        (WRITTEN, [("from_text", {"id": 5})]), (WRITTEN * 2, [("from_text", {"id": 5})] * 2),
        ("<tool_call>x</tool_call>", []),
        ('<tool_call>[{"name": "a"}, {"name": "b"}]</tool_call>', [("a", {}), ("b", {})]),
        ("<tool_call>", []), ("<tool_call>" * 3000, []), (None, []), ("plain", []),
    ],
)  # fmt: skip
def test_calls_written_out_in_a_text(words, found):
    assert [(c.name, c.arguments) for c in text.written_calls(words)] == found


def test_prompt_and_reply_frame_steps_unless_already_said():
    row = {"prompt": "Hi", "steps": [{"text": "Hello."}], "final_text": "Bye."}
    assert [(e.kind.value, e.text) for e in events(row)] == [("user", "Hi"), ("agent", "Hello."), ("agent", "Bye.")]
    said = {"prompt": "Hi", "steps": [{"user": "Hi"}, {"text": "Bye."}], "final_text": "Bye."}
    assert [e.text for e in events(said)] == ["Hi", "Bye."]


# Prompts and replies.


@each_of(
    ("prompt", "words"),
    [
        ("p", "p"), (None, ""), (5, "5"), ({}, ""), ([], ""), (["a", "b"], "a\nb"),
        ([USER, {"role": "user", "content": "z"}], "z"),
        ([{"role": "system", "content": "Be brief."}, USER], "Where is order 5?"),
        ([{"role": "user", "content": [{"type": "text", "text": "a"}]}], "a"),
    ],
)  # fmt: skip
def test_a_prompt_as_text(prompt, words):
    assert prompt_text(prompt) == words


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"final_text": "Done."}, "Done."), ({"final_text": " "}, ""), ({"prompt": "p"}, None), ({"messages": []}, ""),
        ({"messages": [{"role": "assistant", "content": "Done."}, USER]}, "Done."),
        ({"final_text": None, "messages": [{"role": "assistant", "content": [{"type": "text", "text": "a"}]}]}, "a"),
    ],
)  # fmt: skip
def test_the_reply_of_a_row(row, words):
    assert text.reply(row) == words


def test_the_final_reply_is_the_last_turn_with_words_and_no_call():
    turns = [USER, {"role": "assistant", "content": "Done."}, agent({"name": "get"}, content="One more."), tool("x")]
    assert text.last_agent_text(turns) == "Done."
    assert text.first_user_text(turns) == "Where is order 5?"


@given(st.lists(messages | json_values, max_size=4), st.lists(steps | json_values, max_size=4), json_values)
def test_any_trajectory_is_read_without_an_error(turns, entries, final):
    row = {"messages": turns, "steps": entries, "final_text": final, "prompt": turns}
    assert all(isinstance(event.text, str) for event in events(row))
    assert all(isinstance(call.arguments, dict) for call in calls(row))
    text.reply(row)


@given(st.lists(messages, max_size=5))
def test_every_answered_call_has_its_result_event_after_it(turns):
    seen = []
    for event in message_events(turns):
        if event.kind is Kind.RESULT:
            assert any(event.call is call for call in seen)
        elif event.kind is Kind.CALL:
            seen.append(event.call)


def test_the_turns_of_the_user_are_read_from_steps_and_messages_each_once():
    row = {
        "prompt": "Hi",
        "system_prompt": "Be kind.",
        "steps": [{"user": "Order 5"}, {"tool": "get", "result": 1}, {"text": "Yes?"}],
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Order 5"},
            {"role": "assistant", "content": "Yes?"},
            {"role": "user", "content": [{"type": "text", "text": "And 6"}]},
            {"from": "human", "value": "And 7"},
            None,
        ],
    }
    assert words_of(row["messages"], USER_ROLES) == ["Order 5", "And 6", "And 7"]
    assert told_texts(row) == ["Order 5", "Be brief.", "And 6", "And 7"]
    assert told_texts({"messages": "x", "steps": 5}) == []
