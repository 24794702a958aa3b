"""The warnings: each one sentence that says what is wrong and what to do about it, the gravest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from whileai.simulations.defaults import MIN_CI_TASKS, MIN_PAIRED_TASKS, MIN_RERUNS
from whileai.simulations.kernels.signflip import least_tasks
from whileai.simulations.reports import printable
from whileai.simulations.score.delta import verdicts
from whileai.simulations.score.delta.arguments import Asked
from whileai.simulations.score.delta.comparable import differing, selection_bound, served_by_agent
from whileai.simulations.score.delta.guards import PROXY_IS_TARGET, PROXY_NOT_MEASURED, cannot_fail, holds_one_value
from whileai.simulations.score.delta.labels import Labels, booleans_said, partly_labelled, unlabelled
from whileai.simulations.score.delta.measured import Measured, few_with_room, solved_before
from whileai.simulations.score.delta.metrics import turned
from whileai.simulations.score.delta.names import hint
from whileai.simulations.score.delta.noise import EVAL_RUN, GIVEN
from whileai.simulations.score.delta.shortfall import shortfall
from whileai.simulations.score.delta.text import after_holm, cut, interval, number
from whileai.simulations.score.stats.summary import PASS

FAMILY_ERROR_MIN_METRICS = 4  # metrics from which 1 - 0.95^4 = 19% of reports of nothing flag something
TRUNCATED_SHARE_GAP = 0.05  # gap of truncated shares, as a rate; convention
GRADED_SHARE_WARN = 0.95  # graded share below which the ungraded rows are mentioned; convention
_NAME_COLUMNS = 60
_SIDES = ("before", "after")
Lines = Iterator[str]


@dataclass(frozen=True)
class Facts:
    """What the warnings rest on beside the report: what was measured and asked, and the headline's machine word."""

    found: Measured
    asked: Asked
    word: str
    labels: Mapping[str, Labels]

    @property
    def is_pass(self) -> bool:
        """Whether the headline metric is pass@1."""
        return self.found.head.key == PASS


def cautions(report: Mapping[str, Any], found: Measured, asked: Asked, word: str) -> list[str]:
    """Every warning that applies; `word` is the headline metric's machine word, before seeds hide it."""
    facts = Facts(found, asked, word, {side.name: side.labels() for side in found.sides})
    parts = (
        _labels, _same_rows, _not_comparable, _drops, _over_optimized, _guards, _not_measured, _too_few, _note,
        _replication, _floors, _band, _seeds, _sizing, _ceiling, _rollouts, _family, _groups, _biases, _settings,
        _balance,
    )  # fmt: skip
    return [line for part in parts for line in part(report, facts)]


def _shown(name: Any) -> str:
    return cut(printable(name), _NAME_COLUMNS)


def _names(names: list[str]) -> str:
    return ", ".join(map(_shown, names))


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
        yield f"NOT COMPARABLE: {_CAUSES[cause](report, facts)}"


def _situations(report: Mapping[str, Any], facts: Facts) -> str:
    absent = unlabelled(facts.labels)
    if absent:
        return f"situations: {absent}"
    return (
        f"situations: only {report['n_paired_tasks']} of {report['n_paired_tasks'] + report['n_unpaired_tasks']} tasks "
        "are on both sides, so these are two evals: run the after side on the before run's tasks (tasks=)"
    )


def _prompt_hash(report: Mapping[str, Any], facts: Facts) -> str:
    return f"prompt_hash: system prompt {_both(report, 'prompt_hash')}: fine if the prompt is what you compare"


def _model(key: str, what: str) -> Any:
    def said(report: Mapping[str, Any], facts: Facts) -> str:
        return f"{key}: {what} {_both(report, key)}: run both sides with one"

    return said


def _both(report: Mapping[str, Any], key: str) -> str:
    before, after = (_shown(report["config"][side][key]) for side in _SIDES)
    return f"was {before} before and {after} after"


def _graded(report: Mapping[str, Any], facts: Facts) -> str:
    shares = " and ".join(f"{report['config'][side]['graded_share'] or 0:.1%} {side}" for side in _SIDES)
    assert facts.found.selection is not None
    return (
        f"graded_share: rows with a verdict are {shares}; the ungraded ones could move the delta by up to "
        f"{number(facts.found.selection.size)}, which covers it: grade them first"
    )


def _answered(report: Mapping[str, Any], facts: Facts) -> str:
    gap = facts.found.answered
    assert gap is not None
    missing = " and ".join(f"{1 - report['config'][side]['answered_share']:.0%} {side}" for side in _SIDES)
    bar = "" if gap.bar is None else f" ({'over' if gap.is_over_bar else 'within'} the bar of {gap.bar:.2f})"
    return f"answered: no spoken reply on {missing}, p {gap.p_value:.2g}{bar}: {_why_silent(report)}"


def _why_silent(report: Mapping[str, Any]) -> str:
    configs = [report["config"][side] for side in _SIDES]
    if any(config["unclosed_think_share"] for config in configs):
        return "replies end inside <think>: raise max_tokens or close the reasoning, then compare"
    cut = [config["truncated_share"] for config in configs]
    if any(cut):
        before, after = ("?" if share is None else f"{share:.0%}" for share in cut)
        return f"the token cap cut {before} before and {after} after: raise max_tokens"
    return "stamp finish_reason on the rows to see why"


_CAUSES = {
    "situations": _situations,
    "prompt_hash": _prompt_hash,
    "graded_share": _graded,
    "answered": _answered,
    "user_model": _model("user_model", "the simulated user"),
    "writer_model": _model("writer_model", "the writer of the situations"),
}


def _drops(report: Mapping[str, Any], facts: Facts) -> Lines:
    for key in report["regressions"]:
        yield f"{_shown(key)} {_moved(report, key)}: a must_not_regress guard failed; do not ship this"
    for key in report["slipped"]:
        if key == report["target"]:
            yield f"{_shown(key)} {_moved(report, key)}: the target went the wrong way; do not ship this"
        else:
            yield f"{_shown(key)} {_moved(report, key)}: slipped; name it in must_not_regress if it must hold"


def _moved(report: Mapping[str, Any], key: str) -> str:
    entry = report["metrics"][key]
    return f"{number(entry['delta'], sign=True)} {interval(entry['ci95'])}"


def _over_optimized(report: Mapping[str, Any], facts: Facts) -> Lines:
    if report["over_optimized"]:
        against = "its interval lies above the target's" if facts.word in _UP else "the target has no supported gain"
        rose = f"{_shown(report['proxy'])} {number(report['proxy_delta'], sign=True)}"
        yield (
            f"OVER-OPTIMIZED: proxy {rose} went up and {against} "
            "(Gao et al. 2022, arXiv:2210.10760): stop earlier or fix the reward"
        )
    if report["proxy_verdict"] == PROXY_NOT_MEASURED:
        meant = hint(report["proxy"], report)
        yield (
            f"proxy {_shown(report['proxy'])} is not measured on both sides: over-optimization was not checked"
            f"{f'; {meant}' if meant else ''}"
        )
    if report["proxy_verdict"] == PROXY_IS_TARGET:
        yield f"proxy {_shown(report['proxy'])} is the target itself: name another metric to check over-optimization"


_UP = (verdicts.MOVED, verdicts.UNREPLICATED)


def _guards(report: Mapping[str, Any], facts: Facts) -> Lines:
    for key in facts.asked.guards:
        entry = report["metrics"].get(key)
        if entry is None:
            meant = hint(key, report) or "stamp it on the rows"
            yield f"guard {_shown(key)} is not measured on both sides, so it guards nothing: {meant}"
            continue
        reasons = cannot_fail(report, key)
        if reasons:
            yield f"guard {_shown(key)} cannot fail: {reasons}; check that it can come out bad"
        if key in report["degenerate_guards"] and not holds_one_value(entry):
            yield (
                f"guard {_shown(key)}: each side holds one value ({number(entry['mean_a'])} before, "
                f"{number(entry['mean_b'])} after): check that it can come out either way"
            )
        if entry["within_noise"] and entry["gain_verdict"] == "a_better":
            fell, drops = ("rose", "rises") if entry["lower_is_better"] else ("fell", "drops")
            yield (
                f"guard {_shown(key)} {fell} {number(entry['delta'], sign=True)} inside the band of "
                f"{number(entry['noise_band'])}: the gate cannot see {drops} under it; add runs a side to narrow it"
            )


def _not_measured(report: Mapping[str, Any], facts: Facts) -> Lines:
    if report["target_verdict"] == verdicts.NOT_MEASURED:
        meant = hint(report["target"], report) or "stamp it on the rows or name one of these"
        yield (
            f"target {_shown(report['target'])} is not measured on both sides; compared are "
            f"{_names(list(report['metrics'])[:12])}: {meant}"
        )


def _too_few(report: Mapping[str, Any], facts: Facts) -> Lines:
    entry = facts.found.entry
    needed = max(MIN_PAIRED_TASKS, least_tasks(report["alpha"]))
    if entry["verdict"] != "insufficient_data":
        return
    if entry["delta"] is None:
        absent = unlabelled(facts.labels) if facts.is_pass else _unmarked(entry)
        if not (facts.is_pass and "situations" in report["not_comparable"]):
            yield f"{_shown(facts.found.head.key)} has no verdict: {absent}"
    else:
        yield (
            f"{_shown(facts.found.head.key)} has no verdict: {entry['n_paired']} shared tasks, an interval needs "
            f"{MIN_CI_TASKS} and a paired test at {report['level']:.4g} needs {needed}: add tasks both sides run"
        )


def _unmarked(entry: Mapping[str, Any]) -> str:
    bare = [side for side, mean in zip(_SIDES, (entry["mean_a"], entry["mean_b"]), strict=True) if mean is None]
    return f"no row {' and none '.join(bare)} has a value of it"


def _note(report: Mapping[str, Any], facts: Facts) -> Lines:
    """What weakens the comparison of the headline metric and of each guard; metrics it holds for alike share a line."""
    head = facts.found.head.key
    notes: dict[str, list[str]] = {}
    for key in dict.fromkeys([head, *facts.asked.guards]):
        said = _note_of(report["metrics"].get(key), report["alpha"], is_guard=key != head)
        if said:
            notes.setdefault(said, []).append(_shown(key) if key == head else f"guard {_shown(key)}")
    for said, names in notes.items():
        yield f"{', '.join(names)}: {said}"


def _note_of(entry: Mapping[str, Any] | None, alpha: float, *, is_guard: bool) -> str:
    if entry is None or not entry["note"]:
        return ""
    names_sides = entry["n_only_a"] or entry["n_only_b"] or entry["delta"] is None
    if is_guard and not names_sides and verdicts.cannot_decide(dict(entry), alpha):
        return ""  # `_guards` says of it that it cannot fail
    return f"{entry['note']}{' (a is before, b is after)' if names_sides else ''}"


def _replication(report: Mapping[str, Any], facts: Facts) -> Lines:
    if facts.word != verdicts.UNREPLICATED:
        return
    short = [side for side in _SIDES if report["eval_runs"][side] < 2]
    if short:
        where = "each side" if len(short) == 2 else f"the {short[0]} side"
        yield (
            f"one evaluation run is a draw: repeat {where} with simulate(tasks=..., runs={MIN_RERUNS}), or give "
            "run_std= and run_std_runs= from earlier re-runs"
        )
    elif min(facts.found.row_sets.values()) >= 2:
        yield "both arms have several row sets but no re-run floor: give run_std= and run_std_runs= of the eval"


def _floors(report: Mapping[str, Any], facts: Facts) -> Lines:
    source = report["run_std_source"]
    if source is None:
        return
    bare = [key for key, floor in report["run_std_by_metric"].items() if floor is None]
    if bare:
        yield f"no re-run floor for {_names(bare)}: judged on the task interval alone; add it to run_std"
    if source == EVAL_RUN and min(report["eval_runs"].values()) == 2:
        yield f"2 runs on a side give a difference, not a distribution: use {MIN_RERUNS} or more"
    if source == GIVEN and report["run_std_runs"] == 2:
        yield f"run_std comes from 2 re-runs, a difference, not a distribution: use {MIN_RERUNS} or more"
    if source == GIVEN and report["run_std_runs"] is None and report["run_std"] is not None:
        yield "run_std is taken as exact: give run_std_runs=, the re-runs it came from, for a band that allows for it"


def _band(report: Mapping[str, Any], facts: Facts) -> Lines:
    if facts.word == verdicts.WITHIN:
        entry = facts.found.entry
        yield (
            f"{_shown(facts.found.head.key)} {number(entry['delta'], sign=True)} is inside the re-run band of "
            f"{number(entry['noise_band'])}: re-running the eval moves it that much; add runs a side to narrow the band"
        )


def _seeds(report: Mapping[str, Any], facts: Facts) -> Lines:
    if report["train_runs"] is None:
        return
    if any(n is not None and n < 2 for n in report["train_runs"].values()):
        yield "UNRESOLVED: one training seed per arm; add a seed to resolve"
    ends, entry = report["train_ci95"], facts.found.entry
    if ends is None or entry["verdict"] not in ("a_better", "b_better"):
        return
    key, across = _shown(facts.found.head.key), number(report["train_delta"], sign=True)
    across = f"across training seeds {key} is {across} {interval(ends)}"
    low, high = turned(ends, facts.found.head.lower)
    if low <= 0 <= high:
        yield f"{across}: the seed spread covers zero, so one more seed may undo the delta; add seeds"
    elif (high < 0) == (entry["gain_verdict"] == "b_better"):
        yield f"{across}, the other way from the rows compared: check which rows are the after side"


def _sizing(report: Mapping[str, Any], facts: Facts) -> Lines:
    if facts.word == verdicts.NO_CHANGE:
        head, entry = facts.found.head, facts.found.entry
        said = shortfall(report, head, entry, _shown(head.key), facts.asked.thresholds)
        yield from [said] if said else []


def _ceiling(report: Mapping[str, Any], facts: Facts) -> Lines:
    if not report["ceiling"]:
        return
    solved, shared = solved_before(facts.found.passes)
    rate = report["metrics"][PASS]["mean_a"]
    reasons = [
        f"the before side passes {rate:.2f} of its tasks" if rate >= facts.asked.thresholds.ceiling_pass_rate else "",
        f"{solved} of {shared} shared tasks pass every time before" if few_with_room(facts.found.passes) else "",
    ]
    said = " and ".join(reason for reason in reasons if reason)
    yield f"ceiling: {said}, which leaves little room for a gain to show: use harder tasks"


def _rollouts(report: Mapping[str, Any], facts: Facts) -> Lines:
    before, after = (report["config"][side]["k"] for side in _SIDES)
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
    yield (
        f"k={before} before and k={after} after: {uneven} of {passes.n_shared} paired tasks are short of rollouts on "
        f"one side; {why}"
    )


def _graded_alike(facts: Facts) -> bool:
    """Whether every shared task has as many graded rows on both sides, 0/1 or not."""
    graded = [side.graded() for side in facts.found.sides]
    counts = [sums.counts()[np.searchsorted(sums.codes(), facts.found.passes.codes)] for sums in graded]
    return bool((counts[0] == counts[1]).all())


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
        yield f"by={_shown(report['by'])}: no group is on both sides; check that the rows carry it"
    for name in report["groups_down"]:
        entry = report["groups"][name]
        yield (
            f"group {_shown(name)} fell on {_shown(facts.found.head.key)}: {number(entry['delta'], sign=True)} "
            f"{interval(entry['ci95'])}; read its rows, and guard it with a marker if it must hold"
        )


def _biases(report: Mapping[str, Any], facts: Facts) -> Lines:
    shares = [report["config"][side]["graded_share"] for side in _SIDES]
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
        yield _answered(report, facts)
    cut = [report["config"][side]["truncated_share"] for side in _SIDES]
    if None not in cut and abs(cut[0] - cut[1]) > TRUNCATED_SHARE_GAP:
        yield f"the token cap cut {cut[0]:.1%} of rows before and {cut[1]:.1%} after: give both sides one max_tokens"


def _settings(report: Mapping[str, Any], facts: Facts) -> Lines:
    configs = report["config"]
    for key in differing(configs, ("judge_version", "temperature", "max_tokens")):
        yield f"{key} {_both(report, key)}: run both sides under one setting"
    policies = [configs[side]["policy_version"] for side in _SIDES]
    if policies[0] is not None and policies[0] == policies[1]:
        yield f"both sides are the same policy version {_shown(policies[0])}: this compares a model with itself"
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
