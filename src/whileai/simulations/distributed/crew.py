"""Parts of files read on a Ray cluster, in the place of processes on this machine."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from whileai.simulations.distributed.cluster import loaded, n_cpus, ray, remote

Job = TypeVar("Job")
Answer = TypeVar("Answer")
_AHEAD_A_CPU = 2  # tasks under way for each CPU


class RayCrew(Generic[Job, Answer]):
    """Does the same work on many jobs as Ray tasks; a worker that dies is replaced and its job done again.

    `parallel.Crew` on another machine: as a context manager it does nothing, as tasks end by themselves.
    """

    def __init__(self, n: int, work: Callable[[Job], Answer]) -> None:
        self._ahead = _AHEAD_A_CPU * n_cpus()
        self._task = remote(_done)
        self._work = ray().put(work)

    def __enter__(self) -> RayCrew[Job, Answer]:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def answers(self, jobs: Iterable[Job]) -> Iterator[Answer]:
        """The answers in the order of the jobs."""
        waiting: deque[Any] = deque()
        for job in jobs:
            waiting.append(self._task.remote(self._work, job))
            if len(waiting) > self._ahead:
                yield loaded(waiting.popleft())
        while waiting:
            yield loaded(waiting.popleft())


def connect(address: str) -> int:
    """Connect to the cluster at an address (`auto`, `local`, `ray://host:port`), quietly; how many CPUs it has.

    A cluster that does not answer is a `ConnectionError` that names the address.
    """
    import logging

    if not ray().is_initialized():
        where = {} if address == "local" else {"address": address}
        try:
            ray().init(**where, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise ConnectionError(f"no Ray cluster answers at {address!r}: {error}") from None
    ray().data.DataContext.get_current().enable_progress_bars = False
    # Ray says on standard output, where the report goes, that a worker died, whatever `log_to_driver`
    ray()._private.worker._worker_logs_enabled = False
    return n_cpus()


def _done(work: Callable[[Any], Any], job: Any) -> bytes:
    """The answer as bytes: the arrays of what Ray itself takes apart come back read-only, and tallies are added to."""
    return pickle.dumps(work(job), protocol=5)
