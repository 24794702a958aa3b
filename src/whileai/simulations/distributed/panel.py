"""A judge of rows in memory whose calls are made on a cluster, by copies of it that live there."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from whileai.simulations.distributed.cluster import RETRIES, got, n_cpus, ray
from whileai.simulations.score.judging.calls import Outcome, outcomes
from whileai.simulations.score.judging.names import judge_name_of, scorer_kind_of

Judge = Callable[[dict[str, Any]], Any]


class Panel:
    """A judge for `whileai.simulations.run_judge` that asks copies of `judge`, which workers make by calling `make`.

    There is a copy for each CPU of the cluster, and no more than calls under way at once. A worker that dies is
    replaced, and the calls that it had are made again. A `ValueError` when the workers cannot make the judge.
    """

    def __init__(self, judge: Judge, make: Callable[[], Judge], concurrency: int, timeout: float | None) -> None:
        self.name = judge_name_of(judge)
        self.kind = scorer_kind_of(judge)
        self.version = getattr(judge, "version", None)
        n = min(concurrency, n_cpus())
        each = -(-concurrency // n)
        kind = ray().remote(max_restarts=-1, max_task_retries=RETRIES)(Juror)
        actors = [
            kind.options(max_concurrency=each, scheduling_strategy="SPREAD").remote(make, timeout) for _ in range(n)
        ]
        for why in got([actor.why_not.remote() for actor in actors]):
            if why is not None:
                raise ValueError(f"a worker of the cluster cannot make the judge: {why}")
        self._free: SimpleQueue[Any] = SimpleQueue()
        for actor in actors * each:
            self._free.put(actor)

    def __call__(self, row: dict[str, Any]) -> Any:
        """What a copy answers; what it raises is raised here under the same name."""
        actor = self._free.get()
        try:
            found: Outcome = got(actor.asked.remote(row))
        finally:
            self._free.put(actor)
        if found.error is not None:
            name, _, said = found.error.partition(": ")
            raise type(name, (Exception,), {})(said)
        return found.value


class Juror:
    """One copy of a judge, on the worker that made it."""

    def __init__(self, make: Callable[[], Judge], timeout: float | None) -> None:
        self._judge = outcomes(lambda _: make(), [None], concurrency=1)[0]
        self._timeout = timeout

    def why_not(self) -> str | None:
        """Why there is no judge; None when there is one."""
        return self._judge.error

    def asked(self, row: dict[str, Any]) -> Outcome:
        """What the judge says of a row; a call over time is left behind, so that it takes nobody's place."""
        return outcomes(self._judge.value, [row], concurrency=1, timeout=self._timeout)[0]
