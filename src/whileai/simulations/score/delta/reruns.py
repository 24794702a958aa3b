"""Warnings of re-runs and training seeds: what a change must be seen against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.defaults import MIN_RERUNS
from whileai.simulations.score.delta import verdicts
from whileai.simulations.score.delta.facts import SIDES, Facts, Lines, listed, shown
from whileai.simulations.score.delta.figures import interval, number
from whileai.simulations.score.delta.metrics import turned
from whileai.simulations.score.delta.noise import EVAL_RUN, GIVEN


def replication(report: Mapping[str, Any], facts: Facts) -> Lines:
    """A change that no re-run backs."""
    if facts.word != verdicts.UNREPLICATED:
        return
    short = [side for side in SIDES if report["eval_runs"][side] < 2]
    if short:
        where = "each side" if len(short) == 2 else f"the {short[0]} side"
        yield (
            f"one evaluation run is a draw: repeat {where} with simulate(tasks=..., runs={MIN_RERUNS}), or give "
            "run_std= and run_std_runs= from earlier re-runs"
        )
    elif min(facts.found.row_sets.values()) >= 2:
        yield "both arms have several row sets but no re-run floor: give run_std= and run_std_runs= of the eval"


def floors(report: Mapping[str, Any], facts: Facts) -> Lines:
    """Floors that are missing, or rest on little."""
    source = report["run_std_source"]
    if source is None:
        return
    bare = [key for key, floor in report["run_std_by_metric"].items() if floor is None]
    if bare:
        yield f"no re-run floor for {listed(bare)}: judged on the task interval alone; add it to run_std"
    if source == EVAL_RUN and min(report["eval_runs"].values()) == 2:
        yield f"2 runs on a side give a difference, not a distribution: use {MIN_RERUNS} or more"
    if source == GIVEN and report["run_std_runs"] == 2:
        yield f"run_std comes from 2 re-runs, a difference, not a distribution: use {MIN_RERUNS} or more"
    if source == GIVEN and report["run_std_runs"] is None and report["run_std"] is not None:
        yield "run_std is taken as exact: give run_std_runs=, the re-runs it came from, for a band that allows for it"


def band(report: Mapping[str, Any], facts: Facts) -> Lines:
    """A change within what re-running moves."""
    if facts.word == verdicts.WITHIN:
        entry = facts.found.entry
        yield (
            f"{shown(facts.found.head.key)} {number(entry['delta'], sign=True)} is inside the re-run band of "
            f"{number(entry['noise_band'])}: re-running the eval moves it that much; add runs a side to narrow the band"
        )


def seeds(report: Mapping[str, Any], facts: Facts) -> Lines:
    """What the training seeds say otherwise."""
    if report["train_runs"] is None:
        return
    if any(n is not None and n < 2 for n in report["train_runs"].values()):
        yield "UNRESOLVED: one training seed per arm; add a seed to resolve"
    ends, entry = report["train_ci95"], facts.found.entry
    if ends is None or entry["verdict"] not in ("a_better", "b_better"):
        return
    key, across = shown(facts.found.head.key), number(report["train_delta"], sign=True)
    across = f"across training seeds {key} is {across} {interval(ends)}"
    low, high = turned(ends, facts.found.head.lower)
    if low <= 0 <= high:
        yield f"{across}: the seed spread covers zero, so one more seed may undo the delta; add seeds"
    elif (high < 0) == (entry["gain_verdict"] == "b_better"):
        yield f"{across}, the other way from the rows compared: check which rows are the after side"
