"""Whether a rollout came to a reply of the agent, so that there is something to judge, and in which language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.content import one_of
from whileai.simulations.rows.endings import is_stub
from whileai.simulations.rows.names import words_in
from whileai.simulations.rows.text import Kind, events, reply
from whileai.simulations.rows.voice import text_words

_ERROR = frozenset({"error"})
_SHORTEST = 10  # words of a reply below which its language is not told; convention
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]{4}")  # Thai, Lao, Burmese, kana, Han
_ENGLISH = words_in(  # common in English, and no common word of another language
    "the and you your with that this from please been would could should which there they their these those its what"
    " when where who our if all now here also after before because were does did yes just only than then into about"
    " out how more some other any added updated fixed created changed order refund done again"
    " wasn won didn isn doesn couldn ll"
)
_SHARED = words_in("is to for on it not are of has was be")  # three of them are English, one is anything


def has_reply(row: Mapping[str, Any]) -> bool:
    """Whether the agent came to a reply to an ask: the run did not end in an error, on a call or before any words.

    Without an ask and without calls nothing says what the agent did. A preference pair has no reply of its own.

    >>> asked = {"prompt": "Refund it", "steps": [{"tool": "refund", "result": {"error": "timeout"}}]}
    >>> has_reply(asked), has_reply({**asked, "final_text": "Done."})
    (False, True)
    >>> has_reply({**asked, "final_text": "Done.", "finish_reason": "error"}), has_reply({"final_text": "Refunded."})
    (False, False)
    """
    if one_of(row.get("finish_reason"), _ERROR) or one_of(row.get("judge_status"), _ERROR):
        return False
    happened = events(row)
    last = next((event.kind for event in reversed(happened) if event.kind in (Kind.AGENT, Kind.CALL)), None)
    if last is not Kind.AGENT or all(event.kind is Kind.AGENT for event in happened):
        return False
    said = reply(row)
    return not (said and is_stub(said))


def is_english(text: str) -> bool:
    """Whether a text may be English: it is short, or holds a word that is common in English and in no other language.

    >>> is_english("Your parcel left."), is_english("Ihre Bestellung ist seit heute auf dem Weg zu Ihnen nach Graz.")
    (True, False)
    """
    words = text_words(text)
    if not _ENGLISH.isdisjoint(words) or len(_SHARED.intersection(words)) > 2:
        return True
    return sum(map(str.isalpha, words)) < _SHORTEST and not _UNSPACED.search(text)
