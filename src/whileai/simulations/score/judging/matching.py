"""Which rows of one prompt go into a pair: the best first, each with a worse one near to it in length."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence

_ROUNDING = 1e-9  # of a difference of two scores
_Take = Callable[[int, int], int | None]


def matched(
    scores: Sequence[float], length: Callable[[int], int] | None, margin: float, most: int
) -> Iterator[tuple[int, int]]:
    """Places (chosen, rejected) of at most `most` pairs whose scores are `margin` or more apart, each place used once.

    `scores` fall from place to place. A chosen place takes the rejected one nearest to it in length, the first of
    several; without a `length` (of a place) simply the first. Lengths are asked for once, and only where they matter.

    >>> list(matched([1, 1, 0, 0], [40, 60, 90, 58].__getitem__, 1.0, 9)), list(matched([1, 0, 0], None, 1.0, 1))
    ([(0, 3), (1, 2)], [(0, 1)])
    """
    start = _below(scores, 0, 0, margin)
    if start == len(scores):
        return
    if length is None:
        take = _in_order(len(scores))
    else:
        take = _one_nearest(length, len(scores)) if most == 1 else _Nearest(length, start, len(scores)).take
    used: set[int] = set()
    pairs = 0
    for chosen in range(len(scores)):
        if pairs == most or (start := _below(scores, chosen, start, margin)) == len(scores):
            return
        if chosen in used:
            continue
        rejected = take(chosen, start)
        if rejected is None:
            return
        used.add(rejected)
        pairs += 1
        yield chosen, rejected


def apart(better: float, worse: float, margin: float) -> bool:
    """Whether two scores differ by the margin, up to rounding.

    >>> apart(0.7, 0.2, 0.5), apart(0.7, 0.3, 0.5)
    (True, False)
    """
    return better - worse >= margin - _ROUNDING


def _below(scores: Sequence[float], chosen: int, start: int, margin: float) -> int:
    """The first place, from `start` on, whose score is the margin below the chosen one's."""
    while start < len(scores) and not apart(scores[chosen], scores[start], margin):
        start += 1
    return start


def _in_order(n: int) -> _Take:
    places = iter(range(n))

    def take(_: int, start: int) -> int | None:
        return next((place for place in places if place >= start), None)

    return take


def _one_nearest(length: Callable[[int], int], end: int) -> _Take:
    """For a single pair, where an index would cost more than the search."""

    def take(chosen: int, start: int) -> int | None:
        wanted = length(chosen)
        return min(range(start, end), key=lambda place: abs(length(place) - wanted), default=None)

    return take


class _Nearest:
    """Places by length, from which the one nearest to a length is taken; each look costs next to nothing.

    Equal lengths stand in one queue, first place first. An emptied queue points on to its neighbours.
    """

    def __init__(self, length: Callable[[int], int], start: int, end: int) -> None:
        self._length = length
        queues: dict[int, deque[int]] = {}
        for place in range(start, end):
            queues.setdefault(length(place), deque()).append(place)
        self._sizes = sorted(queues)
        self._queues = [queues[size] for size in self._sizes]
        n = len(self._sizes)
        self._up, self._down = list(range(n + 1)), list(range(n + 1))  # of queue i: i and i + 1, -1 and n being none

    def take(self, chosen: int, start: int) -> int | None:
        wanted = self._length(chosen)
        at = bisect_left(self._sizes, wanted)
        above, below = self._filled_up(at, start), self._filled_down(at, start) - 1
        found = [
            (abs(self._sizes[queue] - wanted), self._queues[queue][0], queue)
            for queue in (above, below)
            if 0 <= queue < len(self._sizes)
        ]
        return self._queues[min(found)[2]].popleft() if found else None

    def _filled_up(self, queue: int, start: int) -> int:
        """The first filled queue from this one upwards."""
        return self._follow(self._up, queue, start, 0, 1)

    def _filled_down(self, after: int, start: int) -> int:
        """One above the first filled queue below `after`; 0 when there is none."""
        return self._follow(self._down, after, start, -1, -1)

    def _follow(self, links: list[int], at: int, start: int, shift: int, step: int) -> int:
        passed = []
        while True:
            while links[at] != at:
                passed.append(at)
                at = links[at]
            queue = at + shift
            if not 0 <= queue < len(self._queues) or self._has(queue, start):
                break
            passed.append(at)
            links[at] = at + step
        for place in passed:
            links[place] = at
        return at

    def _has(self, queue: int, start: int) -> bool:
        """Whether a queue still holds a place from `start` on; earlier ones are dropped."""
        places = self._queues[queue]
        while places and places[0] < start:
            places.popleft()
        return bool(places)
