"""What a run will ask: situations of the grid in each wording, or asks taken from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from whileai.simulations.run.ask import Ask
from whileai.simulations.run.coverage import Pair
from whileai.simulations.run.episode import without_world
from whileai.simulations.run.knobs import Knobs
from whileai.simulations.run.repeats import Repeats
from whileai.simulations.run.replay import Origin, flawed_asks, pinned, seeded_asks
from whileai.simulations.run.schema import declared
from whileai.simulations.run.situations import Situation, grid, plan_situations, planned_pairs


@dataclass(slots=True)
class Plan:
    """The asks of a run in order, and the pairs of axis values that its grid wants covered."""

    asks: list[Ask]
    pairs: list[Pair] = field(default_factory=list)


def planned(
    knobs: Knobs,
    *,
    tools: Sequence[Any],
    system_prompt: str,
    tasks: Any = None,
    seeds: Any = None,
    traces: Any = None,
    executes: bool = False,
    graded: bool = False,
) -> Plan:
    """The plan that the arguments of `simulate` ask for.

    `tasks` are asked as they were and nothing else is; `seeds` likewise. The flawed rollouts of `traces` come first,
    then the grid, cells that the traces visited last.
    """
    origin = Origin(knobs.seed, declared(tools))
    if tasks is not None and seeds is not None:
        raise ValueError("tasks= and seeds= both say what is asked: give one of them")
    if tasks is not None:
        asks = pinned(tasks, origin)[: knobs.situations]
        return Plan([without_world(ask) for ask in asks] if executes else asks)
    if seeds is not None:
        return Plan(seeded_asks(seeds, origin)[: knobs.situations])
    first, visits = flawed_asks(traces, origin) if traces is not None else ([], {})
    shape: dict[str, Any] = {
        "mode": knobs.mode,
        "dimensions": knobs.dimensions,
        "hard_share": knobs.hard_share,
        "fault_rate": knobs.fault_rate if knobs.fault_rate_given else None,
    }
    cells = grid(tools, system_prompt, **shape)
    taken = {ask.situation.id for ask in first}
    wanted = n_situations(knobs, len(cells), graded)
    drawn = plan_situations(tools, system_prompt, **shape, seed=knobs.seed, n=wanted, visits=visits or None)
    situations = [one for one in drawn if one.id not in taken][: max(0, wanted - len(first))]
    asks = first + [Ask(one, wording, knobs.seed) for one in situations for wording in range(knobs.phrasings)]
    pairs = planned_pairs(cells)
    if not executes:
        return Plan(asks, pairs)
    return Plan([without_world(ask) for ask in asks], _without_worlds(pairs, situations))


def n_situations(knobs: Knobs, n_cells: int, graded: bool) -> int:
    """How many situations a run needs at most: those asked for, else as many as its budget can play.

    Without a budget it is one visit to each cell, with `unique_situations` never more than that.
    """
    if knobs.budget == 0:
        return 0
    wanted = knobs.situations
    if wanted is None and knobs.budget is not None:
        least = Repeats(knobs.repeat_policy if graded else "fixed", knobs.repeats).looks()[0]
        wanted = -(-knobs.budget // (knobs.phrasings * least))
    wanted = n_cells if wanted is None else wanted
    return min(wanted, n_cells) if knobs.unique_situations else wanted


def _without_worlds(pairs: Sequence[Pair], situations: Sequence[Situation]) -> list[Pair]:
    """The pairs that can still be covered where tools are executed: those of axes that are ours to set."""
    ours = {"world_state", "tool_condition"}
    return [pair for pair in pairs if not ours & {axis for axis, _ in pair}] if situations else []
