from __future__ import annotations

import copy
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from tables import each_of


def pairs_of(n: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {"prompt": f"ask {i}", "chosen": {"final_text": "good", "i": i, "reward": 1}, "rejected": {"final_text": "poor",
         "i": i, "reward": 0}, "chosen_score": 1.0, "rejected_score": 0.0, **more} for i in range(n)
    ]  # fmt: skip


def scripted(first: Any, second: Any) -> Any:
    """A judge that answers `first` when the chosen row is A and `second` when it is B."""

    def judge(a: dict[str, Any], b: dict[str, Any]) -> Any:
        answer = first if a["final_text"] == "good" else second
        if isinstance(answer, Exception):
            raise answer
        return {"winner": answer, "reason": "r"}

    return judge


FAILED = None


@each_of(("first", "second", "winner", "consistent"), [
    ("A", "B", "chosen", True), ("B", "A", "rejected", True), ("tie", "tie", "tie", True),
    ("A", "A", "tie", False), ("B", "B", "tie", False), ("A", "tie", "tie", False), ("tie", "A", "tie", False),
    ("A", FAILED, "chosen", None), (FAILED, "B", "chosen", None), ("B", FAILED, "rejected", None),
    (FAILED, "tie", "tie", None), (FAILED, FAILED, None, None),
])  # fmt: skip
def test_outcomes_of_the_two_orders(first: Any, second: Any, winner: str | None, consistent: bool | None) -> None:
    pairs, _ = wai.judge_pairs(pairs_of(1), scripted(first, second))
    assert (pairs[0]["pairwise"]["winner"], pairs[0]["pairwise"]["position_consistent"]) == (winner, consistent)
    assert pairs[0]["tie"] is (winner == "tie")


def test_without_the_swap_the_one_answer_stands() -> None:
    calls: list[int] = []
    pairs, report = wai.judge_pairs(pairs_of(3), lambda a, b: calls.append(1) or {"winner": "B"}, swap=False)
    assert len(calls) == 3
    assert pairs[0]["pairwise"] == {
        "winner": "rejected", "position_consistent": None, "swapped": False, "reasons": [], "judge": "<lambda>",
    }  # fmt: skip
    assert (report["position_flip_rate"], report["prefers_rejected"]) == (None, 3)


def test_rates_by_hand() -> None:
    """Of five pairs: one flips, one fails, one is a tie both ways, one prefers the rejected side, one agrees."""
    answers = [("A", "A"), (None, None), ("tie", "tie"), ("B", "A"), ("A", "B")]

    def judge(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
        return {"winner": answers[a["i"]][a["final_text"] != "good"]}

    _, report = wai.judge_pairs(pairs_of(5), judge)
    assert {name: report[name] for name in list(report)[:9]} == {
        "n": 5, "n_judged": 4, "failed": 1, "judge": "judge", "swap": True, "position_flip_rate": 0.25,
        "tie_rate": 0.5, "agrees_with_scores": 0.25, "prefers_rejected": 1,
    }  # fmt: skip
    assert ["1/4" in warning for warning in report["warnings"]] == [True, True]


def test_flags_are_inclusive_and_zero_flags_always_warn() -> None:
    flips = scripted("A", "A")
    assert wai.judge_pairs(pairs_of(2), flips, position_flip_flag=1.0)[1]["warnings"] != []
    assert (
        len(
            wai.judge_pairs(pairs_of(2), scripted("A", "B"), position_flip_flag=0, prefers_rejected_flag=0)[1][
                "warnings"
            ]
        )
        == 2
    )
    assert wai.judge_pairs([], flips, position_flip_flag=0, prefers_rejected_flag=0)[1]["warnings"] == []


def test_an_exception_is_a_failed_verdict_with_its_reason_cut() -> None:
    pairs, report = wai.judge_pairs(pairs_of(1), scripted(OSError("z" * 400), "B"))
    assert pairs[0]["pairwise"]["reasons"][0].startswith("OSError: zzz")
    assert len(pairs[0]["pairwise"]["reasons"][0]) == 200
    assert (report["failed"], report["position_flip_rate"]) == (0, None)


def test_an_interrupt_ends_the_call() -> None:
    def judge(a: dict[str, Any], b: dict[str, Any]) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wai.judge_pairs(pairs_of(4), judge)


def test_an_async_judge_is_awaited() -> None:
    async def judge(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
        return {"winner": "A" if a["final_text"] == "good" else "B"}

    assert wai.judge_pairs(pairs_of(3), judge)[1]["agrees_with_scores"] == 1.0


def test_the_rows_of_a_pair_stay_as_they_were_whatever_the_judge_does() -> None:
    def judge(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
        a["final_text"], b["steps"] = "edited", []
        return {"winner": "tie"}

    given_pairs = pairs_of(2)
    held = copy.deepcopy(given_pairs)
    found, _ = wai.judge_pairs(given_pairs, judge)
    assert [{side: pair[side] for side in ("chosen", "rejected")} for pair in found] == [
        {side: pair[side] for side in ("chosen", "rejected")} for pair in held
    ]
    assert found[0] is given_pairs[0]


def test_odd_entries_are_dropped_and_half_pairs_are_named() -> None:
    assert wai.judge_pairs([None, "x", *pairs_of(1)], scripted("A", "B"))[1]["n"] == 1
    with pytest.raises(ValueError, match=r"2 entries hold no row .*first at 1"):
        wai.judge_pairs([*pairs_of(1), {"chosen": {}}, {"chosen": {}, "rejected": "text"}], scripted("A", "B"))


def test_disagreements_are_capped_and_carry_what_a_person_needs() -> None:
    _, report = wai.judge_pairs(pairs_of(5, prompt="p" * 400), scripted("B", "A"), examples=2)
    assert report["prefers_rejected"] == 5
    assert (
        report["disagreements"]
        == [{"prompt": "p" * 160, "chosen_score": 1.0, "rejected_score": 0.0, "reasons": ["r", "r"]}] * 2
    )


def test_a_judge_object_is_named_by_its_class() -> None:
    class Prefers:
        def __call__(self, a: Any, b: Any) -> dict[str, str]:
            return {"winner": "A"}

    assert wai.judge_pairs([], Prefers())[1]["judge"] == "Prefers"


sides = st.sampled_from(["A", "B", "tie", None])


@given(st.lists(st.tuples(sides, sides), max_size=6), st.integers(1, 4))
def test_counts_add_up(answers: list[tuple[Any, Any]], concurrency: int) -> None:
    def judge(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
        return {"winner": answers[a["i"]][a["final_text"] != "good"]}

    pairs, report = wai.judge_pairs(pairs_of(len(answers)), judge, concurrency=concurrency)
    winners = [pair["pairwise"]["winner"] for pair in pairs]
    assert report["n_judged"] + report["failed"] == report["n"] == len(answers)
    assert winners.count("rejected") == report["prefers_rejected"]
    if report["n_judged"]:
        rejected = round(report["prefers_rejected"] / report["n_judged"], 4)
        assert report["tie_rate"] + report["agrees_with_scores"] + rejected == pytest.approx(1, abs=2e-4)


def ends(a: Any, b: Any) -> Any:
    raise SystemExit(3)


def hangs(a: Any, b: Any) -> Any:
    time.sleep(5)


@pytest.mark.parametrize(
    ("judge", "reason"), [(ends, "SystemExit: 3"), (hangs, "TimeoutError: no answer within 0.2 s")]
)
def test_a_call_that_ends_or_hangs_is_a_failed_one(judge: Any, reason: str) -> None:
    entry = {"prompt": "a", "chosen": {"final_text": "x"}, "rejected": {"final_text": "y"}}
    pairs, report = wai.judge_pairs([entry], judge, timeout=0.2)
    assert pairs[0]["pairwise"]["reasons"] == [reason, reason]
    assert report["failed"] == 1
    assert report["warnings"] == [f"the judge gave no verdict on any of 1 pairs: {reason}"]
