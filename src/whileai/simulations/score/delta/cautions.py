"""The warnings: each one sentence that says what is wrong and what to do about it, the gravest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.score.delta import reruns, verdicts, weakness
from whileai.simulations.score.delta.arguments import Asked
from whileai.simulations.score.delta.causes import CAUSES, answered_apart
from whileai.simulations.score.delta.comparable import differing, selection_bound, served_by_agent
from whileai.simulations.score.delta.facts import SIDES, Facts, Lines, both, listed, shown
from whileai.simulations.score.delta.figures import interval, number
from whileai.simulations.score.delta.guards import PROXY_IS_TARGET, PROXY_NOT_MEASURED, cannot_fail, holds_one_value
from whileai.simulations.score.delta.labels import booleans_said, partly_labelled
from whileai.simulations.score.delta.measured import Measured
from whileai.simulations.score.delta.names import hint
from whileai.simulations.score.delta.text import after_holm
from whileai.simulations.score.stats.summary import PASS

FAMILY_ERROR_MIN_METRICS = 4  # metrics from which 1 - 0.95^4 = 19% of reports of nothing flag something
TRUNCATED_SHARE_GAP = 0.05  # gap of truncated shares, as a rate; convention
GRADED_SHARE_WARN = 0.95  # graded share below which the ungraded rows are mentioned; convention


def cautions(report: Mapping[str, Any], found: Measured, asked: Asked, word: str) -> list[str]:
    """Every warning that applies; `word` is the headline metric's machine word, before seeds hide it."""
    facts = Facts(found, asked, word, {side.name: side.labels() for side in found.sides})
    parts = (
        _labels, _same_rows, _not_comparable, _drops, _over_optimized, _guards, _not_measured,
        weakness.too_few, weakness.note, reruns.replication, reruns.floors, reruns.band, reruns.seeds,
        weakness.sizing, weakness.ceiling, weakness.rollouts, _family, _groups, _biases, _settings,
        _balance,
    )  # fmt: skip
    return [line for part in parts for line in part(report, facts)]


def _labels(report: Mapping[str, Any], facts: Facts) -> Lines:
    said = partly_labelled(facts.labels)
    if said:
        roles = ["guard"] * (PASS in facts.asked.guards) + ["target"] * (report["target"] == PASS)
        yield said + (f"; {' and '.join(roles)} {PASS}: judged on the 0/1 part alone" if roles else "")
    yield from filter(None, [booleans_said(facts.labels)])


def _same_rows(report: Mapping[str, Any], facts: Facts) -> Lines:
    before, after = facts.found.sides
    if before.same_rows(after):
        yield "both sides hold the same rows: is the second path right?"


def _not_comparable(report: Mapping[str, Any], facts: Facts) -> Lines:
    for cause in report["not_comparable"]:
        yield f"NOT COMPARABLE: {CAUSES[cause](report, facts)}"


def _drops(report: Mapping[str, Any], facts: Facts) -> Lines:
    for key in report["regressions"]:
        yield f"{shown(key)} {_moved(report, key)}: a must_not_regress guard failed; do not ship this"
    for key in report["slipped"]:
        if key == report["target"]:
            yield f"{shown(key)} {_moved(report, key)}: the target went the wrong way; do not ship this"
        else:
            yield f"{shown(key)} {_moved(report, key)}: slipped; name it in must_not_regress if it must hold"


def _moved(report: Mapping[str, Any], key: str) -> str:
    entry = report["metrics"][key]
    return f"{number(entry['delta'], sign=True)} {interval(entry['ci95'])}"


def _over_optimized(report: Mapping[str, Any], facts: Facts) -> Lines:
    if report["over_optimized"]:
        against = "its interval lies above the target's" if facts.word in _UP else "the target has no supported gain"
        rose = f"{shown(report['proxy'])} {number(report['proxy_delta'], sign=True)}"
        yield (
            f"OVER-OPTIMIZED: proxy {rose} went up and {against} "
            "(Gao et al. 2022, arXiv:2210.10760): stop earlier or fix the reward"
        )
    if report["proxy_verdict"] == PROXY_NOT_MEASURED:
        meant = hint(report["proxy"], report)
        yield (
            f"proxy {shown(report['proxy'])} is not measured on both sides: over-optimization was not checked"
            f"{f'; {meant}' if meant else ''}"
        )
    if report["proxy_verdict"] == PROXY_IS_TARGET:
        yield f"proxy {shown(report['proxy'])} is the target itself: name another metric to check over-optimization"


_UP = (verdicts.MOVED, verdicts.UNREPLICATED)


def _guards(report: Mapping[str, Any], facts: Facts) -> Lines:
    for key in facts.asked.guards:
        entry = report["metrics"].get(key)
        if entry is None:
            meant = hint(key, report) or "stamp it on the rows"
            yield f"guard {shown(key)} is not measured on both sides, so it guards nothing: {meant}"
            continue
        reasons = cannot_fail(report, key)
        if reasons:
            yield f"guard {shown(key)} cannot fail: {reasons}; check that it can come out bad"
        if key in report["degenerate_guards"] and not holds_one_value(entry):
            yield (
                f"guard {shown(key)}: each side holds one value ({number(entry['mean_a'])} before, "
                f"{number(entry['mean_b'])} after): check that it can come out either way"
            )
        if entry["within_noise"] and entry["gain_verdict"] == "a_better":
            fell, drops = ("rose", "rises") if entry["lower_is_better"] else ("fell", "drops")
            yield (
                f"guard {shown(key)} {fell} {number(entry['delta'], sign=True)} inside the band of "
                f"{number(entry['noise_band'])}: the gate cannot see {drops} under it; add runs a side to narrow it"
            )


def _not_measured(report: Mapping[str, Any], facts: Facts) -> Lines:
    if report["target_verdict"] == verdicts.NOT_MEASURED:
        meant = hint(report["target"], report) or "stamp it on the rows or name one of these"
        yield (
            f"target {shown(report['target'])} is not measured on both sides; compared are "
            f"{listed(list(report['metrics'])[:12])}: {meant}"
        )


def _family(report: Mapping[str, Any], facts: Facts) -> Lines:
    flagged = report["improved"] or report["slipped"] or report["regressions"]
    if report["n_metrics"] >= FAMILY_ERROR_MIN_METRICS and flagged:
        yield (
            f"{report['n_metrics']} metrics: up to {report['family_error']:.0%} of reports of no change flag one; "
            f"read them after Holm ({after_holm(report)})"
        )


def _groups(report: Mapping[str, Any], facts: Facts) -> Lines:
    if report["by"] is None and facts.asked.by is True:
        yield "by=True found no category or slice with two values on both sides: name a row key in by="
    if report["groups"] == {}:
        yield f"by={shown(report['by'])}: no group is on both sides; check that the rows carry it"
    for name in report["groups_down"]:
        entry = report["groups"][name]
        yield (
            f"group {shown(name)} fell on {shown(facts.found.head.key)}: {number(entry['delta'], sign=True)} "
            f"{interval(entry['ci95'])}; read its rows, and guard it with a marker if it must hold"
        )


def _biases(report: Mapping[str, Any], facts: Facts) -> Lines:
    shares = [report["config"][side]["graded_share"] for side in SIDES]
    if "graded_share" not in report["not_comparable"]:
        over = facts.found.selection is not None and facts.found.selection.is_over_bar
        if over or any(share is not None and share < GRADED_SHARE_WARN for share in shares):
            said = " and ".join("no rows" if share is None else f"{share:.1%}" for share in shares)
            bound = selection_bound(report["config"])
            yield (
                f"rows with a verdict, before and after: {said}; the ungraded ones could move the delta by up to "
                f"{number(bound)}: grade them"
            )
    if facts.found.answered is not None and "answered" not in report["not_comparable"]:
        yield answered_apart(report, facts)
    cut = [report["config"][side]["truncated_share"] for side in SIDES]
    if None not in cut and abs(cut[0] - cut[1]) > TRUNCATED_SHARE_GAP:
        yield f"the token cap cut {cut[0]:.1%} of rows before and {cut[1]:.1%} after: give both sides one max_tokens"


def _settings(report: Mapping[str, Any], facts: Facts) -> Lines:
    configs = report["config"]
    for key in differing(configs, ("judge_version", "temperature", "max_tokens")):
        yield f"{key} {both(report, key)}: run both sides under one setting"
    policies = [configs[side]["policy_version"] for side in SIDES]
    if policies[0] is not None and policies[0] == policies[1]:
        yield f"both sides are the same policy version {shown(policies[0])}: this compares a model with itself"
    for key in served_by_agent(configs):
        yield (
            f"{key} is the agent's own served name while the policy stamp changed: it may have moved with the weights; "
            "pin it to another endpoint"
        )


def _balance(report: Mapping[str, Any], facts: Facts) -> Lines:
    if report["balanced"] and any(report["balanced"]["rows_dropped"].values()):
        dropped = report["balanced"]["rows_dropped"]
        yield (
            f"balance_rollouts dropped {dropped['before']} before rows and {dropped['after']} after rows on "
            f"{report['balanced']['tasks_trimmed']} trimmed tasks: less precise, and no bias removed"
        )
