"""Columns of a terminal."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from whileai.simulations.reports import fitted
from whileai.simulations.width import columns, cut

TEXTS = ["order", "退款 order", "e\u0301te\u0301", "हिन्दी", "ｗｉｄｅ", "🙂 fine"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("most", [5, 30])
def test_a_fitted_text_fills_its_columns_whatever_its_script(text: str, most: int) -> None:
    assert most - 1 <= columns(fitted(text, most)) <= most


@pytest.mark.parametrize("text", ["order", "退款 order", "e\u0301te\u0301", "ｗｉｄｅ", "🙂 fine"])
def test_columns_are_those_a_terminal_takes(text: str) -> None:
    assert columns(text) == cell_len(text)


def test_marks_heaped_on_one_character_are_cut() -> None:
    assert len(cut("a" + "\u0301" * 10_000, 10)) <= 40
