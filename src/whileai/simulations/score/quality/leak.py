"""Whether words of the simulator that wrote a conversation stand in it."""

from __future__ import annotations

import re
from functools import lru_cache

from whileai.simulations.rows.harness import harness_word
from whileai.simulations.score.quality.conversation import Conversation
from whileai.simulations.score.quality.mark import Mark

_CLEAN = Mark(1.0)
_DIRECTION = re.compile(
    r"(?:written )?(?:in )?all[ -]lower-?case|no capitals?|no caps|no punctuation|with (?:a|one|two|some|a few) typos?"
    r"|(?:very )?short prompt|one[ -]line prompt|(?:angry|frustrated|impatient|terse|casual|polite|formal) tone"
)
_ALONE = re.compile(rf"(?:\A|[(\[,;:.?!\n–—-])\s{{0,4}}+(?:and )?({_DIRECTION.pattern})\s*+(?=\Z|[)\],;:.\n–—-]|and\b)")
_BRACKETED = re.compile(rf"(?:\A\s*+|[(\[])(?:and )?(?:{_DIRECTION.pattern})\s*+(?:[)\]:,]|and\b)")
_ABOUT_A_TEXT = re.compile(
    r"\b(?:renam|convert|mak|format|writ|rewrit|draft|generat|creat|nam|titl|slug|styl|set|keep|us)(?:e|es|ed|ing|s|ting)?\b"
    r"|\b(?:letters?|words?|text|strings?|columns?|files?|usernames?|hashtags?|passwords?|captions?|emails?|headings?)\b"
)


def leak(talk: Conversation) -> Mark:
    """0.0 when a turn holds simulator vocabulary, or a user's turn a stage direction for its writer; else 1.0."""
    for text in talk.user:
        if found := leaked_by_user(text):
            return Mark(0.0, f"leaked {found}")
    said = talk.agent if talk.agent and talk.final == talk.agent[-1] else [*talk.agent, talk.final]
    for text in said:
        if found := harness_word(text):
            return Mark(0.0, f"leaked {found}")
    return _CLEAN


@lru_cache(maxsize=1024)
def leaked_by_user(text: str) -> str | None:
    """Simulator vocabulary or a stage direction ("all lowercase, with a typo") in a user's words; None without."""
    return harness_word(text) or stage_direction(text)


def stage_direction(text: str) -> str | None:
    """The first stage direction for the writer of a user's words; None when there is none.

    A direction stands by itself, between commas or in brackets. One within a sentence ("I paid with a typo in my
    name"), or a single one in an ask about some text ("rename the files, all lowercase"), is the person's own.

    >>> stage_direction("short prompt, all lowercase: where is my parcel"), stage_direction("I sent it with a typo.")
    ('short prompt', None)
    """
    low = text.lower()
    if _DIRECTION.search(low) is None:
        return None
    found = [place[1] for place in _ALONE.finditer(low)]
    if not found:
        return None
    return found[0] if len(found) > 1 or _BRACKETED.search(low) or not _ABOUT_A_TEXT.search(low) else None
