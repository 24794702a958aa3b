from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai


def graded(**passes: str) -> list[dict]:
    return [{"task_id": t, "reward": int(r)} for t, rewards in passes.items() for r in rewards]


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.text("01", min_size=1, max_size=8)))
def test_groups_are_single_mixed_all_zero_or_all_one(passes: dict) -> None:
    found = wai.group_signal(graded(**passes))
    kinds = found["n_single"] + found["n_mixed"] + found["n_all_zero"] + found["n_all_one"]
    assert kinds == found["n_groups"] == len(passes)
    assert found["n_in_band"] <= found["n_mixed"] == sum(len(set(rewards)) == 2 for rewards in passes.values())


def test_a_reward_a_rounding_away_from_one_brings_no_contrast() -> None:
    rows = [{"task_id": "a", "reward": reward} for reward in (1, 1.0, 0.9999999)]
    found = wai.group_signal(rows)
    assert (found["n_mixed"], found["n_all_one"]) == (0, 1)
    assert "1 of 3 rows with a reward that is 0 or 1 but for rounding" in str(found)
    assert "no mixed group among 1 task" in str(found)


@pytest.mark.parametrize("of", [wai.group_signal, lambda rows: wai.trim_unanimous_groups(rows)[1]])
def test_rows_that_name_no_task_are_said(of: Callable[[list[dict]], object]) -> None:
    rows = [{"task": "a", "reward": 1}, {"task": "b", "reward": 0}]
    assert "all rows have no scenario_id, task_id or prompt and count as one task" in " ".join(str(of(rows)).split())


def test_both_ends_of_the_band_are_inside() -> None:
    assert wai.group_signal(graded(a="1100000000", b="1111111100"))["n_in_band"] == 2


@pytest.mark.parametrize(("lo", "hi"), [(0.8, 0.2), (-0.1, 0.5), (0.2, 1.5)])
def test_what_is_no_band_is_refused(lo: object, hi: object) -> None:
    with pytest.raises(ValueError, match="band"):
        wai.group_signal([], lo, hi)  # type: ignore[arg-type]


def test_rates_are_those_of_pass_at() -> None:
    rows = graded(a="1100", b="1110", c="0000")
    found, rates = wai.group_signal(rows), wai.pass_at(rows)
    assert [found[name] for name in ("k", "pass_at_1", "pass_pow_k", "pass_at_k", "headroom")] == [
        rates.k, rates.pass_at_1, rates.pass_pow_k, rates.pass_at_k, rates.headroom,
    ]  # fmt: skip
