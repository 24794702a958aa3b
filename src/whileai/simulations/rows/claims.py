"""What a reply says about how it went: that it worked, that a thing is missing, was done already, or is declined."""

from __future__ import annotations

import re
from dataclasses import dataclass

from whileai.simulations.rows.admissions import admits_miss
from whileai.simulations.rows.sentences import clauses, sentences
from whileai.simulations.rows.voice import spoken, straight

__all__ = [
    "Claim", "admits_miss", "asks_back", "claims_success", "declines", "says_already_done", "says_missing", "sentences",
    "success_claims",
]  # fmt: skip

_DEEDS = (
    "processed|refunded|created|confirmed|completed|booked|rebooked|deployed|merged|deleted|removed|scheduled"
    "|rescheduled|paid|issued|placed|applied|saved|fixed|resolved|installed|uploaded|published|approved"
    "|registered|reserved|transferred|added|changed|renamed|moved|activated|deactivated|enabled|disabled"
    "|restarted|subscribed"
    "|unsubscribed|reset|closed|assigned|committed|credited|purchased|ordered|archived|restored|upgraded|downgraded"
    "|granted|revoked|migrated|generated|exported|imported|verified|finalized|finalised|exchanged|replaced|reverted"
    "|escalated|notified|implemented|edited|written|wrote|built|released|opened|modified|reimbursed"
    "|patched|configured|downloaded|copied|extended|renewed|waived"
)
_WEAK_DEEDS = (
    "sent|submitted|requested|executed|posted|pushed|emailed|messaged|updated|cancell?ed|done|sorted|set up"
    "|taken care of|handled"
)
_CHAT = re.compile(
    r"^(?:ok|okay|done|all done|all set|all sorted|all good|sorted|ready|perfect|you're (?:all )?set"
    r"|you are (?:all )?set)\b"
    r"|\b(?:all (?:set|done|sorted)|you're set|good to go|taken care of|on (?:its|their|the|your) way"
    r"|is (?:ready|live|done)|worked)\b"
)
_OUTRIGHT = re.compile(
    r"\b(?:successfully|succeeded|with success|(?:went|gone|go|goes) through|success!|(?:is|was) (?:a success"
    r"|successful|complete))(?!\w)"
)
_ADVERBS = r"(?:now |just |also |all |both |fully |already |then |been |successfully |automatically |promptly )*"
_DEED = re.compile(
    rf"(?:\b(?:is|are|was|were|been|got|gets)|'s|'re|\bi|\bwe|\bi've|\bwe've|\bi have"
    rf"|\bwe have) {_ADVERBS}(?P<told>{_DEEDS}|{_WEAK_DEEDS})\b"
    rf"|^(?:{_ADVERBS})(?P<opens>{_DEEDS}|{_WEAK_DEEDS})\b(?! (?:at|on|by|date|time|in)\b)"
    rf"|\b(?P<closes>{_DEEDS}|{_WEAK_DEEDS})(?: successfully)?[.!]*$"
)
_WEAK = re.compile(rf"(?:{_WEAK_DEEDS})")
_NO_CLAIM = re.compile(
    r"\b(?:not|never|no|cannot|nothing|none|neither|unable|fail(?:ed|s)?|without|will|would|should|could|can"
    r"|may|might|must|to be"
    r"|being|going to|need(?:s|ed)? to|want(?:s)? to|able to|ready to|let me|shall|please|until|before|unless"
    r"|whether|if|once"
    r"|still|shows?|listed|tried|trying|attempt(?:ed|ing)?|supposed|expect(?:ed)?|pending|yet|waiting|when you"
    r"|after you)\b|n't\b|'ll\b"
)
_CONDITIONAL = re.compile(r"(?:if|unless|until|as soon as|assuming|provided|in case|once(?! i\b| we\b)|should)\b")
_FIELD = re.compile(
    r"^\W*(?:[\w ]{0,20}\b)?(?:status|state|stage|step|phase|label|type|date|tags?|condition|created|updated"
    r"|modified|closed"
    r"|opened|placed|ordered|shipped|delivered|paid|completed)\W{0,3}[:=]"
)
_BUT = re.compile(r"\W*(?:but|however|though|although|except|unfortunately|sadly|only)\b")
_MISSING = re.compile(
    r"\bnot (?:be )?(?:found|located|exist|on (?:file|record)|in (?:the|our|my) )|\bno such\b|\bno (?:matching"
    r"|record|match|results?|trace|sign)\b"
    r"|\b(?:could(?:n'?t| not)|can(?:not|'?t| not)|did(?:n'?t| not)|unable to|was(?:n'?t| not) able to"
    r"|failed to|do(?:n'?t| not)) (?:\w+ )?"
    r"(?:find|locate|see|identify|pull up|look up|have (?:a|an|any))\b"
    r"|\b(?:does|did|do)(?:n'?t| not) (?:\w+ )?(?:exist|appear|show|match|come up)\b|\bis(?:n'?t| not) (?:a|an"
    r"|any|in|on|there|listed|valid)\b"
    r"|\bno (?:[\w#'/.-]*\w ){1,6}(?:found|exists?|match(?:es|ing)?|turned up|came up|on (?:file|record)"
    r"|in (?:the|our|my)|under|with (?:that|this)|by that)\b"
    r"|\bno [\w ]{1,40}\bmatching\b|\bthere(?:'s| is| are| was| were) no\b|\b(?:is|are|was|were|seems?|appears?"
    r"|went|to be) (?:\w+ )?missing\b"
    r"|\bnon-?existent\b|\b(?:found|returned|shows?) (?:no|nothing|none|zero|0)\b|\bnothing (?:\w+ )?(?:found"
    r"|matching|matches|turned|came|under|on file)\b"
    r"|\bcame (?:up|back) empty\b|\bnowhere to be found\b"
)
_DONE_WORDS = (
    r"(?:done|shipped|paid|sent|made|in place|exists?|taken care of|there|gone|closed"
    r"|(?!mentioned|stated|noted|discussed|explained|described|needed|used|tried|asked|checked|looked|attempted"
    r"|agreed)\w+ed)\b"
)
_ALREADY = re.compile(
    rf"\b(?:already|previously|earlier)(?: (?:been|was|were|is|has|have|had|fully|successfully|marked|being|it"
    rf"|got|set|as))*,? {_DONE_WORDS}"
    rf"|\b{_DONE_WORDS} (?:\S+ ){{0,4}}(?:already|previously|earlier)\b|\bnothing (?:left |more "
    rf"|else )?to (?:do|refund|cancel|merge)\b"
)
_DECLINES = re.compile(
    r"\b(?:can(?:not|'?t| not)|could(?:n'?t| not)|unable|won'?t|will not|not (?:able|allowed|permitted|eligible"
    r"|possible|authori[sz]ed)"
    r"|ineligible|isn'?t (?:eligible|possible|allowed|permitted)|do(?:es)?(?:n'?t| not) (?:qualify|allow"
    r"|permit)|declin\w+|refus\w+"
    r"|outside (?:the|our|of)|not something i|against (?:our|the) (?:policy|rules)|must decline|have to decline)\b"
)
_ANNOUNCES = re.compile(
    r"\b(?:i'll|i will|i am going to|i'm going to|let me|i can|i have|i've|we'll|we will)(?! (?:not"
    r"|have to decline|need)\b)"
    r" (?:now |go ahead and |just |gladly |happily )?(?!check|look|see|explain|ask|be unable)(?:refund|process"
    r"|cancel|issue|proceed|do it|book|change|merge|send"
    r"|delete|update|create|submit|ship|exchange|replace|apply|make|do that|do this)"
)
_QUESTION = re.compile(r"[?？؟]")
_LINK = re.compile(r"(?:https?://|www\.)\S*\w|\?\w{1,40}=")


@dataclass(frozen=True, slots=True)
class Claim:
    """A clause that claims success and the sentence it stands in, lower case with straight apostrophes.

    `outright` tells "it was processed" from chat words ("done", "all set"). `contrast` is what follows after "but"
    or its kind, in the same sentence or the next, `""` when nothing does.
    """

    clause: str
    sentence: str
    outright: bool
    contrast: str = ""


def claims_success(text: str) -> bool:
    """Whether a text says in the agent's own voice that an action went through.

    Beside an admitted miss weak chat words ("okay", "done", "all set", "sent") no longer count, outright ones do.
    Denials, conditions, plans, questions and listed fields claim nothing.

    >>> claims_success("Your refund was processed successfully."), claims_success("It could not be processed.")
    (True, False)
    """
    claims = success_claims(text)
    return any(claim.outright for claim in claims) or (bool(claims) and not admits_miss(text))


def success_claims(text: str) -> list[Claim]:
    """The clauses of a text that claim success, in order, chat words included.

    >>> [claim.clause for claim in success_claims("I created ticket T-91, but the email failed.")]
    ['i created ticket t-91']
    """
    parts = sentences(straight(spoken(text)))
    return [
        Claim(clause, sentence, strength == 2, _contrast(clause, sentence, parts[place + 1 : place + 2]))
        for place, sentence in enumerate(parts)
        if not (_QUESTION.search(sentence[-2:]) or _CONDITIONAL.match(sentence) or _FIELD.match(sentence))
        for clause in clauses(sentence)
        if (strength := _strength(clause))
    ]


def _contrast(clause: str, sentence: str, following: list[str]) -> str:
    for rest in (sentence.partition(clause)[2], *following):
        if _BUT.match(rest):
            return rest
    return ""


def _strength(clause: str) -> int:
    """How plainly a clause claims success: 2 outright, 1 in a chat word, 0 not at all."""
    if _NO_CLAIM.search(clause):
        return 0
    if _OUTRIGHT.search(clause):
        return 2
    deeds = [found[found.lastgroup or 0] for found in _DEED.finditer(clause)]
    if any(not _WEAK.fullmatch(deed) for deed in deeds):
        return 2
    return 1 if deeds or _CHAT.search(clause) else 0


def says_missing(text: str) -> bool:
    """Whether a text says that what was asked for is not there.

    >>> says_missing("No order matching ORD-9 turned up."), says_missing("It has shipped.")
    (True, False)
    """
    plain = straight(spoken(text))
    return any(_MISSING.search(" ".join(sentence.split())) for sentence in sentences(plain))


def says_already_done(text: str) -> bool:
    """Whether a text says that what was asked for had been done before; a question says nothing.

    >>> says_already_done("It was already refunded."), says_already_done("Have you already submitted this?")
    (True, False)
    """
    plain = straight(spoken(text))
    return any(_ALREADY.search(" ".join(part.split())) for part in sentences(plain) if not _QUESTION.search(part[-2:]))


def declines(text: str) -> bool:
    """Whether a text says no to what was asked; one that announces the action does not.

    >>> declines("I can't refund this."), declines("I can't wait to help: I'll refund it.")
    (True, False)
    """
    plain = straight(spoken(text))
    return bool(_DECLINES.search(plain)) and not _ANNOUNCES.search(plain)


def asks_back(text: str) -> bool:
    """Whether a text asks a question; a question mark inside a link asks nothing.

    >>> asks_back("Which order do you mean?"), asks_back("See https://help.shop/item?id=3 for help.")
    (True, False)
    """
    return _QUESTION.search(_LINK.sub(" ", spoken(text))) is not None
