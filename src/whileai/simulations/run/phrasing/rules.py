"""A clause of a policy as somebody who knows of it would bring it up."""

from __future__ import annotations

import re
from functools import lru_cache

from whileai.simulations.rows.names import words_in
from whileai.simulations.run.phrasing.grammar import gerund
from whileai.simulations.score.checklist.vocabulary import UNSPECIFIED

_LONGEST = 100  # characters of a clause that is brought up whole; convention
_SHOWN = 8  # words of a longer one
_FINITE = re.compile(
    r"\b(?:is|are|was|were|must|may|can|cannot|should|shall|will|needs?|has|have|requires?|gets?|does|do|costs?|takes?"
    r"|applies|apply|expires?|ends?|starts?|begins?|goes|go|works?|counts?|covers?|includes?|allows?|happens?)\b",
    re.IGNORECASE,
)
_ORDERS = words_in(
    """
    look ask be use keep make give offer confirm escalate verify follow respond answer include provide avoid
    check tell explain treat refer stay respect maintain ensure protect limit quote say send share cancel
    change refund issue create delete update write read run call book add remove set show list search find
    get let leave state mention cite wait stop start log record report refuse decline accept approve reject
    transfer request require redirect identify apologise apologize greet thank summarise summarize translate
    prefer commit push merge test review notify inform contact forward reply return handle process hand pass
    prioritise prioritize document consult double-check try do go end begin close open put
    """
)
_AFTER_AN_ORDER = words_in(
    "the a an any all every each no not only another this that these those your their our its it them him her us before"
    " after when if to up in on at for from with by at least customers users people data"
)
_NEVER = re.compile(r"(?:never|do not|don['’]t)\s+", re.IGNORECASE)
_AGENT = re.compile(
    r"(?:you|the (?:agent|assistant)|agents|assistants) (?:must|should|shall|may|can|cannot|need to|have to|are to)\s+"
    r"(?:(?:not|never|only|always)\s+)?",
    re.IGNORECASE,
)
_HOW = re.compile(r"(always|only|please|also)\s+", re.IGNORECASE)


@lru_cache(maxsize=1024)
def known(rule: str) -> str:
    """A clause to follow "I know": what an agent is supposed to do, or what holds; `""` without a rule.

    >>> known("Never share another customer's data.")
    "you're never supposed to share another customer's data"
    >>> known("Refunds over $200 must be escalated.")
    'refunds over $200 must be escalated'
    """
    text = _bare(rule)
    if not text:
        return ""
    if found := _NEVER.match(text):
        word = "never" if found[0].lower().startswith("never") else "not"
        return f"you're {word} supposed to {_lower(text[found.end() :])}"
    if (found := _HOW.match(text)) and _orders(text[found.end() :]):
        how = "" if found[1].lower() in ("please", "also") else f"{found[1].lower()} "
        return f"you're {how}supposed to {_lower(text[found.end() :])}"
    if _orders(text):
        return f"you're supposed to {_lower(text)}"
    if len(text) <= _LONGEST and _FINITE.search(text) and ":" not in text:
        return _lower(text)
    return f'the rules say "{_short(text)}"'


@lru_cache(maxsize=1024)
def topic(rule: str) -> str:
    """What a clause is about, to follow "the rule on"; `""` without a rule.

    >>> topic("Refunds over $200 must be escalated."), topic("Never share another customer's data.")
    ('refunds over $200', "sharing another customer's data")
    """
    text = _bare(rule)
    if not text:
        return ""
    told = _AGENT.match(text) or _NEVER.match(text) or _HOW.match(text)
    rest = text[told.end() :] if told else text
    if (told and told.re is not _HOW) or _orders(rest):
        verb, _, more = rest.partition(" ")
        return _cut(f"{gerund(verb.lower())} {more}".strip())
    found = _FINITE.search(text)
    whole = ":" not in text and not text.lower().startswith("only ")
    if found and 3 < found.start() <= 60 and whole:
        return _lower(text[: found.start()].strip())
    return f'"{_short(text)}"'


def states(rule: str) -> bool:
    """Whether a clause states what holds, so that a person outside may have read it somewhere.

    >>> states("Refunds are only given within 30 days."), states("Ask before you cancel.")
    (True, False)
    """
    return bool(known(rule)) and known(rule)[:6] not in ("you're ", "the ru") and not known(rule).startswith("you")


def _bare(rule: str) -> str:
    return "" if rule == UNSPECIFIED else rule.strip().rstrip(".!;:,")


def _orders(text: str) -> bool:
    """Whether a clause tells somebody to do something: a verb first, and no subject with a verb of its own."""
    words = text.lower().split()
    if len(words) < 2 or words[0] not in _ORDERS:
        return False
    return words[1] in _AFTER_AN_ORDER or not _FINITE.search(text) or words[0] in ("be", "ask", "never", "keep")


def _lower(text: str) -> str:
    """Without a capital at the start, unless the first word is a name or an abbreviation."""
    first = text.split(" ", 1)[0]
    return text if first == "I" or first[1:].lower() != first[1:] else text[:1].lower() + text[1:]


def _short(text: str) -> str:
    words = text.split()
    return text if len(text) <= _LONGEST else " ".join(words[:_SHOWN])


def _cut(text: str) -> str:
    """A topic without what comes after a condition."""
    return re.split(r"[;:(,]| (?:if|unless|when|before|after|until|because|so that|while)\b", text, maxsplit=1)[
        0
    ].strip()
