"""Functions of one row refuse a list of rows, and those of many refuse one."""

from __future__ import annotations

import pytest

import whileai.simulations as wai
from tables import each_of

ROW = {"prompt": "Hi", "final_text": "Hello."}
OF_ONE = (
    "argument_grounding",
    "behavior_signature",
    "conduct_grade",
    "outcome_check",
    "score_row",
    "task_checklist",
    "trace_flags",
    "ungrounded_arguments",
)


@each_of("name", OF_ONE)
@each_of("given", [[ROW], (ROW,), "rows.jsonl", b"x"], ids=repr)
def test_a_function_of_one_row_refuses_rows_by_its_name(name, given):
    with pytest.raises(TypeError, match=f"{name} takes one row, a dict, got {type(given).__name__}"):
        getattr(wai, name)(given)


@pytest.mark.parametrize("name", ["conduct_grade", "score_row", "behavior_signature", "ungrounded_arguments"])
def test_nothing_is_no_row(name):
    with pytest.raises(TypeError, match=f"{name} takes one row, a dict, got None"):
        getattr(wai, name)(None)


def test_a_flag_fires_on_no_row():
    assert wai.trace_flags(None) == {}


@each_of("name", ["grounding_report", "mark_grounding", "trace_markers", "style_report"])
@each_of("given", [ROW, "rows.jsonl", None], ids=repr)
def test_a_function_of_rows_refuses_one_row(name, given):
    with pytest.raises(TypeError, match="rows must be an iterable of dicts"):
        getattr(wai, name)(given)


@pytest.mark.parametrize("name", ["grounding_report", "mark_grounding"])
def test_an_option_that_is_misspelled_is_told_by_the_function(name):
    with pytest.raises(TypeError, match=rf"{name}\(\).*'ignore_key': did you mean ignore_keys\?"):
        getattr(wai, name)([ROW], ignore_key=["a"])
    with pytest.raises(TypeError, match="it takes ignore_keys, allow, min_len"):
        getattr(wai, name)([ROW], nope=1)
