"""The steps of `select_for_rl`, each of which takes some rows out and says under which reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from whileai.simulations.rows.endings import is_truncated
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.task import task_key
from whileai.simulations.score.hygiene import dedupe_groups
from whileai.simulations.score.optimize.account import Account
from whileai.simulations.score.optimize.cut import Truncated, marked_cut
from whileai.simulations.score.optimize.faults import most_met
from whileai.simulations.score.optimize.gates import filter_rl_rows
from whileai.simulations.score.optimize.leaks import drop_privileged_leaks
from whileai.simulations.score.optimize.next_round import SOLVED, UNSOLVED, Plan
from whileai.simulations.score.optimize.order import Group, Order, ordered
from whileai.simulations.score.optimize.rates import MIN_K, measured_rates
from whileai.simulations.score.optimize.reasons import (
    COLLAPSED,
    CUT,
    LEAK,
    OVER_TARGET,
    PRIOR_SOLVED,
    PRIOR_UNSOLVED,
    REPEAT,
    RL_REASONS,
    TOO_EASY,
    TOO_HARD,
)
from whileai.simulations.score.optimize.trims import out_of_band, unanimous_tasks

_PRIOR = {SOLVED: PRIOR_SOLVED, UNSOLVED: PRIOR_UNSOLVED}
_NO_REPEATS = {"n_dropped": 0, "groups_affected": 0, "conflicting_rewards": 0}


@dataclass(frozen=True, slots=True)
class Settings:
    """The arguments of a selection, checked."""

    target: int
    low: float
    high: float
    enforce_band: bool
    has_tools: bool
    dedupe: bool
    truncated: Truncated
    order: Order
    text_gates: str


class Flow:
    """The rows that are left, the account of those that are not, and what each step reports.

    Steps are called in order; `values` holds their keys of the report.
    """

    def __init__(self, rows: list[Any], settings: Settings) -> None:
        self.rows = rows
        self.settings = settings
        self.account = Account(len(rows), RL_REASONS)
        self.values: dict[str, Any] = {}
        self._cut: set[int] = set()
        self._gated: Counter[str] = Counter()

    def without_prior(self, prior: Iterable[Any] | None) -> None:
        """Take out tasks that the last round's policy solved or never did."""
        self.values["prior"] = None
        if prior is None:
            return
        plan = Plan(prior, self.settings.low, self.settings.high)
        outcomes = list(plan.outcomes(self.rows))
        found = plan.report(outcomes)
        gone = {outcome.task: _PRIOR[outcome.name] for outcome in outcomes if outcome.name in _PRIOR}
        before = len(self.rows)
        self._without(gone)
        said = ("kept", SOLVED, UNSOLVED, "unknown", "from_policy")
        self.values["prior"] = {
            **{name: found[name] for name in said},
            "rows_dropped": before - len(self.rows),
            "prompt_set_sha": found["prompt_set_sha"],
        }

    def without_leaks(self) -> None:
        """Take out rows that quote their own privileged block."""
        self.rows, found = drop_privileged_leaks(self.rows)
        self.account.drop(LEAK, found["n_dropped"])
        self.values |= {"privileged_leaks_dropped": found["n_dropped"], "privileged_leaks": found}

    def marked(self) -> None:
        """Mark cut rows, on copies, where they are kept or penalized."""
        policy = self.settings.truncated
        if policy is not Truncated.DROP:
            self.rows, self._cut = marked_cut(self.rows, policy)
        n = len(self._cut)
        self.values |= {
            "truncated_policy": policy.value,
            "truncated_dropped": 0,
            "truncated_kept": n if policy is Truncated.KEEP else 0,
            "truncated_penalized": n if policy is Truncated.PENALIZE else 0,
        }

    def gated(self, text_gates: bool) -> None:
        """Take out rows that fail a gate, then repeats, then cut rows; of repeats an uncut one stays."""
        self.rows, found = filter_rl_rows(self.rows, self.settings.has_tools, text_gates)
        for reason, n in found["dropped"].items():
            self.account.drop(reason, n)
        self.values |= {"n_after_gates": len(self.rows), "gates": found["dropped"], "duplicates": dict(_NO_REPEATS)}
        self._gated = Counter(map(task_key, self.rows))
        dropping = self.settings.truncated is Truncated.DROP
        cut = {id(row) for row in self.rows if is_truncated(row)} if dropping else self._cut
        if self.settings.dedupe and text_gates:
            self.rows, repeats = _without_repeats(self.rows, cut)
            self.account.drop(REPEAT, repeats["n_dropped"])
            self.values["duplicates"] = repeats
        if dropping:
            whole = [row for row in self.rows if id(row) not in cut]
            self.values["truncated_dropped"] = len(self.rows) - len(whole)
            self.account.drop(CUT, len(self.rows) - len(whole))
            self.rows = whole

    def trimmed(self) -> list[Group]:
        """Take out tasks without contrast or out of band; the groups that are left.

        Cut rows that are kept (riders) vote on nothing: they stay with the rows of their task, or go with them.
        """
        riders = self._cut if self.settings.truncated is Truncated.KEEP else set()
        table = RowTable([row for row in self.rows if id(row) not in riders] if riders else self.rows)
        rates, low, high = measured_rates(table), self.settings.low, self.settings.high
        names = table.index.names
        unanimous = unanimous_tasks(rates, MIN_K)
        collapsed = {c: COLLAPSED for c, rate in rates.items() if rate.n == 1 and self._gated[names[c]] >= MIN_K}
        band = out_of_band(rates, low, high) if self.settings.enforce_band else {}
        gone = {names[code]: reason for code, reason in {**unanimous, **collapsed, **band}.items()}
        alone = {task_key(row) for row in self.rows if id(row) in riders} - set(names)
        self._without(gone | dict.fromkeys(alone, CUT))
        counts = Counter(band.values())
        self.values |= {
            "n_after_trim": len(self.rows),
            "unanimous_groups_dropped": len(unanimous) + len(collapsed),
            "collapsed_groups_dropped": len(collapsed),
            "band": [low, high],
            "enforce_band": self.settings.enforce_band,
            "band_groups_dropped": len(band),
            "band_dropped": {TOO_EASY: counts[TOO_EASY], TOO_HARD: counts[TOO_HARD]},
        }
        return [
            Group(task, rows, (rate := rates[code]).value, most_met(rows), low <= rate.value <= high)
            for task, rows in by_task(table.rows).items()
            if task not in gone and (code := table.index.code(task)) is not None
        ]

    def picked(self, groups: list[Group]) -> list[Any]:
        """Whole tasks in order until there are as many rows as wanted; riders come along and do not count."""
        rows = by_task(self.rows)
        selected: list[Any] = []
        n_voting = n_groups = 0
        for group in ordered(groups, self.settings.order):
            if n_voting >= self.settings.target:
                break
            n_voting += len(group.rows)
            n_groups += 1
            selected += rows[group.task]
        self.account.drop(OVER_TARGET, len(self.rows) - len(selected))
        kinds = Counter(group.kind for group in groups)
        self.values |= {
            "n_selected": len(selected),
            "groups_selected": n_groups,
            "target": self.settings.target,
            "fault_kinds": dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
            "truncated_selected": sum(id(row) in self._cut for row in selected),
        }
        return selected

    def _without(self, gone: Mapping[str, str]) -> None:
        """Take out every row of some tasks, each under the reason of its task."""
        if not gone:
            return
        counts: Counter[str] = Counter()
        kept = []
        for row in self.rows:
            reason = gone.get(task_key(row))
            if reason is None:
                kept.append(row)
            else:
                counts[reason] += 1
        for reason, n in counts.items():
            self.account.drop(reason, n)
        self.rows = kept


def _without_repeats(rows: list[Any], cut: Container[int]) -> tuple[list[Any], dict[str, Any]]:
    """The rows less their repeats, in order; the first stays, an uncut one before a cut one."""
    kept, found = dedupe_groups(sorted(rows, key=lambda row: id(row) in cut))
    if not found["n_dropped"]:
        return rows, found
    stay = set(map(id, kept))
    return [row for row in {id(row): row for row in rows}.values() if id(row) in stay], found


def by_task(rows: Iterable[Any]) -> dict[str, list[Any]]:
    """The rows of each task, in order."""
    found: dict[str, list[Any]] = {}
    for row in rows:
        found.setdefault(task_key(row), []).append(row)
    return found
