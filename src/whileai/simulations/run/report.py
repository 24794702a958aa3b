"""What a run covered and delivered, counted from its rows and its plan, and how that prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from whileai.simulations.reports import Report, counted, number_text, out_of, printable, wrapped
from whileai.simulations.rows.task import task_id
from whileai.simulations.rows.text import Kind, ask_text, events
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.dimensions.difficulty import tier_of
from whileai.simulations.score.grading import behavior_signature
from whileai.simulations.score.judging.warnings import is_dead

LOST_BY = ("agent_error", "empty_reply", "tool_markup")
_PLACES = 3
_FACTS = frozenset({
    "planned_pairs", "budget", "budget_per_run", "rollouts_requested", "lost_by", "knobs", "stopped_because",
    "saturation", "requested", "injected",
})  # fmt: skip

Row = Mapping[str, Any]
Value = tuple[str, str]  # an axis and one of its values


def coverage_of(rows: Iterable[Row], plan_facts: Mapping[str, Any]) -> dict[str, Any]:
    """What the rows of a run cover, what was asked for, and what was lost.

    `plan_facts` holds what rows do not tell: `planned_pairs` (pairs of `(axis, value)` that the grid wanted), `budget`
    and `budget_per_run`, `rollouts_requested`, `lost_by` (how many of the rows are no rollout of the agent, by reason),
    `injected` (faults the worlds injected, by tool; without it failed calls for which one was planned count),
    `stopped_because`, `saturation`, `requested` (the mix asked for) and `knobs`, the arguments as they were resolved,
    which come back as keys of their own.

    >>> rows = [{"prompt": "Hi", "scenario_dimensions": {"tool": "get", "stance": "hurried"}}]
    >>> found = coverage_of(rows, {"planned_pairs": [(("stance", "hurried"), ("tool", "get"))], "budget": 1})
    >>> found["rows"], found["pairwise"], found["rollouts_lost"]
    (1, {'pairs_planned': 1, 'pairs_covered': 1, 'fraction': 1.0}, 0)
    """
    counted_rows = _Counts()
    for row in rows:
        counted_rows.add(row)
    n, budget = counted_rows.rows, plan_facts.get("budget")
    lost_by = {
        **dict.fromkeys(LOST_BY, 0),
        **{str(k): int(v) for k, v in dict(plan_facts.get("lost_by") or {}).items()},
    }
    requested = plan_facts.get("rollouts_requested")
    lost, injected = sum(lost_by.values()), plan_facts.get("injected")
    requested = n if requested is None else requested
    found = {
        "rows": n,
        "unique_prompts": len(counted_rows.prompts),
        "unique_scenario_ids": len(counted_rows.scenarios),
        "unique_signatures": len(counted_rows.signatures),
        "unique_cells": len(counted_rows.cells),
        "unique_shapes": len(counted_rows.shapes),
        "budget": budget,
        "budget_per_run": plan_facts.get("budget_per_run", budget),
        "stopped_because": plan_facts.get("stopped_because", ""),
        "saturation": plan_facts.get("saturation"),
        "pairwise": _pairwise(plan_facts.get("planned_pairs") or (), counted_rows.cells),
        "requested": dict(plan_facts.get("requested") or {}),
        "delivered": counted_rows.delivered(),
        "rollouts_requested": requested,
        "rollouts_completed": max(0, n - lost),
        "rollouts_lost": lost,
        "rollouts_lost_by": lost_by,
        "tools": {
            name: {**tally, **({} if injected is None else {"injected": int(injected.get(name, 0))})}
            for name, tally in sorted(counted_rows.tools.items())
        },
        "dead_tools": counted_rows.dead_tools(),
    }
    knobs = dict(plan_facts.get("knobs") or {})
    further = {key: value for key, value in plan_facts.items() if key not in _FACTS}
    return {**further, **knobs, **found}


class _Counts:
    """What is counted of the rows, one at a time."""

    def __init__(self) -> None:
        self.rows = self.faulted = self.user_turns = self.calls = self.agent_turns = 0
        self.prompts: set[str] = set()
        self.scenarios: set[str] = set()
        self.signatures: set[str] = set()
        self.shapes: set[tuple[str, ...]] = set()
        self.cells: set[tuple[Value, ...]] = set()
        self.tiers: Counter[str] = Counter()
        self.stances: Counter[str] = Counter()
        self.tools: dict[str, dict[str, int]] = {}
        self._unplanned: dict[str, list[int]] = {}  # good and answered calls for which no fault was planned

    def add(self, row: Row) -> None:
        """Count one row."""
        self.rows += 1
        self.prompts.add(ask_text(row))
        self.scenarios.add(task_id(row))
        signature = row.get("behavior_signature")
        self.signatures.add(signature if isinstance(signature, str) else behavior_signature(dict(row)))
        dimensions = row.get("scenario_dimensions")
        if is_mapping(dimensions) and dimensions:
            self.cells.add(_cell(dimensions))
            self.stances[as_text(dimensions.get("stance")) or "unspecified"] += 1
            self.tiers[as_text(row.get("tier")) or tier_of(dimensions)] += 1
        planned = row.get("faults")
        planned = planned if is_mapping(planned) else {}
        self.faulted += bool(planned)
        self._add_episode(row, planned)

    def _add_episode(self, row: Row, planned: Mapping[Any, Any]) -> None:
        shape = []
        for event in events(row):
            if event.kind is Kind.USER:
                self.user_turns += 1
                shape.append("user")
            elif event.kind is Kind.AGENT:
                self.agent_turns += 1
                shape.append("agent")
            elif event.kind is Kind.CALL and event.call is not None:
                self._add_call(event.call, event.call.name in planned or "*" in planned)
                shape.append(event.call.name)
        self.shapes.add(tuple(shape))

    def _add_call(self, call: Any, planned: bool) -> None:
        tally = self.tools.setdefault(call.name, {"n": 0, "ok": 0, "fault_n": 0, "injected": 0})
        self.calls += 1
        tally["n"] += 1
        tally["ok"] += call.answered and not call.failed
        tally["fault_n"] += call.failed
        tally["injected"] += call.failed and planned
        if call.answered and not planned:
            good = self._unplanned.setdefault(call.name, [0, 0])
            good[0] += not call.failed
            good[1] += 1

    def dead_tools(self) -> list[str]:
        """The tools that hardly ever worked where no fault was planned."""
        return sorted(name for name, (good, answered) in self._unplanned.items() if is_dead(good, answered))

    def delivered(self) -> dict[str, Any]:
        """The mix that came out; means are over rows, None without rows."""
        n = self.rows
        return {
            "fault_share": _share(self.faulted, n),
            "tier_mix": _mix(self.tiers),
            "stance_mix": _mix(self.stances),
            "mean_user_turns": _share(self.user_turns, n),
            "mean_tool_calls": _share(self.calls, n),
            "mean_turns": _share(self.user_turns + self.agent_turns, n),
        }


def _cell(dimensions: Mapping[Any, Any]) -> tuple[Value, ...]:
    return tuple(sorted((as_text(axis), as_text(value)) for axis, value in dimensions.items()))


def _pairwise(planned: Iterable[Any], cells: Iterable[tuple[Value, ...]]) -> dict[str, Any]:
    """How many of the planned pairs are in some cell; a pair counts whichever way round it is given."""
    wanted = {tuple(sorted((str(axis), str(value)) for axis, value in pair)) for pair in planned}
    met = {pair for cell in cells for pair in combinations(cell, 2)}
    covered = len(wanted & met)
    return {
        "pairs_planned": len(wanted),
        "pairs_covered": covered,
        "fraction": round(covered / len(wanted), 4) if wanted else None,
    }


def _share(n: int, of: int) -> float | None:
    return round(n / of, _PLACES) if of else None


def _mix(counts: Counter[str]) -> dict[str, float]:
    total = counts.total()
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return {name: round(n / total, _PLACES) for name, n in ordered}


def run_report(coverage: Mapping[str, Any]) -> Report:
    """The coverage of a run as a report of its own, which prints itself.

    >>> print(run_report(coverage_of([], {"stopped_because": "budget"})))
    0 rows, 0 prompts, 0 situations, 0 behaviors; stopped: budget
    """
    return Report({key: _copied(value) for key, value in coverage.items()}, show=_text)


def _text(report: Mapping[str, Any]) -> str:
    return "\n".join(_lines(report))


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    if "rows" not in report:
        yield "no coverage was counted"
        return
    yield (
        f"{counted(report['rows'], 'row')}, {counted(report['unique_prompts'], 'prompt')}, "
        f"{counted(report['unique_scenario_ids'], 'situation')}, {counted(report['unique_signatures'], 'behavior')}"
        + (f"; stopped: {printable(report['stopped_because'], 60)}" if report["stopped_because"] else "")
    )
    pairs = report["pairwise"]
    if pairs["pairs_planned"]:
        yield (
            f"grid: {pairs['pairs_covered']:,} of {pairs['pairs_planned']:,} planned pairs of values, "
            f"{counted(report['unique_cells'], 'cell')}"
        )
    mix = report["delivered"]
    if report["rows"]:
        yield (
            f"a row has {number_text(mix['mean_user_turns'], 2)} user turns and "
            f"{number_text(mix['mean_tool_calls'], 2)} calls; a fault was planned in {mix['fault_share']:.0%}"
        )
    for title, shares in (("tiers", mix["tier_mix"]), ("stances", mix["stance_mix"])):
        if shares:
            shown = ", ".join(f"{printable(name, 30)} {share:.0%}" for name, share in shares.items())
            yield from wrapped(f"{title}: {shown}")
    for name, tally in report["tools"].items():
        failed = f", {tally['fault_n']:,} failed ({tally['injected']:,} by plan)" if tally["fault_n"] else ""
        yield f"  {printable(name, 40)}: {counted(tally['n'], 'call')}, {tally['ok']:,} ok{failed}"
    for name in report["dead_tools"]:
        yield f"! {printable(name, 40)} hardly ever worked where no fault was planned: look at the tool, not the agent"
    if report["rollouts_lost"]:
        by = ", ".join(f"{printable(reason, 30)} {n:,}" for reason, n in report["rollouts_lost_by"].items() if n)
        yield f"! {out_of(report['rollouts_lost'], report['rollouts_requested'], 'rollout', 'were')} lost" + (
            f": {by}" if by else ""
        )


def saturation(rows: list[dict[str, Any]]) -> float | None:
    """The share of the rows in the second half whose behaviour an earlier row had shown; None for fewer than two.

    >>> saturation([{"behavior_signature": name} for name in "aab" "ab" "c"])
    0.6667
    """
    half, seen = len(rows) // 2, set()
    known = 0
    for place, row in enumerate(rows):
        known += place >= half and row["behavior_signature"] in seen
        seen.add(row["behavior_signature"])
    return round(known / (len(rows) - half), 4) if half else None
