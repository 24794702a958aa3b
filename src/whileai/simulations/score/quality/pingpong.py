"""Whether user and agent take turns."""

from __future__ import annotations

from whileai.simulations.rows.text import USER
from whileai.simulations.score.quality.conversation import Conversation
from whileai.simulations.score.quality.mark import Mark

MONOLOGUE_TURNS = 4  # agent turns to one user turn; convention


def ping_pong(talk: Conversation) -> Mark:
    """1.0 for two or more turns each, 0.7 for a shorter exchange; less where the turns do not alternate."""
    beats = talk.beats
    users = beats.count(USER)
    agents = len(beats) - users
    if not beats:
        return Mark(0.0, "empty conversation")
    if beats[0] is not USER:
        return Mark(0.2, "does not start with user")
    if talk.stacked:
        return Mark(0.0, "stacked assistant variants")
    if users == 1 and agents >= MONOLOGUE_TURNS:
        return Mark(0.0, "one user turn, many agent turns")
    if not agents:
        return Mark(0.1, "no agent turn")
    last = None
    for beat in beats:
        if beat is last:
            return Mark(0.3, "adjacent user turns" if beat is USER else "adjacent agent turns")
        last = beat
    if beats[-1] is USER:
        return Mark(0.4, "ends on user")
    return Mark(1.0 if users >= 2 and agents >= 2 else 0.7)
