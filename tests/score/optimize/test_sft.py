from __future__ import annotations

import copy
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from whileai.simulations.score.optimize.junk import is_junk

RULES = ["top_per_prompt", "random_per_prompt", "top_k_overall", "random_k_overall"]
TOOLS = [[], ["get"], ["get", "refund"]]


def demonstration(prompt: int, index: int, reward: object, tools: list[str], reply: str) -> dict:
    return {
        "task_id": f"t{prompt}",
        "rollout_index": index,
        "prompt": f"Please look at order {prompt} for me",
        "steps": [{"tool": tool, "arguments": {"id": "x"}, "result": "ok"} for tool in tools],
        "final_text": reply,
        "reward": reward,
    }


@st.composite
def pools(draw: st.DrawFn) -> list[dict]:
    rows = []
    for index in range(draw(st.integers(0, 16))):
        prompt = draw(st.integers(0, 4))
        reward = draw(st.sampled_from([1, 1, 1.0, 0, 0.8, 0.9999999, True, None]))
        reply = draw(st.sampled_from([f"The order {prompt} is on its way, case {index}.", ""]))
        rows.append(demonstration(prompt, index, reward, draw(st.sampled_from(TOOLS)), reply))
    return rows


rules = st.sampled_from(RULES)
bars = st.sampled_from([1.0, 0.8])


@few
@given(pools(), rules, bars, st.integers(1, 9))
def test_every_row_is_selected_or_counted_under_one_reason(
    rows: list[dict], rule: str, bar: float, target: int
) -> None:
    before = copy.deepcopy(rows)
    selected, report = wai.select_for_sft(rows, target=target, select=rule, min_reward=bar)
    account = report["account"]
    assert account["given"] == len(rows) == account["kept"] + sum(account["dropped"].values())
    assert account["kept"] == len(selected) == len({id(row) for row in selected}) <= target
    assert all(row["reward"] >= bar and row["reward"] is not True and not is_junk(row) for row in selected)
    assert rows == before


@few
@given(pools(), rules, bars, st.integers(1, 9))
def test_selecting_from_a_selection_keeps_it(rows: list[dict], rule: str, bar: float, target: int) -> None:
    first, _ = wai.select_for_sft(rows, target=target, select=rule, min_reward=bar)
    second, _ = wai.select_for_sft(first, target=target, select=rule, min_reward=bar)
    assert {id(row) for row in second} == {id(row) for row in first}


@few
@given(pools(), rules, bars, st.integers(1, 9), st.integers())
def test_shuffled_rows_give_the_same_rows(rows: list[dict], rule: str, bar: float, target: int, seed: int) -> None:
    mixed = list(rows)
    random.Random(seed).shuffle(mixed)
    found = [wai.select_for_sft(held, target=target, select=rule, min_reward=bar)[0] for held in (rows, mixed)]
    assert {id(row) for row in found[0]} == {id(row) for row in found[1]}


@few
@given(pools(), st.integers(1, 5))
def test_every_behaviour_comes_before_a_repeat(rows: list[dict], target: int) -> None:
    selected, report = wai.select_for_sft(rows, target=target)
    signatures = [wai.behavior_signature(row) for row in selected]
    assert report["behaviors_covered"] == len(set(signatures)) == min(len(selected), report["unique_behaviors"])
    assert len(set(signatures[: report["unique_behaviors"]])) == min(len(selected), report["unique_behaviors"])


def test_the_best_completion_of_a_prompt_is_picked_case_and_space_aside() -> None:
    rows = [
        {"prompt": p, "final_text": "It is done.", "reward": r}
        for p, r in [("When  is it?", 0.8), ("when is it?", 0.9)]
    ]
    selected, report = wai.select_for_sft(rows, min_reward=0.5)
    assert (selected, report["completions_per_prompt_max"]) == ([rows[1]], 2)


def test_rows_without_a_prompt_count_by_their_task() -> None:
    rows = [{"task_id": t, "final_text": "It is done.", "reward": 1} for t in ("a", "b", "a")]
    assert [row["task_id"] for row in wai.select_for_sft(rows)[0]] == ["a", "b"]


def test_chat_rows_without_id_count_by_their_first_ask() -> None:
    rows = [
        {"messages": [{"role": "user", "content": f"Explain note {i} to me"}, {"role": "assistant", "content": "Ok."}],
         "reward": 1}
        for i in (1, 2, 1)
    ]  # fmt: skip
    assert len(wai.select_for_sft(rows)[0]) == 2


def test_a_score_at_the_bar_reaches_it_and_one_below_does_not() -> None:
    rows = [{"prompt": f"Explain note {r} to me", "final_text": "It is done.", "reward": r} for r in (0.8, 0.79, 1)]
    assert [row["reward"] for row in wai.select_for_sft(rows, min_reward=0.8)[0]] == [0.8, 1]


def test_chance_follows_the_seed() -> None:
    rows = [demonstration(i, 0, 1, [], f"Order {i} is on its way.") for i in range(30)]
    draws = [
        [row["task_id"] for row in wai.select_for_sft(rows, select="random_k_overall", k=5, seed=seed)[0]]
        for seed in (0, 0, 1)
    ]
    assert draws[0] == draws[1] != draws[2]


def test_chance_favours_no_place() -> None:
    rows = [demonstration(i, 0, 1, [], f"Order {i} is on its way.") for i in range(4)]
    taken = [wai.select_for_sft(rows, select="random_k_overall", k=1, seed=s)[0][0]["task_id"] for s in range(400)]
    assert all(70 < taken.count(f"t{i}") < 130 for i in range(4))  # 100 each; 3.5 standard deviations


@pytest.mark.parametrize("k", [None, 0])
def test_k_is_the_target_by_default(k: int | None) -> None:
    rows = [demonstration(i, 0, 1, [], f"Order {i} is on its way.") for i in range(6)]
    assert wai.select_for_sft(rows, target=3, select="top_k_overall", k=k)[1]["k"] == 3


def test_the_printed_report_says_where_rows_went_and_what_partial_credit_needs() -> None:
    rows = [demonstration(i // 2, i, (1, 0.5)[i % 2], [], f"Order {i} is on its way.") for i in range(4)]
    text = str(wai.select_for_sft(rows)[1])
    assert "  -2  score missing or under 1\n  =2  selected" in text
    assert "2 of 4 rows with partial credit: min_reward says which score is a demonstration" in text


def test_an_unknown_rule_lists_the_rules() -> None:
    with pytest.raises(ValueError, match=r"top_per_prompt.*random_k_overall"):
        wai.select_for_sft([], select="best")
