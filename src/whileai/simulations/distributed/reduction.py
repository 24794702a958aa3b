"""Parts of a source reduced to statistics, gathered and merged on the workers: only what is merged comes here."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from whileai.simulations.distributed.cluster import got, loaded, merged, n_cpus, remote, warn_unread
from whileai.simulations.distributed.source import position, read_part

FAN_IN = 32  # results that one task merges; convention
MOST_SHARDS = 64  # pieces that the tasks of a report are cut into, by a hash of their names; convention
_WAITING_A_CPU = 4  # tasks under way for each CPU before the next parts are asked for


class Job(Protocol):
    """What is gathered of the rows of one part; it travels to the workers, so it must pickle."""

    def __call__(self, rows: list[Any], at: int, n: int) -> tuple[list[Any], Any]:
        """`n` shards by task and one statistic of the whole; the position of the first row is `at`."""


class Reduced(NamedTuple):
    """What a job gathered over all parts: its shards, the statistic of the whole, and what moved to get there.

    Shards that were left on the workers are references to their bytes. `n_bytes` left the tasks that read rows,
    `n_parts` of them; `None` as a whole means that there were no parts.
    """

    shards: list[Any]
    whole: Any
    n_bytes: int
    n_parts: int


def reduced(
    parts: Iterable[Any], job: Job, *, n_shards: int | None = None, only: Container[int] | None = None
) -> Reduced:
    """Run a job over parts and merge what it gathers, on the workers; only merged statistics come here.

    A part's result is kept by Ray as a whole or not at all, so that a worker that dies is made good by running its
    task again, and nothing is counted twice. `only` names the parts that are looked at.
    """
    found = left_there(parts, job, n_shards=n_shards, only=only)
    return found._replace(shards=[loaded(ref) for ref in found.shards])


def left_there(
    parts: Iterable[Any], job: Job, *, n_shards: int | None = None, only: Container[int] | None = None
) -> Reduced:
    """The same, with the merged shards left where they are."""
    cpus = n_cpus()
    n = n_shards or min(MOST_SHARDS, cpus)
    gather = remote(_gather, num_returns=n + 1)
    trees = [_Tree() for _ in range(n)]
    waiting: deque[Any] = deque()
    whole: Any = None
    n_bytes = n_parts = n_bad = 0
    first_bad = ""

    def take() -> None:
        nonlocal whole, n_bytes, n_bad, first_bad
        told, moved, n, first = got(waiting.popleft())
        whole = merged(whole, pickle.loads(told))  # noqa: S301 - made by our own task
        n_bytes, n_bad, first_bad = n_bytes + moved, n_bad + n, first_bad or first

    for number, part in enumerate(parts):
        if only is not None and number not in only:
            continue
        *shards, said = gather.remote(job, part, number, n)
        for tree, shard in zip(trees, shards, strict=True):
            tree.add(shard)
        waiting.append(said)
        n_parts += 1
        if len(waiting) > _WAITING_A_CPU * cpus:
            take()
    while waiting:
        take()
    warn_unread(n_bad, first_bad)
    ends = [end for tree in trees if (end := tree.root()) is not None]
    return Reduced(ends, whole, n_bytes, n_parts)


def finished(shards: Iterable[Any], finish: Callable[[Any], Any]) -> list[Any]:
    """What `finish` makes of each shard left on the workers, made there."""
    finishing = remote(_finish)
    return [loaded(ref) for ref in [finishing.remote(finish, shard) for shard in shards]]


class _Tree:
    """Results in order, merged `FAN_IN` neighbours at a time as they come, so that few are held."""

    def __init__(self) -> None:
        self._levels: list[list[Any]] = []
        self._merge = remote(_merge)

    def add(self, ref: Any, level: int = 0) -> None:
        if level == len(self._levels):
            self._levels.append([])
        self._levels[level].append(ref)
        if len(self._levels[level]) == FAN_IN:
            refs, self._levels[level] = self._levels[level], []
            self.add(self._merge.remote(*refs), level + 1)

    def root(self) -> Any:
        """The one result of all; None without any."""
        left = [ref for level in reversed(self._levels) for ref in level]
        return self._merge.remote(*left) if len(left) > 1 else (left[0] if left else None)


def _gather(job: Job, part: Any, number: int, n: int) -> Iterator[Any]:
    """The shards of one part, then its whole and the bytes of all, each as bytes."""
    read = read_part(part)
    shards, whole, n_bytes = packed(job, read.rows, position(number), n)
    yield from shards
    yield whole, n_bytes, read.n_bad, read.first_bad


def packed(job: Job, rows: list[Any], at: int, n: int) -> tuple[list[bytes], bytes, int]:
    """What a job gathers of some rows as bytes: the shards, the whole, and how many bytes they are together."""
    shards, whole = job(rows, at, n)
    held, last = [pickle.dumps(shard, protocol=5) for shard in shards], pickle.dumps(whole, protocol=5)
    return held, last, sum(map(len, held)) + len(last)


def _finish(finish: Callable[[Any], Any], packed: bytes) -> bytes:
    return pickle.dumps(finish(pickle.loads(packed)), protocol=5)  # noqa: S301


def _merge(*packed: bytes) -> bytes:
    found: Any = None
    for each in packed:
        found = merged(found, pickle.loads(each))  # noqa: S301
    return pickle.dumps(found, protocol=5)
