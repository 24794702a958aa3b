"""The pass rate behind a judge: its verdicts on all rows, corrected by gold labels on some."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtr

from whileai.simulations.kernels.intervals import Interval, wilson
from whileai.simulations.kernels.quantiles import t_quantile

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_VERDICTS = (False, True)


class Sample(NamedTuple):
    """Judged rows, some of them labelled; every column has shape (rows,).

    `tasks` are codes 0..n-1, each met; `judge` the verdicts; `labelled` where `gold` counts; `chances` how likely a
    row was to be labelled, up to a factor, all equal when that is not known.
    """

    tasks: Ints
    judge: Bools
    labelled: Bools
    gold: Bools
    chances: Floats


class Corrected(NamedTuple):
    """A corrected rate, its interval, and how much of the judge's spread over tasks it uses (0 to 1)."""

    rate: float
    interval: Interval
    judge_weight: float


def corrected_rate(sample: Sample, level: float) -> Corrected:
    """Mean over tasks of the gold pass rate, from verdicts on all rows and labels on some of either verdict.

    Prediction-powered inference (Angelopoulos et al. 2023, arXiv:2301.09633) with the judge's weight tuned on the
    labelled rows (arXiv:2311.01453) and held in [0, 1]. A labelled row weighs 1 / chance (Hajek 1971), scaled so that
    the labelled rows of a verdict weigh what all rows of it do: labels may have been drawn by verdict. The rate is
    then the mix of two, that of the passes and that of the failures of the judge, and its interval puts theirs
    together: each end is as far off as theirs (Wilson 1927), by the root of the sum of squares (MOVER; Zou and Donner
    2008), so that a judge without a miss among few labels is not taken for perfect. What independent labels leave out
    (the judge's spread over tasks, labels of one task that are alike) is added from the variance by task; t with one
    degree of freedom less than labelled tasks throughout.

    >>> tasks, judge = np.repeat(np.arange(20), 4), np.tile([True, True, False, False], 20)
    >>> labelled, gold = np.tile([True, False, True, False], 20), np.arange(80) % 8 < 4
    >>> found = corrected_rate(Sample(tasks, judge, labelled, gold, np.ones(80)), 0.95)
    >>> round(found.rate, 3), [round(end, 3) for end in found.interval]
    (0.5, [0.264, 0.736])
    """
    weights, tasks = _weights(sample), sample.tasks[sample.labelled]
    judge, gold = sample.judge[sample.labelled], sample.gold[sample.labelled].astype(float)
    rate = float(weights @ gold) if 0 < gold.sum() < gold.size else float(gold[0])
    judge_weight = _judge_weight(weights, judge, gold)
    of_task = task_means(sample.tasks, sample.judge.astype(float))
    n, df = of_task.size, np.unique(tasks).size - 1
    by_judge = judge_weight * (of_task - of_task.mean())
    residuals = gold - judge_weight * judge
    of_labels = np.bincount(tasks, weights * (residuals - weights @ residuals), n)
    errors = by_judge + n * math.sqrt((df + 1) / df) * of_labels
    t = t_quantile((1 + level) / 2, df)
    parts = [_verdict_part(weights, tasks, judge == verdict, gold, level, df) for verdict in _VERDICTS]
    independent = sum(part.variance for part in parts)
    beyond = max(float(by_judge @ by_judge), float(errors @ errors) - n * (n - 1) * independent) / (n * (n - 1))
    below, above = (math.hypot(t * math.sqrt(beyond), *(part[end] for part in parts)) for end in (0, 1))
    return Corrected(rate, Interval(max(0.0, rate - below), min(1.0, rate + above)), judge_weight)


_ROUNDING = 1e-12
_LEAST_TASKS = 3  # labelled tasks whose spread says anything


def _weights(sample: Sample) -> Floats:
    """The share of each labelled row in the mean over tasks; within a verdict they add up to its share of all rows."""
    shares = _row_shares(sample.tasks)
    weights: Floats = (shares / sample.chances)[sample.labelled]
    for verdict in _VERDICTS:
        among = sample.judge[sample.labelled] == verdict
        if among.any():
            weights[among] *= float(shares[sample.judge == verdict].sum()) / float(weights[among].sum())
    weights /= weights.sum()
    return weights


def _row_shares(tasks: Ints) -> Floats:
    """What a row counts in a mean over tasks."""
    counts = np.bincount(tasks)
    shares: Floats = 1.0 / (counts[tasks] * counts.size)
    return shares


def task_means(tasks: Ints, values: Floats) -> Floats:
    """The mean of the values of each task.

    >>> task_means(np.array([0, 1, 1]), np.array([1.0, 0.0, 1.0])).tolist()
    [1.0, 0.5]
    """
    means: Floats = np.bincount(tasks, values) / np.bincount(tasks)
    return means


def _judge_weight(weights: Floats, judge: Bools, gold: Floats) -> float:
    """Slope of the label on the verdict, held in [0, 1]."""
    off = judge - weights @ judge
    spread = float(weights @ off**2)
    return min(1.0, max(0.0, float(weights @ (off * (gold - weights @ gold))) / spread)) if spread else 0.0


class _VerdictPart(NamedTuple):
    """How far the labels of one verdict leave the rate open below and above, and their variance when independent."""

    below: float
    above: float
    variance: float


def _verdict_part(weights: Floats, tasks: Ints, among: Bools, gold: Floats, level: float, df: float) -> _VerdictPart:
    """The part of one verdict, from as many labels as equal weights would make of them (Kish 1965).

    Its variance is estimated, hence the t quantile, unless all labels are alike: then they count one a task, since
    nothing shows how much the labels of a task go together.
    """
    of_verdict = weights[among]
    if not of_verdict.size:
        return _VerdictPart(0.0, 0.0, 0.0)
    share = float(of_verdict.sum())
    rows = share**2 / float((of_verdict**2).sum())
    passes = min(1.0, float(of_verdict @ gold[among]) / share)
    alike = passes <= _ROUNDING or passes >= 1 - _ROUNDING
    if alike:
        rows = min(rows, np.unique(tasks[among]).size)
    ends = wilson(passes * rows, rows, level if alike else _level_of_t(level, df))
    return _VerdictPart(
        share * (passes - ends.low), share * (ends.high - passes), share**2 * passes * (1 - passes) / rows
    )


def _level_of_t(level: float, df: float) -> float:
    """The level at which the normal quantile is that of t."""
    return 2 * float(ndtr(t_quantile((1 + level) / 2, df))) - 1


def draw_p_value(sample: Sample) -> float | None:
    """Two-sided p that the labelled rows come from tasks the judge passes more or less often than the others.

    A row is compared by the verdicts on the other rows of its task, within its own verdict, with all rows; the error
    is by labelled task. None when no task with several rows is labelled, or all labelled ones are like all rows.

    >>> tasks, judge = np.repeat(np.arange(40), 4), np.repeat([True, False], 80) ^ (np.arange(160) % 4 == 0)
    >>> of_easy = Sample(tasks, judge, np.arange(160) < 80, judge, np.ones(160))
    >>> draw_p_value(of_easy) < 0.001
    True
    """
    counts = np.bincount(sample.tasks)[sample.tasks]
    several = counts > 1
    if not several[sample.labelled].any():
        return None
    passes = np.bincount(sample.tasks, sample.judge)[sample.tasks]
    others = np.where(several, (passes - sample.judge) / np.maximum(counts - 1, 1), 0.0)
    shares = _row_shares(sample.tasks) * several
    for verdict in _VERDICTS:
        among = sample.judge == verdict
        if total := float(shares[among].sum()):
            others[among] -= float(shares[among] @ others[among]) / total
    off = _weights(sample) * (others * several)[sample.labelled]
    tasks, codes = np.unique(sample.tasks[sample.labelled], return_inverse=True)
    of_task = np.bincount(codes, off)
    spread = math.sqrt(float((of_task**2).sum()))
    if tasks.size < _LEAST_TASKS or spread <= _ROUNDING:
        return None
    return 2 * float(stdtr(tasks.size - 1, -abs(float(of_task.sum())) / spread))
