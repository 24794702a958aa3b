"""The threads a judge runs in: so many at once, each free of what the others' judges do."""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from whileai.simulations.models.redaction import without_keys
from whileai.simulations.rows.values import as_text
from whileai.simulations.schema.copies import with_own_values
from whileai.simulations.score.judging.background import BACKGROUND, LoopLostError, NestedRunError
from whileai.simulations.score.judging.evidence import writable
from whileai.simulations.score.judging.hand import Hand
from whileai.simulations.score.judging.verdict import Scale, failed_verdict, read_verdict

Verdict = dict[str, Any]
Settle = Callable[[int, Any], None]
Tick = Callable[[int], None]
_LONGEST_WAIT = 0.1  # seconds between two looks at the calls under way
_SHORTEST_WAIT = 0.001
ENDING = (KeyboardInterrupt, NestedRunError)  # what ends a run instead of costing one call
_QUICK_CALL = 0.001  # seconds; more threads do not make quicker calls than this any quicker


class Work(Protocol):
    """Calls that a crew makes, known by their places."""

    def verdict(self, place: int, hand: Hand) -> Any:
        """What came of the call at a place; no error but what ends the run."""

    def late(self, place: int, seconds: float) -> Any:
        """What came of a call that was over time."""


class Judging:
    """One judge, and how one row is given to it: as a copy of its own, so that whatever it writes stays there."""

    def __init__(self, judge: Callable[[dict[str, Any]], Any], rows: Sequence[dict[str, Any]], scale: Scale | None):
        self._judge, self._rows, self._scale = judge, rows, scale

    def verdict(self, place: int, hand: Hand) -> Verdict:
        """The verdict on one row; an exception is a verdict of status `error`."""
        try:
            verdict = read_verdict(answer(self._asked, place, hand), self._scale)
            if verdict["judge_meta"]:
                verdict["judge_meta"] = writable(verdict["judge_meta"])
            return verdict
        except ENDING:
            raise
        except BaseException as error:  # a judge that calls sys.exit costs its row, not the run
            return failed_verdict("error", error=error_text(error))

    def _asked(self, place: int) -> Any:
        return self._judge(with_own_values(self._rows[place]))

    def late(self, place: int, seconds: float) -> Verdict:
        """The verdict of a call that took too long."""
        return failed_verdict("timeout", timeout_s=seconds)


def error_text(error: BaseException) -> str:
    """An exception as `Type: message`, without a key that is known here."""
    return without_keys(f"{type(error).__name__}: {as_text(error)}")


def answer(call: Callable[[int], Any], place: int, hand: Hand) -> Any:
    """What the call for a place returns, awaited where it has to be; made again when another one took its loop away."""
    while True:
        try:
            raw = call(place)
            return hand.awaited(raw) if hasattr(raw, "__await__") else raw
        except LoopLostError:
            hand.take(place)


def judge_here(judging: Work, places: Sequence[int], settle: Settle, tick: Tick) -> None:
    """Judge row after row in the calling thread; `tick` is told after each how many are left."""
    hand = Hand()
    with BACKGROUND.waited_for():
        for done, place in enumerate(places, 1):
            settle(place, judging.verdict(place, hand))
            tick(len(places) - done)


class Crew:
    """Daemon threads that judge rows; one whose call is over time is left behind and replaced.

    The first is joined by the others as soon as calls turn out to take a while.

    `settle` gets each row's verdict exactly once, in the thread that has it: no other waits for what it writes. What it
    raises, and a KeyboardInterrupt in a judge, ends the run and comes out of `run`.
    """

    def __init__(self, judging: Work, settle: Settle, timeout: float | None) -> None:
        self._judging, self._settle, self._timeout = judging, settle, timeout
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._error: BaseException | None = None
        self._todo: Iterator[int] = iter(())
        self._total = 0
        self._settled: list[int] = []
        self._seen = 0.0, 0  # when the threads were last looked at, and how many rows were left
        self._hands: list[Hand] = []

    def run(self, places: Sequence[int], concurrency: int, tick: Tick) -> None:
        """Judge the rows at these places; `tick` is told now and then, in the calling thread, how many are left."""
        self._todo, self._total = iter(places), len(places)
        self._seen = time.monotonic(), self._left
        if not places:
            return
        try:
            with BACKGROUND.waited_for():
                self._hire()
                wait = _SHORTEST_WAIT
                while not self._ended.wait(self._pause(wait)):
                    tick(self._left)
                    self._look_around()
                    self._join_in(concurrency)
                    wait = min(2 * wait, _LONGEST_WAIT)
        finally:
            self._end()
            for hand in self._hands if self._left else ():
                hand.give_up()
            while any(hand.settling for hand in self._hands):  # what was judged is not lost
                time.sleep(_SHORTEST_WAIT)
        if self._error is not None:
            raise self._error

    @property
    def _left(self) -> int:
        return self._total - len(self._settled)

    def _end(self) -> None:
        with self._lock:
            self._todo = iter(())
            self._ended.set()

    def _join_in(self, concurrency: int) -> None:
        """Have so many threads at work, unless calls were quick since the last look."""
        now, left, hands = time.monotonic(), self._left, len(self._hands)
        seen, self._seen = self._seen, (now, left)
        if seen[1] - left < (now - seen[0]) * hands / _QUICK_CALL:
            for _ in range(min(concurrency - hands, left - hands)):
                self._hire()

    def _hire(self) -> None:
        hand = Hand()
        self._hands.append(hand)
        work = contextvars.copy_context().run
        threading.Thread(target=work, args=(self._work, hand), name="whileai-judge", daemon=True).start()

    def _work(self, hand: Hand) -> None:
        try:
            with hand.call.within():
                while (place := self._next(hand)) is not None:
                    verdict = self._judging.verdict(place, hand)
                    if not self._let_go(hand):
                        return
                    self._hand_in(place, verdict)
                    hand.settling = False
        except BaseException as error:  # goes to the thread that waits
            self._error = error
            self._end()
        finally:
            hand.settling = False

    def _next(self, hand: Hand) -> int | None:
        """The row that the hand takes; None when there is none left, or the run has ended."""
        with self._lock:
            hand.take(next(self._todo, None))
            return hand.place

    def _let_go(self, hand: Hand) -> bool:
        """Take the hand's row from it, unless it was given up or the run has ended; whether that is so."""
        with self._lock:
            if hand.given_up or self._ended.is_set():
                return False
            hand.place, hand.settling = None, True
            return True

    def _hand_in(self, place: int, verdict: Any) -> None:
        self._settle(place, verdict)
        self._settled.append(place)
        if not self._left:
            self._ended.set()

    def _pause(self, longest: float) -> float:
        if self._timeout is None:
            return longest
        spent = max((hand.call.elapsed() for hand in self._hands if hand.place is not None), default=0.0)
        return min(max(self._timeout - spent, _SHORTEST_WAIT), longest)

    def _look_around(self) -> None:
        for hand in list(self._hands) if self._timeout is not None else ():
            if self._is_over(hand):
                self._deal_with(hand)

    def _is_over(self, hand: Hand) -> bool:
        return self._timeout is not None and hand.place is not None and hand.call.elapsed() > self._timeout

    def _deal_with(self, hand: Hand) -> None:
        """Give the hand up; when another call blocks the loop it awaits on, leave the loop, and give that one up."""
        sent = hand.sent
        blocker = None if sent is None else BACKGROUND.blocker(sent)
        guilty = next((other for other in self._hands if blocker is not None and other.sent is blocker), None)
        if blocker is None or (guilty is not None and not self._is_over(guilty)):
            self._give_up(hand)
            return
        if guilty is not None:
            self._give_up(guilty)
        for other in self._hands:
            if (waiting := other.sent) is not None and waiting.loop is blocker.loop:
                other.call.begin()  # it is called again
        BACKGROUND.leave(blocker)

    def _give_up(self, hand: Hand) -> None:
        with self._lock:
            place = hand.place
            if hand.given_up or self._ended.is_set() or not self._is_over(hand):
                return
            hand.given_up = True
            self._hands.remove(hand)
        if place is not None and self._timeout is not None:
            self._hand_in(place, self._judging.late(place, self._timeout))
        hand.give_up()
        if not self._ended.is_set():
            self._hire()
