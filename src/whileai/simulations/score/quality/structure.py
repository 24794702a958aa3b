"""Whether a conversation ends on the reply its row gives, and stays one between a person and an agent."""

from __future__ import annotations

import re

from whileai.simulations.rows.text import AGENT, RESULT, USER
from whileai.simulations.score.quality.conversation import Conversation
from whileai.simulations.score.quality.leak import leaked_by_user
from whileai.simulations.score.quality.mark import Mark
from whileai.simulations.score.quality.voices import speaks_as_agent

ECHO_SHARE = 0.7  # share of a follow-up's words that the agent has just said; convention
ECHO_MIN_WORDS = 4  # words of three letters or more a follow-up needs to be an echo; convention
ECHO_MAX_SHORT = 8  # words up to which a follow-up is no echo; convention
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_SPECIFIC = re.compile(r"[\d/]")


def structure(talk: Conversation) -> Mark:
    """1.0 less what is wrong with how it ends, with `final_text`, with a follow-up and with how it begins."""
    faults = [*_ending(talk), *_final_text(talk), *_follow_ups(talk)]
    if talk.turns and talk.turns[0][0] is not USER:
        faults.append((0.2, "starts on agent"))
    if not faults:
        return Mark(1.0)
    return Mark(round(max(0.0, 1.0 - sum(cost for cost, _ in faults)), 3), faults[0][1])


def _ending(talk: Conversation) -> list[tuple[float, str]]:
    if not talk.turns:
        return [(0.4, "does not end on agent")]
    last = talk.turns[-1][0]
    if last is USER:
        return [(0.6, "ends on user")]
    return [(0.55, "ends on tool")] if last is RESULT else []


def _final_text(talk: Conversation) -> list[tuple[float, str]]:
    if not talk.final or talk.final.isspace():
        return [(0.4, "empty final_text")]
    if not talk.agent:
        return [(0.2, "final_text not in messages")]
    if talk.final == talk.agent[-1]:
        return []
    final, *said = (" ".join(text.split()) for text in (talk.final, *talk.agent))
    if final == said[-1]:
        return []
    return [(0.55, "stale final_text" if final in said else "final_text mismatch")]


def _follow_ups(talk: Conversation) -> list[tuple[float, str]]:
    """The first user turn after the opener that a person in the scene would not have written."""
    if len(talk.user) < 2:
        return []
    opened, heard = False, ""
    for kind, text in talk.turns:
        if kind is AGENT:
            heard = text
        elif kind is USER and not opened:
            opened = True
        elif kind is USER:
            if speaks_as_agent(text) or leaked_by_user(text):
                return [(0.35, "follow-up left world")]
            if _echoes(text, heard):
                return [(0.35, "follow-up echoes agent")]
    return []


def _echoes(text: str, heard: str) -> bool:
    if not heard or len(text.split()) <= ECHO_MAX_SHORT or _SPECIFIC.search(text):
        return False
    words = _LONG_WORD.findall(text.lower())
    known = set(_LONG_WORD.findall(heard.lower()))
    return len(words) >= ECHO_MIN_WORDS and sum(word in known for word in words) >= ECHO_SHARE * len(words)
