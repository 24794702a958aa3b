"""Whether user and agent take turns."""

from __future__ import annotations

from itertools import pairwise

from whileai.simulations.rows.text import Kind
from whileai.simulations.score.quality.conversation import Conversation
from whileai.simulations.score.quality.mark import Mark

MONOLOGUE_TURNS = 4  # agent turns to one user turn; convention


def ping_pong(talk: Conversation) -> Mark:
    """1.0 for two or more turns each, 0.7 for a shorter exchange; less where the turns do not alternate."""
    beats = talk.beats
    users = beats.count(Kind.USER)
    agents = len(beats) - users
    if not beats:
        return Mark(0.0, "empty conversation")
    if beats[0] is not Kind.USER:
        return Mark(0.2, "does not start with user")
    if talk.stacked:
        return Mark(0.0, "stacked assistant variants")
    if users == 1 and agents >= MONOLOGUE_TURNS:
        return Mark(0.0, "one user turn, many agent turns")
    if not agents:
        return Mark(0.1, "no agent turn")
    repeated = next((one for one, other in pairwise(beats) if one is other), None)
    if repeated is not None:
        return Mark(0.3, "adjacent user turns" if repeated is Kind.USER else "adjacent agent turns")
    if beats[-1] is Kind.USER:
        return Mark(0.4, "ends on user")
    return Mark(1.0 if users >= 2 and agents >= 2 else 0.7)
