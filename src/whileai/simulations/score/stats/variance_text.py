"""What re-runs of an evaluation say of its spread, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.defaults import ALPHA, MIN_RERUNS
from whileai.simulations.kernels.quantiles import chi_square_share
from whileai.simulations.reports import counted, figure, printable, wrapped


def count_notes(n: int, n_left_out: int) -> Iterator[str]:
    """Rows of no run, and runs that are too few."""
    if n_left_out:
        rows = "row names no run and is" if n_left_out == 1 else "rows name no run and are"
        yield (
            f"{n_left_out} {rows} left out: give one list a run, or by= the key that holds the run "
            "(lineage.eval_run and lineage.scoring_run_id are looked for)"
        )
    if n < MIN_RERUNS:
        yield f"{n} {'run gives' if n == 1 else 'runs give'} no distribution: evaluate {MIN_RERUNS} times or more"


def task_notes(shared: int, met: int) -> Iterator[str]:
    """Runs of unequal tasks."""
    if shared != met:
        yield (
            f"the runs do not cover the same tasks: {shared} of {met} are in every run, so run_std holds task "
            "differences too"
        )


def shared_draws_notes(std: float | None, noise: float | None, n: int) -> Iterator[str]:
    """A run_std that the rollouts drawn make too small to believe; half of all honest ones lie under rollout_std."""
    if std is None or not noise or chi_square_share((n - 1) * (std / noise) ** 2, n - 1) >= ALPHA:
        return
    yield (
        f"run_std {figure(std, 4)} is well under the {figure(noise, 4)} that drawing rollouts gives by itself: "
        "the runs look cached or share seeds; draw each run anew"
    )


def format_eval_variance(report: Mapping[str, Any]) -> str:
    """The spread as lines of at most 100 columns: deviation and band, the runs, stability, notes.

    >>> from whileai.simulations.score.stats import eval_variance
    >>> print(format_eval_variance(eval_variance([{"task_id": "a", "reward": 1}], [])).splitlines()[0])
    pass_at_1: no spread over 1 run
    """
    return "\n".join(_lines(report))


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    n, std = report["n_runs"], report["run_std"]
    runs = counted(n, "run")
    name = printable(report["metric"], 40)
    if std is None:
        yield f"{name}: no spread over {runs}"
    else:
        yield f"{name}: run_std {figure(std, 4)} over {runs}, mean {figure(report['mean'], 4)}"
        yield (
            f"  noise band {figure(report['noise_band'], 4)}: what two single runs differ by at 95% "
            f"(t, df {report['noise_band_df']})"
        )
    means = ", ".join(f"{printable(label, 40)} {figure(mean, 4)}" for label, mean in report["means"].items())
    yield from wrapped(f"  runs: {means or 'none'}", "    ")
    yield f"  tasks in every run: {report['tasks_in_every_run']}"
    if report["rollout_std"] is not None:
        yield f"  drawing rollouts gives {figure(report['rollout_std'], 4)} of run_std by itself"
    if std is not None:
        yield f"  {report['stability']}: {figure(report['run_std_points'], 2)} points"
    for note in report["notes"]:
        yield from wrapped(f"- {printable(note)}")
