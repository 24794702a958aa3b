"""The kinds a caller gives to tools."""

from __future__ import annotations

import warnings

import pytest

import whileai.simulations as wai
from tables import each_of

ROW = {"steps": [{"tool": "a", "arguments": {"path": "tests/test_a.py"}, "result": "ok"}], "final_text": "Done."}
CALLS = {
    "trace_flags": lambda kinds: wai.trace_flags(ROW, kinds),
    "trace_markers": lambda kinds: wai.trace_markers([dict(ROW)], kinds),
    "trace_flag_report": lambda kinds: wai.trace_flag_report([ROW, ROW], kinds),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_kind_that_looks_misspelled_is_told_once(call):
    with pytest.warns(UserWarning, match=r"a is 'wrte'.*did you mean 'write'\?") as told:
        CALLS[call]({"a": "wrte"})
    assert len(told) == 1


@each_of("call", CALLS)
@each_of("kind", ["write", "none", "other", "", None])
def test_another_value_means_none_of_the_four_without_a_word(call, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert CALLS[call]({"a": kind}) is not None


@pytest.mark.parametrize("call", CALLS)
def test_kinds_that_are_no_mapping_are_refused(call):
    with pytest.raises(TypeError, match="kinds must be"):
        CALLS[call](["a"])
