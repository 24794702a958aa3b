from __future__ import annotations

import time
from typing import Any

import pytest

from run.toolsets import CALENDAR, SHOP, SHOP_POLICY, TOOLSETS, schema
from tables import each_of
from whileai.simulations.run.coverage import pairs_of
from whileai.simulations.run.phrasing import ask
from whileai.simulations.run.situations import Situation, grid, plan_situations, planned_pairs
from whileai.simulations.run.world import World
from whileai.simulations.score.dimensions import scenario_regions


def covered(plan: list[Situation]) -> set[Any]:
    return {pair for one in plan for pair in pairs_of(one.dimensions)}


@each_of("mode", ["explore", "sft", "rl"])
@each_of("name", list(TOOLSETS))
def test_every_pair_of_the_grid_is_reached(name: str, mode: str) -> None:
    tools, policy = TOOLSETS[name]
    cells = scenario_regions(tools, policy, mode="rl" if mode == "rl" else "sft")
    plan = plan_situations(tools, policy, mode=mode, n=250)
    assert {pair for cell in cells for pair in pairs_of(cell["assignment"])} <= covered(plan)
    assert set(planned_pairs(grid(tools, policy, mode=mode))) <= covered(plan)


def test_a_prefix_covers_more_pairs_than_the_order_of_the_grid() -> None:
    cells = grid(SHOP, SHOP_POLICY, mode="rl")
    for n in (20, 60, 100):
        as_listed = {pair for cell in cells[:n] for pair in pairs_of(cell["assignment"])}
        assert len(covered(plan_situations(SHOP, SHOP_POLICY, mode="rl", n=n))) > len(as_listed)


def test_the_first_visits_are_the_cells_under_their_own_ids() -> None:
    cells = {cell["id"]: cell["assignment"] for cell in grid(SHOP, SHOP_POLICY)}
    plan = plan_situations(SHOP, SHOP_POLICY, n=2 * len(cells))
    assert {one.id: one.dimensions for one in plan[: len(cells)]} == cells
    assert len({one.id for one in plan}) == len(plan)
    assert all(one.id.rsplit("-", 1)[0] in cells for one in plan[len(cells) :])


def test_cells_that_were_visited_come_later() -> None:
    first = plan_situations(SHOP, SHOP_POLICY, n=40)
    again = plan_situations(SHOP, SHOP_POLICY, n=40, visits={one.id: 4 for one in first})
    assert not {one.id for one in first} & {one.id for one in again}


@pytest.mark.parametrize("share", [0.25, 0.4, 0.7])
def test_repeats_bring_the_share_of_hard_asks(share: float) -> None:
    plan = plan_situations(SHOP, SHOP_POLICY, n=1000, hard_share=share)
    assert sum(one.labels["tier"] != "ordinary" for one in plan) / 1000 == pytest.approx(share, abs=0.005)


@pytest.mark.parametrize(("share", "tiers"), [(0, {"ordinary"}), (1, {"ambiguous", "boundary", "adversarial"})])
def test_all_or_no_hard_asks(share: int, tiers: set[str]) -> None:
    assert {one.labels["tier"] for one in plan_situations(SHOP, hard_share=share)} == tiers


@pytest.mark.parametrize("rate", [0, 0.6, 1])
def test_the_share_of_fault_cells_that_keep_their_fault(rate: float) -> None:
    plan = plan_situations(SHOP, SHOP_POLICY, mode="rl", n=600, fault_rate=rate)
    cells = {cell["id"]: cell["assignment"]["tool_condition"] for cell in grid(SHOP, SHOP_POLICY, mode="rl")}
    of_faults = [one for one in plan if cells.get("-".join(one.id.split("-")[:2])) not in ("success", None)]
    kept = [one for one in of_faults if one.faults]
    assert len(kept) == pytest.approx(rate * len(of_faults), abs=1)
    assert all((one.dimensions["tool_condition"] != "success") == bool(one.faults) for one in plan)


def test_a_fault_is_planned_for_the_tool_of_the_cell_in_the_words_of_the_world() -> None:
    modes = {"timeout": "timeout", "malformed_result": "malformed", "stale_result": "stale"}
    for one in plan_situations(SHOP, SHOP_POLICY, mode="rl"):
        condition, tool = one.dimensions["tool_condition"], one.dimensions["tool"]
        if condition != "success":
            at = tool if tool not in ("unrelated", "multi_tool") else "*"
            assert one.faults == {at: {"mode": modes.get(condition, condition), "rate": 1.0}}


def test_labels_say_what_is_known() -> None:
    for one in plan_situations(SHOP, SHOP_POLICY):
        stance, tool = one.dimensions["stance"], one.dimensions["tool"]
        vague = stance == "ambiguous" and tool not in ("unrelated", "multi_tool")
        assert one.labels["intent_known"] is not vague
        assert one.labels["ask_family"] == ("vague" if vague else "general" if tool == "unrelated" else "tool")
        assert bool(one.wanted) is (tool != "unrelated")
        assert bool(one.twin) is (one.dimensions["world_state"] == "duplicate entity" and bool(one.entity))


def test_named_dimensions_replace_their_axes() -> None:
    plan = plan_situations(SHOP, SHOP_POLICY, dimensions={"stance": ["hurried"], "tool": ["cancel_order"]}, n=50)
    assert {one.dimensions["stance"] for one in plan} == {"hurried"}
    assert {one.tool for one in plan} == {"cancel_order"}


def test_an_identifier_has_the_shape_the_tools_show() -> None:
    for one in plan_situations(SHOP, n=120):
        assert not one.entity or (len(one.entity) == 4 and one.entity.isdecimal())  # as in `returns` of get_order
    described = [schema("get_user", ["user_id"], user_id={"type": "string", "description": "such as 'sara_doe_496'."})]
    named = [one.entity for one in plan_situations(described) if one.entity]
    assert all(name.startswith("sara_doe_") and len(name) == 12 for name in named)


def test_a_rule_with_a_number_is_at_stake_at_its_edge() -> None:
    edge = [one for one in plan_situations(SHOP, SHOP_POLICY, mode="rl") if one.facts]
    assert {tuple(one.facts.items()) for one in edge} == {(("days", 30),), (("$", 200),)}
    assert all(one.dimensions["stance"] == "boundary" for one in edge)


def test_no_tools_and_no_policy_still_plan() -> None:
    plan = plan_situations(None, None, n=30)
    assert len(plan) == 30
    assert {one.wanted for one in plan} == {()}


def test_seeds_differ_in_entities() -> None:
    one, other = (plan_situations(CALENDAR, n=60, seed=seed) for seed in (0, 1))
    assert [a.id for a in one] == [b.id for b in other]
    assert [a.wanted for a in one] != [b.wanted for b in other]


def test_a_thousand_situations_with_asks_and_worlds_are_cheap() -> None:
    began = time.process_time()
    for one in plan_situations(SHOP, SHOP_POLICY, mode="rl", n=1000):
        ask(one)
        World(SHOP, situation=one).call(one.tool or "get_order", one.arguments)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("rate", [0.2, 0.6, 1.0])
def test_a_fault_rate_that_is_given_counts_in_every_mode(rate: float) -> None:
    for mode in ("explore", "rl"):
        cells = grid(SHOP, SHOP_POLICY, mode=mode, fault_rate=rate)
        share = sum(cell["assignment"]["tool_condition"] != "success" for cell in cells) / len(cells)
        plan = plan_situations(SHOP, SHOP_POLICY, mode=mode, fault_rate=rate, seed=1, n=1000)
        assert sum(bool(one.faults) for one in plan) / 1000 == pytest.approx(rate * share, abs=0.1)
        met = {pair for one in plan for pair in pairs_of(one.dimensions)}
        assert set(planned_pairs(cells)) <= met


def test_without_a_fault_rate_most_cells_of_explore_are_a_success() -> None:
    plan = plan_situations(SHOP, SHOP_POLICY, n=1000)
    assert 0.01 < sum(bool(one.faults) for one in plan) / 1000 < 0.15
