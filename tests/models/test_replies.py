"""What is read in a model's reply, and what is not."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.models.replies import cut_off_fields, json_array, json_object, without_thinking

VERDICT = {"reward": 1, "reason": "ok"}
BARE = json.dumps(VERDICT)

READ: dict[str, tuple[str, Any]] = {
    "bare": (BARE, VERDICT),
    "fenced": (f"```json\n{BARE}\n```", VERDICT),
    "fenced without a name": (f"```\n{BARE}\n```", VERDICT),
    "prose around": (f"My verdict is {BARE}, as the rules ask.", VERDICT),
    "empty braces in prose": ("Braces {} aside: " + '{"reward": 1}', {"reward": 1}),
    "an empty object": ("{}", {}),
    "a set in prose": ("The set {a, b} aside: " + '{"reward": 1}', {"reward": 1}),
    "after thinking": (f'<think>{{"reward": 0}} or not?</think>{BARE}', VERDICT),
    "after thinking whose opening is in the prompt": (f'perhaps {{"reward": 0}}</think>\n{BARE}', VERDICT),
    "a thinking tag inside a string": ('{"reason": "said <think>x</think>"}', {"reason": "said <think>x</think>"}),
    "an opening tag inside a string": ('{"reason": "<think>"} done', {"reason": "<think>"}),
    "a fence inside a string": (
        '```json\n{"reason": "wrote ```json {} ``` twice"}\n```',
        {"reason": "wrote ```json {} ``` twice"},
    ),
    "an object inside a string": (
        '{"reason": "said {\\"reward\\": 1}", "reward": 0}',
        {"reason": 'said {"reward": 1}', "reward": 0},
    ),
    "a bad escape": (
        r'{"reason": "the pattern \d+ and \u12", "n": "\\d\n"}',
        {"reason": r"the pattern \d+ and \u12", "n": "\\d\n"},
    ),
    "a raw line break in a string": ('{"reason": "one\ntwo"}', {"reason": "one\ntwo"}),
    "the same object twice": (f"{BARE}\n\nAgain: {BARE}", VERDICT),
    "the same keys in another order": ('{"a": 1, "b": 2} {"b": 2, "a": 1}', {"a": 1, "b": 2}),
    "in a list": (f"[{BARE}]", VERDICT),
    "as a JSON string": (json.dumps(BARE), VERDICT),
    "a repeated key of one value": ('{"a": 1, "a": 1}', {"a": 1}),
}
UNREAD = {
    "nothing": "",
    "prose": "I would say it passes.",
    "a number": "1",
    "two that differ": '{"reward": 1} {"reward": 0}',
    "a number and a truth": '{"reward": 1} {"reward": true}',
    "cut in a string": '{"reward": 1, "reason": "cut o',
    "cut after an inner object": '{"criteria": {"1": true}, "reason": "cut o',
    "whole, then one cut": '{"reward": 1} no: {"reward": 0, "rea',
    "an inner object of a broken one": '{"parts": {\'x\': 1}, "verdict": {"reward": 1}}',
    "thinking that does not end": '<think>say {"reward": 1}',
    "one key with two values": '{"reward": 0, "reward": 1}',
    "Python and no JSON": "{'reward': 1}",
    "quoted, then broken by a comma": 'It claims {"score": 1}. Mine: {"score": 0, "reason": "it lied",}',
    "broken, then quoted": '{"score": 0, "reason": "it lied",} It claims {"score": 1}.',
    "quoted, then in single quotes": """It claims {"score": 1}. Mine: {'score': 0}""",
    "quoted, then without quotes": 'It claims {"score": 1}. Mine: {score: 0}',
    "quoted, then one key with two values": 'It claims {"score": 1}. Mine: {"score": 0, "score": 1}',
    "broken, then right": '{"reward" 1} Sorry: {"reward": 1}',
    "very many": '{"reward": 1} ' * 150_000,
}


@each_of(("text", "found"), READ.values(), ids=READ)
def test_what_is_certain_is_read(text: str, found: Any) -> None:
    assert json_object(text) == found


@each_of("text", UNREAD.values(), ids=UNREAD)
def test_what_is_not_certain_is_not_read(text: str) -> None:
    assert json_object(text) is None


def test_with_a_key_in_mind_other_objects_are_passed_over() -> None:
    text = 'It called {"order_id": "A1"} once. {"reward": 1}'
    assert json_object(text) is None
    assert json_object(text, having=("reward", "score")) == {"reward": 1}


def test_with_a_key_in_mind_only_a_broken_object_that_may_have_it_makes_the_rest_uncertain() -> None:
    assert json_object('I ran {"tool": ls}. {"winner": "B"}', having=("winner",)) == {"winner": "B"}
    assert json_object("""It says {"winner": "A"}. {'winner': 'B'}""", having=("winner",)) is None


def test_a_broken_object_in_thinking_that_the_prompt_opened_is_no_matter() -> None:
    assert json_object('{"reward": 0,} no</think>{"reward": 1}') == {"reward": 1}


@each_of("odd", [None, 1, 1.5, True, b"{}", [], {}, object()])
def test_what_is_no_text_holds_nothing(odd: Any) -> None:
    assert (json_object(odd), json_array(odd)) == (None, None)


@each_of(
    ("text", "found"),
    [
        ("[]", []),
        ("[1, 2]", [1, 2]),
        ('[{"title": "a"}]', [{"title": "a"}]),
        ('As [1] says:\n```json\n[{"title": "a"}]\n```', [{"title": "a"}]),
        ('[a link](http://x) and ["a", "b"]', ["a", "b"]),
        ('{"criteria": [{"title": "a [1]"}]}', [{"title": "a [1]"}]),
        ('<think>[{"title": "b"}]</think>[{"title": "a"}]', [{"title": "a"}]),
        ('[{"title": "a"}, {"title": "b', None),
        ('[{"title": "a"}] or [{"title": "b"}]', None),
        ('{"a": [1], "b": [2]}', None),
        ('{"title": "a"}', None),
        ("as in [1]", None),
        ('It says ["a"]. Mine: ["b",]', None),
        ("""It says ["a"]. Mine: ['b']""", None),
        ('It says [{"title": "a"}]. Mine: {"criteria": [{"title": "b",}]}', None),
        ('For {order: 5}: [{"title": "a"}]', [{"title": "a"}]),
    ],
)
def test_lists(text: str, found: Any) -> None:
    assert json_array(text) == found


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("A", "A"),
        ("<think>A or B</think> B", "B"),
        ("A or B</think>B", "B"),
        ("B <thinking>A?</thinking>", "B"),
        ("B <think>no end", "B"),
        ("<think>a <think> b</think> c", "c"),
    ],
)
def test_prose_without_thinking(text: str, rest: str) -> None:
    assert without_thinking(text) == rest


@each_of(
    ("text", "fields"),
    [
        ('{"winner": "A", "reason": "cut o', {"winner": "A"}),
        ('Verdict:\n```json\n{"n": 1, "winner": "A"', {"winner": "A"}),
        ('{"parts": {"winner": "B"}, "winner": "A", "n": 0.', {"winner": "A"}),
        ('{"parts": [{"winner": "B"}, ', {}),
        ('{"winner": "A', {}),
        ('{"winner": "A", "winner": "B", "re', {}),
        ('{"reason": "it says "winner": "A" and', {}),
        ('{"reason": "it says \\"winner\\": \\"A\\" and', {}),
        ('{"winner": "A", "reason": he says "winner": "B"', {}),
        ('{"winner": "A"}', {}),
        ('It wrote {"winner": "A", "re', {}),
        ('"winner": "A"', {}),
        ('<think>{"winner": "A", </think>{"winner": "B", ', {"winner": "B"}),
    ],
)
def test_fields_of_an_object_cut_off(text: str, fields: dict[str, str]) -> None:
    assert cut_off_fields(text) == fields


plain = st.text(st.characters(codec="utf-8", exclude_characters='{}[]<>"`'), max_size=20)
leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)
objects = st.dictionaries(st.text(max_size=8), values, min_size=1, max_size=4)


@given(
    objects,
    plain,
    plain,
    st.sampled_from(["{}", "```json\n{}\n```", "<think>{{}}{{}}</think>{}", "x</think>{}", "[{}]"]),
    st.booleans(),
)
def test_an_object_is_found_in_whatever_it_is_wrapped(
    wanted: dict[str, Any], before: str, after: str, wrapping: str, readable: bool
) -> None:
    text = before + wrapping.format(json.dumps(wanted, ensure_ascii=not readable)) + after
    assert json_object(text) == wanted


@given(objects, st.data())
def test_an_object_cut_short_is_never_read(wanted: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(wanted)
    assert json_object(text[: data.draw(st.integers(0, len(text) - 1))]) is None


@given(objects, objects)
def test_of_two_objects_neither_or_their_common_value(one: dict[str, Any], two: dict[str, Any]) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)
    assert json_object(f"{json.dumps(one)} {json.dumps(two)}") == (one if same or not two else None)


scraps = st.lists(
    st.sampled_from(
        [
            "{",
            "}",
            "[",
            "]",
            '"',
            "\\",
            ":",
            ",",
            " ",
            "1",
            '{"a": 1}',
            "<think>",
            "</think>",
            "```",
            "null",
            '\\"',
            "é",
            "\ud800",
        ]
    )
).map("".join)


@given(scraps | st.text())
def test_reading_never_raises(text: str) -> None:
    assert json_object(text) is None or isinstance(json_object(text), dict)
    assert json_array(text) is None or isinstance(json_array(text), list)
    assert isinstance(without_thinking(text), str)
    assert isinstance(cut_off_fields(text), dict)


@each_of(
    "scrap",
    [
        '{"a":',
        "[",
        "{",
        '{"a" x ',
        "<think>",
        "</think>",
        '"',
        '{"\\',
        '{"a":1}',
        "<think></think>",
        '{"a"}',
        "{ ",
        '[{"',
        "[[]",
        "\\",
    ],
)
def test_hostile_text_is_read_in_linear_time(scrap: str) -> None:
    def seconds(copies: int) -> float:
        begun = time.process_time()
        json_object(scrap * copies), json_array(scrap * copies), without_thinking(scrap * copies)
        cut_off_fields(scrap * copies)
        return time.process_time() - begun

    assert seconds(8_000) < 16 * seconds(2_000) + 0.2


def test_a_quoted_list_is_not_the_one_that_is_asked_for() -> None:
    reply = 'For {"items": ["a", {"id": 1}]} I write:\n[{"title": "Polite"}]'
    assert json_array(reply) is None
    assert json_array(reply, having=("title",)) == [{"title": "Polite"}]
    assert json_array('{"items": [a]} [{"title": "Polite"}]', having=("title",)) == [{"title": "Polite"}]
    assert json_array('[{"title": "A"}] [{"title": "B"}]', having=("title",)) is None
    assert json_array('[{"title": "A"', having=("title",)) is None
