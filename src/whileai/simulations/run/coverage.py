"""In which order cells are visited, so that every prefix covers as many pairs of values as it can."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, cycle
from typing import Any

from whileai.simulations.score.checklist.vocabulary import UNSPECIFIED, ToolCondition
from whileai.simulations.score.dimensions.difficulty import HARD, tier_of

Pair = tuple[tuple[str, str], tuple[str, str]]  # (axis, value) twice
_CONDITION = "tool_condition"
NO_FAULT = frozenset((ToolCondition.SUCCESS.value, UNSPECIFIED))


def is_hard(assignment: Mapping[str, str]) -> bool:
    """Whether the stance of a cell is a hard one."""
    return tier_of(assignment) in HARD


def pairs_of(assignment: Mapping[str, str]) -> Iterator[Pair]:
    """The pairs of values one cell covers.

    >>> list(pairs_of({"tool": "ping", "stance": "hurried"}))
    [(('tool', 'ping'), ('stance', 'hurried'))]
    """
    yield from combinations(assignment.items(), 2)


def planned_pairs(assignments: Iterable[Mapping[str, str]]) -> list[Pair]:
    """Every pair of values some cells cover together, each once, in the order it is first met."""
    return list(dict.fromkeys(pair for assignment in assignments for pair in pairs_of(assignment)))


def by_coverage(cells: Sequence[Mapping[str, Any]], visits: Mapping[str, int]) -> list[Mapping[str, Any]]:
    """The cells, the one that brings the most pairs not covered yet first; among equals the heavier one.

    Cells with fewer visits come before all that have more.
    """
    covered: set[Pair] = set()
    ordered: list[Mapping[str, Any]] = []
    groups: dict[int, list[Mapping[str, Any]]] = {}
    for cell in cells:
        groups.setdefault(max(0, visits.get(cell["id"], 0)), []).append(cell)
    for seen in sorted(groups):
        ordered += _greedy(groups[seen], covered)
    return ordered


def _greedy(cells: Sequence[Mapping[str, Any]], covered: set[Pair]) -> Iterator[Mapping[str, Any]]:
    """A cell's gain only falls as others are taken, so it is worked out again only when it leads."""
    pairs = [frozenset(pairs_of(cell["assignment"])) for cell in cells]
    heap = [
        (-len(held - covered), -cell["weight"], place)
        for place, (cell, held) in enumerate(zip(cells, pairs, strict=True))
    ]
    heapq.heapify(heap)
    while heap:
        gain, weight, place = heapq.heappop(heap)
        now = -len(pairs[place] - covered)
        if now > gain and heap and (now, weight, place) > heap[0]:
            heapq.heappush(heap, (now, weight, place))
            continue
        covered |= pairs[place]
        yield cells[place]


def drawn(
    ordered: Sequence[Mapping[str, Any]], n: int, *, hard_share: float, fault_rate: float
) -> Iterator[tuple[str, dict[str, str]]]:
    """The id and the assignment of n situations: every cell once, then cells again, hard ones as `hard_share` says.

    A cell with a fault keeps it where that covers a pair of values for the first time, and otherwise as long as no more
    than `fault_rate` of the fault cells so far have kept theirs; else its tools work.
    """
    n_hard = n_faulty = n_kept = 0
    hard = [cell for cell in ordered if is_hard(cell["assignment"])]
    easy = [cell for cell in ordered if not is_hard(cell["assignment"])]
    pools = (cycle(hard or easy), cycle(easy or hard))
    seen: dict[str, int] = {}
    met: set[Pair] = set()
    for number in range(n if ordered else 0):
        if number < len(ordered):
            cell = ordered[number]
        else:
            cell = next(pools[0] if n_hard < hard_share * (number + 1) else pools[1])
        assignment = dict(cell["assignment"])
        visit = seen[cell["id"]] = seen.get(cell["id"], 0) + 1
        if assignment[_CONDITION] not in NO_FAULT:
            n_faulty += 1
            faulty = {pair for pair in pairs_of(assignment) if _CONDITION in (pair[0][0], pair[1][0])}
            if (fault_rate > 0 and not faulty <= met) or n_kept < fault_rate * n_faulty:
                n_kept += 1
                met |= faulty
            else:
                assignment[_CONDITION] = ToolCondition.SUCCESS.value
        n_hard += is_hard(assignment)
        yield (cell["id"] if visit == 1 else f"{cell['id']}-{visit}"), assignment
