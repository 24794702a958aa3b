"""Text that was written to be slow to read is read in time that grows with its length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from growth import outgrows
from tables import each_of
from whileai.simulations.rows.languages import admits_elsewhere, undenied
from whileai.simulations.rows.programs import only_reads
from whileai.simulations.rows.shell import read_script
from whileai.simulations.run.computed import _rows

SHORT, LONG = 5_000, 20_000


def reads(code: str) -> bool:
    return only_reads(read_script(f"python -c '{code}'")[0])


@each_of(
    ("function", "start", "repeated"),
    [
        (admits_elsewhere, "ich finde keine bestellung ", "-"),
        (admits_elsewhere, "ich finde keine bestellung ", "'"),
        (admits_elsewhere, "ich finde keine bestellung ", "a-"),
        (undenied, "لا توجد ", "ا"),
        (undenied, "die zahlung ging ohne ", "a"),
        (undenied, "die zahlung ging ohne ", "ohne "),
        (reads, "", "to_a"),
        (reads, "", "to_"),
        (_rows, "select ", " "),
        (_rows, "", "select "),
    ],
)
def test_cost_grows_with_the_length_of_a_text(function: Callable[[str], Any], start: str, repeated: str) -> None:
    text = start + repeated * LONG
    assert not outgrows(function, text[: len(start) + SHORT], text[: len(start) + LONG])
