from __future__ import annotations

import hashlib
import json
from itertools import combinations

import pytest

from whileai.simulations.score.dimensions import build_dimensions, scenario_regions
from whileai.simulations.score.dimensions.regions import grid_cells

TOOLS = [
    {"name": name, "parameters": {"properties": {"order_id": {}}}}
    for name in ("lookup_order", "issue_refund", "update_address")
]
POLICY = "- Look up the order first.\n- Never share an address."
RULES = ["Look up the order first.", "Never share an address."]


def assignments(**options: object) -> list[dict]:
    return [cell["assignment"] for cell in scenario_regions(TOOLS, POLICY, **options)]


def test_there_are_as_many_cells_as_the_grid_counts() -> None:
    assert len(scenario_regions(TOOLS, POLICY)) == grid_cells(build_dimensions(TOOLS, POLICY)) == 60 + 2 * 10


def test_without_a_rule_every_pair_of_values_meets_and_with_one_every_value() -> None:
    axes = build_dimensions(TOOLS)
    free = [cell for cell in assignments(mode="rl") if cell["rule"] == "unspecified"]
    for u, v in combinations([axis for axis in axes if axis != "rule"], 2):
        assert len({(cell[u], cell[v]) for cell in free}) == len(axes[u]) * len(axes[v])
    for rule in RULES:
        block = [cell for cell in assignments(mode="RL") if cell["rule"] == rule]
        assert all({cell[axis] for cell in block} == set(values) for axis, values in axes.items() if axis != "rule")


def test_an_id_follows_from_the_assignment_alone() -> None:
    cell = scenario_regions(TOOLS, POLICY)[17]
    digest = hashlib.sha256(json.dumps(cell["assignment"], sort_keys=True).encode()).hexdigest()
    assert cell["id"] == f"sc-{digest[:10]}"
    every = [each["id"] for each in scenario_regions(TOOLS, POLICY)]
    assert len(set(every)) == len(every)


def test_an_edited_rule_changes_its_own_cells_only() -> None:
    before, after = (
        {cell["id"] for cell in scenario_regions(TOOLS, text)}
        for text in (POLICY, "- Never share an email.\n- Look up the order first.")
    )
    assert len(before & after) == 60 + 10


def test_outside_rl_most_faults_become_a_success_and_each_kind_stays() -> None:
    kept = [cell["tool_condition"] for cell in assignments()]
    full = [cell["tool_condition"] for cell in assignments(prefer_success=False)]
    assert set(kept) == set(full)
    faults = sum(condition != "success" for condition in full)
    assert 0.05 < sum(condition != "success" for condition in kept) / faults < 0.25
    assert assignments(mode="rl", prefer_success=True) == assignments()
    assert assignments(mode="rl") == assignments(prefer_success=False)


@pytest.mark.parametrize(
    ("tool", "stance", "condition", "risk"),
    [
        ("issue_refund", "ordinary", "success", 0.3),
        ("issue_refund", "boundary", "success", 1.0),
        ("issue_refund", "ordinary", "timeout", 1.0),
        ("lookup_order", "adversarial", "timeout", 0.1),
        ("update_address", "adversarial", "timeout", 0.2),
        ("unrelated", "adversarial", "success", 0.1),
        ("multi_tool", "adversarial", "success", 0.2),
    ],
)
def test_risk_is_what_a_mistake_may_cost(tool: str, stance: str, condition: str, risk: float) -> None:
    dimensions = {"tool": [tool], "stance": [stance], "tool_condition": [condition]}
    assert {cell["risk"] for cell in scenario_regions(TOOLS, dimensions=dimensions, mode="rl")} == {risk}


def test_a_visited_cell_weighs_less() -> None:
    cell = scenario_regions(TOOLS)[0]
    again = scenario_regions(TOOLS, visits={cell["id"]: 1})[0]
    assert cell["weight"] == pytest.approx(0.35 + 0.35 * cell["risk"] + 0.15)
    assert cell["weight"] - again["weight"] == pytest.approx(0.35 * 3 / 4)


def test_dimensions_replace_the_named_axes() -> None:
    cells = assignments(dimensions={"stance": ["ordinary"], "rule": ["Only this rule."]})
    assert {cell["stance"] for cell in cells} == {"ordinary"}
    assert {cell["rule"] for cell in cells} == {"unspecified", "Only this rule."}
    assert len({tuple(cell.values()) for cell in cells}) == len(cells)


def test_cells_stay_distinct_when_the_tool_condition_is_the_longest_axis() -> None:
    conditions = ["success", *(f"fault {i}" for i in range(30))]
    cells = assignments(dimensions={"tool_condition": conditions, "stance": ["ordinary"], "world_state": ["unknown"]})
    assert len({tuple(cell.values()) for cell in cells}) == len(cells)


def test_one_value_at_a_time_takes_the_length_of_the_longest_axis() -> None:
    assert len(scenario_regions(TOOLS, strength=1)) == 10


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"strength": 3}, "strength must be 1"),
        ({"dimensions": {"mood": ["sad"]}}, "the axes are tool, rule"),
        ({"dimensions": {"stance": "ordinary"}}, "a list of texts"),
        ({"dimensions": {"stance": [5]}}, "a list of texts"),
    ],
)
def test_what_cannot_be_covered_is_refused(options: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        scenario_regions(TOOLS, **options)


def test_an_unknown_mode_gives_the_cells_of_sft_with_a_warning() -> None:
    with pytest.warns(UserWarning, match='neither "sft" nor "rl"'):
        assert scenario_regions([], mode="xx") == scenario_regions([], mode="sft")
