"""The tasks of the next round, from what the policy did on those of the last one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from whileai.simulations.errors import warn
from whileai.simulations.reports import Report, counted
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.task import task_id, task_key
from whileai.simulations.rows.text import prompt_text
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.keyless import keyless_notes
from whileai.simulations.score.optimize.account import account_lines
from whileai.simulations.score.optimize.arguments import checked_band
from whileai.simulations.score.optimize.rates import Rate, task_rates
from whileai.simulations.score.optimize.rewards import label_notes
from whileai.simulations.score.optimize.signal import HIGH, LOW
from whileai.simulations.signature import public

KEPT, SOLVED, UNSOLVED, UNKNOWN = "kept", "dropped_solved", "dropped_unsolved", "unknown"


@public
def next_round(prior: Iterable[Any], tasks: Iterable[Any] | None = None, lo: float = LOW, hi: float = HIGH) -> Report:
    """The tasks worth another round: those the policy of the last round solved at times.

    A task whose pass rate on `prior` is above `hi` is solved, below `lo` unsolved; both are dropped, since their
    groups agree and give no gradient (Lambert 2025, chapter Reasoning; dynamic sampling, DAPO, arXiv:2503.14476). One
    without a rate is unknown and kept. `prior` is graded rollouts, or a table of tasks with `pass_rate` and `n`.
    `tasks` restricts the candidates: rows, dicts with a `prompt`, or prompts as text.

    Keys: `tasks`, one row a kept task (a copy of the first prior row, its `calibration` with `pass_rate`, `n` and
    `band`; an unknown task as it was given), in the order of the candidates; `kept` (measured ones), `dropped_solved`,
    `dropped_unsolved`, `unknown`; `n_prior_tasks` and `pass_rates`, all tasks with a rate; `band`; `from_policy`, the
    policy versions of the prior; `prompt_set_sha`, which names the kept set whatever its order.

    Bounds that are no band are a `ValueError`, `tasks` that are one text a `TypeError`. A prior without any rate is a
    `UserWarning`, and so are rewards that do not vote and rows without a task.

    >>> passes = {"a": "1111", "b": "1100", "c": "0000"}
    >>> prior = [{"task_id": task, "reward": int(r)} for task, rewards in passes.items() for r in rewards]
    >>> plan = next_round(prior)
    >>> [task["task_id"] for task in plan["tasks"]], plan["tasks"][0]["calibration"]["pass_rate"]
    (['b'], 0.5)
    >>> print(plan)
    next round: 1 of 3 tasks, band 0.2..0.8
       3  tasks given
      -1  solved: passes above 80%
      -1  unsolved: passes below 20%
      =1  kept, 1 measured, 0 unknown
    """
    if isinstance(tasks, str | Mapping):
        raise TypeError(f"tasks must be a list of prompts or dicts, got one {type(tasks).__name__}: wrap it in a list")
    plan = Plan(prior, lo, hi)
    return plan.report(list(plan.outcomes(tasks)))


class Outcome(NamedTuple):
    """What becomes of a candidate, the key it was given under, and the row that stands for it when it is kept."""

    name: str
    task: str
    row: dict[str, Any] | None


class Plan:
    """The rates of a prior, and what they mean for any candidate."""

    def __init__(self, prior: Iterable[Any], lo: Any, hi: Any) -> None:
        self.low, self.high = checked_band(lo, hi, strict=True)
        self.table = RowTable(prior)
        self._codes = self.table.tasks.tolist()
        self.rates: dict[int, Rate] = task_rates(self.table)
        for note in self._notes():
            warn(f"prior: {note}")

    def _notes(self) -> Iterator[str]:
        """What to know of the rates: rewards that do not vote, rows without a task."""
        unlike = label_notes(self.table)
        if self.rates or not len(self.table):
            yield from unlike
        else:
            yield (
                f"none of {counted(len(self.table), 'row')} has a 0/1 reward or a pass_rate, so every task is unknown"
                f" and kept: {'; '.join(unlike) or 'grade the prior first'}"
            )
        yield from keyless_notes(self.table)

    def report(self, outcomes: list[Outcome]) -> Report:
        """The plan for some candidates, as `next_round` returns it."""
        names = self.table.index.names
        kept = [outcome.row for outcome in outcomes if outcome.row is not None]
        values = {
            "tasks": kept,
            **{name: sum(outcome.name == name for outcome in outcomes) for name in (KEPT, SOLVED, UNSOLVED, UNKNOWN)},
            "n_prior_tasks": len(self.rates),
            "pass_rates": {names[code]: round(rate.value, 4) for code, rate in sorted(self.rates.items())},
            "band": [self.low, self.high],
            "from_policy": self.from_policy,
            "prompt_set_sha": _set_name(kept),
        }
        return Report(values, show=format_next_round)

    @property
    def from_policy(self) -> list[str]:
        """The policy versions of the prior, sorted."""
        return sorted({text for value in self.table.column("policy_version") if (text := as_text(value))})

    def outcomes(self, tasks: Iterable[Any] | None) -> Iterator[Outcome]:
        """The outcome of each candidate, once; the tasks of the prior without `tasks`."""
        seen: set[str] = set()
        for task in self.first_rows.values() if tasks is None else tasks:
            given = {"prompt": task} if isinstance(task, str) else task
            if not is_mapping(given):
                continue
            key = task_key(given)
            code = self.code(given, key)
            name = key if code is None else self.table.index.name(code)
            if name not in seen:
                seen.add(name)
                yield self._outcome(given, key, code)

    def code(self, given: Mapping[str, Any], key: str) -> int | None:
        """The prior task a candidate names, by its key; one without an id also by its prompt."""
        code = self.table.index.code(key)
        if code is None and not task_id(given):
            return self._prompts.get(prompt_text(given.get("prompt")))
        return code

    def side(self, code: int | None) -> str:
        """Which side of the band a prior task is on."""
        rate = None if code is None else self.rates.get(code)
        if rate is None:
            return UNKNOWN
        if rate.value > self.high:
            return SOLVED
        return UNSOLVED if rate.value < self.low else KEPT

    def _outcome(self, given: Mapping[str, Any], key: str, code: int | None) -> Outcome:
        name = self.side(code)
        if code is None or name == UNKNOWN:
            return Outcome(name, key, dict(given))
        if name != KEPT:
            return Outcome(name, key, None)
        row, rate = dict(self.first_rows[code]), self.rates[code]
        old = row.get("calibration")
        row["calibration"] = {
            **(old if is_mapping(old) else {}),
            "pass_rate": round(rate.value, 4),
            "n": rate.n,
            "band": [self.low, self.high],
        }
        return Outcome(name, key, row)

    @cached_property
    def first_rows(self) -> dict[int, Mapping[str, Any]]:
        """The first row of each prior task, by code."""
        first: dict[int, Mapping[str, Any]] = {}
        for code, row in zip(self._codes, self.table.rows, strict=True):
            first.setdefault(code, row)
        return first

    @cached_property
    def _prompts(self) -> dict[str, int]:
        """The first task that carries each prompt."""
        found: dict[str, int] = {}
        for code, prompt in zip(self._codes, self.table.column("prompt"), strict=True):
            if text := prompt_text(prompt):
                found.setdefault(text, code)
        return found


def format_next_round(plan: Mapping[str, Any]) -> str:
    """How many candidates there were and what became of them, in a table that adds up."""
    low, high = plan["band"]
    dropped = {name: plan[name] for name in (SOLVED, UNSOLVED)}
    n_kept = plan[KEPT] + plan[UNKNOWN]
    given = n_kept + sum(dropped.values())
    words = {SOLVED: f"solved: passes above {high:.0%}", UNSOLVED: f"unsolved: passes below {low:.0%}"}
    ending = f"kept, {plan[KEPT]:,} measured, {plan[UNKNOWN]:,} unknown"
    head = f"next round: {n_kept:,} of {counted(given, 'task')}, band {low:g}..{high:g}"
    account = {"given": given, "dropped": dropped, "kept": n_kept}
    return "\n".join([head, *account_lines(account, words, ending, "tasks")])


def _set_name(rows: list[dict[str, Any]]) -> str:
    text = "\n".join(sorted(map(task_key, rows)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
