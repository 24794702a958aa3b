"""The situations of a run: a cell of the coverage grid each, with the entity, the arguments and the faults planted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from whileai.simulations.run.arguments import arguments_for, value_of
from whileai.simulations.run.coverage import NO_FAULT, Pair, by_coverage, drawn, is_hard
from whileai.simulations.run.coverage import planned_pairs as pairs_together
from whileai.simulations.run.draw import pick
from whileai.simulations.run.schema import Declared, declared
from whileai.simulations.score.checklist.context import privileged_context
from whileai.simulations.score.checklist.vocabulary import MULTI_TOOL, UNRELATED, Stance, ToolCondition, WorldState
from whileai.simulations.score.dimensions.difficulty import tier_of
from whileai.simulations.score.dimensions.regions import scenario_regions

HARD_SHARE = 0.40  # share of hard asks among repeats of the grid; dimensions.md
FAULT_RATE, FAULT_RATE_RL = 0.5, 0.8  # share of fault cells that keep their fault; convention
_MODES = {"malformed_result": "malformed", "stale_result": "stale"}  # condition -> mode, where the words differ
_DAYS = re.compile(r"\b(\d{1,3})[- ](days?|hours?|weeks?|months?)\b", re.IGNORECASE)
_MONEY = re.compile(r"([$€£])\s?(\d{1,6}(?:,\d{3})*)")
_PRESSURES = {
    Stance.HURRIED: "time",
    Stance.RETRY: "repeats the ask",
    Stance.ADVERSARIAL: "wants a rule broken",
    Stance.BOUNDARY: "at the edge of a rule",
    Stance.CONFLICTING: "wants exclude each other",
}


@dataclass(frozen=True, slots=True)
class Situation:
    """One task: what is asked of which tool, how the person is, how the world stands, what will fail.

    `dimensions` holds the six axes; `labels` the conversation labels of the row that every phrasing shares; `faults` is
    `{tool or "*": {"mode", "rate"}}`; `wanted` the calls the person has in mind, each `(tool, arguments)`, none when
    the ask is unrelated to the tools; `entity` the identifier they are about (`""` without one) and `twin` its
    duplicate where there is one; `facts` numbers the record has so that the rule of the cell is at stake.
    """

    id: str
    dimensions: dict[str, str]
    labels: dict[str, Any]
    faults: dict[str, dict[str, Any]]
    world_state: str
    wanted: tuple[tuple[str, dict[str, Any]], ...] = ()
    entity: str = ""
    twin: str = ""
    facts: dict[str, float] = field(default_factory=dict)
    schemas: Mapping[str, Declared] = field(default_factory=dict, repr=False, compare=False)

    @property
    def tool(self) -> str:
        """The tool the ask names first, `""` when it names none."""
        return self.wanted[0][0] if self.wanted else ""

    @property
    def arguments(self) -> dict[str, Any]:
        """What the person wants that tool called with."""
        return dict(self.wanted[0][1]) if self.wanted else {}

    @property
    def vague(self) -> bool:
        """Whether the ask does not say what is wanted."""
        return self.labels.get("intent_known") is False

    @property
    def privileged(self) -> dict[str, Any]:
        """The teacher's block of a row: what the world hides, and what the checklist expects."""
        known = {key: value for key, value in self.labels.items() if key in ("intent_known", "ask_family")}
        return privileged_context({**self.dimensions, **known}, self.faults)


def plan_situations(
    tools: Any,
    policy: str | None = "",
    *,
    mode: str = "explore",
    dimensions: Mapping[str, Sequence[str]] | None = None,
    hard_share: float = HARD_SHARE,
    fault_rate: float | None = None,
    seed: int = 0,
    n: int | None = None,
    visits: Mapping[str, int] | None = None,
) -> list[Situation]:
    """`n` situations over the coverage grid of `scenario_regions` (None: as many as it has cells), the same for a seed.

    The first ones are the cells, ordered so that every prefix covers as many pairs of values as it can, those with
    fewer `visits` (rollouts by id) first. Beyond them cells come again with another entity and an id that ends in
    `-2`, `-3`, ...: hard ones until `hard_share` of all situations are, with their fault as long as no more than
    `fault_rate` of the fault cells keep theirs (default 0.5, with `mode="rl"` 0.8); outside `mode="rl"` a `fault_rate`
    that is given also brings the fault cells back that the grid otherwise turns into a success (90% of them). With
    `fault_rate=0` no tool fails; with `hard_share` 0 or 1 the stances of the grid are all easy or all hard.

    >>> plan = plan_situations([{"name": "ping"}], n=3)
    >>> [one.id == again.id for one, again in zip(plan, plan_situations([{"name": "ping"}], n=3), strict=True)]
    [True, True, True]
    """
    schemas = declared(tools)
    cells = grid(tools, policy, mode=mode, dimensions=dimensions, hard_share=hard_share, fault_rate=fault_rate)
    rate = fault_rate if fault_rate is not None else _default_rate(mode)
    ordered = by_coverage(cells, visits or {})
    wanted = len(ordered) if n is None else n
    chosen = drawn(ordered, wanted, hard_share=hard_share, fault_rate=rate)
    return [_planted(name, assignment, schemas, seed) for name, assignment in chosen]


def grid(
    tools: Any,
    policy: str | None = "",
    *,
    mode: str = "explore",
    dimensions: Mapping[str, Sequence[str]] | None = None,
    hard_share: float = HARD_SHARE,
    fault_rate: float | None = None,
) -> list[dict[str, Any]]:
    """The cells `plan_situations` visits, as `scenario_regions` gives them.

    Outside `mode="rl"` most cells whose tool fails become a success (`prefer_success`), unless a `fault_rate` is given.
    """
    axes = dict(dimensions or {})
    if fault_rate == 0:
        axes["tool_condition"] = [ToolCondition.SUCCESS.value]
    if hard_share in (0, 1) and "stance" not in axes:
        axes["stance"] = [one.value for one in Stance if is_hard({"stance": one.value}) == bool(hard_share)]
    thins = mode != "rl" and fault_rate is None
    return scenario_regions(tools, policy or "", dimensions=axes or None, prefer_success=thins)


def planned_pairs(cells: Sequence[Mapping[str, Any]]) -> list[Pair]:
    """Every pair of values that the cells of a grid cover, as `((axis, value), (axis, value))`, each once.

    >>> len(planned_pairs(grid([], fault_rate=0, dimensions={"stance": ["hurried"], "history": ["fresh"]})))
    20
    """
    return pairs_together(cell["assignment"] for cell in cells)


def _default_rate(mode: str) -> float:
    return FAULT_RATE_RL if mode == "rl" else FAULT_RATE


def _planted(name: str, assignment: dict[str, str], schemas: Mapping[str, Declared], seed: int) -> Situation:
    wanted = _wanted(assignment["tool"], schemas, seed, name)
    entity, twin = _entities(wanted, assignment["world_state"], schemas, seed, name)
    return Situation(
        id=name,
        dimensions=assignment,
        labels=_labels(assignment, wanted),
        faults=_faults(assignment, schemas),
        world_state=assignment["world_state"],
        wanted=wanted,
        entity=entity,
        twin=twin,
        facts=_facts(assignment),
        schemas=schemas,
    )


def _wanted(tool: str, schemas: Mapping[str, Declared], seed: int, name: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    if tool in schemas:
        return ((tool, arguments_for(schemas[tool], seed, name)),)
    if tool != MULTI_TOOL or not schemas:
        return ()
    chosen = _two_tools(list(schemas.values()), seed, name)
    first = arguments_for(chosen[0], seed, name)
    calls = [(chosen[0].name, first)]
    for one in chosen[1:]:
        shared = {} if not one.subject or not chosen[0].subject else {one.subject: first.get(chosen[0].subject)}
        same = shared if one.noun == chosen[0].noun and None not in shared.values() else {}
        calls.append((one.name, arguments_for(one, seed, name, "second", known={**first, **same})))
    return tuple(calls)


def _two_tools(tools: Sequence[Declared], seed: int, name: str) -> list[Declared]:
    """A look and a change that share a kind of record where there are such, else any two."""
    reads = [one for one in tools if not one.changes]
    writes = [one for one in tools if one.changes]
    related = [[read, write] for read in reads for write in writes if read.noun == write.noun and write.subject]
    pairs = related or [[read, write] for read in reads for write in writes] or [list(tools[:2])]
    return pick(pairs, seed, name, "two")


def _entities(
    wanted: tuple[tuple[str, dict[str, Any]], ...], state: str, schemas: Mapping[str, Declared], seed: int, name: str
) -> tuple[str, str]:
    for tool, arguments in wanted:
        subject = schemas[tool].subject
        if subject is not None and subject in arguments:
            twin = ""
            if state == WorldState.DUPLICATE:
                twin = str(value_of(schemas[tool], subject, seed, name, "twin"))
            return str(arguments[subject]), twin
    return "", ""


def _faults(assignment: Mapping[str, str], schemas: Mapping[str, Declared]) -> dict[str, dict[str, Any]]:
    condition = assignment["tool_condition"]
    if condition in NO_FAULT:
        return {}
    at = assignment["tool"] if assignment["tool"] in schemas else "*"
    return {at: {"mode": _MODES.get(condition, condition), "rate": 1.0}}


def _facts(assignment: Mapping[str, str]) -> dict[str, float]:
    """The numbers of a rule that an ask at its edge is about."""
    if assignment["stance"] != Stance.BOUNDARY:
        return {}
    facts: dict[str, float] = {}
    if found := _DAYS.search(assignment["rule"]):
        facts[found[2].lower().rstrip("s") + "s"] = int(found[1])
    if found := _MONEY.search(assignment["rule"]):
        facts[found[1]] = int(found[2].replace(",", ""))
    return facts


def _labels(assignment: Mapping[str, str], wanted: tuple[tuple[str, dict[str, Any]], ...]) -> dict[str, Any]:
    """What every phrasing of a situation shares. An ambiguous ask to a tool leaves open what is wanted."""
    stance, tool = assignment["stance"], assignment["tool"]
    vague = stance == Stance.AMBIGUOUS and tool not in (UNRELATED, MULTI_TOOL) and bool(wanted)
    family = "vague" if vague else "tool" if wanted else "general"
    return {
        "stance": stance,
        "tier": tier_of(assignment),
        "ask_family": family,
        "vagueness": "no record or action named" if vague else "none",
        "pressure": _PRESSURES.get(stance, "none"),  # type: ignore[call-overload]
        "history": assignment["history"],
        "intent_known": not vague,
        "tool_known": bool(wanted) and not vague,
    }


__all__ = ["Situation", "grid", "plan_situations", "planned_pairs"]
