"""Ray, where it is installed: its tasks, actors, references."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

from whileai.simulations.errors import MissingExtraError, warn
from whileai.simulations.reports import counted, printable

RETRIES = 5  # times a task or a call is made again after its worker died


class Merges(Protocol):
    """A statistic that takes in another of its kind."""

    def merge(self, other: Any) -> None:
        """Add what another gathered of rows that come after."""


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


def warn_unread(n: int, first: str) -> None:
    """Say how many records could not be read, if any; on a worker Ray passes it on to who called."""
    if n:
        warn(f"{counted(n, 'record')} could not be read; the first: {printable(first)}")


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
