"""Calls that hand the rows back refuse what is no list of rows, all with the same words."""

from __future__ import annotations

import pytest

import whileai.simulations as wai
from tables import each_of

STAMPERS = [wai.trace_markers, wai.style_markers, wai.rank_rows, wai.mark_rows, wai.mark_grounding]


@pytest.mark.filterwarnings("ignore:mark_rows is deprecated")
@each_of("stamp", STAMPERS, ids=lambda stamp: stamp.__name__)
@each_of(
    ("rows", "hint"),
    [({"final_text": "Hi"}, "wrap one row in a list"), ("rows.jsonl", "load_rows"), (None, "NoneType"), (5, "int")],
)
def test_what_is_no_list_of_rows_is_refused(stamp, rows, hint):
    with pytest.raises(TypeError, match=f"rows must be an iterable of dicts, got .*{hint}"):
        stamp(rows)


@pytest.mark.filterwarnings("ignore:mark_rows is deprecated")
@pytest.mark.parametrize("stamp", STAMPERS, ids=lambda stamp: stamp.__name__)
def test_a_generator_is_read_once(stamp):
    assert len(stamp({"final_text": text} for text in "ab")) == 2
