"""Whether something was done in a conversation."""

from __future__ import annotations

import re
from functools import lru_cache

from whileai.simulations.rows.endings import is_degenerate, is_stub
from whileai.simulations.score.quality.conversation import Conversation
from whileai.simulations.score.quality.mark import Mark
from whileai.simulations.score.quality.wording import has_id, has_words, word_count

FULL_WORDS = 12  # words of a full opener, of a full reply; convention
STUB_OPENER_WORDS = 8  # words from which an ask is more than a stub; convention
DEAD_END_WORDS = 2  # words of an opener that leads nowhere; convention
_QUESTION_MARKS = ("?", "？", "؟", "\u037e", "፧", "⁇", "⁈")
_STRONG_VERB = re.compile(
    r"\b(?:refund|merge|schedule|reschedule|deploy|commit|rollback|roll back|cancel|rebase|reboot|unsubscribe)\b"
    r"(?! (?:polic|process|window|terms|rules|fees?|status|history|message|hash))",
    re.IGNORECASE,
)
_ASKS_ABOUT = re.compile(
    r"\W*+(?:what|what['’]s|how|why|when|where|who|which|explain|is|are|does|do|did|should|can i|could i|tell me)\b",
    re.IGNORECASE,
)


def complexity(talk: Conversation) -> Mark:
    """0.2, and 0.35 for tools used, 0.3 for a second user turn, 0.15 for a full reply, 0.1 for a full opener.

    Less for a reply in a loop, a stub, a dead end, a question back that ends it, and an ask for action without any.
    """
    users, reply = len(talk.user), talk.reply
    idle = not talk.used_tools
    if is_degenerate(reply):
        return Mark(0.2, "degenerate reply")
    if idle and users <= 1:
        words = word_count(talk.opener)
        if words < STUB_OPENER_WORDS and is_stub(reply):
            return Mark(0.1, "empty or infra stub")
        if users == 1 and words <= DEAD_END_WORDS and not has_id(talk.opener):
            return Mark(0.15, "one-line dead end")
        if users == 1 and reply.rstrip().rstrip("*_").endswith(_QUESTION_MARKS):
            return Mark(0.25, "clarify and stop")
    if idle and actionable(talk.opener):
        return Mark(0.3, "actionable ask unused tools")
    hundredths = 20 + 35 * talk.used_tools + 30 * (users >= 2)
    hundredths += 15 * has_words(reply, FULL_WORDS) + 10 * has_words(talk.opener, FULL_WORDS)
    score = min(hundredths, 100) / 100
    return Mark(score, "thin conversation" if score < 0.5 else None)


@lru_cache(maxsize=1024)
def actionable(text: str) -> bool:
    """Whether an ask names a thing by id, or tells the agent to do one that needs a tool; not one about such things.

    >>> actionable("Refund order 4017 for me"), actionable("Where is ORD-4017?"), actionable("How do I merge branches?")
    (True, True, False)
    """
    return has_id(text) or (_STRONG_VERB.search(text) is not None and _ASKS_ABOUT.match(text) is None)
