from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whileai.simulations.kernels.corrected import Sample, corrected_rate, draw_p_value, task_means
from whileai.simulations.kernels.intervals import wilson


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


@given(st.integers(0, 10_000))
def test_judge_weighs_by_how_much_more_often_it_is_right_to_pass(seed: int) -> None:
    sample = sample_of(seed)
    passes, fails = (sample.gold[sample.labelled & (sample.judge == verdict)].mean() for verdict in (True, False))
    assert corrected_rate(sample, 0.95).judge_weight == pytest.approx(min(1, max(0, passes - fails)))


def test_judge_that_passes_all_is_of_no_use() -> None:
    n, gold = 20, np.arange(20) < 6
    every = np.ones(n, dtype=bool)
    found = corrected_rate(Sample(np.arange(n), every, every, gold, np.ones(n)), 0.95)
    assert (found.rate, found.judge_weight) == (pytest.approx(0.3), 0.0)
    t = stats.t.ppf(0.975, n - 1)
    beyond = t**2 * 0.21 * (2 * n - 1) / (n * (n - 1) ** 2)  # by task, less what independent labels explain
    ends = wilson(6, n, 2 * stats.norm.cdf(t) - 1)
    assert found.interval == pytest.approx(
        (0.3 - np.sqrt(beyond + (0.3 - ends.low) ** 2), 0.3 + np.sqrt(beyond + (ends.high - 0.3) ** 2))
    )


def test_labels_of_a_verdict_that_are_all_alike_count_one_a_task() -> None:
    tasks, judge, every = np.repeat(np.arange(12), 4), np.tile([True, True, False, False], 12), np.ones(48, dtype=bool)
    found = corrected_rate(Sample(tasks, judge, every, judge, np.ones(48)), 0.95)
    assert found.judge_weight == pytest.approx(1)
    assert found.interval == pytest.approx((0.5 * wilson(12, 12, 0.95).low, 0.5 + 0.5 * wilson(0, 12, 0.95).high))


def test_tasks_that_differ_open_the_interval_up_to_one() -> None:
    tasks, every = np.repeat(np.arange(10), 10), np.ones(100, dtype=bool)
    assert corrected_rate(Sample(tasks, every, every, tasks > 0, np.ones(100)), 0.95).interval.high == 1.0


def test_one_pass_is_counted_and_labels_of_one_verdict_stand_for_all() -> None:
    sample = sample_of(0)
    gold = np.arange(sample.gold.size) == np.flatnonzero(sample.labelled & sample.judge)[0]
    passed = sample.labelled & sample.judge
    one = corrected_rate(sample._replace(gold=gold), 0.95)
    assert one.rate == pytest.approx(sample.judge.mean() / passed.sum())
    found = corrected_rate(sample._replace(labelled=passed), 0.95)
    assert found.rate == pytest.approx(sample.gold[passed].mean())


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
    assert 0 <= found.interval.low <= found.rate <= found.interval.high <= 1


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


def p_by_loops(sample: Sample) -> float:
    """Each labelled row by the verdicts on the other rows of its task, within its verdict, summed by task."""
    n_tasks, rows = len(set(sample.tasks.tolist())), range(sample.tasks.size)
    task, judge = sample.tasks.tolist(), sample.judge.tolist()
    mates = {i: [j for j in rows if task[j] == task[i] and j != i] for i in rows}
    share = {i: 1 / ((len(mates[i]) + 1) * n_tasks) for i in rows}
    others = {i: sum(judge[j] for j in mates[i]) / len(mates[i]) for i in rows if mates[i]}
    sums: dict[int, float] = {}
    for verdict in (True, False):
        own = [i for i in rows if judge[i] == verdict]
        several = [i for i in own if mates[i]]
        mean = sum(share[i] * others[i] for i in several) / sum(share[i] for i in several)
        labelled = [i for i in own if sample.labelled[i]]
        scale = sum(share[i] for i in own) / sum(share[i] for i in labelled)
        for i in labelled:
            sums[task[i]] = sums.get(task[i], 0.0) + (scale * share[i] * (others[i] - mean) if mates[i] else 0.0)
    spread = np.sqrt(sum(value**2 for value in sums.values()))
    return float(2 * stats.t.sf(abs(sum(sums.values())) / spread, len(sums) - 1))


@pytest.mark.parametrize("seed", range(4))
def test_p_value_of_the_draw_is_that_of_a_loop_over_the_rows(seed: int) -> None:
    sample = sample_of(seed, tasks=12)
    kept = np.sort(np.concatenate([np.arange(0, 48, 4), np.flatnonzero(np.random.default_rng(seed).random(48) < 0.3)]))
    kept = np.unique(kept)
    some = Sample(*(column[kept] for column in sample))
    assert draw_p_value(some) == pytest.approx(p_by_loops(some))


def test_draw_needs_labels_in_three_tasks() -> None:
    sample = sample_of(0, tasks=12)
    for tasks in (2, 3):
        labelled = np.isin(sample.tasks, np.arange(tasks))
        assert (draw_p_value(sample._replace(labelled=labelled)) is None) == (tasks == 2)
