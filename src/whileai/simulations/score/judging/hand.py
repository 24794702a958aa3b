"""What one thread of a crew has under way."""

from __future__ import annotations

from typing import Any

from whileai.simulations.models.call import Call
from whileai.simulations.score.judging.background import BACKGROUND, LoopLostError, Sent


class Hand:
    """One thread's call under way: the row, its clock, and what it awaits."""

    def __init__(self) -> None:
        self.place: int | None = None
        self.call = Call()
        self.given_up = False
        self.settling = False  # a verdict is being handed in
        self.sent: Sent | None = None

    def awaited(self, awaitable: Any) -> Any:
        """The result of an awaitable, once it is there."""
        self.sent = sent = BACKGROUND.send(awaitable)
        try:
            return sent.result()
        except (KeyboardInterrupt, LoopLostError):
            sent.cancel()
            raise
        finally:
            self.sent = None

    def take(self, place: int | None) -> None:
        """Begin with a row, or with none."""
        self.place = place
        self.call.begin()

    def give_up(self) -> None:
        """End what the call awaits and what it has asked of models."""
        self.call.cancel()
        if (sent := self.sent) is not None:
            sent.cancel()
