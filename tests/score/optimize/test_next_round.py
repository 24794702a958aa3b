from __future__ import annotations

import copy
import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from whileai.simulations.rows.table import RowTable, Tasks
from whileai.simulations.score.optimize.next_round import Plan


def graded(**passes: str) -> list[dict]:
    return [{"task_id": t, "prompt": f"ask {t}", "reward": int(r)} for t, rewards in passes.items() for r in rewards]


@given(st.dictionaries(st.sampled_from("abcdef"), st.text("01", min_size=1, max_size=8), min_size=1), st.data())
def test_candidates_are_kept_solved_unsolved_or_unknown(passes: dict, data: st.DataObject) -> None:
    prior = graded(**passes)
    before = copy.deepcopy(prior)
    tasks = data.draw(st.none() | st.lists(st.sampled_from("abcdefxyz").map(lambda t: {"task_id": t}), unique_by=str))
    plan = wai.next_round(prior, tasks)
    n = len(passes) if tasks is None else len(tasks)
    assert plan["kept"] + plan["dropped_solved"] + plan["dropped_unsolved"] + plan["unknown"] == n
    assert len(plan["tasks"]) == plan["kept"] + plan["unknown"]
    assert prior == before


def test_the_stamps_of_a_plan_are_a_prior_by_themselves() -> None:
    first = wai.next_round(graded(a="1100", b="1111", c="1000"))
    second = wai.next_round([{k: v for k, v in task.items() if k != "reward"} for task in first["tasks"]])
    assert second["prompt_set_sha"] == first["prompt_set_sha"]
    assert second["tasks"][0]["calibration"] == first["tasks"][0]["calibration"]


def test_the_set_is_named_by_its_keys_sorted() -> None:
    plan = wai.next_round(graded(b="10", a="10"))
    assert plan["prompt_set_sha"] == hashlib.sha256(b"a\nb").hexdigest()[:16]
    assert wai.next_round([])["prompt_set_sha"] == hashlib.sha256(b"").hexdigest()[:16]


def test_a_prompt_names_the_task_that_carries_it() -> None:
    plan = wai.next_round(graded(a="1111", b="10"), ["ask a", {"prompt": "ask b"}, "ask z", "ask z"])
    assert (plan["dropped_solved"], plan["kept"], plan["unknown"]) == (1, 1, 1)
    assert [task.get("task_id") for task in plan["tasks"]] == ["b", None]


def test_an_id_the_prior_does_not_know_is_unknown_whatever_its_prompt() -> None:
    plan = wai.next_round(graded(a="1111"), [{"task_id": "new", "prompt": "ask a"}])
    assert plan["unknown"] == 1


def test_membership_is_decided_on_the_rate_not_its_rounding() -> None:
    plan = wai.next_round(graded(a="100", b="110"), lo=1 / 3, hi=2 / 3)
    assert (plan["kept"], plan["pass_rates"]) == (2, {"a": 0.3333, "b": 0.6667})


def test_the_policies_of_the_prior_are_named() -> None:
    prior = [{"task_id": "a", "reward": 1, "policy_version": v} for v in ("s2", "s1", None, 7, "s2")]
    assert wai.next_round(prior)["from_policy"] == ["7", "s1", "s2"]


def test_a_prior_without_any_rate_is_said_and_keeps_all() -> None:
    with pytest.warns(UserWarning, match="none of 2 rows has a 0/1 reward or a pass_rate"):
        plan = wai.next_round([{"task_id": "a", "reward": 0.5}, {"task_id": "b"}])
    assert (plan["unknown"], plan["pass_rates"]) == (2, {})


def test_rewards_that_do_not_vote_are_said() -> None:
    prior = [{"task_id": "a", "reward": r} for r in (1, 0.5, 0.5)]
    with pytest.warns(UserWarning, match="prior: 2 of 3 rows with partial credit: it does not vote"):
        assert wai.next_round(prior)["dropped_solved"] == 1
    with pytest.warns(UserWarning, match=r"every task is unknown and kept: 1 of 1 row with a boolean.*int\(reward\)"):
        wai.next_round([{"task_id": "a", "reward": True}])


def test_rows_without_a_task_are_said() -> None:
    with pytest.warns(UserWarning, match="all rows have no scenario_id.*count as one task: rename 'task' to 'task_id'"):
        wai.next_round([{"task": "a", "reward": 1}, {"task": "b", "reward": 0}])


@pytest.mark.parametrize(("lo", "hi"), [(0.5, 0.5), (0.6, 0.5), (-1, 0.5)])
def test_the_band_runs_upwards(lo: float, hi: float) -> None:
    with pytest.raises(ValueError, match="band"):
        wai.next_round([], lo=lo, hi=hi)


def test_the_printed_table_adds_up() -> None:
    text = str(wai.next_round(graded(a="1111", b="10", c="0000", d="11111"), ["ask a", "ask b", "ask c", "ask d", "x"]))
    assert text.splitlines() == [
        "next round: 2 of 5 tasks, band 0.2..0.8",
        "   5  tasks given",
        "  -2  solved: passes above 80%",
        "  -1  unsolved: passes below 20%",
        "  =2  kept, 1 measured, 1 unknown",
    ]


def test_one_prompt_is_no_list_of_prompts() -> None:
    with pytest.raises(TypeError, match="wrap it in a list"):
        wai.next_round([], "ask a")


def test_many_candidates_cost_what_few_do_each() -> None:
    prior = graded(**{f"t{i}": "10" for i in range(4000)})
    counted = Counter()

    class Names(Tasks):
        @property
        def names(self) -> list[str]:
            counted["names"] += 1
            return super().names

    plan = Plan(prior, 0.2, 0.8)
    plan.table = RowTable(prior, Names())
    assert len(list(plan.outcomes(prior))) == 4000
    assert counted["names"] == 0
