from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from strategies import json_values, messages, steps, texts
from whileai.simulations.score.hygiene.dedupe import said_of

LOOKED_UP = {"tool": "lookup_order", "arguments": {"order_id": "4471"}, "result": {"status": "ok"}}


def row(text: str = "Done.", prompt: str = "Where is order 4471?", **more: Any) -> dict[str, Any]:
    return {"prompt": prompt, "final_text": text, "steps": [LOOKED_UP], **more}


@pytest.mark.parametrize(
    "repeat",
    [
        row("Fertig, Straße 5."),
        row("  fertig,\n STRASSE  5."),
        row("Fertig, Straße\u00a05."),
        row("Fertig, Straße ５."),
    ],
)
def test_case_white_space_and_unicode_form_tell_no_two_replies_apart(repeat: dict) -> None:
    kept, report = wai.dedupe_groups([row("Fertig, Straße 5."), repeat])
    assert (len(kept), report["n_dropped"]) == (1, 1)


def test_composed_and_combining_accents_are_one_reply() -> None:
    assert len(wai.dedupe_groups([row("Où est-il né ?"), row("Ou\u0300 est-il ne\u0301 ?")])[0]) == 1


@pytest.mark.parametrize(
    "other",
    [
        row("Not done."),
        row(prompt="Cancel order 4471."),
        row(steps=[]),
        row(steps=[LOOKED_UP, LOOKED_UP]),
        row(steps=[{**LOOKED_UP, "tool": "search_kb"}]),
        row(steps=[{**LOOKED_UP, "result": {"status": "not_found"}}]),
        row(steps=[{**LOOKED_UP, "arguments": {"order_id": "9999"}}]),
    ],
)
def test_another_trajectory_stays(other: dict) -> None:
    kept, report = wai.dedupe_groups([row(), other])
    assert (len(kept), report["n_dropped"]) == (2, 0)


def test_a_row_that_holds_no_reply_and_no_call_repeats_nothing() -> None:
    rows = [{"task_id": "a", "reward": r} for r in (1, 0)]
    assert wai.dedupe_groups(rows)[1]["n_dropped"] == 0
    for shown in ({"final_text": ""}, {"steps": [{"text": "One moment."}]}, {"steps": [LOOKED_UP]}):
        assert wai.dedupe_groups([*rows, {"task_id": "a", **shown}, {"task_id": "a", **shown}])[1]["n_dropped"] == 1


def test_the_first_of_each_stays_in_order_as_the_same_object() -> None:
    rows = [row("b"), row("a"), row("B"), row("c"), row("A")]
    kept, _ = wai.dedupe_groups(rows)
    assert [id(one) for one in kept] == [id(rows[0]), id(rows[1]), id(rows[3])]


def test_a_row_listed_twice_is_a_repeat_of_itself() -> None:
    once = row()
    assert wai.dedupe_groups([once, once])[1]["n_dropped"] == 1


def test_each_repeat_is_compared_with_the_one_kept() -> None:
    rewards = [1, 0, 1, "0", 0.5, None]
    rows = [row(reward=reward) for reward in rewards] + [row("x", reward=None), row("x", reward=1)]
    _, report = wai.dedupe_groups(rows)
    assert report == {
        "n": 8,
        "n_kept": 2,
        "n_dropped": 6,
        "groups_affected": 1,
        "duplicate_rate": 0.75,
        "conflicting_rewards": 2,
    }


def test_the_reply_of_a_row_without_final_text_is_its_last_agent_turn() -> None:
    rows = [
        {"prompt": "a", "messages": [{"role": "assistant", "content": said}]} for said in ("Yes.", "No.", "yes.")
    ]  # fmt: skip
    assert len(wai.dedupe_groups(rows)[0]) == 2


def test_no_rows_and_no_row() -> None:
    kept, report = wai.dedupe_groups([])
    assert (kept, report["duplicate_rate"]) == ([], 0.0)
    assert wai.dedupe_groups(["text", None, 3])[1]["n"] == 0
    with pytest.raises(TypeError, match="rows must be an iterable of dicts"):
        wai.dedupe_groups("rows.jsonl")


columns = {
    "messages": st.lists(messages, max_size=3) | json_values, "final_text": texts | json_values, "task_id": texts,
    "steps": st.lists(steps, max_size=2), "reward": json_values,
}  # fmt: skip


@given(st.lists(st.fixed_dictionaries({}, optional=columns) | json_values, max_size=5))
def test_odd_rows_are_counted_and_left_as_they_were(rows: list) -> None:
    held = copy.deepcopy(rows)
    kept, report = wai.dedupe_groups([*rows, *rows])
    assert repr(rows) == repr(held)
    assert report["n"] == 2 * sum(isinstance(one, dict) for one in rows)
    shown = [row for row in kept if said_of(row) is not None]
    assert report["n_kept"] == len(kept) <= report["n"] - len(shown)
    assert list(map(id, wai.dedupe_groups(kept)[0])) == list(map(id, kept))
