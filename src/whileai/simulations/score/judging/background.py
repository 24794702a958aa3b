"""The event loop that async judges run on: one a process, in a thread of its own, replaced when a judge blocks it.

One loop, and never closed, since an async client belongs to the loop that first used it: two runs with the same judge
find their client in order.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

_GRACE_SECONDS = 0.5  # a loop that has not turned by then is blocked


_BLOCKED: ContextVar[bool] = ContextVar("whileai_loop_blocked", default=False)


class NestedRunError(RuntimeError):
    """An awaitable would wait for the loop that waits for it."""


class LoopLostError(Exception):
    """The loop an awaitable ran on was blocked by another one and left behind."""


class Sent:
    """An awaitable on a loop; `result` blocks until it is there."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.task: asyncio.Task[Any] | None = None
        self._future: Future[Any] = Future()

    def result(self) -> Any:
        """What was awaited, or the exception it ended with."""
        return self._future.result()

    def cancel(self) -> None:
        """Ask the task to end and free whoever waits for it, whether or not it does."""
        self.fail(asyncio.CancelledError())
        if self.task is not None:
            self.loop.call_soon_threadsafe(self.task.cancel)

    def fail(self, error: BaseException) -> None:
        """End the wait with an exception, unless it has ended."""
        with contextlib.suppress(InvalidStateError):
            self._future.set_exception(error)

    async def run(self, awaitable: Awaitable[Any]) -> None:
        """Await it and keep what comes of it."""
        if self._future.done():  # given up before it began
            if hasattr(awaitable, "close"):
                awaitable.close()
            return
        self.task = asyncio.current_task()
        try:
            result = await awaitable
        except BaseException as error:  # the waiting thread decides what it means
            self.fail(error)
        else:
            with contextlib.suppress(InvalidStateError):
                self._future.set_result(result)


class DaemonThreads(ThreadPoolExecutor):
    """Runs each piece of blocking work in a daemon thread, so that one that hangs does not keep the interpreter."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Start the work; its result is had from the future."""
        future: Future[Any] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:
                future.set_exception(error)

        threading.Thread(target=work, name="whileai-blocking", daemon=True).start()
        return future


class Background:
    """Sends awaitables to the loop, and leaves it for a new one when it is blocked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._under_way: set[Sent] = set()

    def send(self, awaitable: Awaitable[Any]) -> Sent:
        """Start an awaitable on the loop, in the context variables of the calling thread.

        A `NestedRunError` within `waited_for` of a call that blocks the loop.
        """
        if _BLOCKED.get():
            if hasattr(awaitable, "close"):
                awaitable.close()
            raise NestedRunError(
                "an async judge called run_judge, or judge_pairs, with another async judge, and waits for it on the "
                "loop that both need: make the outer judge a plain function, or call with await asyncio.to_thread(...)"
            )
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._loop.set_default_executor(DaemonThreads())
                threading.Thread(target=self._loop.run_forever, name="whileai-async", daemon=True).start()
            sent = Sent(self._loop)
            self._under_way.add(sent)
        sent.loop.call_soon_threadsafe(self._start, sent, awaitable)
        return sent

    @contextlib.contextmanager
    def waited_for(self) -> Iterator[None]:
        """What is sent while this lasts would never end when the caller blocks the loop, so it is refused."""
        token = _BLOCKED.set(_BLOCKED.get() or (self._loop is not None and asyncio._get_running_loop() is self._loop))
        try:
            yield
        finally:
            _BLOCKED.reset(token)

    def _start(self, sent: Sent, awaitable: Awaitable[Any]) -> None:
        task = sent.loop.create_task(sent.run(awaitable))
        task.add_done_callback(lambda _: self._under_way.discard(sent))

    def blocker(self, sent: Sent) -> Sent | None:
        """What keeps the loop of `sent` from turning; None when it turns."""
        turned = threading.Event()
        sent.loop.call_soon_threadsafe(turned.set)
        if turned.wait(_GRACE_SECONDS):
            return None
        task = asyncio.current_task(sent.loop)
        return next((other for other in self._in(sent.loop) if other.task is task), None)

    def leave(self, blocker: Sent) -> None:
        """Give up the loop that one awaitable blocks; all others on it end with a `LoopLostError`."""
        with self._lock:
            if self._loop is blocker.loop:
                self._loop = None
        for other in self._in(blocker.loop):
            self._under_way.discard(other)
            other.fail(LoopLostError())

    def _in(self, loop: asyncio.AbstractEventLoop) -> list[Sent]:
        return [other for other in self._under_way.copy() if other.loop is loop]

    def forget(self) -> None:
        """Start anew: a forked process has none of its parent's threads."""
        self.__init__()  # type: ignore[misc]


BACKGROUND = Background()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=BACKGROUND.forget)
