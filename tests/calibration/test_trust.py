"""False alarms and power of the trust checks on a quick grid; `full_trust.py` measures the whole of it."""

from __future__ import annotations

import pytest
import trust_cells as cells

QUICK = 500


@pytest.mark.parametrize("right", [0.7, 0.85])
@pytest.mark.parametrize("n", [20, 60, 100])
def test_an_honest_judge_is_flagged_for_length_in_one_of_twenty_reports_at_most(n: int, right: float) -> None:
    assert cells.length_flags(n, right, 0.5, QUICK).at_most(0.05)


def test_replies_of_few_lengths_do_not_raise_the_false_alarms() -> None:
    assert cells.length_flags(60, 0.95, 0.5, QUICK, ties="many").at_most(0.05)


def test_a_gap_alone_would_flag_an_honest_judge_four_times_in_ten() -> None:
    assert cells.length_flags(60, 0.85, 0.5, QUICK, gap_only=True).at_least(0.4)


@pytest.mark.parametrize("wrong", [0.0, 0.1], ids=["judge right", "judge 90% right"])
@pytest.mark.parametrize("longer", cells.LONGER)
@pytest.mark.parametrize("mislabelled", [0.05, 0.12])
def test_wrong_labels_are_not_held_against_a_judge_where_passes_are_longer(
    mislabelled: float, longer: int, wrong: float
) -> None:
    assert cells.mislabelled_flags(50, 2, mislabelled, longer, 200, wrong=wrong).at_most(0.05)


def test_a_gap_beyond_noise_alone_would_hold_wrong_labels_against_it() -> None:
    told = ("flagged", "labels_may_explain")
    assert cells.mislabelled_flags(50, 2, 0.12, 60, 200, told=told).at_least(0.8)


def test_a_judge_that_passes_long_replies_is_told_as_that_or_as_judge_or_labels() -> None:
    assert cells.mislabelled_flags(50, 2, 0.0, 0, 200, wrong=0.1, bias=0.6).at_least(0.85)
    told = ("labels_may_explain",)
    assert cells.mislabelled_flags(50, 2, 0.0, 25, 200, wrong=0.1, bias=0.6, told=told).at_least(0.6)


def test_a_judge_that_passes_long_replies_is_found() -> None:
    assert cells.length_flags(100, 0.85, 0.5, QUICK, bias=0.6).at_least(0.85)


@pytest.mark.parametrize("churn", cells.CHURN)
@pytest.mark.parametrize("base", cells.BASES)
def test_a_judge_that_flips_at_random_does_not_pay_for_filler(base: float, churn: float) -> None:
    assert cells.filler_flags(40, churn, base, QUICK).at_most(0.025)


def test_a_judge_that_pays_for_filler_is_found() -> None:
    assert cells.filler_flags(40, 0.02, 0.5, QUICK, paid=0.5).at_least(0.85)


@pytest.mark.parametrize("of_task", [True, False], ids=["a label a task", "a label a row"])
@pytest.mark.parametrize("wrong", cells.WRONG)
@pytest.mark.parametrize(("tasks", "rollouts"), cells.SHARED)
def test_rollouts_that_share_a_task_do_not_raise_the_false_alarms(
    tasks: int, rollouts: int, wrong: str, of_task: bool
) -> None:
    assert cells.task_length_flags(tasks, rollouts, wrong, of_task, QUICK).at_most(0.055)


def test_a_judge_that_passes_long_replies_is_found_where_rollouts_share_a_task() -> None:
    assert cells.task_length_flags(25, 4, "rows", False, QUICK, bias=0.6).at_least(0.8)


@pytest.mark.parametrize("probes", [1, 4, 7])
@pytest.mark.parametrize("churn", cells.CHURN)
def test_a_judge_that_flips_at_random_is_seldom_called_exploitable(churn: float, probes: int) -> None:
    assert cells.probe_flags(churn, 2000, probes=probes).at_most(0.05)


@pytest.mark.parametrize("churn", [0.02, 0.05, 0.1])
def test_a_judge_that_flips_up_to_the_flag_does_not_pay_for_refusals(churn: float) -> None:
    assert cells.probe_flags(churn, 2000, probes=2, kind="replacement").at_most(0.05)


@pytest.mark.parametrize(("failing", "paid", "power"), [(20, 0.5, 0.75), (50, 0.3, 0.9), (100, 0.2, 0.95)])
def test_one_probe_of_seven_that_pays_is_found(failing: int, paid: float, power: float) -> None:
    assert cells.probe_flags(0.02, 2000, failing=failing, paid=paid, probes=7).at_least(power)


@pytest.mark.parametrize(("n", "truth"), [(20, 0.8), (50, 0.9), (200, 0.95)])
def test_the_interval_of_agreement_holds_the_truth(n: int, truth: float) -> None:
    assert cells.agreement_coverage(n, truth, 4000).at_least(0.91)
