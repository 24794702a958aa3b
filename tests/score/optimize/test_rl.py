from __future__ import annotations

import copy
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from examples import few
from whileai.simulations.rows.endings import is_truncated
from whileai.simulations.rows.grade import label
from whileai.simulations.score.optimize.junk import is_junk
from whileai.simulations.score.optimize.text import _scanned

RESULTS = ["ok", "not_found", "timeout"]
KINDS = ["plain"] * 6 + ["cut", "leak", "blank", "partial", "rounded", "boolean", "ungraded", "repeat"]


def rollout(task: int, index: int, passed: int, kind: str = "plain") -> dict:
    """One rollout; `kind` is what is odd about it. A repeat is one of the rollout before it."""
    reply = f"Order {task} in case {index} was looked at."
    row = {
        "scenario_id": f"t{task}",
        "rollout_index": index,
        "prompt": f"Please look at order {task} for me",
        "steps": [{"tool": "get", "arguments": {"id": task}, "result": {"status": RESULTS[task % 3]}}, {"text": reply}],
        "final_text": reply,
        "reward": passed,
    }
    odd = {
        "cut": {"finish_reason": "length"},
        "leak": {"privileged": {"reference": "the answer is 42 exactly"}, "final_text": "The answer is 42 exactly."},
        "blank": {"final_text": ""},
        "partial": {"reward": 0.5},
        "rounded": {"reward": 0.9999999},
        "boolean": {"reward": True},
        "ungraded": {"reward": None},
    }
    return {**row, **odd.get(kind, {})}


def batch(passes: list[str], kinds: list[list[str]] | None = None) -> list[dict]:
    rows: list[dict] = []
    for task, rewards in enumerate(passes):
        for index, reward in enumerate(rewards):
            kind = kinds[task][index] if kinds else "plain"
            if kind == "repeat" and index:
                rows.append(copy.deepcopy(rows[-1]))
            else:
                rows.append(rollout(task, index, int(reward), kind))
    return rows


@st.composite
def batches(draw: st.DrawFn) -> list[dict]:
    passes = draw(st.lists(st.text("01", min_size=1, max_size=6), max_size=8))
    kinds = [[draw(st.sampled_from(KINDS)) for _ in rewards] for rewards in passes]
    return batch(passes, kinds)


policies = st.sampled_from(["drop", "keep", "penalize"])
options = st.fixed_dictionaries(
    {"truncated": policies, "order": st.sampled_from(["spread", "middle"]), "enforce_band": st.booleans(),
     "dedupe": st.booleans(), "target": st.integers(1, 40)}
)  # fmt: skip


@few
@given(batches(), options)
def test_every_row_is_selected_or_counted_under_one_reason(rows: list[dict], given_options: dict) -> None:
    prior = [{"scenario_id": f"t{task}", "pass_rate": rate} for task, rate in enumerate((0.05, 0.5, 0.95))]
    for extra in ({}, {"prior": prior}):
        selected, report = wai.select_for_rl(copy.deepcopy(rows), **given_options, **extra)
        account = report["account"]
        assert account["given"] == len(rows) == account["kept"] + sum(account["dropped"].values())
        assert account["kept"] == len(selected) == report["n_selected"] == len({id(row) for row in selected})
        column = [line.split()[0] for line in str(report).splitlines() if line[:3] in ("   ", "  -", "  =")]
        assert column or not rows
        json.dumps(report, allow_nan=False)


@few
@given(batches(), policies, st.integers(1, 30))
def test_a_task_is_taken_whole(rows: list[dict], truncated: str, target: int) -> None:
    selected, _ = wai.select_for_rl(copy.deepcopy(rows), truncated=truncated, target=target)
    clean = [
        row for row in rows
        if not is_junk(row) and row["final_text"] != "The answer is 42 exactly."
        and (label(row) is not None or (truncated == "penalize" and is_truncated(row)))
    ]  # fmt: skip
    usable = [row for row in wai.dedupe_groups(clean)[0] if truncated != "drop" or not is_truncated(row)]
    taken = {row["scenario_id"] for row in selected}
    wanted = [(row["scenario_id"], row["final_text"]) for row in usable if row["scenario_id"] in taken]
    assert sorted((row["scenario_id"], row["final_text"]) for row in selected) == sorted(wanted)


@few
@given(batches(), policies, st.booleans())
def test_selecting_from_a_selection_keeps_it(rows: list[dict], truncated: str, enforce_band: bool) -> None:
    first, _ = wai.select_for_rl(rows, truncated=truncated, enforce_band=enforce_band)
    before = [{k: v for k, v in row.items() if k != "calibration"} for row in first]
    second, report = wai.select_for_rl(first, truncated=truncated, enforce_band=enforce_band)
    assert sum(report["account"]["dropped"].values()) == 0
    key = lambda row: (row["scenario_id"], row["rollout_index"])  # noqa: E731
    again = [{k: v for k, v in row.items() if k != "calibration"} for row in second]
    assert sorted(again, key=key) == sorted(before, key=key)


@few
@given(st.lists(st.sampled_from(["1100", "1000", "1110"]), max_size=9), st.integers(1, 30))
def test_a_target_that_was_reached_is_reached_again_with_the_same_rows(passes: list[str], target: int) -> None:
    first, _ = wai.select_for_rl(batch(passes), target=target)
    second, _ = wai.select_for_rl(first, target=target)
    assert {id(row) for row in second} == {id(row) for row in first}


@few
@given(batches(), policies, st.integers(1, 30), st.integers())
def test_shuffled_rows_give_the_same_tasks_in_the_same_order(
    rows: list[dict], truncated: str, target: int, seed: int
) -> None:
    mixed = copy.deepcopy(rows)
    random.Random(seed).shuffle(mixed)
    found = [
        list(
            dict.fromkeys(row["scenario_id"] for row in wai.select_for_rl(held, truncated=truncated, target=target)[0])
        )
        for held in (rows, mixed)
    ]
    assert found[0] == found[1]


@few
@given(batches(), policies)
def test_only_the_stamp_of_selected_rows_is_written(rows: list[dict], truncated: str) -> None:
    before = copy.deepcopy(rows)
    selected, _ = wai.select_for_rl(rows, truncated=truncated)
    taken = {id(row) for row in selected}
    for row, old in zip(rows, before, strict=True):
        stamp = row.pop("calibration", None)
        assert row == old
        assert (stamp is not None) == (id(row) in taken)


def test_cut_rows_that_are_kept_decide_nothing() -> None:
    rows = batch(["11110", "1100"], [["plain"] * 4 + ["cut"], ["plain", "plain", "plain", "cut"]])
    kept, report = wai.select_for_rl(rows, truncated="keep")
    dropped, _ = wai.select_for_rl(copy.deepcopy(rows), truncated="drop")
    assert {row["scenario_id"] for row in kept} == {row["scenario_id"] for row in dropped} == {"t1"}
    assert (len(kept), len(dropped), report["truncated_selected"]) == (4, 3, 1)
    assert report["account"]["dropped"]["unanimous"] == 5


def test_a_task_of_cut_rows_only_is_gone_as_cut() -> None:
    report = wai.select_for_rl(batch(["10", "10"], [["cut"] * 2, ["plain"] * 2]), truncated="keep")[1]
    assert (report["account"]["dropped"]["truncated"], report["n_selected"]) == (2, 2)


def test_a_task_and_a_reward_are_enough() -> None:
    rows = [
        {"task_id": task, "reward": int(r)}
        for task, rs in {"a": "1100", "b": "1111", "c": "11111000"}.items()
        for r in rs
    ]
    selected, report = wai.select_for_rl(rows)
    assert {row["task_id"] for row in selected} == {"a", "c"}
    assert (report["text_gates"]["applied"], report["duplicates"]["n_dropped"]) == (False, 0)
    assert any("text gates did not run" in line for line in report["hygiene_warnings"])


def test_rows_without_a_task_are_said_once() -> None:
    _, report = wai.select_for_rl([{"task": task, "reward": r} for task in "ab" for r in (1, 0)])
    assert [line for line in report["hygiene_warnings"] if "count as one task" in line] == [
        "all rows have no scenario_id, task_id or prompt and count as one task: give each its task_id"
    ]


def test_scripts_without_latin_ends_stay_whole() -> None:
    reply = "您好，我已经核对了您的订单和退货政策，退款会在三个工作日内到账。" * 8
    rows = [{"task_id": "退款", "prompt": "请退款", "final_text": f"{reply}{i}号。", "reward": i % 2} for i in range(4)]
    assert len(wai.select_for_rl(rows)[0]) == 4


def test_rewards_a_rounding_apart_are_no_contrast() -> None:
    rows = [{"task_id": "a", "reward": reward} for reward in (1, 1, 0.9999999, 1)]
    selected, report = wai.select_for_rl(rows)
    assert (selected, report["unusable_rewards"]["rounding"]) == ([], 1)
    assert report["reward_notes"] == ["1 of 4 rows with a reward that is 0 or 1 but for rounding: write round(reward)"]
    assert report["warning"].startswith("no_mixed_groups")


def test_a_task_that_is_no_text_is_a_task() -> None:
    rows = [{"task_id": 7, "reward": r} for r in (1, 0)]
    assert wai.select_for_rl(rows)[1]["calibration"]["tasks"][0]["task_id"] == "7"


def test_the_prior_is_asked_by_prompt_where_rows_have_no_id() -> None:
    prior = [{"scenario_id": "s", "prompt": "Refund me please", "reward": 1} for _ in range(4)]
    rows = [{"prompt": "Refund me please", "reward": r} for r in (1, 0)]
    selected, report = wai.select_for_rl(rows, prior=prior)
    assert (selected, report["prior"]["rows_dropped"]) == ([], 2)
    assert report["account"]["dropped"]["prior_solved"] == 2


def test_an_empty_prior_leaves_every_task_unknown() -> None:
    report = wai.select_for_rl(batch(["10"]), prior=[])[1]
    assert (report["prior"]["unknown"], report["n_selected"]) == (1, 2)


@pytest.mark.parametrize(
    "wrong", [{"truncated": "ignore"}, {"order": "easy"}, {"text_gates": "on"}, {"lo": 0.9, "hi": 0.1}]
)
def test_an_unknown_choice_is_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match=r"one of|band"):
        wai.select_for_rl([], **wrong)


def test_an_audit_over_the_line_is_a_caution() -> None:
    audit = {"fn_rate": 0.1, "fn_ci95": None, "n_checked": 20, "verifier": "exact"}
    quiet = wai.select_for_rl(batch(["10"]), audit=audit)[1]["hygiene_warnings"]
    loud = wai.select_for_rl(batch(["10"]), audit=audit | {"fn_rate": 0.11})[1]["hygiene_warnings"]
    assert [line for line in loud if line not in quiet] == [
        "the verifier rejects right answers 11% of the time (n=20, over 10%): fix the verifier before training on this"
        " selection"
    ]


def test_odd_rows_are_passed_over() -> None:
    rows = [None, "x", {}, {"reward": float("nan")}, {"steps": "x", "messages": 5, "reward": 1, "prompt": ["a"]}]
    report = wai.select_for_rl(rows)[1]
    assert report["account"]["given"] == 3


def test_an_empty_selection_says_why() -> None:
    prior = [{"scenario_id": "t0", "pass_rate": 1.0}]
    for rows, given_prior, said in (
        (batch(["11"]), None, "nothing selected although 2 of 2 rows had a 0/1 label; dropped: 1 unanimous tasks"),
        (batch(["10"]), prior, "nothing selected; dropped: 2 rows of tasks out of band in the prior round"),
    ):
        report = wai.select_for_rl(rows, prior=given_prior)[1]
        assert any(line.startswith(said) for line in report["hygiene_warnings"])


@pytest.mark.parametrize("cut_first", [True, False])
@pytest.mark.parametrize("truncated", ["drop", "keep", "penalize"])
def test_an_uncut_repeat_stays_before_a_cut_one_in_any_order(cut_first: bool, truncated: str) -> None:
    whole = {"task_id": "a", "final_text": "It ships today.", "reward": 1, "finish_reason": "stop"}
    pair = [{**whole, "finish_reason": "length"}, whole]
    other = {"task_id": "a", "final_text": "I do not know.", "reward": 0}
    selected, report = wai.select_for_rl([*(pair if cut_first else pair[::-1]), other], truncated=truncated)
    assert [row.get("finish_reason") for row in selected] == ["stop", None]
    assert (report["account"]["dropped"]["repeat"], report["truncated_dropped"]) == (1, 0)


def test_repeats_that_disagree_may_differ_in_their_arguments() -> None:
    rows = [{"task_id": "a", "final_text": "Done.", "reward": r} for r in (1, 0)]
    said = " ".join(wai.select_for_rl(rows)[1]["hygiene_warnings"])
    assert "1 disagrees on the reward although the same kinds of calls were made" in said
    assert "compare the arguments" in said


def test_tasks_of_one_rollout_beside_mixed_ones_are_said() -> None:
    rows = [{"task_id": t, "reward": int(r)} for t, p in (("a", "10"), ("b", "1"), ("c", "0")) for r in p]
    said = wai.select_for_rl(rows)[1]["hygiene_warnings"]
    assert any(line.startswith("2 of 3 selected tasks have one rollout") for line in said)
    assert not any("one rollout" in line for line in wai.select_for_rl(rows[:2])[1]["hygiene_warnings"])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"audit": "x"}, "audit must be a dict or None"),
        ({"audit": {"fn_rate": 2}}, "fn_rate must be a share"),
        ({"audit": {"fn_rate": 0.5, "fn_ci95": "ab"}}, "fn_ci95 must be a pair"),
        ({"order": "sprad"}, "did you mean 'spread'"),
        ({"truncated": "DROP"}, "did you mean 'drop'"),
        ({"endorsed": 3}, "endorsed must be a list"),
    ],
)
def test_a_wrong_argument_says_what_is_wanted(wrong: dict, said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        wai.select_for_rl([{"task_id": "a", "reward": 1}], **wrong)


def test_a_scan_with_nothing_endorsed_is_no_clearance() -> None:
    report = {"regime": "train", "endorsed": []}
    assert _scanned(report) == "train (nothing endorsed: it names what pays, and judges nothing)"
    assert _scanned({**report, "endorsed": ["tool:get"]}) == "train"
