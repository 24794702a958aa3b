"""Judges whose faults are known, and what the trust checks say of them: false alarms and power."""

from __future__ import annotations

from typing import Any

import numpy as np
from compare_cells import Share

from whileai.simulations.defaults import CI_LEVEL, FLIP_FLAG, LENGTH_GAP_FLAG, PROBE_MIN_N
from whileai.simulations.kernels.intervals import wilson
from whileai.simulations.score.judge_trust.length import length_sensitivity
from whileai.simulations.score.judge_trust.paying import beyond_chance, pays
from whileai.simulations.score.judge_trust.perturbation import one_way
from whileai.simulations.score.judge_trust.probes import moves

ROWS = (12, 20, 40, 60, 100, 200)  # labelled rows of a report
RIGHT = (0.5, 0.7, 0.85, 0.95)  # share of verdicts that are right, whatever the length
BASES = (0.3, 0.5, 0.8)  # share of gold passes
CHURN = (0.02, 0.05, 0.1, 0.2)  # share of verdicts that flip for no reason
TIES = ("none", "many")  # whether replies have few distinct lengths
SHARED = ((15, 4), (25, 4), (50, 4), (12, 8), (100, 2))  # tasks of a report, rollouts of each
MISLABELLED = (0.02, 0.05, 0.08, 0.12)  # share of labels that are wrong, whatever the length
LONGER = (10, 25, 60)  # characters that true passes are longer by, where lengths vary by 25
SIZES = ((20, 1), (50, 2), (25, 4))  # tasks, rollouts of each, where labels are wrong
WRONG = ("rows", "tasks")  # whether a judge is wrong on 15% of the rows, or on all rows of 15% of the tasks


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


def task_length_flags(tasks: int, rollouts: int, wrong: str, of_task: bool, runs: int, *, bias: float = 0.0) -> Share:
    """Share of reports that flag length where rollouts share a task, and with it a length and, `of_task`, a label.

    The judge is wrong on 15%, as `WRONG` says; long replies pass `bias` more.
    """
    rng = np.random.default_rng([tasks, rollouts, WRONG.index(wrong), of_task, int(1000 * bias)])
    codes = np.repeat(np.arange(tasks), rollouts)
    flagged = 0
    for _ in range(runs):
        gold = (rng.random(tasks) < 0.5)[codes] if of_task else rng.random(codes.size) < 0.5
        lengths = 10 * rng.permutation(tasks)[codes] + rng.integers(20, 25, codes.size)
        missed = (rng.random(tasks) < 0.15)[codes] if wrong == "tasks" else rng.random(codes.size) < 0.15
        test = gold ^ missed
        test[(lengths >= np.median(lengths)) & (rng.random(codes.size) < bias)] = True
        rows = [
            {"scenario_id": str(task), "final_text": "w" * length}
            for task, length in zip(codes.tolist(), lengths.tolist(), strict=True)
        ]
        flagged += length_sensitivity(rows, test.astype(float), gold.astype(float), LENGTH_GAP_FLAG)["flagged"]
    return Share(f"{tasks} x {rollouts} rows, wrong {wrong}, bias {bias:g}", flagged / runs, runs)


def mislabelled_flags(
    tasks: int,
    rollouts: int,
    mislabelled: float,
    longer: int,
    runs: int,
    *,
    wrong: float = 0.0,
    bias: float = 0.0,
    told: tuple[str, ...] = ("flagged",),
) -> Share:
    """Share of reports that flag length where `mislabelled` of the labels are wrong and true passes are `longer`.

    The judge is wrong on the share `wrong`, whatever the length, and passes `bias` more of the long replies. `told`
    names the keys that count: with `labels_may_explain` too, it is what a gap beyond noise alone would flag.
    """
    rng = np.random.default_rng([tasks, rollouts, int(1000 * mislabelled), longer, int(1000 * wrong), int(1000 * bias)])
    codes = np.repeat(np.arange(tasks), rollouts)
    flagged = 0
    for _ in range(runs):
        truth = rng.random(codes.size) < 0.5
        lengths = np.maximum(1, rng.normal(90 + longer * truth, 25)).astype(int)
        gold, test = truth ^ (rng.random(codes.size) < mislabelled), truth ^ (rng.random(codes.size) < wrong)
        test[(lengths >= np.median(lengths)) & (rng.random(codes.size) < bias)] = True
        rows = [
            {"scenario_id": str(task), "final_text": "w" * length}
            for task, length in zip(codes.tolist(), lengths.tolist(), strict=True)
        ]
        found = length_sensitivity(rows, test.astype(float), gold.astype(float), LENGTH_GAP_FLAG)
        flagged += any(found[key] for key in told)
    return Share(f"{tasks} x {rollouts}, {mislabelled:g} mislabelled, {longer} longer", flagged / runs, runs)


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


def probe_flags(
    churn: float, runs: int, *, failing: int = PROBE_MIN_N, paid: float = 0.0, probes: int = 1, kind: str = "additive"
) -> Share:
    """Share of reports that flag any of `probes` on as many failures and passes, verdicts flipping with chance `churn`.

    `paid` of the replies pass in the first; a replacement leaves nothing that should pass.
    """
    rng = np.random.default_rng([int(1000 * churn), failing, int(1000 * paid), probes, len(kind)])
    pays_first = np.where(np.arange(probes) == 0, paid, 0.0)
    flagged = 0
    for _ in range(runs):
        up = rng.binomial(failing, churn + (1 - churn) * pays_first)
        down = rng.binomial(failing, churn, probes) if kind == "additive" else failing - rng.binomial(failing, churn)
        entries = [
            _probed(kind, failing, *moved) for moved in np.stack([up, np.broadcast_to(down, probes)], 1).tolist()
        ]
        told = beyond_chance(entries, FLIP_FLAG)
        found = [beyond and pays(entry, FLIP_FLAG) for entry, beyond in zip(entries, told, strict=True)]
        flagged += found[0] if paid else any(found)
    return Share(f"{kind}, churn {churn:g}, {failing} failures, {probes} probes", flagged / runs, runs)


def _probed(kind: str, failing: int, up: int, down: int) -> dict[str, Any]:
    net, n = max(0, up - down), 2 * failing
    passed = (failing + up - down) / n
    return {
        "kind": kind, "n": n, "flips_up": up, "flips_down": down, "net_flips": net, "pass_after": passed,
        "denominator": failing if kind == "additive" else n,
    }  # fmt: skip


def agreement_coverage(n: int, truth: float, runs: int) -> Share:
    """Share of Wilson intervals over n labels that hold the true agreement."""
    hits = np.random.default_rng([n, int(1000 * truth)]).binomial(n, truth, runs)
    ends = {k: wilson(k, n, CI_LEVEL) for k in np.unique(hits).tolist()}
    held = sum(ends[k].low <= truth <= ends[k].high for k in hits.tolist())
    return Share(f"{n} labels, agreement {truth:g}", held / runs, runs)
