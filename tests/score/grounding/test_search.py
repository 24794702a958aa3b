from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai.simulations.score.grounding import search
from whileai.simulations.score.grounding.search import places


def standing(text: str, value: str) -> list[int]:
    return [at for at in range(len(text)) if text[at : at + len(value)] == value]


def found(text: str, values: list[str]) -> dict[str, list[int]]:
    at: dict[str, list[int]] = {}
    for value, place in places(text, values):
        at.setdefault(value, []).append(place)
    return at


@given(
    st.text("ab\ud800é", max_size=60), st.lists(st.text("ab\ud800é", min_size=1, max_size=6), max_size=5, unique=True)
)
def test_every_place_of_every_value_is_found_from_left_to_right(text: str, values: list[str]) -> None:
    assert found(text, values) == {value: at for value in values if (at := standing(text, value))}


@pytest.mark.parametrize("length", [1, 2, 15, 16, 17, 31, 32, 33, 64, 127, 128, 129, 300])
def test_a_value_of_any_length_is_found_across_the_edges_of_chunks(
    length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_CHUNK", 7)
    value = "".join(chr(0x4E00 + i) for i in range(length))
    for before in range(9):
        assert found("-" * before + value + "-", [value]) == {value: [before]}
        assert found("-" * before + value[:-1], [value]) == {}


def test_values_with_one_end_are_told_apart() -> None:
    end = "x" * 200
    assert found(f"a{end} b{end}", [f"a{end}", f"b{end}", f"c{end}"]) == {f"a{end}": [0], f"b{end}": [202]}


def test_nothing_is_found_in_nothing() -> None:
    assert (found("", ["a"]), found("abc", []), found("abc", [""])) == ({}, {}, {})
