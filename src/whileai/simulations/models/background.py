"""One event loop in a thread of its own, on which every request runs, whoever waits for it.

So there is one way to ask, with one deadline that holds whatever a server does: `ask` waits for it in any thread,
`aask` awaits it in any loop.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from whileai.simulations.models.call import current_call

_T = TypeVar("_T")


class _Background:
    """The loop of this process, begun when first needed."""

    def __init__(self) -> None:
        self.begin_anew()

    def begin_anew(self) -> None:
        """Know of no thread: at the start, and in a forked child, where the parent's is not."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def submit(self, work: Coroutine[Any, Any, _T]) -> Future[_T]:
        """Start work on the loop."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="whileai-models", daemon=True)
                self._thread.start()
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def stop(self) -> None:
        """At the end of the process: cancel what still runs, so that nothing complains."""
        if self._loop is None or self._thread is None:
            return
        with contextlib.suppress(TimeoutError):
            self.submit(_cancel_others()).result(timeout=2)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=2)
        if not self._thread.is_alive():
            self._loop.close()


async def _cancel_others() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


_BACKGROUND = _Background()
atexit.register(_BACKGROUND.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_BACKGROUND.begin_anew)


def begin(work: Coroutine[Any, Any, _T]) -> Future[_T]:
    """Start work on the loop; its result is had from the future, in any thread.

    It ends with the call that it is part of; a `CancelledError` when that was given up.
    """
    call = current_call()
    if call is None:
        return begin_apart(work)
    try:
        call.check()
    except CancelledError:
        work.close()
        raise
    future = begin_apart(work)
    call.hold(future)
    future.add_done_callback(call.release)
    return future


def begin_apart(work: Coroutine[Any, Any, _T]) -> Future[_T]:
    """Start work that is part of no call, and goes on when one is given up."""
    return _BACKGROUND.submit(work)


def wait_for(work: Coroutine[Any, Any, _T]) -> _T:
    """The result of work on the loop; an interrupted wait (Ctrl-C) cancels it.

    >>> wait_for(asyncio.sleep(0, "done"))
    'done'
    """
    future = begin(work)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
