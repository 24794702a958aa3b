"""`delta_report`: did training help, and did anything else slip?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from whileai.simulations.defaults import (
    ALPHA,
    ANSWERED_GAP_POINTS,
    ANSWERED_P_MAX,
    BOOTSTRAP_DRAWS,
    CEILING_PASS_RATE,
    POWER,
)
from whileai.simulations.reports import Report
from whileai.simulations.score.delta import arguments, guards, verdicts
from whileai.simulations.score.delta.arguments import Asked, Thresholds
from whileai.simulations.score.delta.cautions import cautions
from whileai.simulations.score.delta.combine import combined_keys, family_keys
from whileai.simulations.score.delta.comparable import causes
from whileai.simulations.score.delta.groups import group_keys
from whileai.simulations.score.delta.measured import Measured, few_with_room, measure
from whileai.simulations.score.delta.metrics import one_sided
from whileai.simulations.score.delta.noise import noise_keys
from whileai.simulations.score.delta.repeats import repeats_key
from whileai.simulations.score.delta.seeds import seed_keys
from whileai.simulations.score.delta.sizing import sizing_keys
from whileai.simulations.score.delta.text import format_delta_report
from whileai.simulations.score.stats.summary import PASS
from whileai.simulations.signature import public

TrainRuns = Sequence[Iterable[Any]] | Mapping[str, Sequence[Iterable[Any]] | None]


class DeltaReport(Report):
    """What `delta_report` returns: a dict of its keys that prints itself.

    >>> DeltaReport({"ok": True})
    DeltaReport(ok=True)
    """

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values, show=format_delta_report)

    def __repr__(self) -> str:
        return f"DeltaReport(ok={self.get('ok')})"


@public
def delta_report(
    before: Iterable[Any],
    after: Iterable[Any],
    target: str | None = None,
    must_not_regress: Sequence[str] = (),
    markers: Sequence[str] | None = None,
    by: str | Callable[[Any], Any] | bool | None = None,
    run_std: float | Mapping[str, float | None] | None = None,
    run_std_runs: int | None = None,
    train_runs: TrainRuns | None = None,
    proxy: str | None = None,
    n_boot: int = BOOTSTRAP_DRAWS,
    seed: int = 0,
    balance_rollouts: bool = False,
    alpha: float = ALPHA,
    power: float = POWER,
    ceiling_pass_rate: float = CEILING_PASS_RATE,
    answered_gap_points: float = ANSWERED_GAP_POINTS,
    answered_alpha: float = ANSWERED_P_MAX,
    *,
    lower_is_better: Sequence[str] | Mapping[str, bool] | None = None,
) -> DeltaReport:
    """Compare an `after` run to a `before` run on pass@1 and every shared marker, and say whether the change is real.

    Both sides are iterables of graded rows, ideally on the same tasks; each is read once and not changed. Read first:
    `headline_verdict` (also the first printed line), `ok` (the gate: no regression, no dropped target, comparable
    sides; not that the change helped), `metrics` (delta, interval and verdict of each) and `warnings`.

    `target` is the metric the run was to move, `proxy` the one it was trained on, `must_not_regress` the guards:
    `"pass_at_1"`, `"marker:NAME"` or a bare marker name. `by` splits the headline metric by a row key, a marker or a
    callable. `run_std` (a number, or numbers by metric) with `run_std_runs` is the eval's re-run deviation; rows that
    carry `lineage.eval_run` bring their own. `train_runs` are the row sets of every training seed. Verdicts run at
    `alpha`; beside them `combined_*`, which count rollout noise once, and `p_holm` and `p_family`, which hold over
    all metrics. Bad arguments are a `ValueError`.

    >>> before = [{"task_id": t, "reward": int(r < 2)} for t in range(10) for r in range(4)]
    >>> after = [{"task_id": t, "reward": int(r < 3)} for t in range(10) for r in range(4)]
    >>> report = delta_report(before, after, target="pass_at_1", run_std=0.02, run_std_runs=5)
    >>> report["headline_verdict"], report["target_delta"]
    ('PASS', 0.25)
    """
    asked = asked_for(
        target=target,
        must_not_regress=must_not_regress,
        markers=markers,
        by=by,
        run_std=run_std,
        run_std_runs=run_std_runs,
        train_runs=train_runs,
        proxy=proxy,
        lower_is_better=lower_is_better,
        balanced=bool(balance_rollouts),
        thresholds=Thresholds(alpha, power, ceiling_pass_rate, answered_gap_points, answered_alpha, n_boot, seed),
    )
    return report_of(measure(before, after, asked), asked)


def asked_for(
    *,
    target: str | None,
    must_not_regress: Sequence[str],
    markers: Sequence[str] | None,
    by: Any,
    run_std: float | Mapping[str, float | None] | None,
    run_std_runs: int | None,
    train_runs: TrainRuns | None,
    proxy: str | None,
    lower_is_better: Sequence[str] | Mapping[str, bool] | None,
    balanced: bool,
    thresholds: Thresholds,
) -> Asked:
    """The arguments of `delta_report` but the rows, checked; a bad one is a `ValueError`."""
    return Asked(
        target=None if target is None else arguments.metric_key("target", target),
        proxy=None if proxy is None else arguments.metric_key("proxy", proxy),
        guards=arguments.metric_keys("must_not_regress", must_not_regress),
        markers=None if markers is None else arguments.metric_keys("markers", markers),
        directions=arguments.directions_given(lower_is_better),
        by=arguments.by_given(by),
        floors=arguments.floors_given(run_std, run_std_runs),
        run_std_runs=None if run_std_runs is None else int(run_std_runs),
        row_sets=arguments.row_sets_given(train_runs),
        balanced=balanced,
        thresholds=thresholds,
    )


def report_of(found: Measured, asked: Asked) -> DeltaReport:
    """The report on what was measured."""
    report = {**_verdict_keys(found, asked), **_metric_keys(found, asked), **_context_keys(found, asked)}
    word = verdicts.word(found.entry, found.seeds)
    shown = verdicts.shown_word(word, found.seeds)
    measured = asked.target in found.metrics
    if asked.target is not None:
        report["target_verdict"] = shown if measured else verdicts.NOT_MEASURED
    report["ok"] = verdicts.gate(report, word if measured else None)
    report["headline_verdict"] = verdicts.headline(report, report["target_verdict"] or shown, found.entry)
    report["warnings"] = cautions(report, found, asked, word)
    return DeltaReport(report)


def _verdict_keys(found: Measured, asked: Asked) -> dict[str, Any]:
    entry = found.entries.get(asked.target) if asked.target is not None else None
    passes = found.entries[PASS]
    return {
        "ok": True,
        "headline_verdict": "",
        "not_comparable": causes(passes, found.configs, found.selection, found.answered),
        "target": asked.target,
        "target_verdict": None,
        "target_delta": None if entry is None else entry["delta"],
        "target_ci95": None if entry is None else entry["ci95"],
        "n_paired_tasks": passes["n_paired"],
        "n_unpaired_tasks": passes["n_only_a"] + passes["n_only_b"],
        **guards.lists(found.entries, asked.guards),
        **guards.guard_keys(asked.guards, found.metrics),
        **guards.proxy_keys(asked.proxy, asked.target, found.entries),
    }


def _metric_keys(found: Measured, asked: Asked) -> dict[str, Any]:
    limits, n = asked.thresholds, len(found.metrics)
    return {
        "n_metrics": n,
        "alpha": float(limits.alpha),
        "level": limits.level,
        "family_error": round(1 - limits.level**n, 4),
        **family_keys(found.entries, limits),
        "lower_is_better": [key for key, metric in found.metrics.items() if metric.lower],
        **noise_keys(found.noise, found.head.key, asked.run_std_runs),
        **seed_keys(found.seeds),
        **combined_keys(found.head, found.entry, found.noise, found.seeds, limits.level),
        "repeats": repeats_key(found.sides, found.head, found.entry, found.noise, found.seeds, limits),
        "metrics": found.entries,
        **one_sided(*found.sides, asked.markers),
    }


def _context_keys(found: Measured, asked: Asked) -> dict[str, Any]:
    limits, passes = asked.thresholds, found.entries[PASS]
    full = passes["mean_a"] is not None and passes["mean_a"] >= limits.ceiling_pass_rate
    return {
        "ceiling": full or few_with_room(found.passes),
        **sizing_keys(found.head, found.entry, passes, found.configs["before"]["k"], limits),
        "config": found.configs,
        "balanced": found.trimmed,
        **group_keys(found.grouping, found.head, found.sides, limits),
    }
