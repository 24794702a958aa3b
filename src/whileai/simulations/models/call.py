"""`Call`: work that may be given up, and a clock that stands still while it waits for what is not its own."""

from __future__ import annotations

import contextlib
import contextvars
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import Protocol


class Stoppable(Protocol):
    """What can be told to end, such as a future."""

    def cancel(self) -> object:
        """End it."""


class Call:
    """Work of one thread, and of all that it starts with its context.

    Once it is cancelled what it has asked of models is cancelled too, and asking more is a `CancelledError`. It is
    known to what is asked through a context variable (`within`). `elapsed` is the time since `begin`, less that in
    which something of it was `paused`.

    >>> call = Call()
    >>> with call.within(), paused():
    ...     time.sleep(0.01)
    >>> call.elapsed() < 0.01
    True
    """

    def __init__(self) -> None:
        self.cancelled = False
        self._started: set[Stoppable] = set()
        self._lock = threading.Lock()
        self._paused_at = 0.0
        self.begin()

    def begin(self) -> None:
        """Set the clock to zero."""
        self._since = time.monotonic()
        self._pauses = 0
        self._paused = 0.0

    def elapsed(self) -> float:
        """The seconds that count."""
        now = self._paused_at if self._pauses else time.monotonic()
        return now - self._since - self._paused

    def cancel(self) -> None:
        """End what was started, and refuse what is started from now on."""
        with self._lock:
            self.cancelled = True
            started, self._started = self._started, set()
        for each in started:
            each.cancel()

    def check(self) -> None:
        """A `CancelledError` when this was cancelled."""
        if self.cancelled:
            raise CancelledError("the call was given up: nothing more is asked for it")

    def hold(self, started: Stoppable) -> None:
        """Cancel this too when the call is cancelled, or at once when it was."""
        with self._lock:
            if not self.cancelled:
                self._started.add(started)
                return
        started.cancel()

    def release(self, started: Stoppable) -> None:
        """Forget what has ended."""
        with self._lock:
            self._started.discard(started)

    @contextlib.contextmanager
    def within(self) -> Iterator[None]:
        """Make this the call of what is done in the block; a part of the call around it, if there is one."""
        outer, token = current_call(), _CURRENT.set(self)
        if outer is not None:
            outer.hold(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)
            if outer is not None:
                outer.release(self)

    def pause(self) -> None:
        """Have the clock stand still, until `resume` was called as often."""
        with self._lock:
            if not self._pauses:
                self._paused_at = time.monotonic()
            self._pauses += 1

    def resume(self) -> None:
        """See `pause`."""
        with self._lock:
            if self._pauses == 1:
                self._paused += time.monotonic() - self._paused_at  # before it goes on, or `elapsed` is too long
            self._pauses = max(0, self._pauses - 1)


_CURRENT: contextvars.ContextVar[Call | None] = contextvars.ContextVar("whileai_call", default=None)


def current_call() -> Call | None:
    """The call that this is done for; None for none."""
    return _CURRENT.get()


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """Have the block take none of the call's time: it loads a library, or waits for its turn."""
    call = current_call()
    if call is None:
        yield
        return
    call.pause()
    try:
        yield
    finally:
        call.resume()
