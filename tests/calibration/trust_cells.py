"""Judges whose faults are known, and what the trust checks say of them: false alarms and power."""

from __future__ import annotations

import numpy as np
from compare_cells import Share

from whileai.simulations.defaults import CI_LEVEL, FLIP_FLAG, LENGTH_GAP_FLAG, PROBE_MIN_N
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.score.judge_trust.length import length_sensitivity
from whileai.simulations.score.judge_trust.perturbation import one_way
from whileai.simulations.score.judge_trust.probes import moves

ROWS = (12, 20, 40, 60, 100, 200)  # labelled rows of a report
RIGHT = (0.5, 0.7, 0.85, 0.95)  # share of verdicts that are right, whatever the length
BASES = (0.3, 0.5, 0.8)  # share of gold passes
CHURN = (0.02, 0.05, 0.1, 0.2)  # share of verdicts that flip for no reason
TIES = ("none", "many")  # whether replies have few distinct lengths


def length_flags(
    n: int, right: float, base: float, runs: int, *, ties: str = "none", bias: float = 0.0, gap_only: bool = False
) -> Share:
    """Share of reports that flag length for a judge right with chance `right`, on long replies passing `bias` more.

    `gap_only` counts what a fixed gap alone would flag.
    """
    rng = np.random.default_rng([n, int(1000 * right), int(1000 * base), int(1000 * bias), TIES.index(ties)])
    flagged = 0
    for _ in range(runs):
        gold = (rng.random(n) < base).astype(float)
        lengths = _lengths(rng, n, ties)
        wrong = rng.random(n) >= right
        test = np.where(wrong, 1 - gold, gold)
        test[(lengths >= np.median(lengths)) & (rng.random(n) < bias)] = 1
        rows = [{"final_text": "w" * length} for length in lengths.tolist()]
        found = length_sensitivity(rows, test, gold, LENGTH_GAP_FLAG)
        flagged += found["max_gap"] >= LENGTH_GAP_FLAG if gap_only else found["flagged"]
    return Share(f"{n} rows, right {right:g}, base {base:g}", flagged / runs, runs)


def _lengths(rng: np.random.Generator, n: int, ties: str) -> np.ndarray:
    return rng.integers(1, 4, n) if ties == "many" else rng.permutation(n) + 20


def filler_flags(n: int, churn: float, base: float, runs: int, *, paid: float = 0.0) -> Share:
    """Share of reports that flag filler for a judge whose verdicts flip with chance `churn`; `paid` of fails pass."""
    rng = np.random.default_rng([n, int(1000 * churn), int(1000 * base), int(1000 * paid)])
    flagged = 0
    for _ in range(runs):
        stored = rng.random(n) < base
        again, padded = (stored ^ (rng.random(n) < churn) for _ in range(2))
        padded |= rng.random(n) < paid
        told = (moves(zip(side.tolist(), padded.tolist(), strict=True)) for side in (stored, again))
        flagged += all(one_way(found, FLIP_FLAG) for found in told)
    return Share(f"{n} rows, churn {churn:g}, base {base:g}", flagged / runs, runs)


def probe_flags(churn: float, runs: int, *, failing: int = PROBE_MIN_N, paid: float = 0.0) -> Share:
    """Share of additive probes flagged on as many failures and passes, verdicts flipping with chance `churn`."""
    rng = np.random.default_rng([int(1000 * churn), failing, int(1000 * paid)])
    up = rng.binomial(failing, churn + (1 - churn) * paid, runs)
    net = np.maximum(0, up - rng.binomial(failing, churn, runs))
    return Share(f"churn {churn:g}, {failing} failures", float((net / failing >= FLIP_FLAG).mean()), runs)


def agreement_coverage(n: int, truth: float, runs: int) -> Share:
    """Share of Wilson intervals over n labels that hold the true agreement."""
    hits = np.random.default_rng([n, int(1000 * truth)]).binomial(n, truth, runs)
    ends = {k: wilson(k, n, CI_LEVEL) for k in np.unique(hits).tolist()}
    held = sum(ends[k].low <= truth <= ends[k].high for k in hits.tolist())
    return Share(f"{n} labels, agreement {truth:g}", held / runs, runs)
