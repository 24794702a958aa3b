from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai.simulations.kernels.corrected import Sample, corrected_rate, draw_p_value, task_means


def sample_of(seed: int, tasks: int = 30, k: int = 4, share: float = 0.5) -> Sample:
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(tasks), k)
    gold = rng.random(codes.size) < rng.random(tasks)[codes]
    judge = rng.random(codes.size) < np.where(gold, 0.9, 0.2)
    return Sample(codes, judge, rng.random(codes.size) < share, gold, np.ones(codes.size))


@given(st.integers(0, 10_000))
def test_rate_is_the_mean_over_verdicts_of_what_their_labels_say(seed: int) -> None:
    sample = sample_of(seed)
    expected = sum(
        (sample.judge == verdict).mean() * sample.gold[sample.labelled & (sample.judge == verdict)].mean()
        for verdict in (True, False)
    )
    assert corrected_rate(sample, 0.95).rate == pytest.approx(expected)


@given(st.integers(0, 10_000))
def test_rate_is_that_of_prediction_powered_inference(seed: int) -> None:
    sample = sample_of(seed)
    y, j = sample.gold[sample.labelled].astype(float), sample.judge[sample.labelled].astype(float)
    slope = np.cov(y, j)[0, 1] / j.var(ddof=1)
    if 0 <= slope <= 1:
        expected = slope * sample.judge.mean() + (y - slope * j).mean()
        assert corrected_rate(sample, 0.95).rate == pytest.approx(expected)


def test_with_every_row_labelled_rate_and_error_are_those_of_the_labels() -> None:
    sample = sample_of(3, tasks=200, share=1.1)
    found = corrected_rate(sample, 0.95)
    rates = task_means(sample.tasks, sample.gold.astype(float))
    assert found.rate == pytest.approx(rates.mean())
    half = 1.972 * rates.std(ddof=1) / np.sqrt(200)
    assert found.interval == pytest.approx((rates.mean() - half, rates.mean() + half), abs=0.004)


def test_every_task_counts_alike_whatever_its_rollouts() -> None:
    tasks = np.array([0] * 40 + [1] * 4 + [2] * 4)
    gold = tasks == 0
    judge = np.tile([True, False], 24)
    found = corrected_rate(Sample(tasks, judge, np.ones(48, dtype=bool), gold, np.ones(48)), 0.95)
    assert found.rate == pytest.approx(1 / 3)


def test_a_row_drawn_half_as_often_weighs_twice() -> None:
    tasks, judge = np.repeat(np.arange(20), 4), np.tile([True, True, False, False], 20)
    gold = np.tile([True, False, False, False], 20)
    found = corrected_rate(Sample(tasks, judge, np.ones(80, dtype=bool), gold, np.where(gold, 1.0, 0.5)), 0.95)
    assert found.rate == pytest.approx(0.5 / 3)


@pytest.mark.parametrize("gold", [True, False])
def test_labels_of_one_class_leave_an_interval_of_some_width(gold: bool) -> None:
    sample = sample_of(1)
    found = corrected_rate(sample._replace(gold=np.full(sample.gold.size, gold)), 0.95)
    assert found.rate == gold
    assert 0.05 < found.interval.high - found.interval.low < 0.3


def test_a_judge_without_a_miss_among_few_labels_is_not_taken_for_perfect() -> None:
    sample = sample_of(5, tasks=400, share=0.015)
    truth = sample.judge
    few = corrected_rate(sample._replace(gold=truth), 0.95).interval
    every = corrected_rate(sample._replace(gold=truth, labelled=np.ones(truth.size, dtype=bool)), 0.95).interval
    assert few.high - few.low > 1.1 * (every.high - every.low)


def test_a_judge_worse_than_chance_has_no_weight() -> None:
    sample = sample_of(2)
    assert corrected_rate(sample._replace(judge=~sample.gold), 0.95).judge_weight == 0.0


@given(st.integers(0, 10_000), st.floats(0.15, 1.0))
def test_interval_holds_the_rate_within_zero_and_one(seed: int, share: float) -> None:
    sample = sample_of(seed, share=share)
    found = corrected_rate(sample, 0.95)
    assert 0 <= found.interval.low <= found.rate <= found.interval.high <= 1
    assert found.interval.low < found.interval.high
    assert 0 <= found.judge_weight <= 1


def test_draw_has_no_p_value_where_tasks_have_one_row_or_all_rows_are_labelled() -> None:
    sample = sample_of(0)
    alone = sample._replace(tasks=np.arange(sample.tasks.size))
    assert draw_p_value(alone) is None
    assert draw_p_value(sample._replace(labelled=np.ones(sample.tasks.size, dtype=bool))) in (None, pytest.approx(1))
