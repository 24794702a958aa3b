"""The pass rate behind a judge: its verdicts on all rows, corrected by gold labels on some."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtr

from whileai.simulations.kernels.intervals import Interval, clopper_pearson
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
    the labelled rows of a verdict weigh what all rows of it do: labels may have been drawn by verdict. The error is
    by task; each verdict's residual variance has two more observations of 0/1 variance in it, so that a judge without
    a miss among few labels is not taken for perfect. Logit scale; t with Satterthwaite's (1946) degrees of freedom of
    the judge's and the verdicts' parts, less than the labelled tasks.

    >>> tasks, judge = np.repeat(np.arange(20), 4), np.tile([True, True, False, False], 20)
    >>> labelled, gold = np.tile([True, False, True, False], 20), np.arange(80) % 8 < 4
    >>> found = corrected_rate(Sample(tasks, judge, labelled, gold, np.ones(80)), 0.95)
    >>> round(found.rate, 3), [round(end, 3) for end in found.interval]
    (0.5, [0.272, 0.728])
    """
    weights, tasks = _weights(sample), sample.tasks[sample.labelled]
    judge, gold = sample.judge[sample.labelled], sample.gold[sample.labelled].astype(float)
    rate = float(weights @ gold)
    n_gold_tasks = np.unique(tasks).size
    if rate <= _ROUNDING or rate >= 1 - _ROUNDING:
        rows = min(n_gold_tasks, 1 / float((weights**2).sum()))
        return Corrected(round(rate), clopper_pearson(round(rate) * rows, rows, level), 0.0)
    judge_weight = _judge_weight(weights, judge, gold)
    of_task = task_means(sample.tasks, sample.judge.astype(float))
    n = of_task.size
    by_judge = judge_weight * (of_task - of_task.mean())
    residuals = gold - judge_weight * judge
    errors = by_judge + n * np.bincount(tasks, weights * (residuals - weights @ residuals), n)
    verdicts = [part for verdict in _VERDICTS if (part := _verdict_part(weights, judge == verdict, gold))]
    variance = float(errors @ errors) / (n * (n - 1)) + sum(part.unseen for part in verdicts)
    parts = [
        (float(by_judge @ by_judge) / (n * (n - 1)), n - 1.0),
        *((part.variance, part.rows - 1) for part in verdicts),
    ]
    df = min(_joint_df(parts), n_gold_tasks - 1)
    half = t_quantile((1 + level) / 2, df) * math.sqrt(variance) / (rate * (1 - rate))
    return Corrected(rate, Interval(float(expit(logit(rate) - half)), float(expit(logit(rate) + half))), judge_weight)


_ROUNDING = 1e-12
_LEAST_TASKS = 3  # labelled tasks whose spread says anything
_UNSEEN_LABELS = 2  # labels of 0/1 variance added to those of a verdict; measured, tests/calibration
_LEAST_LABELS = 2  # labels of a verdict that have a variance


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
    """What the labels of one verdict add to the variance: in all, and for a miss not seen yet; from how many rows."""

    variance: float
    unseen: float
    rows: float


def _verdict_part(weights: Floats, among: Bools, gold: Floats) -> _VerdictPart | None:
    """The part of one verdict, with two more labels of 0/1 variance; None without two labels of it (Kish 1965)."""
    of_verdict = weights[among]
    if of_verdict.size < _LEAST_LABELS:
        return None
    share = float(of_verdict.sum())
    rows = share**2 / float((of_verdict**2).sum())
    passes = float(of_verdict @ gold[among]) / share
    shrunk = (passes * rows + 1) / (rows + 2)
    unseen = _UNSEEN_LABELS * share**2 * shrunk * (1 - shrunk) / rows**2
    return _VerdictPart(share**2 * passes * (1 - passes) / rows + unseen, unseen, rows)


def _joint_df(parts: list[tuple[float, float]]) -> float:
    """Degrees of freedom of a sum of `(variance, df)` parts (Satterthwaite 1946), at least 1."""
    below = sum(variance**2 / max(df, 1.0) for variance, df in parts)
    return max(1.0, sum(variance for variance, _ in parts) ** 2 / below)


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
