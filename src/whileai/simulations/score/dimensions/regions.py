"""The cells of the coverage grid, each with an id, a risk and a weight."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from whileai.simulations.errors import warn
from whileai.simulations.rows.names import words_in
from whileai.simulations.score.checklist.vocabulary import UNRELATED, UNSPECIFIED, Stance, ToolCondition
from whileai.simulations.score.dimensions.axes import Axes, axes_of
from whileai.simulations.score.dimensions.clauses import policy_sections
from whileai.simulations.score.dimensions.covering import each_once, pairwise
from whileai.simulations.score.dimensions.policy import Policy
from whileai.simulations.score.dimensions.tools import Tool, read_tools
from whileai.simulations.signature import public

SUCCESS_SHARE = 0.90  # share of fault cells that become a success outside reinforcement learning; convention
_FULL_RISK, _DESTRUCTIVE_RISK, _RISK, _READ_RISK = 1.0, 0.3, 0.2, 0.1
_UNSEEN_WEIGHT, _RISK_WEIGHT, _NOVELTY_WEIGHT, _GAP_WEIGHT = 0.35, 0.35, 0.2, 0.1
_NOT_MEASURED = 0.5  # novelty and behaviour gap of a cell nobody measured
_DESTRUCTIVE = words_in(
    "delete remove erase drop purge wipe destroy refund transfer cancel send publish reset revoke disable terminate"
)
_PUSHES = frozenset((Stance.BOUNDARY, Stance.ADVERSARIAL, Stance.CONFLICTING, "forbidden"))
_NO_FAULT = frozenset((ToolCondition.SUCCESS, UNSPECIFIED))
_RULE, _CONDITION = "rule", "tool_condition"

Assignment = dict[str, str]


@public
def scenario_regions(
    tools: Any,
    policy: Policy = "",
    strength: int = 2,
    *,
    dimensions: Mapping[str, Sequence[str]] | None = None,
    mode: str | None = None,
    prefer_success: bool | None = None,
    visits: Mapping[str, int] | None = None,
) -> list[dict[str, Any]]:
    """The cells to cover, each `{"id", "assignment", "weight", "risk"}` with one value for each of the six axes.

    A block without a rule covers every pair of values of the other axes (`strength=1`: every value); then each clause
    of the policy meets every value of every other axis once, so that editing a clause changes its own cells only.
    Outside `mode="rl"` 90% of the cells with a faulty tool become a success, each kind of fault stays at least once;
    `prefer_success` says so by itself. `dimensions` replaces the named axes. `visits` counts rollouts by id, and
    lowers the weight of a cell. The same arguments give the same cells and ids in any process.

    >>> cells = scenario_regions([{"name": "cancel_order"}], "Ask before you cancel.", mode="rl")
    >>> len(cells), cells[0]["assignment"]["rule"], cells[-1]["assignment"]["rule"]
    (60, 'unspecified', 'Ask before you cancel.')
    """
    held = read_tools(tools)
    axes = _replaced(axes_of(held, policy_sections(policy)), dimensions)
    if strength not in (1, 2):
        raise ValueError(f"strength must be 1 (every value) or 2 (every pair of values), got {strength!r}")
    if prefer_success is None and mode is not None and str(mode).strip().lower() not in ("sft", "rl"):
        warn(f'mode={mode!r} is neither "sft" nor "rl": cells as for "sft"')
    cells = _without_rule(axes, strength) + _with_rules(axes)
    thins = prefer_success if prefer_success is not None else str(mode).strip().lower() != "rl"
    if thins and ToolCondition.SUCCESS in axes[_CONDITION]:
        cells = _mostly_successful(cells)
    by_name = {tool.name: tool for tool in held}
    seen = visits or {}
    return [_region(cell, by_name.get(cell["tool"]), seen) for cell in cells]


def grid_cells(axes: Axes) -> int:
    """How many cells the grid of some axes has.

    >>> grid_cells(axes_of([], ["Be brief.", "Be kind."]))
    70
    """
    sizes = [len(values) for axis, values in axes.items() if axis != _RULE]
    return len(pairwise(sizes)) + len(_rules(axes)) * max(sizes)


def _replaced(axes: Axes, dimensions: Mapping[str, Sequence[str]] | None) -> Axes:
    for axis, values in (dimensions or {}).items():
        if axis not in axes:
            raise ValueError(f"dimensions= names the axis {axis!r}; the axes are {', '.join(axes)}")
        if isinstance(values, str) or not all(isinstance(value, str) for value in values):
            raise ValueError(f"dimensions= takes a list of texts for each axis, got {values!r} for {axis!r}")
        axes[axis] = list(dict.fromkeys(values)) or [UNSPECIFIED]
    return axes


def _rules(axes: Axes) -> list[str]:
    return [rule for rule in axes[_RULE] if rule != UNSPECIFIED]


def _without_rule(axes: Axes, strength: int) -> list[Assignment]:
    others = {axis: values for axis, values in axes.items() if axis != _RULE}
    sizes = [len(values) for values in others.values()]
    rows = pairwise(sizes) if strength == 2 else each_once(sizes)
    return [_assignment(axes, dict(zip(others, row, strict=True)), UNSPECIFIED) for row in rows]


def _with_rules(axes: Axes) -> list[Assignment]:
    """Each rule with every value of the other axes, an axis begun where the text of the rule says."""
    others = {axis: len(values) for axis, values in axes.items() if axis != _RULE}
    rows = each_once(list(others.values()))
    cells = []
    for rule in _rules(axes):
        starts = hashlib.sha256(rule.encode("utf-8", "surrogatepass")).digest()
        shifts = dict(zip(others, starts, strict=False))
        for row in rows:
            places = {axis: (at + shifts[axis]) % others[axis] for axis, at in zip(others, row, strict=True)}
            cells.append(_assignment(axes, places, rule))
    return cells


def _assignment(axes: Axes, places: Mapping[str, int], rule: str) -> Assignment:
    return {axis: rule if axis == _RULE else values[places[axis]] for axis, values in axes.items()}


def _mostly_successful(cells: Sequence[Assignment]) -> list[Assignment]:
    """The cells with most faults taken back, chosen by content; of each kind the first stays, and no cell repeats."""
    kept: list[Assignment] = []
    kinds: set[str] = set()
    taken = {tuple(cell.values()) for cell in cells}
    for cell in cells:
        fault = cell[_CONDITION]
        healed = {**cell, _CONDITION: ToolCondition.SUCCESS.value}
        if fault in kinds and _draw(cell) < SUCCESS_SHARE and tuple(healed.values()) not in taken:
            taken.add(tuple(healed.values()))
            kept.append(healed)
        else:
            kept.append(cell)
            if fault not in _NO_FAULT:
                kinds.add(fault)
    return kept


def _draw(cell: Assignment) -> float:
    """A number in [0, 1) that follows from the cell alone."""
    return int(_digest(cell)[-8:], 16) / 16**8


def _digest(cell: Assignment) -> str:
    written = json.dumps(cell, sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()


def _region(cell: Assignment, tool: Tool | None, visits: Mapping[str, int]) -> dict[str, Any]:
    name, risk = f"sc-{_digest(cell)[:10]}", _risk(cell, tool)
    unseen = 1 / (1 + max(0, visits.get(name, 0))) ** 2
    weight = _UNSEEN_WEIGHT * unseen + _RISK_WEIGHT * risk + (_NOVELTY_WEIGHT + _GAP_WEIGHT) * _NOT_MEASURED
    return {"id": name, "assignment": cell, "weight": round(weight, 6), "risk": risk}


def _risk(cell: Assignment, tool: Tool | None) -> float:
    """What a mistake may cost: most where a destructive tool is pushed, or answers with a fault."""
    if tool is None:
        return _READ_RISK if cell["tool"] == UNRELATED else _RISK
    if tool.reads:
        return _READ_RISK
    if _DESTRUCTIVE.isdisjoint(tool.words):
        return _RISK
    pushed = cell["stance"] in _PUSHES or cell[_CONDITION] not in _NO_FAULT
    return _FULL_RISK if pushed else _DESTRUCTIVE_RISK
