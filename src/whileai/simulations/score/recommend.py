"""How many rows to generate for an agent, from its own coverage grid and published practice."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from whileai.simulations.arguments import whole
from whileai.simulations.defaults import RL_ROLLOUTS_PER_PROMPT, SATURATION_COPIES
from whileai.simulations.errors import warn
from whileai.simulations.reports import Report, wrapped
from whileai.simulations.rows.values import finite
from whileai.simulations.score.dimensions.axes import build_dimensions
from whileai.simulations.score.dimensions.policy import Policy
from whileai.simulations.score.dimensions.regions import grid_cells
from whileai.simulations.signature import public

SFT_TARGET_DEFAULT = 800  # rows to select; curated agent SFT: FireAct 500, LIMA 1,000, AgentTuning 1,866
SELECTION_SURPLUS = 3  # rows generated for each one selected; convention
BUDGET_ROUNDING = 100  # rows, upwards; convention
MIXED_RATE_DEFAULT = 0.5  # share of groups with contrast of a struggling agent; a competent one measured 0.04
MIXED_RATE_FLOOR = 0.02  # share below which no group is counted on; convention
RL_ROLLOUTS_PER_ASK = RL_ROLLOUTS_PER_PROMPT  # Dr. GRPO arXiv:2503.20783, arXiv:2603.21972; DAPO, ProRL: 16
RL_ASKS_PER_CELL = 2  # convention
PROBE_ASKS = 12  # asks of the probe that measures the mixed rate; convention


@public
def recommend(
    tools: Any = None,
    policy: Policy = "",
    *,
    system_prompt: Policy = None,
    mode: str | None = "sft",
    target: int | None = None,
    mixed_rate: float = MIXED_RATE_DEFAULT,
) -> Report:
    """How many rows this agent needs for SFT or RL: `budget` rows to generate, `optimize_target` to select from them.

    SFT: every cell of the grid wants 5 visits, and selection 3 rows for each it keeps; the larger of the two, rounded
    up to a hundred. RL: groups of 8, of which a share `mixed_rate` (held within 0.02 and 1) has passes and failures
    and so a gradient; at least 2 asks a cell (`situations` and `rollouts_per_request`, RL only). `grid_cells` is the
    size of the generation grid, `simulate_kwargs` the same as arguments, `reasoning` the arithmetic in sentences.
    `policy` and `system_prompt` are two names of one text: a `ValueError` when they differ. `target` None or 0 is 800.
    A `mode` that is neither "sft" nor "rl" is sized for RL, with a `UserWarning`.

    >>> plan = recommend([{"name": "get_order"}], "Never share an address.", mode="rl", mixed_rate=0.04)
    >>> plan["grid_cells"], plan["situations"], plan["budget"]
    (60, 2500, 20000)
    """
    text = _one_text(policy, system_prompt)
    cells = grid_cells(build_dimensions(tools, text))
    wanted = whole("target", target or SFT_TARGET_DEFAULT, 1)
    plan = _sft(cells, wanted) if _mode(mode) == "sft" else _rl(cells, wanted, mixed_rate)
    return Report(plan, show=_shown)


def _one_text(policy: Policy, system_prompt: Policy) -> Policy:
    if system_prompt is None or system_prompt == policy:
        return policy
    if policy:
        raise ValueError("policy= and system_prompt= are two names of one text, and these differ: give one of them")
    return system_prompt


def _mode(mode: str | None) -> str:
    named = str(mode).strip().lower()
    if named not in ("sft", "rl"):
        warn(f'mode={mode!r} is neither "sft" nor "rl": sized for RL')
    return "sft" if named == "sft" else "rl"


def _share(mixed_rate: float) -> float:
    rate = finite(mixed_rate)
    if rate is None:
        raise ValueError(f"mixed_rate must be a share of groups from 0 to 1, got {mixed_rate!r}")
    return rate


def _sft(cells: int, target: int) -> dict[str, Any]:
    visits, surplus = SATURATION_COPIES * cells, SELECTION_SURPLUS * target
    budget = math.ceil(max(visits, surplus) / BUDGET_ROUNDING) * BUDGET_ROUNDING
    return {
        "mode": "sft",
        "grid_cells": cells,
        "budget": budget,
        "optimize_target": target,
        "simulate_kwargs": {"mode": "sft", "budget": budget, "time_budget": None},
        "reasoning": [
            f"the grid of this agent has {cells} cells",
            f"{SATURATION_COPIES} visits a cell x {cells} cells = {visits} rows until no cell shows anything new",
            f"{SELECTION_SURPLUS} rows for each one kept x target {target} = {surplus} rows for selection",
            f"generate {budget} rows (the larger, rounded up to {BUDGET_ROUNDING}), then select {target}",
            "time_budget is None: the rows decide when the run ends, not the clock",
        ],
    }


def _rl(cells: int, target: int, mixed_rate: float) -> dict[str, Any]:
    k, given = RL_ROLLOUTS_PER_ASK, _share(mixed_rate)
    rate = min(1.0, max(MIXED_RATE_FLOOR, given))
    held = "" if rate == given else f" (mixed_rate={given:g}, a share of groups, is held to {rate:g})"
    for_target, for_grid = math.ceil(round(target / (k * rate), 9)), RL_ASKS_PER_CELL * cells
    situations = max(for_grid, for_target)
    budget = k * situations
    decides = f"; {RL_ASKS_PER_CELL} asks a cell decides, the target of {target} alone takes {for_target} asks"
    return {
        "mode": "rl",
        "grid_cells": cells,
        "budget": budget,
        "situations": situations,
        "rollouts_per_request": k,
        "mixed_rate": rate,
        "optimize_target": target,
        "simulate_kwargs": {"mode": "rl", "situations": situations, "budget": budget, "time_budget": None},
        "reasoning": [
            f"the grid of this agent has {cells} cells; at least {RL_ASKS_PER_CELL} asks a cell",
            f"{k} rollouts an ask; groups that all pass or all fail teach nothing, and {rate:.0%} are taken to be "
            f"mixed{held}: measure it, {PROBE_ASKS} asks x {k} rollouts through group_signal",
            f"{situations} asks x {k} = {budget} rows; x {rate:g} = about {budget * rate:.0f} rows in mixed groups"
            + (decides if for_grid > for_target else ""),
            "a low measured rate means that this agent nearly always passes or nearly always fails here: "
            "harder or easier asks help more than more of them",
            "the mixed rate is the headroom of pass@k over pass@1: what a grouped update can still win",
        ],
    }


def _shown(plan: Mapping[str, Any]) -> str:
    head = f"{plan['mode']}: generate {plan['budget']:,} rows, select {plan['optimize_target']:,}"
    return "\n".join([head, *(line for reason in plan["reasoning"] for line in wrapped(f"- {reason}"))])
