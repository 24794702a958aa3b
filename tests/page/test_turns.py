"""A rollout as turns."""

from __future__ import annotations

from typing import Any

from whileai.simulations.page.turns import MOST_CHARS, MOST_TURNS, middle_out, turns_of


def said(row: dict[str, Any]) -> list[tuple[str, str]]:
    return [(turn["who"], turn["text"]) for turn in turns_of(row)[0]]


def test_chat_has_its_calls_results_and_words_and_a_failed_call_is_marked() -> None:
    chat = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Refund order 5"},
        {
            "role": "assistant",
            "content": "One moment.",
            "tool_calls": [{"id": "x", "function": {"name": "refund", "arguments": '{"id": 5}'}}],
        },
        {"role": "tool", "tool_call_id": "x", "content": '{"error": "no such order"}'},
        {"role": "assistant", "content": "<think>It failed.</think>There is no order 5."},
    ]
    turns, cut = turns_of({"messages": chat})
    assert [(turn["who"], turn["text"]) for turn in turns] == [
        ("system", "Be brief."),
        ("user", "Refund order 5"),
        ("agent", "One moment."),
        ("call", '{"id": 5}'),
        ("result", '{"error": "no such order"}'),
        ("thought", "It failed."),
        ("agent", "There is no order 5."),
    ]
    assert not cut
    assert (turns[3]["failed"], turns[4]["failed"], turns[3]["id"]) == (True, True, turns[4]["id"])


def test_arguments_that_are_no_json_and_results_of_every_kind_are_text() -> None:
    steps = [
        {"tool": "run", "arguments": "ls -la {", "result": None},
        {"tool": "run", "arguments": {"a": {1, 2}}, "result": 5},
        {"tool": "run", "arguments": {}, "result": ["x" * 60, "y" * 60]},
    ]
    turns = said({"steps": steps})
    assert turns[0] == ("call", "ls -la {")
    assert all(isinstance(text, str) for _, text in turns)
    assert turns[-1] == ("result", f'[\n  "{"x" * 60}",\n  "{"y" * 60}"\n]')


def test_long_texts_are_cut_in_the_middle_and_say_by_how_much() -> None:
    turns, cut = turns_of({"prompt": "Hi", "final_text": "1" * 500_000 + "2" * 500_000})
    text = turns[1]["text"]
    head, note, tail = text.split("\n")
    assert cut
    assert set(head) == {"1"}
    assert set(tail) == {"2"}
    assert note == f"… {1_000_000 - len(head) - len(tail):,} characters left out …"
    assert len(text) <= MOST_CHARS + 60


def test_short_texts_are_whole_beside_a_long_one() -> None:
    steps = [{"text": f"step {number}"} for number in range(50)]
    turns, _ = turns_of({"steps": [*steps, {"tool": "read", "result": "x" * 10**6}], "final_text": "Done."})
    assert [turn["text"] for turn in turns[:50]] == [f"step {number}" for number in range(50)]
    assert sum(len(turn["text"]) for turn in turns) <= MOST_CHARS + 100


def test_of_very_many_turns_the_middle_is_left_out_and_counted() -> None:
    turns, cut = turns_of({"steps": [{"text": f"step {number}"} for number in range(10 * MOST_TURNS)]})
    assert cut
    assert len(turns) == MOST_TURNS + 1
    assert turns[MOST_TURNS // 2] == {"who": "note", "text": f"{9 * MOST_TURNS:,} turns left out"}
    assert (turns[0]["text"], turns[-1]["text"]) == ("step 0", f"step {10 * MOST_TURNS - 1}")


def test_what_is_left_out_and_what_is_shown_add_up() -> None:
    text = "".join(chr(0x4E00 + number) for number in range(1000))
    head, note, tail = middle_out(text, 100).split("\n")
    assert note == f"… {1000 - len(head) - len(tail)} characters left out …"
    assert text.startswith(head)
    assert text.endswith(tail)


def test_the_system_is_heard_before_steps_and_line_ends_are_one_character() -> None:
    row = {
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}],
        "prompt": "Hi",
        "steps": [{"tool": "get", "arguments": {}, "result": "a\r\nb"}],
    }
    assert [(turn["who"], turn["text"]) for turn in turns_of(row)[0]] == [
        ("system", "Be brief."), ("user", "Hi"), ("call", ""), ("result", "a\nb"),
    ]  # fmt: skip
