"""In which order tasks are taken: fault kinds in turn, and within one their pass rates in turn."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

_Item = TypeVar("_Item")


class Order(StrEnum):
    """How tasks of one fault kind are ordered."""

    SPREAD = "spread"
    MIDDLE = "middle"


@dataclass(frozen=True, slots=True)
class Group:
    """A task that is left: its rows that vote, in the order given, its pass rate over them, its fault kind."""

    task: str
    rows: list[Any]
    rate: float
    kind: str
    in_band: bool


def in_turns(lists: Iterable[Iterable[_Item]]) -> Iterator[_Item]:
    """One item of each list in turn.

    >>> list(in_turns([["a", "b", "c"], ["d"]]))
    ['a', 'd', 'b', 'c']
    """
    left = [iter(items) for items in lists]
    while left:
        more = []
        for items in left:
            for item in items:
                yield item
                more.append(items)
                break
        left = more


def ordered(groups: list[Group], order: Order) -> Iterator[Group]:
    """The groups in the order they are taken: kinds in turn, the most common first, of equals the first by name.

    Within a kind those in band come first. `spread` takes pass rates in turn, lowest first; `middle` those nearest a
    rate of one half. Ties are settled by a hash of the task, so that the order of rows does not matter.
    """
    kinds: dict[str, list[Group]] = {}
    for group in groups:
        kinds.setdefault(group.kind, []).append(group)
    buckets = sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0]))
    return in_turns([_within(bucket, order) for _, bucket in buckets])


def _within(groups: list[Group], order: Order) -> list[Group]:
    by_hash = sorted(groups, key=lambda group: stable_hash(group.task))
    found: list[Group] = []
    for part in ([g for g in by_hash if g.in_band], [g for g in by_hash if not g.in_band]):
        if order is Order.MIDDLE:
            found += sorted(part, key=lambda group: abs(round(group.rate, 4) - 0.5))
            continue
        rates: dict[float, list[Group]] = {}
        for group in sorted(part, key=lambda group: group.rate):
            rates.setdefault(round(group.rate, 4), []).append(group)
        found += in_turns([sorted(same, key=lambda group: stable_hash(group.task)) for same in rates.values()])
    return found


def stable_hash(text: str) -> bytes:
    """Sixteen bytes that depend on the text alone, in any process."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
