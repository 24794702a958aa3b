"""Rows known by their positions, brought together on the workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from whileai.simulations.distributed.cluster import Broadcast, loaded, ray, remote
from whileai.simulations.distributed.reduction import left_there
from whileai.simulations.distributed.source import Source, in_order, part_of

Made = Callable[[dict[int, Any]], tuple[Any, Any]]  # of rows by position: a table, and what is said of it


def fetched(source: Source, homes: Mapping[int, int], make: Made, n: int) -> tuple[Any, list[Any]]:
    """A dataset of what `make` makes of the rows at some positions, and what it says; `homes` sends each to a shard.

    Only the parts that hold such rows are read again.
    """
    job = FetchJob(Broadcast(dict(homes)))
    found = left_there(source.parts(), job, n_shards=n, only={part_of(at) for at in homes})
    making = remote(_made, num_returns=2)
    pairs = [making.remote(make, shard) for shard in found.shards]
    if not pairs:
        pairs = [making.remote(make, None)]
    said = [loaded(note) for _, note in pairs]
    return in_order(ray().data.from_arrow_refs([table for table, _ in pairs])), said


class Fetched(dict[int, Any]):
    """Rows by position."""

    def merge(self, other: Fetched) -> None:
        """Add others."""
        self.update(other)


@dataclass(frozen=True)
class FetchJob:
    """The rows of a part that are asked for, each in its shard."""

    homes: Broadcast

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Fetched], None]:
        """Gather one part."""
        shards = [Fetched() for _ in range(n)]
        homes = self.homes.value
        for place, row in enumerate(rows, at):
            if (home := homes.get(place)) is not None:
                shards[home][place] = row
        return shards, None


def _made(make: Made, packed: bytes | None) -> tuple[Any, bytes]:
    rows = Fetched() if packed is None else pickle.loads(packed)  # noqa: S301 - made by our own tasks
    table, said = make(rows)
    return table, pickle.dumps(said, protocol=5)
