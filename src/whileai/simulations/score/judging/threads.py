"""The same work on each of many items, in so many threads."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_threads(work: Callable[[Item], Result], items: Sequence[Item], concurrency: int) -> list[Result]:
    """The result for each item, in order; the caller's own thread does it when `concurrency` is at most 1.

    An exception of the work, and an interrupt, is raised at once: what was not begun is dropped, and what was begun is
    not waited for, nor does it keep the process from ending.

    >>> in_threads(abs, [-2, 3], concurrency=8)
    [2, 3]
    """
    if concurrency <= 1 or len(items) <= 1:
        return [work(item) for item in items]
    return _Labour(work, items).done_by(min(concurrency, len(items)))


class _Labour(Generic[Item, Result]):
    """Work under way, shared by the threads that do it."""

    def __init__(self, work: Callable[[Item], Result], items: Sequence[Item]) -> None:
        self._work = work
        self._left = len(items)
        self._todo = iter(enumerate(items))
        self._results: dict[int, Result] = {}
        self._error: BaseException | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def done_by(self, hands: int) -> list[Result]:
        try:
            for _ in range(hands):
                run = contextvars.copy_context().run
                threading.Thread(target=run, args=(self._labour,), name="whileai-work", daemon=True).start()
            self._ended.wait()
        finally:
            self._ended.set()
        if self._error is not None:
            raise self._error
        return [self._results[place] for place in range(len(self._results))]

    def _labour(self) -> None:
        try:
            while (taken := self._take()) is not None:
                place, item = taken
                result = self._work(item)
                self._hand_in(place, result)
        except BaseException as error:  # raised in the thread that waits
            self._error = error
            self._ended.set()

    def _take(self) -> tuple[int, Item] | None:
        with self._lock:
            return None if self._ended.is_set() else next(self._todo, None)

    def _hand_in(self, place: int, result: Result) -> None:
        with self._lock:
            self._results[place] = result
            self._left -= 1
            if not self._left:
                self._ended.set()
