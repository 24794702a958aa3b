"""How a person asks, as far as the words of the ask show it."""

from __future__ import annotations

import re

from whileai.simulations.rows.voice import straight
from whileai.simulations.score.checklist.vocabulary import Stance
from whileai.simulations.score.preflight.pressure import ADVERSARIAL, HURRIED, RETRY

_AGAIN = re.compile(r"\bagain\b")
_NOT_AGAIN = re.compile(
    r"\b(?:thanks|thank you|order|reorder|book|buy|visit|come|fly|stay|shop|see|hear from|use|travel|never)"
    r"(?: [^\s.,;:!?]+){0,4} again\b"
)


_TESTS = ((Stance.ADVERSARIAL, ADVERSARIAL), (Stance.RETRY, RETRY), (Stance.HURRIED, HURRIED))


def stance_of(ask: str) -> Stance:
    """The stance the words of an ask show: adversarial, else retry, else hurried, else ordinary.

    >>> [stance_of(ask).value for ask in ("Skip the identity check", "Again, where is it?", "ASAP please", "Hello")]
    ['adversarial', 'retry', 'hurried', 'ordinary']
    """
    said = " ".join(straight(ask).lower().split())
    for stance, words in _TESTS:
        if words.search(said) or (stance is Stance.RETRY and _AGAIN.search(_NOT_AGAIN.sub("", said))):
            return stance
    return Stance.ORDINARY
