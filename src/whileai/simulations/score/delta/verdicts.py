"""The words: what is said of the target, of the whole report, and whether the gate is open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.kernels.signflip import least_tasks
from whileai.simulations.reports import counted
from whileai.simulations.score.delta.metrics import Entry, turned
from whileai.simulations.score.delta.seeds import Seeds

MOVED, UNREPLICATED, WITHIN = "moved", "moved_unreplicated", "within_eval_noise"
WRONG_WAY, NO_CHANGE, INSUFFICIENT = "moved_the_wrong_way", "no_change_detected", "insufficient_data"
UNRESOLVED, NOT_MEASURED = "unresolved", "target_not_measured"
FAILING_CAUSES = frozenset({"situations", "graded_share", "answered", "user_model", "writer_model"})


def word(entry: Entry, seeds: Seeds | None) -> str:
    """The machine word of the headline metric, before an unresolved seed count hides it."""
    if entry["gain_verdict"] == "insufficient_data":
        return INSUFFICIENT
    if entry["gain_verdict"] == "no_difference_detected":
        return NO_CHANGE
    if entry["within_noise"]:
        return WITHIN
    up = entry["gain_verdict"] == "b_better"
    if seeds is not None and seeds.ends is not None:
        low, high = turned(seeds.ends, entry["lower_is_better"])
        if low <= 0 <= high or (up and high < 0):
            return NO_CHANGE
    if not up:
        return WRONG_WAY
    return MOVED if entry["run_std"] is not None else UNREPLICATED


def shown_word(plain: str, seeds: Seeds | None) -> str:
    """The word as reported: `unresolved` when a trained arm has too few seeds for any other."""
    hidden = seeds is not None and not seeds.resolved and plain != INSUFFICIENT
    return UNRESOLVED if hidden else plain


def gate(report: Mapping[str, Any], target_word: str | None) -> bool:
    """`ok`: no regression, no dropped target, no over-optimization, comparable arms."""
    return not (
        report["regressions"]
        or report["over_optimized"]
        or target_word == WRONG_WAY
        or FAILING_CAUSES & set(report["not_comparable"])
    )


def headline(report: Mapping[str, Any], reading: str, entry: Entry) -> str:
    """The word a person reads; `reading` is the target's machine word, or pass@1's without a target."""
    if report["not_comparable"]:
        causes = f"NOT COMPARABLE ({', '.join(report['not_comparable'])})"
        return causes if report["ok"] else f"FAIL: {causes}"
    if not report["ok"] or reading == WRONG_WAY:
        return "FAIL"
    return {
        NOT_MEASURED: "TARGET NOT MEASURED",
        MOVED: "PASS",
        UNREPLICATED: f"INCONCLUSIVE ({_unreplicated(report['eval_runs'])})",
        WITHIN: "NO DIFFERENCE (within eval noise)",
        NO_CHANGE: f"NO DIFFERENCE{_undecided(entry, report['alpha'])}",
        INSUFFICIENT: "INSUFFICIENT DATA",
        UNRESOLVED: "UNRESOLVED (one training seed per arm)",
    }[reading]


def _unreplicated(runs: Mapping[str, int]) -> str:
    short = [side for side, n in runs.items() if n < 2]
    if len(short) == 2:
        return "1 eval run a side, rerun to confirm"
    return f"1 eval run {short[0]}, rerun to confirm" if short else "no re-run floor"


def _undecided(entry: Entry, alpha: float) -> str:
    if not cannot_decide(entry, alpha):
        return ""
    return (
        f" ({counted(entry['n_paired'], 'task')} cannot show one at level {1 - alpha:.4g}: {least_tasks(alpha)} needed)"
    )


def cannot_decide(entry: Entry, alpha: float) -> bool:
    """Whether a paired test over these few tasks cannot reach a verdict at the level, whatever they show."""
    return bool(entry["paired"]) and entry["n_paired"] < least_tasks(alpha)
