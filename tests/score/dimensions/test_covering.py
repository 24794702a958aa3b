from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.score.dimensions.covering import each_once, pairwise

SIZES = st.lists(st.integers(1, 7), min_size=2, max_size=6)


@given(SIZES)
def test_every_pair_of_values_stands_in_a_row(sizes: list[int]) -> None:
    rows = pairwise(sizes)
    for u, v in combinations(range(len(sizes)), 2):
        assert {(row[u], row[v]) for row in rows} == {(x, y) for x in range(sizes[u]) for y in range(sizes[v])}
    assert all(0 <= value < size for row in rows for value, size in zip(row, sizes, strict=True))


@given(SIZES)
def test_every_value_stands_in_a_row_of_the_small_array(sizes: list[int]) -> None:
    rows = each_once(sizes)
    assert len(rows) == max(sizes)
    assert all({row[axis] for row in rows} == set(range(size)) for axis, size in enumerate(sizes))


@each_of("world", [1, 6])
@each_of("tools", [*range(2, 40), 102, 202])
def test_grids_of_agents_are_at_most_fifteen_percent_over_the_least_size(tools: int, world: int) -> None:
    sizes = [tools, 10, world, 5, 5]
    least = sorted(sizes)[-1] * sorted(sizes)[-2]
    assert least <= len(pairwise(sizes)) <= 1.15 * least


def test_most_grids_are_as_small_as_can_be() -> None:
    assert [len(pairwise([tools, 10, 6, 5, 5])) for tools in (2, 5, 12, 22)] == [60, 60, 120, 220]
    assert len(pairwise([6, 10, 6, 5, 5])) == 63
