"""The world of the running rollout: what `world(tools).call` and a seeded agent meet."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from whileai.simulations.run.world import World
from whileai.simulations.signature import public

current_world: ContextVar[World | None] = ContextVar("current_world", default=None)
current_rollout: ContextVar[int] = ContextVar("current_rollout", default=0)


class Strays:
    """Calls that were made while rollouts ran, in a thread that belongs to none of them."""

    def __init__(self) -> None:
        self.n = 0
        self._running = 0
        self._lock = threading.Lock()

    def begin(self) -> None:
        """A rollout begins."""
        with self._lock:
            self._running += 1

    def end(self) -> None:
        """A rollout ends."""
        with self._lock:
            self._running -= 1

    def met(self) -> None:
        """A call that has no rollout: one too many only while some rollout runs."""
        with self._lock:
            self.n += self._running > 0


STRAYS = Strays()


class CurrentWorld:
    """What `world` returns: the world of the running rollout where there is one, else one of its own."""

    def __init__(self, tools: Any, seed: int) -> None:
        self._tools = tools
        self._own = World(tools, seed)

    def call(self, tool: Any, arguments: Mapping[str, Any] | None = None) -> Any:
        """What the tool answers."""
        there = current_world.get()
        if there is None:
            STRAYS.met()
        return (there or self._own).call(tool, arguments)

    @property
    def log(self) -> list[dict[str, Any]]:
        """The calls so far."""
        return (current_world.get() or self._own).log

    def __repr__(self) -> str:
        return f"world of {', '.join(self._own.tools) or 'no tools'}"


@public
def world(tools: Any, seed: int = 0) -> CurrentWorld:
    """Something whose `call(tool, arguments)` answers like the world of a run, faults first.

    Inside a rollout of `simulate` it is that rollout's world, with its records and its faults, so that an agent of your
    own can be written against it; outside one every record exists and no tool fails. A thread that the agent starts is
    outside, unless it runs in the agent's context (`contextvars.copy_context().run`, `asyncio.to_thread`). Raises
    `TypeError` for what is no sequence of tool schemas and functions.

    >>> there = world([{"name": "get_weather", "parameters": {"properties": {"city": {"type": "string"}}}}])
    >>> there.call("get_weather", {"city": "Oslo"})["city"], there.call("fly", {})["reason"]
    ('Oslo', 'unknown_tool')
    """
    return CurrentWorld(tools, seed)


@contextmanager
def entered(there: World, rollout_index: int = 0) -> Iterator[World]:
    """Inside, `world(tools).call` and a seeded agent meet this world in rollout number `rollout_index`."""
    token, number = current_world.set(there), current_rollout.set(rollout_index)
    STRAYS.begin()
    try:
        yield there
    finally:
        STRAYS.end()
        current_world.reset(token)
        current_rollout.reset(number)
