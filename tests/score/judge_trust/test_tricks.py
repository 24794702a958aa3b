"""What each probe does to a row, and which probes a call asks for."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given

from strategies import rows as odd_rows
from whileai.simulations.rows.text import calls, reply
from whileai.simulations.score.judge_trust.tricks import ADDITIVE, PROBES, TRICKS, chosen, content_words

ROW: dict[str, Any] = {
    "prompt": "Cancel  order 5\nplease",
    "final_text": "It is cancelled.",
    "steps": [{"tool": "cancel_order", "arguments": {"id": 5}, "result": "ok"}],
    "messages": [
        {"role": "system", "content": "Verify identity. Always verify identity before billing changes."},
        {"role": "user", "content": "Cancel  order 5\nplease"},
        {"role": "assistant", "content": "One moment."},
        {"role": "assistant", "content": "It is cancelled."},
    ],
}
ADDED = [name for name in TRICKS if TRICKS[name].kind == ADDITIVE]


def played(name: str, row: dict[str, Any] = ROW, rubric: str | None = None) -> dict[str, Any]:
    changed = TRICKS[name].play(row, rubric)
    assert changed is not None
    return changed


@pytest.mark.parametrize("name", ADDED)
def test_an_additive_trick_keeps_the_reply_and_moves_nothing_but_its_two_places(name: str) -> None:
    changed = played(name)
    assert ROW["final_text"] in changed["final_text"]
    assert len(changed["final_text"]) > len(ROW["final_text"]) + 20
    assert changed["messages"][-1] == {"role": "assistant", "content": changed["final_text"]}
    assert changed["messages"][:-1] == ROW["messages"][:-1]
    assert {key: changed[key] for key in ("prompt", "steps")} == {key: ROW[key] for key in ("prompt", "steps")}


@pytest.mark.parametrize(
    ("name", "end", "begin"),
    [
        ("filler", False, True), ("keyword_stuffing", False, True), ("success_claim", False, True),
        ("prompt_echo", True, False), ("sycophancy", True, False), ("injection", False, True),
    ],
)  # fmt: skip
def test_the_reply_stands_first_or_last(name: str, end: bool, begin: bool) -> None:
    text = played(name)["final_text"]
    assert (text.endswith(ROW["final_text"]), text.startswith(ROW["final_text"])) == (end, begin)


def test_what_each_trick_says() -> None:
    assert len(played("filler")["final_text"]) - len(ROW["final_text"]) == pytest.approx(170, abs=10)
    assert played("keyword_stuffing")["final_text"].endswith("covers identity, verify, billing, changes.")
    assert "verified" in played("success_claim")["final_text"]
    assert "tests pass" in played("success_claim")["final_text"]
    assert "Cancel order 5 please" in played("prompt_echo")["final_text"]
    assert "absolutely right" in played("sycophancy")["final_text"]
    assert "sorry" in played("refusal")["final_text"]


def test_the_injection_poses_as_the_end_of_the_record_as_an_order_and_as_a_verdict() -> None:
    text = played("injection")["final_text"]
    for part in ("</record>", "<|im_start|>system", "Ignore", '"reward": 1', '"criteria": {"1": true'):
        assert part in text
    verdict = next(line for line in text.splitlines() if line.startswith("{"))
    assert json.loads(verdict)["reward"] == 1


def test_an_empty_call_is_one_of_the_rows_own_tool_and_leaves_no_word_of_the_reply() -> None:
    changed = played("empty_format")
    assert changed["steps"] == [{"tool": "cancel_order", "arguments": {}, "result": ""}]
    assert changed["final_text"] == changed["messages"][-1]["content"]
    assert "cancelled" not in changed["final_text"]
    (call,) = calls({"final_text": changed["final_text"]})
    assert (call.name, call.arguments) == ("cancel_order", {})


@pytest.mark.parametrize(
    ("row", "tool"),
    [
        ({"tool_trace": [{"tool": "look", "result": 1}]}, "look"),
        ({"tools": [{"type": "function", "function": {"name": "declared"}}]}, "declared"),
        ({"tools": ["plain"], "final_text": "x"}, "plain"),
    ],
)
def test_the_tool_is_the_first_called_else_the_first_declared(row: dict[str, Any], tool: str) -> None:
    changed = played("empty_format", row)
    assert changed["steps"][0]["tool"] == tool
    assert changed.get("tool_trace", []) == []


def test_a_refusal_leaves_neither_reply_nor_steps() -> None:
    changed = played("refusal", {**ROW, "tool_trace": ROW["steps"]})
    assert (changed["steps"], changed["tool_trace"]) == ([], [])
    assert "order" not in changed["final_text"]
    assert reply(changed) == changed["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("keyword_stuffing", {"prompt": "p", "final_text": "x"}),
        ("prompt_echo", {"final_text": "x", "prompt": "  "}),
        ("empty_format", {"final_text": "x"}),
    ],
)
def test_a_trick_that_has_nothing_to_work_with_does_not_apply(name: str, row: dict[str, Any]) -> None:
    assert TRICKS[name].play(row, None) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "The refund amount must be exact. State the refund amount; an exact amount only.",
            ["amount", "exact", "refund", "state"],
        ),
        ("Your reply should answer the assistant: response!", []),
        ("Проверьте личность клиента", ["клиента", "личность", "проверьте"]),
        ("a b c d 12345 12345", []),
    ],
)
def test_words_to_stuff_are_by_count_then_alphabet_without_function_words(text: str, words: list[str]) -> None:
    assert list(content_words(text)) == words


def test_a_rubric_gives_the_words_in_place_of_the_system_message() -> None:
    text = played("keyword_stuffing", rubric="Polite wording")["final_text"]
    assert "polite" in text
    assert "identity" not in text


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("all", list(PROBES)), (["all", "injection"], [*PROBES, "injection"]), ("injection", ["injection"]),
        (["refusal", "filler", "refusal"], ["refusal", "filler"]), ([], []),
    ],
)  # fmt: skip
def test_probes_are_chosen_by_name_in_the_order_asked(asked: Any, names: list[str]) -> None:
    assert chosen(asked) == names


@pytest.mark.parametrize("asked", ["jailbreak", ["filler", "Filler"], [None], 5])
def test_an_unknown_probe_is_refused_with_the_known_ones(asked: Any) -> None:
    with pytest.raises(ValueError, match=r"(?s)filler.*refusal.*injection"):
        chosen(asked)


def test_all_are_the_seven_documented_probes_in_order() -> None:
    assert PROBES == (
        "filler", "keyword_stuffing", "success_claim", "prompt_echo", "sycophancy", "empty_format", "refusal",
    )  # fmt: skip


@given(odd_rows())
def test_every_trick_takes_any_row_and_leaves_it_as_it_was(row: dict[str, Any]) -> None:
    before = copy.deepcopy(row)
    for trick in TRICKS.values():
        changed = trick.play(row, None)
        assert changed is None or isinstance(changed["final_text"], str)
    assert repr(row) == repr(before)
