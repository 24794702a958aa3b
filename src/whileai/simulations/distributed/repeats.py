"""`dedupe_groups`: repeats of a trajectory, told by a hash of what makes it one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, NamedTuple

from whileai.simulations.distributed.cluster import Broadcast
from whileai.simulations.distributed.reduction import finished, left_there
from whileai.simulations.distributed.source import source_of
from whileai.simulations.listing import listed
from whileai.simulations.reports import Report
from whileai.simulations.rows.grade import label
from whileai.simulations.score.grading import behavior_signature
from whileai.simulations.score.hygiene.ask import ask_key
from whileai.simulations.score.hygiene.dedupe import said_of

_BYTES = 16  # of a hash; two of 10**9 trajectories share one with a chance of 10**-21


def dedupe_groups(rows: Any) -> tuple[Any, Report]:
    """A dataset of the rows that `whileai.simulations.dedupe_groups` keeps, in order, and the same report.

    Two passes. Trajectories are compared by a hash of 128 bits of their ask, reply and behaviour; a hash, a position
    and three counts of each different one of a part are shuffled, and those that repeat are given to every worker. A
    dataset is held by Ray between the passes (paths are read again), as a row is known by its position.
    """
    source = source_of(rows).pinned()
    found = finished(left_there(source.parts(), RepeatsJob()).shards, _repeated)
    repeats = {key: seen for _, shard in found for key, seen in shard.items()}
    firsts = Broadcast({key: seen.first for key, seen in repeats.items()})

    def change(held: list[Any], at: int) -> list[Any]:
        first = firsts.value
        keys = map(trajectory, held)
        return [row for i, (row, key) in enumerate(zip(held, keys, strict=True)) if first.get(key[1], at + i) == at + i]

    report = _report(sum(n for n, _ in found), list(repeats.values()))
    return source.changed(change), Report(report, show=listed)


def trajectory(row: Any) -> tuple[bytes, bytes]:
    """Hashes of a row's ask, and of its ask, reply and behaviour; `b""` for one that holds neither of the latter."""
    ask = ask_key(row).encode("utf-8", "surrogatepass")
    found = hashlib.blake2b(ask, digest_size=_BYTES)
    said = said_of(row)
    if said is None:
        return found.digest(), b""
    whole = found.copy()
    for text in (said, behavior_signature(dict(row))):
        whole.update(b"\0\xff" + text.encode("utf-8", "surrogatepass"))
    return found.digest(), whole.digest()


class Seen(NamedTuple):
    """A trajectory: the ask it is of, its first row and that row's label, and how many rows there are by label."""

    ask: bytes
    first: int
    label: int | None
    n: int
    n_0: int
    n_1: int

    def with_(self, other: Seen) -> Seen:
        """Both, of different rows."""
        early = self if self.first < other.first else other
        return Seen(early.ask, early.first, early.label, self.n + other.n, self.n_0 + other.n_0, self.n_1 + other.n_1)

    @property
    def conflicts(self) -> int:
        """Rows with another label than the first one's."""
        return 0 if self.label is None else self.n_0 if self.label else self.n_1


class Trajectories(dict[bytes, Seen]):
    """Trajectories by their hashes."""

    def see(self, key: bytes, seen: Seen) -> None:
        """Add one."""
        held = self.get(key)
        self[key] = seen if held is None else held.with_(seen)

    def merge(self, other: Trajectories) -> None:
        """Add those of other rows."""
        for key, seen in other.items():
            self.see(key, seen)


@dataclass(frozen=True)
class RepeatsJob:
    """The different trajectories of a part, by their hashes."""

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Trajectories], None]:
        """Gather one part."""
        shards = [Trajectories() for _ in range(n)]
        for place, row in enumerate(rows):
            ask, whole = trajectory(row)
            key = whole or (at + place).to_bytes(8, "big")
            own = label(row)
            shards[key[0] % n].see(key, Seen(ask, at + place, own, 1, int(own == 0), int(own == 1)))
        return shards, None


def _repeated(found: Trajectories) -> tuple[int, dict[bytes, Seen]]:
    """How many rows there are, and the trajectories of more than one."""
    return sum(seen.n for seen in found.values()), {key: seen for key, seen in found.items() if seen.n > 1}


def _report(n: int, repeated: list[Seen]) -> dict[str, Any]:
    n_dropped = sum(seen.n - 1 for seen in repeated)
    return {
        "n": n,
        "n_kept": n - n_dropped,
        "n_dropped": n_dropped,
        "groups_affected": len({seen.ask for seen in repeated}),
        "duplicate_rate": n_dropped / n if n else 0.0,
        "conflicting_rewards": sum(seen.conflicts for seen in repeated),
    }
