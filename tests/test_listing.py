from __future__ import annotations

from whileai.simulations.listing import listed


def test_long_mappings_stand_below_their_key_and_are_cut() -> None:
    shown = listed({"n": 30, "per_task": {f"t{i}": i / 7 for i in range(30)}}).splitlines()
    assert shown[:4] == ["n         30", "per_task", "  t0   0.000", "  t1   0.143"]
    assert shown[-1] == "  ... and 10 more"


def test_lists_of_mappings_are_cut_and_counted() -> None:
    shown = listed({"examples": [{"prompt": "p" * 90, "n": i} for i in range(7)], "none": [], "nothing": {}})
    assert shown.splitlines()[1] == f"  - prompt {'p' * 35}…, n 0"
    assert shown.splitlines()[6:] == ["  ... and 2 more", "none      none", "nothing   none"]


def test_what_is_absent_is_a_dash_and_whole_numbers_stay_whole() -> None:
    assert listed({"a": None, "b": True, "c": 55.0, "d": [("it depends", 3)]}).splitlines() == [
        "a  -", "b  yes", "c  55", "d  it depends (3)",
    ]  # fmt: skip


def test_foreign_text_is_shown_not_obeyed() -> None:
    attack = "a\x1b[2J\n\u202e"
    shown = listed({attack: attack, "m": {attack: attack}, "warnings": [attack]})
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert shown.count("\n") == 2
