"""`select_for_rl`: rows pass the gates where they are; a lean record of each goes to the shard of its task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from whileai.simulations.defaults import DEFAULT_SELECT_TARGET
from whileai.simulations.distributed.fetch import fetched
from whileai.simulations.distributed.flow import Flowed, Positions, summed
from whileai.simulations.distributed.lean import FlowJob, LeanRows, Steps
from whileai.simulations.distributed.reduction import finished, left_there
from whileai.simulations.distributed.rows import packed
from whileai.simulations.distributed.source import source_of
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import RowTable
from whileai.simulations.score.optimize.account import Account
from whileai.simulations.score.optimize.arguments import checked_audit
from whileai.simulations.score.optimize.cut import Truncated, marked_cut
from whileai.simulations.score.optimize.flow import Settings
from whileai.simulations.score.optimize.order import ordered
from whileai.simulations.score.optimize.rates import Rate
from whileai.simulations.score.optimize.reasons import OVER_TARGET, RL_REASONS
from whileai.simulations.score.optimize.rewards import KINDS
from whileai.simulations.score.optimize.rl import (
    Arrived,
    report_of,
    settings_of,
    stamp_calibration,
    text_gates_of,
)
from whileai.simulations.score.optimize.signal import HIGH, LOW
from whileai.simulations.score.optimize.stamp import Measured, pass_rate_ends


def select_for_rl(
    rows: Any,
    target: int = DEFAULT_SELECT_TARGET,
    lo: float = LOW,
    hi: float = HIGH,
    enforce_band: bool = True,
    has_tools: bool = True,
    dedupe: bool = True,
    drop_truncated: bool = True,
    endorsed: Sequence[str] = (),
    truncated: str = "drop",
    order: str = "spread",
    prior: Any = None,
    audit: Mapping[str, Any] | None = None,
    text_gates: str = "auto",
) -> tuple[Any, Report]:
    """A dataset of the rows that `whileai.simulations.select_for_rl` selects, in order, and the same report.

    A record of about 50 bytes a row is shuffled by task; the driver holds one a task. Then the selected rows move to
    one worker, which must hold them and scans them for the report. Repeats are told by a hash of 128 bits. `prior` is
    refused: plan the tasks before, from the last round's rows, with `trim_out_of_band` and `retire_solved`.
    """
    audit = checked_audit(audit)
    settings = settings_of(
        target, lo, hi, enforce_band, has_tools, dedupe, drop_truncated, truncated, order, text_gates
    )
    if prior is not None:
        raise ValueError(
            "prior= is not distributed: drop the tasks that the last round solved or never did before, from its rows "
            "(retire_solved, trim_out_of_band), or use whileai.simulations.select_for_rl on rows in memory"
        )
    source = source_of(rows).pinned()
    found = left_there(source.parts(), FlowJob(settings))
    steps = found.whole or Steps()
    gates = text_gates_of(settings.text_gates, steps.has_replies)
    flowed = summed(finished(found.shards, Flowed.of(settings, gates["applied"])))
    picks = _tasks_picked(flowed, settings)
    positions = Positions(settings, gates["applied"], frozenset(picks))
    at = {task: held for part in finished(found.shards, positions) for task, held in part.items()}
    selected = [place for task in picks for place in at[task]]
    values = _values(steps, flowed, settings, len(selected), len(picks))
    make = partial(
        _selected,
        order=selected,
        settings=settings,
        steps={**values, "text_gates": gates},
        arrived=Arrived(steps.n, steps.eval_sourced, {**dict.fromkeys(KINDS, 0), **steps.unusable}),
        rates=flowed.rates,
        endorsed=list(endorsed) if not isinstance(endorsed, str) else endorsed,
        audit=audit,
    )
    dataset, reports = fetched(source, dict.fromkeys(selected, 0), make, 1)
    return dataset, reports[0]


def _tasks_picked(flowed: Flowed, settings: Settings) -> list[str]:
    """The tasks in the order they are taken, until there are as many rows that vote as wanted."""
    picks, n_voting = [], 0
    for group in ordered(flowed.groups, settings.order):
        if n_voting >= settings.target:
            break
        n_voting += len(group.rows)
        picks.append(group.task)
    return picks


class Picked(NamedTuple):
    """Which rows were selected, by their numbers in order, and what is known of the others."""

    order: list[int]
    steps: dict[str, Any]
    arrived: Arrived
    rates: Mapping[str, Rate]


def picked_of(shard: LeanRows, steps: Steps, settings: Settings) -> Picked:
    """The selection from lean records that are all in one shard."""
    gates = text_gates_of(settings.text_gates, steps.has_replies)
    flowed = Flowed.of(settings, gates["applied"])(shard)
    picks = _tasks_picked(flowed, settings)
    at = Positions(settings, gates["applied"], frozenset(picks))(shard)
    order = [place for task in picks for place in at[task]]
    values = {**_values(steps, flowed, settings, len(order), len(picks)), "text_gates": gates}
    unusable = {**dict.fromkeys(KINDS, 0), **steps.unusable}
    return Picked(order, values, Arrived(steps.n, steps.eval_sourced, unusable), flowed.rates)


def _values(steps: Steps, flowed: Flowed, settings: Settings, n_selected: int, n_groups: int) -> dict[str, Any]:
    """The keys of the steps, as `Flow` gives them."""
    account = Account(steps.n, RL_REASONS)
    for reason, n in [*flowed.account.items(), *steps.account.items()]:
        account.drop(reason, n)
    account.drop(OVER_TARGET, flowed.n_after_trim - n_selected)
    policy = settings.truncated
    return {
        "account": account.values(),
        "prior": None,
        "privileged_leaks_dropped": steps.leaks.n_dropped,
        "privileged_leaks": steps.leaks.report(),
        "truncated_policy": policy.value,
        "truncated_dropped": flowed.truncated_dropped,
        "truncated_kept": steps.n_cut if policy is Truncated.KEEP else 0,
        "truncated_penalized": steps.n_cut if policy is Truncated.PENALIZE else 0,
        "n_after_gates": flowed.n_after_gates,
        "gates": flowed.gates,
        "duplicates": flowed.duplicates(),
        "n_after_trim": flowed.n_after_trim,
        **flowed.trim_counts(settings),
        "n_selected": n_selected,
        "groups_selected": n_groups,
        "target": settings.target,
        "fault_kinds": dict(sorted(flowed.kinds().items(), key=lambda item: (-item[1], item[0]))),
    }


@dataclass(frozen=True)
class _Rates:
    """Pass rates by task as they are stamped."""

    rates: Mapping[str, Rate]

    def measured(self) -> Measured:
        found = Measured(RowTable(()))
        found.rates = dict(self.rates)
        found.ends = {task: pass_rate_ends(rate.value, int(rate.n or 0)) for task, rate in self.rates.items()}
        return found


def _selected(
    rows: dict[int, Any],
    *,
    order: list[int],
    settings: Settings,
    steps: dict[str, Any],
    arrived: Arrived,
    rates: Mapping[str, Rate],
    endorsed: Any,
    audit: Mapping[str, Any] | None,
) -> tuple[Any, Report]:
    """The selected rows as a table, and the report on them."""
    held, report = selected_of(rows, Picked(order, steps, arrived, rates), settings, endorsed, audit)
    return packed(held), report


def selected_of(
    rows: Mapping[int, Any], found: Picked, settings: Settings, endorsed: Any, audit: Mapping[str, Any] | None
) -> tuple[list[Any], Report]:
    """The selected rows, marked and stamped, and the report on them, where they are."""
    order, steps, arrived, rates = found
    held, n_cut = [rows[at] for at in order], 0
    if settings.truncated is not Truncated.DROP:
        held, cut = marked_cut(held, settings.truncated)
        n_cut = len(cut)
    measured = _Rates(rates).measured()
    stamp_calibration(held, measured)
    said = {**steps, "truncated_selected": n_cut}
    return held, report_of(settings, said, arrived, held, measured, endorsed, audit)
