"""The same call for each of many items, by the crew that runs judges: what one call does costs that call alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from whileai.simulations.score.judging.crew import ENDING, Crew, answer, error_text, judge_here
from whileai.simulations.score.judging.hand import Hand

Item = TypeVar("Item")


class Outcome(NamedTuple):
    """What a call returned, or why it returned nothing."""

    value: Any = None
    error: str | None = None


def outcomes(
    call: Callable[[Item], Any], items: Sequence[Item], concurrency: int, timeout: float | None = None
) -> list[Outcome]:
    """The outcome for each item, in order; awaitables are awaited, and at most `concurrency` calls under way.

    An exception, SystemExit and CancelledError included, and a call over `timeout` seconds are the `error` of their
    outcome. A KeyboardInterrupt is raised at once.

    >>> outcomes(lambda n: 1 // n, [1, 0], concurrency=1)
    [Outcome(value=1, error=None), Outcome(value=None, error='ZeroDivisionError: integer division or modulo by zero')]
    """
    found = [Outcome()] * len(items)
    work, places = _Calls(call, items), range(len(items))
    if timeout is None and (concurrency <= 1 or len(items) == 1):
        judge_here(work, places, found.__setitem__, _nothing)
    else:
        Crew(work, found.__setitem__, timeout).run(places, max(1, concurrency), _nothing)
    return found


class _Calls(Generic[Item]):
    """A call, and the items it is made for."""

    def __init__(self, call: Callable[[Item], Any], items: Sequence[Item]) -> None:
        self._call, self._items = call, items

    def verdict(self, place: int, hand: Hand) -> Outcome:
        try:
            return Outcome(answer(lambda taken: self._call(self._items[taken]), place, hand))
        except ENDING:
            raise
        except BaseException as error:  # sys.exit in a call is that call's failure
            return Outcome(error=error_text(error))

    def late(self, place: int, seconds: float) -> Outcome:
        return Outcome(error=f"TimeoutError: no answer within {seconds:g} s")


def _nothing(left: int) -> None:
    """Nothing is shown."""
