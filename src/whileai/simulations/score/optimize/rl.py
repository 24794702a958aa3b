"""`select_for_rl`: whole tasks with contrast, for a grouped update."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from whileai.simulations.arguments import whole
from whileai.simulations.defaults import DEFAULT_SELECT_TARGET, ROLLOUTS_PER_TASK
from whileai.simulations.reports import Report
from whileai.simulations.rows.table import RowTable
from whileai.simulations.rows.task import task_key
from whileai.simulations.score.hygiene.length import length_of
from whileai.simulations.score.optimize import cautions
from whileai.simulations.score.optimize.arguments import checked_audit, checked_band, choice
from whileai.simulations.score.optimize.cut import Truncated
from whileai.simulations.score.optimize.flow import Flow, Settings
from whileai.simulations.score.optimize.order import Order
from whileai.simulations.score.optimize.rewards import reward_notes, unusable_rewards
from whileai.simulations.score.optimize.signal import HIGH, LOW, group_signal
from whileai.simulations.score.optimize.spoken import replies
from whileai.simulations.score.optimize.stamp import Measured
from whileai.simulations.score.optimize.text import format_rl
from whileai.simulations.signature import public

_TEXT_GATES = ("auto", "require", "skip")
_AUDITED = ("fn_rate", "fn_ci95", "n_checked", "verifier")
_NO_CONTRAST = "no_mixed_groups: no task has both a pass and a failure, so a grouped update has no gradient"


@public
def select_for_rl(
    rows: Iterable[Any],
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
    prior: Iterable[Any] | None = None,
    audit: Mapping[str, Any] | None = None,
    text_gates: str = "auto",
) -> tuple[list[Any], Report]:
    """Whole tasks with contrast, up to about `target` rows, and where every other row went.

    In this order: tasks that the policy of `prior` (rollouts of the last round) solved or never did go, then rows that
    quote their own `privileged` block, rows that fail a gate (`filter_rl_rows`), repeats within a task (`dedupe`), cut
    rows (`truncated`), tasks whose rollouts agree, and tasks with a pass rate outside `lo` to `hi` (Lambert 2025,
    chapter Reasoning; DAPO, arXiv:2503.14476; `enforce_band=False` only ranks those last). The rest is taken task by
    task, fault kinds in turn, within one the pass rates in turn (`order="spread"`) or nearest one half first
    (`"middle"`). A task is never split, so the last may overshoot `target`.

    `truncated`: `"drop"`; `"keep"`, cut rows ride along with their task and vote on nothing (`drop_truncated=False`
    means the same); `"penalize"`, they count as failures. Both mark copies: `overlong`, `markers.finished`, penalized
    ones `reward` 0 and `reward_before_penalty`. `text_gates`: `"auto"` runs the gates that read replies when any row
    has one, `"require"` always, `"skip"` never. `endorsed` names what the reward should track, for the `hack_scan` of
    the selection. `audit` is an `audit_grades` report on the verifier.

    Selected rows are stamped in place with `calibration`, measured on the rows as they arrived. In the report:
    `account` (`given`, `dropped` by reason, `kept`: it adds up), the counts of each step, `signal`, `hack_scan`,
    `correlations` and `length` of the selection, `calibration`, `unusable_rewards` (rows without a 0/1 label by what
    stands in its place), `hygiene_warnings`, and `warning` when no task is mixed. An unknown choice, or a band that is
    none, is a `ValueError`.

    >>> passes = {"a": "1100", "b": "1111", "c": "1000"}
    >>> rows = [{"task_id": task, "reward": int(r)} for task, rewards in passes.items() for r in rewards]
    >>> selected, report = select_for_rl(rows)
    >>> sorted({row["task_id"] for row in selected}), report["account"]["dropped"]["unanimous"]
    (['a', 'c'], 4)
    """
    audit = checked_audit(audit)
    settings = settings_of(
        target, lo, hi, enforce_band, has_tools, dedupe, drop_truncated, truncated, order, text_gates
    )
    flow = Flow([row for row in RowTable(rows).rows if isinstance(row, dict)], settings)
    flow.without_prior(prior)
    arrived = list(flow.rows)
    measured = Measured(RowTable(arrived))
    flow.without_leaks()
    flow.marked()
    said = text_gates_of(settings.text_gates, any(map(replies, flow.rows)))
    flow.gated(said["applied"])
    selected = flow.picked(flow.trimmed())
    stamp_calibration(selected, measured)
    steps = {"account": flow.account.values(), **flow.values, "text_gates": said}
    before = Arrived(len(arrived), cautions.eval_sourced(arrived), unusable_rewards(RowTable(arrived)))
    return selected, report_of(settings, steps, before, selected, measured, endorsed, audit)


def settings_of(
    target: int,
    lo: float,
    hi: float,
    enforce_band: bool,
    has_tools: bool,
    dedupe: bool,
    drop_truncated: bool,
    truncated: str,
    order: str,
    text_gates: str,
) -> Settings:
    """The arguments of `select_for_rl`, checked; a bad one is a `ValueError`."""
    low, high = checked_band(lo, hi)
    policy = Truncated(choice("truncated", truncated, Truncated))
    gates = choice("text_gates", text_gates, _TEXT_GATES)
    return Settings(
        target=max(1, whole("target", target)),
        low=low,
        high=high,
        enforce_band=bool(enforce_band),
        has_tools=bool(has_tools),
        dedupe=bool(dedupe),
        truncated=Truncated.KEEP if policy is Truncated.DROP and not drop_truncated else policy,
        order=Order(choice("order", order, Order)),
        text_gates=gates,
    )


def text_gates_of(mode: str, has_replies: bool) -> dict[str, Any]:
    """Whether the gates that read replies run, and why not; `has_replies` says whether a row has one."""
    if mode == "skip":
        return {"mode": mode, "applied": False, "reason": "switched off with text_gates='skip'"}
    if mode == "require" or has_replies:
        return {"mode": mode, "applied": True, "reason": None}
    return {"mode": mode, "applied": False, "reason": "no row carries a reply"}


def stamp_calibration(rows: list[Any], measured: Measured) -> None:
    """Stamp rows in place with how hard their tasks were."""
    for row in rows:
        stamp = measured.stamp(task_key(row), row)
        if stamp is not None:
            row["calibration"] = stamp


@dataclass(frozen=True)
class Arrived:
    """What a report says of the rows as they arrived: how many, how many from an evaluation, their unusable rewards."""

    n: int
    eval_sourced: int
    unusable: dict[str, int]


def report_of(
    settings: Settings,
    steps: Mapping[str, Any],
    arrived: Arrived,
    selected: list[Any],
    measured: Measured,
    endorsed: Sequence[str],
    audit: Mapping[str, Any] | None,
) -> Report:
    """The report on a selection; `steps` holds `account`, `text_gates` and the keys of each step."""
    from whileai.simulations.score.hack_scan.scan import Asked, patterns_of, scan_of
    from whileai.simulations.score.hygiene.acts import acts_of
    from whileai.simulations.score.hygiene.correlations import correlations_of

    table = RowTable(selected)
    acts = {id(row): acts_of(row) for row in table.rows}  # one reading for three reports
    tasks = list(dict.fromkeys(map(task_key, selected)))
    values: dict[str, Any] = {
        "n": arrived.n,
        **steps,
        "length": dict(length_of(table.rows, [acts[id(row)].said for row in table.rows])),
        "correlations": dict(correlations_of(table, acts=lambda row: acts[id(row)])),
        "hack_scan": scan_of(table, Asked(patterns_of(endorsed)), acts=lambda row: acts[id(row)]),
        "signal": dict(group_signal(selected, settings.low, settings.high)),
        "eval_sourced": cautions.eval_sourced(selected),
        "eval_sourced_input": arrived.eval_sourced,
        "calibration": _calibration(selected, tasks, measured),
        "unusable_rewards": arrived.unusable,
        "audit": None if audit is None else {name: audit.get(name) for name in _AUDITED},
    }
    values["reward_notes"] = reward_notes(values["unusable_rewards"], arrived.n)
    values["hygiene_warnings"] = _cautions(values, tasks, measured)
    if not values["signal"]["n_mixed"]:
        values["warning"] = _NO_CONTRAST
    return Report(values, show=format_rl)


def _calibration(selected: list[Any], tasks: list[str], measured: Measured) -> dict[str, Any]:
    entries = [entry for task in tasks if (entry := measured.entry(task)) is not None]
    return {
        "n_tasks": len(measured.rates),
        "n_rows": len(selected),
        "n_stamped": sum(task_key(row) in measured.rates for row in selected),
        "tasks": entries,
    }


def _cautions(values: dict[str, Any], tasks: list[str], measured: Measured) -> list[str]:
    n_graded = sum(int(rate.n or 0) for rate in measured.rates.values())
    empty = not values["n_selected"] and (n_graded > 0 or values["account"]["given"] > values["n"])
    lines = [
        *cautions.keyless_lines(measured),
        *cautions.repeat_lines(values["duplicates"]),
        *cautions.length_lines(values["length"]),
        *cautions.correlation_lines(values["correlations"]),
        *(cautions.scan_lines(values["hack_scan"]) if values["n_selected"] else ()),
        *cautions.audit_lines(values["audit"]),
        *cautions.gates_lines(values["text_gates"]),
        *cautions.difficulty_lines(measured, tasks),
        *cautions.single_lines(values["signal"]),
        *cautions.eval_lines(values["eval_sourced"], values["n_selected"], "selected"),
    ]
    if empty:
        lines.append(cautions.nothing_line(values, n_graded))
        lines += cautions.eval_lines(values["eval_sourced_input"], values["n"], "given")
    before = _least_group(measured)
    if before >= ROLLOUTS_PER_TASK and values["signal"]["pass_pow_k"] is None:
        lines.append(cautions.kway_line(before, values["signal"]["k"]))
    return lines


def _least_group(measured: Measured) -> int:
    """The smallest group of two labels or more, which is the k of pass^k; 1 when there is none."""
    sizes = np.array([rate.n for rate in measured.rates.values()], dtype=float)
    groups = sizes[sizes > 1]
    return int(groups.min()) if groups.size else 1
