"""`RateLimit` and `Budget`: how fast, and how much, a run may ask; one object may be shared by models and threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from whileai.simulations.arguments import whole
from whileai.simulations.models.failure import ModelError

PER_SECONDS = 60.0  # seconds that a rate is counted over; providers state theirs per minute


class RateLimit:
    """At most so many requests, and tokens, per minute, evenly spaced.

    >>> limit = RateLimit(requests=120, clock=lambda: 0.0)
    >>> limit.wait(), limit.wait(), limit.wait()
    (0.0, 0.5, 1.0)
    """

    def __init__(
        self, *, requests: int | None = None, tokens: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.requests = None if requests is None else whole("requests", requests, 1)
        self.tokens = None if tokens is None else whole("tokens", tokens, 1)
        if requests is None and tokens is None:
            raise ValueError("RateLimit needs requests= or tokens=, each per minute")
        self._clock = clock
        self._lock = threading.Lock()
        self._free = clock()

    def wait(self, tokens: int = 0) -> float:
        """Take the next place for a request of so many tokens; the seconds until it may be sent."""
        shares = [
            size / rate for size, rate in ((1, self.requests), (tokens, self.tokens)) if rate is not None and size
        ]
        with self._lock:
            now = self._clock()
            begin = max(now, self._free)
            self._free = begin + PER_SECONDS * max(shares, default=0.0)
        return begin - now

    def __repr__(self) -> str:
        return f"RateLimit(requests={self.requests}, tokens={self.tokens})"


class Budget:
    """At most so many requests, and tokens, in all; every try counts as a request.

    What a request may cost is set aside before it is sent, and put right when its cost is known, so that requests in
    flight together do not overdraw.

    >>> budget = Budget(requests=1)
    >>> budget.take()
    >>> budget.take()
    Traceback (most recent call last):
    whileai.simulations.models.failure.ModelError: the budget of 1 requests is spent: nothing more is asked
    """

    def __init__(self, *, requests: int | None = None, tokens: int | None = None) -> None:
        self.requests = None if requests is None else whole("requests", requests, 0)
        self.tokens = None if tokens is None else whole("tokens", tokens, 0)
        if requests is None and tokens is None:
            raise ValueError("Budget needs requests= or tokens=")
        self.requests_used = 0
        self.tokens_used = 0
        self._lock = threading.Lock()

    def take(self, tokens: int = 0) -> None:
        """Set aside one request of at most so many tokens; a `ModelError` when the budget does not hold it."""
        with self._lock:
            if self.requests is not None and self.requests_used >= self.requests:
                raise ModelError(f"the budget of {self.requests} requests is spent: nothing more is asked")
            if self.tokens is not None and self.tokens_used + tokens > self.tokens:
                raise ModelError(
                    f"the budget of {self.tokens} tokens does not hold the next request of up to {tokens} "
                    f"({self.tokens_used} used): it is not asked"
                )
            self.requests_used += 1
            self.tokens_used += tokens

    def give_back(self, tokens: int) -> None:
        """Take back what was set aside for a request that was not sent."""
        with self._lock:
            self.requests_used -= 1
            self.tokens_used -= tokens

    def settle(self, reserved: int, used: int) -> None:
        """Put right what was set aside for a request, now that its cost is known."""
        with self._lock:
            self.tokens_used += used - reserved

    def __repr__(self) -> str:
        return f"Budget(requests={self.requests}, tokens={self.tokens})"
