import copy
import string

import pytest
from hypothesis import given

from examples import few
from strategies import rows as odd_rows
from tables import each_of
from whileai.simulations.score.grading import behavior_signature


def row(reply="It shipped.", prompt="Refund ORD-4017", **step):
    base = {"tool": "get_order", "arguments": {"order_id": "ORD-4017"}, "result": {"status": "ok", "order_id": "ORD-9"}}
    return {"prompt": prompt, "steps": [base | step], "final_text": reply}


PLAIN = behavior_signature(row())


def test_the_signature_is_the_same_in_every_process():
    assert PLAIN == "d354f2984a43"


@pytest.mark.parametrize(
    "other",
    [
        row("That parcel went out."),
        row(prompt="Please refund ORD-5", arguments={"order_id": "ORD-5"}),
        {**row(), "reward": 1, "markers": {"a": 1.0}, "task_id": "t"},
        {**row(), "steps": [{"text": "One moment."}, *row()["steps"]]},
    ],
    ids=["wording", "another id from the ask", "bookkeeping", "words between"],
)
def test_what_does_not_count_leaves_the_signature(other):
    assert behavior_signature(other) == PLAIN


@each_of(
    "other",
    [
        row(tool="find_order"),
        row(result={"status": "error"}),
        row(prompt="Refund it"),
        row(arguments={"order_id": " "}),
        row(arguments={"order": "ORD-4017"}),
        row("I can’t do that."),
        row("It shipped. " * 12),
        {**row(), "steps": row()["steps"] * 2},
        {"prompt": "Refund ORD-4017", "final_text": "It shipped."},
    ],
    ids=["tool", "status", "invented", "absent", "argument name", "refusal", "length", "a second call", "no call"],
)
def test_what_counts_changes_the_signature(other):
    assert behavior_signature(other) != PLAIN


def test_a_value_from_an_earlier_result_is_derived_and_one_from_a_later_result_invented():
    def path(first, second):
        steps = [{"tool": "a", "arguments": {"x": first}, "result": {"text": 'say "hi"\nTwice'}}]
        return {"prompt": "go", "steps": [*steps, {"tool": "b", "arguments": {"y": second}, "result": None}]}

    derived = behavior_signature(path("zzz", 'SAY "hi"\ntwice'))
    assert derived == behavior_signature(path("qqq", "twice"))
    assert derived != behavior_signature(path("zzz", "thrice"))
    assert derived != behavior_signature(path("twice", "go"))


def test_argument_order_does_not_count_and_call_order_does():
    one, two = {"tool": "a", "arguments": {"p": "x", "q": "zz"}}, {"tool": "b", "arguments": {}}
    turned = {"tool": "a", "arguments": {"q": "zz", "p": "x"}}
    assert behavior_signature({"prompt": "x", "steps": [one, two]}) == behavior_signature(
        {"prompt": "x", "steps": [turned, two]}
    )
    assert behavior_signature({"prompt": "x", "steps": [one, two]}) != behavior_signature(
        {"prompt": "x", "steps": [two, one]}
    )


def test_steps_and_messages_have_one_signature():
    function = {"name": "get_order", "arguments": '{"order_id": "ORD-4017"}'}
    messages = [
        {"role": "user", "content": "Refund ORD-4017"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": function}]},
        {"role": "tool", "tool_call_id": "c", "content": '{"status": "ok"}'},
        {"role": "assistant", "content": "It shipped."},
    ]
    assert behavior_signature({"messages": messages}) == PLAIN


def test_a_json_text_result_has_a_status():
    assert behavior_signature(row(result='{"status": "ok"}')) == PLAIN


@few
@given(odd_rows())
def test_any_row_has_twelve_digits_and_is_left_alone(odd):
    before = copy.deepcopy(odd)
    signature = behavior_signature(odd)
    assert len(signature) == 12
    assert set(signature) <= set(string.hexdigits.lower())
    assert repr(odd) == repr(before)


def test_a_follow_up_that_stands_only_in_the_messages_is_a_source_beside_steps():
    step = {"tool": "refund", "arguments": {"id": "ORD-5"}, "result": {"status": "ok"}}
    told = {"prompt": "Refund it", "steps": [step], "messages": [{"role": "user", "content": "It is ORD-5"}]}
    asked = {"prompt": "Refund ORD-5", "steps": [step]}
    assert behavior_signature(told) == behavior_signature(asked)
    assert behavior_signature(told) != behavior_signature({**told, "messages": []})
