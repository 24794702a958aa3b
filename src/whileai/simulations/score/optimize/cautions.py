"""What to know before training on a selection, one line a caution: what is wrong, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from statistics import median
from typing import Any

from whileai.simulations.defaults import DIFFICULTY_BAND_ROLLOUTS, FN_WARN
from whileai.simulations.reports import counted, out_of
from whileai.simulations.rows.task import KEYLESS, keyless_note
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.score.optimize.stamp import Measured


def repeat_lines(duplicates: Mapping[str, Any], verb: str = "dropped") -> Iterator[str]:
    """Repeats of a rollout within its task, and how many were graded two ways."""
    if n := duplicates["n_dropped"]:
        line = f"{counted(n, 'duplicate rollout')} {verb} in {counted(duplicates['groups_affected'], 'task')}"
        if clash := duplicates["conflicting_rewards"]:
            verb = "disagrees" if clash == 1 else "disagree"
            line += (
                f"; {clash:,} {verb} on the reward although the same kinds of calls were made and the same was said: "
                "check the judge, or compare the arguments"
            )
        yield line


def length_lines(length: Mapping[str, Any]) -> Iterator[str]:
    """Cut replies, and replies of very unequal length within a task."""
    if n := length["n_truncated"]:
        yield (
            f"the reply is cut at the token cap in {n:,} of {counted(length['n'], 'row')}: raise the cap, or select"
            ' with truncated="drop"'
        )
    if n := length["n_groups_wide_spread"]:
        yield (
            f"in {n:,} of {counted(length['n_groups_multi'], 'task')} the longest reply is over"
            f" {length['max_spread']:g} times the median: the update may learn length, normalise by it or cap it"
        )


def correlation_lines(correlations: Mapping[str, Any]) -> Iterator[str]:
    """The features the reward goes with over all rows."""
    found = [f"{name} {value:+.2f}" for name, value in correlations["flagged"].items()]
    if found:
        yield (
            f"reward goes with {', '.join(found)} (correlation over {counted(correlations['n_graded'], 'row')}): look "
            "at hack_scan, which compares within tasks, before training"
        )


def audit_lines(audit: Mapping[str, Any] | None) -> Iterator[str]:
    """A verifier that rejects right answers too often."""
    if audit is None or audit["fn_rate"] is None or not audit["fn_rate"] > FN_WARN:
        return
    ends = audit["fn_ci95"]
    interval = f" [{ends[0]:.0%}, {ends[1]:.0%}]" if ends else ""
    yield (
        f"the verifier rejects right answers {audit['fn_rate']:.0%}{interval} of the time (n={audit['n_checked']}, over"
        f" {FN_WARN:.0%}): fix the verifier before training on this selection"
    )


def gates_lines(text_gates: Mapping[str, Any]) -> Iterator[str]:
    """Text gates that did not run."""
    if not text_gates["applied"]:
        yield (
            f"the text gates did not run ({text_gates['reason']}): junk, do-nothing and repeated rollouts were not"
            " looked for"
        )


def keyless_lines(measured: Measured) -> Iterator[str]:
    """Labelled rows that name no task, which count as one."""
    if rate := measured.rates.get(""):
        yield keyless_note(int(rate.n or 0), sum(int(each.n or 0) for each in measured.rates.values()))


def scan_lines(scan: Mapping[str, Any]) -> Iterator[str]:
    """What the scan warns of, less rows without a task: those are told of all rows given."""
    yield from (line for line in scan["warnings"] if KEYLESS not in line)


def difficulty_lines(measured: Measured, tasks: Iterable[str]) -> Iterator[str]:
    """Difficulty that rests on few rollouts."""
    known = [task for task in tasks if task in measured.rates]
    if not known:
        return
    n = median(measured.rates[task].n or 0 for task in known)
    if n < DIFFICULTY_BAND_ROLLOUTS:
        noun = "rollout" if n == 1 else "rollouts"
        width = median(measured.half_width(task) for task in known)
        yield (
            f"difficulty rests on {n:g} {noun} a task (median), good to about +-{width:.1f}: a band wants"
            f" {DIFFICULTY_BAND_ROLLOUTS} (simulate with repeats={DIFFICULTY_BAND_ROLLOUTS})"
        )


def single_lines(signal: Mapping[str, Any]) -> Iterator[str]:
    """Selected tasks with one rollout beside those that have contrast."""
    if signal["n_single"] and signal["n_mixed"]:
        yield (
            f"{out_of(signal['n_single'], signal['n_groups'], 'selected task', 'have')} one rollout, so no "
            "contrast and no gradient in a grouped update: sample more, or leave them out"
        )


def eval_lines(n_eval: int, n: int, where: str) -> Iterator[str]:
    """Rewards that an evaluation gave."""
    if n_eval:
        yield (
            f"{n_eval:,} of {counted(n, 'row')} {where} carry rewards from an evaluation (lineage.source eval): "
            "training on them spends that evaluation, report on another"
        )


def nothing_line(values: Mapping[str, Any], n_graded: int) -> str:
    """Why nothing was selected of a batch that had something to select from."""
    prior = values["prior"]
    counts = {
        "rows of tasks out of band in the prior round": prior["rows_dropped"] if prior else 0,
        "rows quoting privileged text": values["privileged_leaks_dropped"],
        "rows failing a gate": sum(values["gates"].values()),
        "repeats": values["duplicates"]["n_dropped"],
        "cut rows": values["truncated_dropped"],
        "unanimous tasks": values["unanimous_groups_dropped"],
        "tasks out of band": values["band_groups_dropped"],
    }
    why = ", ".join(f"{n:,} {name}" for name, n in counts.items() if n)
    graded = f" although {n_graded:,} of {counted(values['n'], 'row')} had a 0/1 label" if n_graded else ""
    return f"nothing selected{graded}; dropped: {why}. Change the tasks or the policy, or widen the band"


def kway_line(k_before: int, k_after: int) -> str:
    """pass^k and pass@k that the selection can no longer give."""
    return (
        f"pass^{k_before} and pass@{k_before} could be read off the rows given, but pass^k and pass@k not off the"
        f" selection (k={k_after}): report them from the rows before selection"
    )


def eval_sourced(rows: Iterable[Mapping[str, Any]]) -> int:
    """Rows whose reward came from an evaluation."""
    return sum(is_mapping(held := row.get("lineage")) and held.get("source") == "eval" for row in rows)
