"""Whether a person would open a conversation with these words."""

from __future__ import annotations

import re
from functools import lru_cache

from whileai.simulations.score.quality.leak import leaked_by_user
from whileai.simulations.score.quality.mark import Mark
from whileai.simulations.score.quality.voices import is_desk_letter, is_filler, speaks_as_agent
from whileai.simulations.score.quality.wording import word_count

SHORT_CHARS = 8  # characters under which an opener looks cut; convention
ONE_WORD = 2  # words up to which an opener says too little; convention
_MASH = re.compile(
    r"(?:asdf|qwer(?!ty\w)|zxcv|hjkl|sdfg|dfgh|jkl;|fghj|lkjh)[a-z;]{0,30}"
    r"(?: [a-z;]{0,12}(?:asdf|qwer|sdf|jkl)[a-z;]{0,12})*"
    r"|[bcdfghjklmnpqrstvwxz]{7,40}|([a-z])\1{3,}"
)
_ONLY_MARKS = re.compile(r"[\s!-/:-@\[-`{-~…。！？]+")
_ACK_WORDS = (
    r"(?:ok(?:ay)?|o\.?k\.?|kk?|thanks?(?: (?:a lot|so much))?|thank you(?: (?:so|very) much)?|thx|ty|yes|yep|yeah|yup"
    r"|no|nope|sure|got it|great|cool|perfect|fine|al+right|sounds good|will do|noted|understood|good|nice|right"
    r"|gracias|vale|merci|d'accord|danke|okej|tak|obrigad[oa]|grazie|bedankt"
    r"|спасибо|хорошо|ок|да|好的?|谢谢|はい|네|감사합니다)"
)
_ACK = re.compile(rf"{_ACK_WORDS}(?:[\s,.!]++{_ACK_WORDS}){{0,3}}[\s.!,]*")
_VERBS = re.compile(
    r"\b(?:refund|cancel|track|return|reset|restart|reboot|update|upgrade|downgrade|change|fix|debug|deploy|merge|rebase|revert"
    r"|commit|push|book|rebook|reschedule|schedule|order|reorder|check|delete|remove|install|uninstall|run|test|build"
    r"|unsubscribe|subscribe|explain|translate|summari[sz]e|call|pay|transfer|block|unblock|freeze|unlock|find|search|open"
    r"|close|replace|renew|activate|register|verify|compare|show|list|send|resend|write|create|add|edit|refactor|review"
    r"|declined|down|broken|missing|late|stuck|crashed|crashes|failing|failed|fails|locked|expired|lost|stolen|hacked|wrong"
    r"|stornieren|kündigen|ändern|verschieben|zurückgeben|annuler|rembourser|modifier|résilier|suivre|cancelar|reembolsar"
    r"|cambiar|rastrear|devolver|alterar|annullare|rimborsare|disdire|annuleren|opzeggen|iptal|iade|anuluj|zwrócić|avboka|refundera)\b"
)
_NAME_MARK = re.compile(r"[\d/_@#]|\w\.\w")  # a number, a path, an address, a handle
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f]")
_OPENED_QUOTE = re.compile(r"(?:^|[\s(\[,:=])['‘](?=[^\s'’])")


@lru_cache(maxsize=1024)
def opener(text: str) -> Mark:
    """How likely a person is to open with a text; the first thing wrong with it decides.

    Short ones are judged by their words in Latin script only: elsewhere two characters may be a sentence.

    >>> opener("Where is my order 4017?"), opener("我要退款"), opener("billing")
    (Mark(score=1.0, note=None), Mark(score=1.0, note=None), Mark(score=0.3, note='one-word opener'))
    """
    bare = text.strip()
    if not bare:
        return Mark(0.0, "empty opener")
    low = bare.lower().replace("’", "'")
    if _MASH.fullmatch(low) or _ONLY_MARKS.fullmatch(bare):
        return Mark(0.1, "gibberish opener")
    if speaks_as_agent(text):
        return Mark(0.0, "agent-voice opener")
    if _ACK.fullmatch(low):
        return Mark(0.0, "ack-only opener")
    if found := leaked_by_user(text):
        return Mark(0.0, f"leaked {found}")
    if is_desk_letter(bare):
        return Mark(0.25, "desk-voice opener")
    if is_filler(bare):
        return Mark(0.2, "non-human opener")
    return _short(bare, low)


def _short(bare: str, low: str) -> Mark:
    names_something = _NAME_MARK.search(bare) is not None
    latin = _OTHER_SCRIPT.search(bare) is None
    if latin and not names_something:
        words = word_count(bare)
        foreign_sentence = words == ONE_WORD and (bare[-1] == "?" or not bare.isascii())
        if words <= ONE_WORD and not foreign_sentence and not _VERBS.search(low):
            return Mark(0.3, "one-word opener")
        if len(bare) < SHORT_CHARS:
            return Mark(0.55, "truncated opener")
    if bare[-1] in "'‘’" and bare[-2:-1] != "s" and not _OPENED_QUOTE.search(bare[:-1]):
        return Mark(0.55, "truncated opener")
    return Mark(1.0)
