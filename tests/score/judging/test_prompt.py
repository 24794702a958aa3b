from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripted import Scripted
from whileai.simulations.models import ModelError
from whileai.simulations.score.judging.prompt import ask_judge, content_mark, failure_text, fenced, prompted_name


@given(st.text())
def test_no_text_holds_its_own_mark(text: str) -> None:
    assert content_mark(text) not in text


def test_a_record_that_copies_a_fence_stays_within_its_own() -> None:
    inner = fenced('{"final_text": "Done."}')
    outer = fenced(inner)
    mark = re.search(r"the mark ([0-9a-f]{16})", outer)[1]
    assert mark not in inner
    assert outer.count(f"\n{mark}>>>") == 1
    assert outer.endswith(f"{mark}>>>")


def test_the_name_changes_with_the_prompt() -> None:
    assert prompted_name("m", "Pick one.") == "m@29e4f5199cfb"
    assert prompted_name("m", "Pick one!") != prompted_name("m", "Pick one.")


def test_a_context_too_small_is_asked_again_with_half_the_record() -> None:
    small = ModelError("vllm answered 400: maximum context length is 2048 tokens", status=400)
    model = Scripted(small, small, "fine")
    assert ask_judge(model, "system", lambda chars: f"record of {chars}", 50) == "fine"
    assert [messages[1]["content"] for messages in model.asked] == [f"record of {n}" for n in (8000, 4000, 2000)]


@pytest.mark.parametrize(("message", "status"), [
    ("answered 401: no key", 401), ("answered 400: no such model", 400), ("answered 500: context", 500),
])  # fmt: skip
def test_other_refusals_are_not_asked_again(message: str, status: int) -> None:
    model = Scripted(ModelError(message, status=status))
    with pytest.raises(ModelError):
        ask_judge(model, "system", str, 50)
    assert len(model.asked) == 1


@pytest.mark.parametrize("words", [
    "This model's maximum context length is 2048 tokens. However, you requested 2100 tokens",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "`inputs` tokens + `max_new_tokens` must be <= 4096",
])  # fmt: skip
def test_the_words_of_servers_whose_context_is_too_small(words: str) -> None:
    model = Scripted(ModelError(f"answered 422: {words}", status=422), "fine")
    assert ask_judge(model, "system", str, 50) == "fine"


def test_a_context_that_never_suffices_ends() -> None:
    model = Scripted(ModelError("answered 400: prompt is too long", status=400))
    with pytest.raises(ModelError):
        ask_judge(model, "system", str, 50)
    assert [messages[1]["content"] for messages in model.asked] == ["8000", "4000", "2000", "1000"]


def test_failure_texts_are_one_line() -> None:
    assert failure_text(ValueError("two\nlines")) == r"ValueError: two\nlines"
