"""Ray, where it is installed: tasks over the parts of a source, and their results merged on the workers."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, Protocol

from whileai.simulations.errors import MissingExtraError, warn
from whileai.simulations.reports import printable

FAN_IN = 32  # results that one task merges; convention
MOST_SHARDS = 64  # pieces that the tasks of a report are cut into, by a hash of their names; convention
RETRIES = 5  # times a task or a call is made again after its worker died
_WAITING_A_CPU = 4  # tasks under way for each CPU before the next parts are asked for


class Merges(Protocol):
    """A statistic that takes in another of its kind."""

    def merge(self, other: Any) -> None:
        """Add what another gathered of rows that come after."""


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


@cache
def ray() -> Any:
    """The module `ray`, with `ray.data`; `MissingExtraError` where it is not installed."""
    try:
        import ray as found
        import ray.data
    except ImportError:
        raise MissingExtraError("ray[data]", extra="ray", what="whileai.simulations.distributed") from None
    return found


def n_cpus() -> int:
    """The CPUs of the cluster; Ray is started on this machine when nobody has."""
    if not ray().is_initialized():
        ray().init()
    return max(1, int(ray().cluster_resources().get("CPU", 1)))


def remote(function: Callable[..., Any], **options: Any) -> Any:
    """A function as a task that is run again when its worker dies."""
    return ray().remote(**{"max_retries": RETRIES, **options})(function)


def remote_class(kind: type[Any]) -> Any:
    """A class as an actor that is started again when its worker dies."""
    return ray().remote(max_restarts=-1, max_task_retries=-1)(kind)


def got(refs: Any) -> Any:
    """What is behind references; an error of a task is raised as it was there."""
    try:
        return ray().get(refs)
    except ray().exceptions.RayTaskError as error:
        raise (error.cause if isinstance(error.cause, Exception) else error) from None


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


def warn_unread(n: int, first: str) -> None:
    """Say how many records could not be read, if any; on a worker Ray passes it on to who called."""
    if n:
        warn(f"{n} {'record' if n == 1 else 'records'} could not be read; the first: {printable(first)}")


def finished(shards: Iterable[Any], finish: Callable[[Any], Any]) -> list[Any]:
    """What `finish` makes of each shard left on the workers, made there."""
    finishing = remote(_finish)
    return [loaded(ref) for ref in [finishing.remote(finish, shard) for shard in shards]]


def loaded(ref: Any) -> Any:
    """What is behind a reference to bytes."""
    return pickle.loads(got(ref))  # noqa: S301 - made by our own tasks


def merged(one: Any, other: Any) -> Any:
    """Two statistics as one, in this order; None is none."""
    if one is None or other is None:
        return other if one is None else one
    one.merge(other)
    return one


class Broadcast:
    """A value that Ray keeps once a machine; tasks that hold this read it from there."""

    def __init__(self, value: Any) -> None:
        self._ref = ray().put(value)

    @property
    def value(self) -> Any:
        """The value."""
        return got(self._ref)


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
    from whileai.simulations.distributed.source import position, read_part

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
