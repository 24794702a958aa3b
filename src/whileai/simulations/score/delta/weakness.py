"""Warnings of a comparison that can show little: few tasks, little room, uneven rollouts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from whileai.simulations.defaults import MIN_CI_TASKS, MIN_PAIRED_TASKS
from whileai.simulations.kernels.signflip import least_tasks
from whileai.simulations.reports import out_of
from whileai.simulations.score.delta import verdicts
from whileai.simulations.score.delta.facts import SIDES, Facts, Lines, shown
from whileai.simulations.score.delta.labels import unlabelled
from whileai.simulations.score.delta.measured import few_with_room, solved_before
from whileai.simulations.score.delta.shortfall import shortfall
from whileai.simulations.score.stats.summary import PASS


def too_few(report: Mapping[str, Any], facts: Facts) -> Lines:
    """A headline metric without a verdict."""
    entry = facts.found.entry
    needed = max(MIN_PAIRED_TASKS, least_tasks(report["alpha"]))
    if entry["verdict"] != "insufficient_data":
        return
    if entry["delta"] is None:
        absent = unlabelled(facts.labels) if facts.is_pass else _unmarked(entry)
        if not (facts.is_pass and "situations" in report["not_comparable"]):
            yield f"{shown(facts.found.head.key)} has no verdict: {absent}"
    else:
        yield (
            f"{shown(facts.found.head.key)} has no verdict: {entry['n_paired']} shared tasks, an interval needs "
            f"{MIN_CI_TASKS} and a paired test at {report['level']:.4g} needs {needed}: add tasks both sides run"
        )


def _unmarked(entry: Mapping[str, Any]) -> str:
    bare = [side for side, mean in zip(SIDES, (entry["mean_a"], entry["mean_b"]), strict=True) if mean is None]
    return f"no row {' and none '.join(bare)} has a value of it"


def note(report: Mapping[str, Any], facts: Facts) -> Lines:
    """What weakens the comparison of the headline metric and of each guard; metrics it holds for alike share a line."""
    head = facts.found.head.key
    notes: dict[str, list[str]] = {}
    for key in dict.fromkeys([head, *facts.asked.guards]):
        said = _note_of(report["metrics"].get(key), report["alpha"], is_guard=key != head)
        if said:
            notes.setdefault(said, []).append(shown(key) if key == head else f"guard {shown(key)}")
    for said, names in notes.items():
        yield f"{', '.join(names)}: {said}"


def _note_of(entry: Mapping[str, Any] | None, alpha: float, *, is_guard: bool) -> str:
    if entry is None or not entry["note"]:
        return ""
    names_sides = entry["n_only_a"] or entry["n_only_b"] or entry["delta"] is None
    if is_guard and not names_sides and verdicts.cannot_decide(dict(entry), alpha):
        return ""  # `_guards` says of it that it cannot fail
    return f"{entry['note']}{' (a is before, b is after)' if names_sides else ''}"


def sizing(report: Mapping[str, Any], facts: Facts) -> Lines:
    """How many tasks would have shown a change as large as the one seen."""
    if facts.word == verdicts.NO_CHANGE:
        head, entry = facts.found.head, facts.found.entry
        said = shortfall(report, head, entry, shown(head.key), facts.asked.thresholds)
        yield from [said] if said else []


def ceiling(report: Mapping[str, Any], facts: Facts) -> Lines:
    """A before side that leaves little room."""
    if not report["ceiling"]:
        return
    solved, shared = solved_before(facts.found.passes)
    rate = report["metrics"][PASS]["mean_a"]
    reasons = [
        f"the before side passes {rate:.2f} of its tasks" if rate >= facts.asked.thresholds.ceiling_pass_rate else "",
        f"{out_of(solved, shared, 'shared task', 'pass')} every time before"
        if few_with_room(facts.found.passes)
        else "",
    ]
    said = " and ".join(reason for reason in reasons if reason)
    yield f"ceiling: {said}, which leaves little room for a gain to show: use harder tasks"


def rollouts(report: Mapping[str, Any], facts: Facts) -> Lines:
    """Sides that differ in rollouts a task."""
    before, after = (report["config"][side]["k"] for side in SIDES)
    if before == after or not facts.found.passes.n_shared:
        return
    passes = facts.found.passes
    uneven = int(np.count_nonzero(passes.a.counts()[passes.at_a] != passes.b.counts()[passes.at_b]))
    if _graded_alike(facts):
        why = "the missing rows are graded, but not 0/1"
    elif report["eval_runs"]["before"] == report["eval_runs"]["after"]:
        why = "rows lost for a reason bias the delta: find out why and re-run those tasks"
    else:
        why = "the sides hold different numbers of eval runs; give both the same"
    short = out_of(uneven, passes.n_shared, "paired task", "are")
    yield f"k={before} before and k={after} after: {short} short of rollouts on one side; {why}"


def _graded_alike(facts: Facts) -> bool:
    """Whether every shared task has as many graded rows on both sides, 0/1 or not."""
    graded = [side.graded() for side in facts.found.sides]
    counts = [sums.counts()[np.searchsorted(sums.codes(), facts.found.passes.codes)] for sums in graded]
    return bool((counts[0] == counts[1]).all())
