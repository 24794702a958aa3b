"""A decontamination says where its counts are doubtful."""

from __future__ import annotations

import pytest

import whileai.simulations as wai

EVAL = [{"prompt": "Cancel order 9911.", "task_id": "t1"}]


def warned(train, against, **options):
    return [note for note in wai.decontaminate(train, against, **options)[1]["notes"] if note.startswith("! ")]


def numbered(*asks):
    return [{"task_id": number, "prompt": ask} for number, ask in enumerate(asks)]


@pytest.mark.parametrize("against", [[], [[]], [[], []]], ids=str)
def test_no_evaluation_rows_are_no_clearance(against):
    (note,) = warned([{"prompt": "a"}], against)
    assert "no rows" in note


def test_one_source_without_rows_is_named():
    assert warned([{"prompt": "a"}], [EVAL, []]) == ["! no rows in source 1: nothing was compared with it"]


@pytest.mark.parametrize(
    ("field", "hint"),
    [("promt", ": did you mean 'prompt'?"), ("finaltext", ": did you mean 'final_text'?"), ("xyz", ""), ("notes", "")],
)
def test_a_field_without_text_in_any_row_is_said(field, hint):
    (note,) = warned([{"prompt": "a", "notes": ""}] * 3, EVAL, fields=["prompt", field])
    assert note == f"! no row has text under {field!r}, so nothing was compared there{hint}"


def test_a_field_that_some_rows_have_is_compared():
    assert warned([{"prompt": "a"}, {"note": "b"}], EVAL, fields=["note"]) == []
    assert warned([], EVAL, fields=["promt"]) == []


def test_row_numbers_as_ids_are_doubted_when_the_texts_differ():
    train, held_out = (
        numbered("Track parcel 5.", "Refund me.", "Same."),
        numbered("Fly to Rome.", "Cancel it.", "same."),
    )
    (note,) = warned(train, [held_out])
    assert "2 of 3 rows dropped as the same task had nothing in common but a number" in note


@pytest.mark.parametrize(
    ("train", "held_out"),
    [
        (numbered("Track parcel 5.", "Refund me."), numbered("track  parcel 5.", "Refund me.")),
        ([{"task_id": "refund-1", "prompt": "a"}], [{"task_id": "refund-1", "prompt": "b"}]),
        ([*numbered("a"), {"task_id": "x", "prompt": "c"}], [*numbered("b"), {"task_id": "x", "prompt": "d"}]),
        (numbered(""), numbered("b")),
    ],
    ids=["same texts", "names", "some names", "no text"],
)
def test_ids_that_are_tasks_are_not_doubted(train, held_out):
    assert warned(train, [held_out]) == []


@pytest.mark.parametrize("rows", [{"prompt": "a"}, "train.jsonl", None, 5], ids=repr)
def test_what_is_no_list_of_rows_is_a_type_error(rows):
    with pytest.raises(TypeError, match="rows must be"):
        wai.decontaminate(rows, EVAL)


@pytest.mark.parametrize("fields", [5, None, [5]], ids=repr)
def test_fields_are_names(fields):
    with pytest.raises(TypeError, match="fields must be a list of"):
        wai.decontaminate([{"prompt": "a"}], EVAL, fields=fields)
