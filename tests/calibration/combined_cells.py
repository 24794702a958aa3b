"""Runs that drift, seeds that differ and many markers at once: what the combined and the adjusted tests say of them."""

from __future__ import annotations

import math

import numpy as np
from compare_cells import Share
from numpy.typing import NDArray

from whileai.simulations.kernels.combined import combined_test, floor_extra, seeds_extra
from whileai.simulations.kernels.families import holm, step_down_p
from whileai.simulations.kernels.rollout_noise import rollout_variance
from whileai.simulations.kernels.signflip import paired_test

LEVEL, K = 0.95, 4
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def _evaluated(p: Floats, drift: float, gain: float, rng: np.random.Generator) -> Ints:
    """Passes of K rollouts a task in one evaluation, whose difficulty as a whole drifts."""
    return rng.binomial(K, np.clip(p + gain + rng.normal(0, drift), 0, 1))


def floor(what: str, tasks: int, drift: float, runs: int, gain: float = 0.0, reruns: int = 3) -> Share:
    """Verdicts of the test that combines the tasks with a floor measured from `reruns` re-runs."""
    rng = np.random.default_rng([tasks, int(drift * 1000), runs, int(gain * 100)])
    size, hits = np.full(tasks, K), 0
    for _ in range(runs):
        p = rng.beta(3, 2, tasks)
        again = [_evaluated(p, drift, 0.0, rng).mean() / K for _ in range(reruns)]
        before, after = _evaluated(p, drift, 0.0, rng), _evaluated(p, drift, gain, rng)
        explained = sum((rollout_variance(size, side) or 0.0) / 2 for side in (before, after))
        extra = floor_extra(float(np.std(again, ddof=1)), explained, 1, 1, reruns - 1)
        found = combined_test((after - before) / K, extra, LEVEL)
        hits += found is not None and found.p_value <= 1 - LEVEL
    return Share(what, hits / runs, runs)


def seeds(what: str, tasks: int, n_seeds: int, arms: int, sd: float, runs: int, gain: float = 0.0) -> Share:
    """Verdicts of the test over training seeds, whose models differ by `sd`; one trained arm or both."""
    rng = np.random.default_rng([tasks, n_seeds, arms, int(sd * 1000), runs, int(gain * 100)])
    hits = 0
    for _ in range(runs):
        p = rng.beta(3, 2, tasks)
        before = np.stack(
            [_evaluated(p, sd if arms == 2 else 0.0, 0.0, rng) for _ in range(n_seeds if arms == 2 else 1)]
        )
        after = np.stack([_evaluated(p, sd, gain, rng) for _ in range(n_seeds)])
        trained = [after / K] if arms == 1 else [before / K, after / K]
        found = combined_test((after.mean(axis=0) - before.mean(axis=0)) / K, seeds_extra(trained), LEVEL)
        hits += found is not None and found.p_value <= 1 - LEVEL
    return Share(what, hits / runs, runs)


def family(
    correlation: float, runs: int, real: int = 0, effect: float = 0.0, tasks: int = 30, m: int = 10
) -> dict[str, Share]:
    """Any false flag among `m` correlated metrics, and the share of the `real` effects found, by method."""
    rng = np.random.default_rng([int(correlation * 10), runs, real])
    shared, own = math.sqrt(correlation), math.sqrt(1 - correlation)
    false = dict.fromkeys(("unadjusted", "Holm", "max statistic"), 0)
    power = dict.fromkeys(false, 0)
    shift = np.where(np.arange(m) < real, effect, 0.0)
    for run in range(runs):
        d = np.round(shared * rng.normal(size=(tasks, 1)) + own * rng.normal(size=(tasks, m)) + shift, 2)
        raw = np.array([_p(column) for column in d.T])
        for name, p in (("unadjusted", raw), ("Holm", holm(raw)), ("max statistic", step_down_p(d, 1000, run))):
            flagged = p <= 0.05
            false[name] += bool(flagged[real:].any())
            power[name] += int(flagged[:real].sum())
    if real:
        return {name: Share(name, hits / (runs * real), runs * real) for name, hits in power.items()}
    return {name: Share(name, hits / runs, runs) for name, hits in false.items()}


def _p(differences: Floats) -> float:
    found = paired_test(differences, LEVEL, 1000, 0)
    assert found is not None
    return found.p_value
