"""How sure a comparison is, in lines: re-runs, row sets and training seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.reports import counted
from whileai.simulations.score.delta.figures import interval, number

_SIDES = ("before", "after")
Lines = Iterator[str]
Report = Mapping[str, Any]


def noise(report: Report) -> Lines:
    """The floor that re-running sets."""
    if report["run_std"] is not None:
        yield (
            f"eval noise: run_std {number(report['run_std'])}, a delta under {number(report['noise_band'])} is noise"
            f" ({report['noise_rule']}; {_source(report)})"
        )
    elif report["run_std_source"] is not None:
        yield f"eval noise: no floor for the headline metric (floors of others: {_source(report)})"


def _source(report: Report) -> str:
    runs = report["eval_runs"]
    if report["run_std_source"] == "eval_run":
        return f"from {counted(runs['before'], 'run')} before and {runs['after']} after"
    return "given" if report["run_std_runs"] is None else f"given, from {report['run_std_runs']} re-runs"


def repeats(report: Report) -> Lines:
    """Row sets that repeat the same evaluation."""
    found = report["repeats"]
    if not found["n"]:
        yield f"repeats: {found['note']}"
        return
    spreads = []
    for side in _SIDES:
        n = found["n_runs"][side]
        spreads.append(f"{n} {side}" + (f" (max - min {number(found['spread'][side])})" if n > 1 else ""))
    tags = ", ".join(found["run_tags"][:12]) + (", ..." if found["n"] > 12 else "")
    yield f"repeats: {found['note']} with {found['pooled_tag']} ({tags}); runs {', '.join(spreads)}"


def seeds(report: Report) -> Lines:
    """What the training seeds say."""
    seeds = report["train_runs"]
    if seeds is None:
        return
    arms = ", ".join(f"{arm} {_arm(seeds[arm], report['train_std'][arm])}" for arm in _SIDES)
    if report["train_delta"] is None:
        yield f"training seeds: {arms}; unresolved: one training seed per arm; add a seed to resolve"
    else:
        across = number(report["train_delta"], sign=True)
        yield f"training seeds: {arms}; across seeds {across} {interval(report['train_ci95'])}"


def _arm(seeds: int | None, std: float | None) -> str:
    if seeds is None:
        return "untrained"
    return f"{seeds}" if std is None else f"{seeds} (sd between seeds {number(std)})"


def combined(report: Report) -> Lines:
    """Both sources of noise in one interval."""
    if report["combined_ci95"] is not None:
        yield (
            f"combined, beside the verdict: {interval(report['combined_ci95'])}, p {report['combined_p']:.2g} "
            f"({report['combined_rule']})"
        )
