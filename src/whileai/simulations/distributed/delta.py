"""`delta_report`: two sides gathered on the workers, compared where they are merged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from whileai.simulations.defaults import (
    ALPHA,
    ANSWERED_GAP_POINTS,
    ANSWERED_P_MAX,
    BOOTSTRAP_DRAWS,
    CEILING_PASS_RATE,
    POWER,
)
from whileai.simulations.distributed.sidejob import ALL, SideJob
from whileai.simulations.distributed.sides import Gathered, GatheredSide, gathered, grouping
from whileai.simulations.distributed.source import Source, source_of
from whileai.simulations.distributed.tables import tasks_named
from whileai.simulations.score.delta.arguments import ARMS, Asked, Thresholds
from whileai.simulations.score.delta.measured import measured_of
from whileai.simulations.score.delta.report import DeltaReport, asked_for, report_of
from whileai.simulations.score.delta.seeds import SumsOf


def delta_report(
    before: Any,
    after: Any,
    target: str | None = None,
    must_not_regress: Sequence[str] = (),
    markers: Sequence[str] | None = None,
    by: str | Callable[[Any], Any] | bool | None = None,
    run_std: float | Mapping[str, float | None] | None = None,
    run_std_runs: int | None = None,
    train_runs: Any = None,
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
    """`whileai.simulations.delta_report` of two datasets, or paths; the same numbers to the last digit.

    Two numbers a metric and task are shuffled, again for each evaluation run and group that rows name. `train_runs`
    holds datasets or paths. `balance_rollouts=True` is refused: it draws rows by their place among all rows of their
    task, which no worker sees; cut the rollouts before, or compare in memory.
    """
    if balance_rollouts:
        raise ValueError(
            "balance_rollouts draws rows by their place among all rows of their task, which no worker sees: cut the "
            "rollouts of each task before, or use whileai.simulations.delta_report on rows in memory"
        )
    arms = _arms(train_runs)
    asked = asked_for(
        target=target,
        must_not_regress=must_not_regress,
        markers=markers,
        by=by,
        run_std=run_std,
        run_std_runs=run_std_runs,
        train_runs=None if arms is None else {arm: _empty_sets(held) for arm, held in arms.items()},
        proxy=proxy,
        lower_is_better=lower_is_better,
        balanced=False,
        thresholds=Thresholds(alpha, power, ceiling_pass_rate, answered_gap_points, answered_alpha, n_boot, seed),
    )
    job = SideJob.of(asked)
    before, after = (gathered(source_of(rows, name), job) for name, rows in (("before", before), ("after", after)))
    seeds = {
        arm: None if held is None else [gathered(source, SideJob(by=False)) for source in held]
        for arm, held in (arms or dict.fromkeys(ARMS)).items()
    }
    return compared(before, after, asked, seeds)


def compared(
    before: Gathered, after: Gathered, asked: Asked, seeds: Mapping[str, list[Gathered] | None] | None = None
) -> DeltaReport:
    """The report on two sides that were gathered, and on the row sets of training seeds by arm."""
    seeds = dict.fromkeys(ARMS) if seeds is None else seeds
    everything = [before, after, *(each for held in seeds.values() for each in held or ())]
    index = tasks_named(sorted({name for each in everything for name in each.names()}))
    for each in everything:
        each.number(index)
    sides = GatheredSide("before", before), GatheredSide("after", after)
    sums_of: dict[str, list[SumsOf] | None] = {
        arm: None if held is None else [partial(each.sums, ALL) for each in held] for arm, held in seeds.items()
    }
    return report_of(measured_of(sides, sums_of, asked, grouping(asked, *sides)), asked)


def _empty_sets(sources: list[Source] | None) -> list[tuple[()]] | None:
    """As many row sets as there are sources, for the check of the other arguments."""
    return None if sources is None else [() for _ in sources]


def _arms(train_runs: Any) -> dict[str, list[Source] | None] | None:
    if train_runs is None:
        return None
    arms = train_runs if isinstance(train_runs, Mapping) else {"before": None, "after": train_runs}
    return {
        arm: held and [source_of(rows, f"train_runs, {arm} seed {i}") for i, rows in enumerate(held)]
        for arm, held in arms.items()
    }
