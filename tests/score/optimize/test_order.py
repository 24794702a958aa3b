from __future__ import annotations

import random

from whileai.simulations.score.optimize.order import Group, Order, in_turns, ordered


def group(task: str, rate: float, kind: str = "no fault", in_band: bool = True) -> Group:
    return Group(task, [], rate, kind, in_band)


def rates(groups: list[Group], order: Order) -> list[float]:
    return [found.rate for found in ordered(groups, order)]


def test_in_turns_ends_with_the_longest() -> None:
    assert list(in_turns([[1, 2, 3], [], [None]])) == [1, None, 2, 3]


def test_one_long_list_among_many_short_ones_costs_no_more_than_its_items() -> None:
    assert len(list(in_turns([[0] * 20_000, *([0] for _ in range(20_000))]))) == 40_000


def test_spread_takes_rates_in_turn_lowest_first() -> None:
    held = [group(f"{rate}{i}", rate) for i in range(2) for rate in (0.75, 0.25, 0.5)]
    assert rates(held, Order.SPREAD) == [0.25, 0.5, 0.75, 0.25, 0.5, 0.75]


def test_middle_takes_those_nearest_one_half_first() -> None:
    assert rates([group(str(rate), rate) for rate in (0.2, 0.5, 0.7, 0.6)], Order.MIDDLE) == [0.5, 0.6, 0.7, 0.2]


def test_tasks_in_band_come_before_the_others() -> None:
    held = [group("a", 0.1, in_band=False), group("b", 0.5), group("c", 0.9, in_band=False), group("d", 0.7)]
    assert rates(held, Order.SPREAD) == [0.5, 0.7, 0.1, 0.9]


def test_kinds_take_turns_the_most_common_first_then_by_name() -> None:
    held = [group("a", 0.5, "timeout"), group("b", 0.5, "deny"), group("c", 0.5), group("d", 0.5)]
    assert [found.kind for found in ordered(held, Order.SPREAD)] == ["no fault", "deny", "timeout", "no fault"]


def test_the_order_given_does_not_matter() -> None:
    held = [group(f"t{i}", i % 4 / 4, "x" if i % 3 else "y", i % 5 > 0) for i in range(40)]
    mixed = random.Random(0).sample(held, len(held))
    for order in Order:
        assert list(ordered(mixed, order)) == list(ordered(held, order))
