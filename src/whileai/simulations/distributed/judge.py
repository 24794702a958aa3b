"""`run_judge` on many machines: actors that hold a judge each, and one limit on how fast all of them ask."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from whileai.simulations.arguments import between, whole
from whileai.simulations.distributed.cluster import RETRIES, got, ray, remote_class
from whileai.simulations.distributed.rows import in_tables, unpacked
from whileai.simulations.distributed.source import in_order, source_of
from whileai.simulations.score.judging.loop import run_judge as judged_here
from whileai.simulations.score.judging.names import judge_name_of, scorer_kind_of
from whileai.simulations.score.judging.results import CONCURRENCY
from whileai.simulations.score.judging.verdict import checked_scale

_BATCH = 64  # rows that an actor is given at a time: what is judged again when it dies; convention
_MOST_RATE = 1e9


def run_judge(
    rows: Any,
    judge: Callable[[dict[str, Any]], Any],
    judge_name: str | None = None,
    source: str = "grade",
    model: str | None = None,
    run_id: str | None = None,
    concurrency: int = CONCURRENCY,
    timeout: float | None = None,
    version: str | None = None,
    scale: tuple[float, float] | None = None,
    *,
    actors: int = 2,
    calls_per_second: float | None = None,
) -> Any:
    """A dataset of the rows scored as `whileai.simulations.run_judge` scores them, in order.

    `actors` workers hold a copy of `judge` each and make up to `concurrency` calls at once; together they start at
    most `calls_per_second`. The dataset is computed each time it is read: `write_rows` it, or `materialize` it, once.
    An actor that dies is replaced and its batch of at most 64 rows is judged again, so that a row has one verdict,
    though a call may be paid for twice; one that ends its worker six times ends the run with Ray's error. Unlike in
    memory there is no `checkpoint`, and `lineage.parent` of a row without `scenario_id` and `id` counts rows within the
    batch, as no worker knows how many come before.
    """
    options = {
        "judge_name": judge_name_of(judge, judge_name),
        "source": source,
        "model": model,
        "run_id": run_id or f"score_{uuid.uuid4().hex[:12]}",
        "concurrency": whole("concurrency", concurrency, 1),
        "timeout": timeout,
        "version": version,
        "scale": checked_scale(scale),
    }
    n_actors, limit = whole("actors", actors, 1), None
    given = source_of(rows)
    if calls_per_second is not None:
        rate = between("calls_per_second", calls_per_second, 0, _MOST_RATE, ends=False)
        limit = remote_class(RateLimit).options(num_cpus=0).remote(rate)
    held = given.changed(lambda part, at: part)
    actor = _actor(_Limited(judge, limit) if limit is not None else judge, options)
    return in_order(
        held.map_batches(
            actor,
            batch_size=_BATCH,
            batch_format="pyarrow",
            compute=_pool(n_actors),
            num_cpus=0,
            max_task_retries=RETRIES,
        )
    )


def _pool(n: int) -> Any:
    return ray().data.ActorPoolStrategy(size=n)


def _actor(judge: Callable[[dict[str, Any]], Any], options: dict[str, Any]) -> type[Any]:
    class JudgeActor:
        """One copy of the judge, made where it runs."""

        def __call__(self, batch: Any) -> Iterator[Any]:
            yield from in_tables(judged_here(unpacked(batch), judge, **options, progress=False, quiet=True).rows)

    return JudgeActor


class RateLimit:
    """Hands out times at which calls may start, so many a second for everyone who asks."""

    def __init__(self, calls_per_second: float) -> None:
        self._gap = 1 / calls_per_second
        self._next = 0.0

    def wait(self) -> float:
        """Seconds until the next call may start."""
        now = time.monotonic()
        self._next = max(self._next, now)
        seconds, self._next = self._next - now, self._next + self._gap
        return seconds


class _Limited:
    """A judge that asks for leave before each call."""

    def __init__(self, judge: Callable[[dict[str, Any]], Any], limit: Any) -> None:
        self._judge, self._limit = judge, limit
        self.name = judge_name_of(judge)
        self.kind = scorer_kind_of(judge)
        self.version = getattr(judge, "version", None)

    def __call__(self, row: dict[str, Any]) -> Any:
        time.sleep(got(self._limit.wait.remote()))
        return self._judge(row)
