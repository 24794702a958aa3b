"""What a reply says about how it went: that it worked, that a thing is missing, was done already, or is declined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from whileai.simulations.rows.admissions import admits_miss
from whileai.simulations.rows.languages import (
    already_elsewhere,
    declines_elsewhere,
    is_readable,
    missing_elsewhere,
    worked_elsewhere,
)
from whileai.simulations.rows.names import words_in
from whileai.simulations.rows.sentences import clauses, sentences, unconditional
from whileai.simulations.rows.voice import spoken, straight

__all__ = [
    "Claim", "admits_miss", "asks_back", "claims_success", "declines", "leaves_open", "says_already_done",
    "says_missing", "sentences", "success_claims",
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
    "sent|submitted|requested|executed|posted|pushed|emailed|messaged|updated|cancelled|canceled|done|sorted|set up"
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
_CLAIM_WORDS = frozenset(re.findall(r"\w+", f"{_DEEDS}|{_WEAK_DEEDS}")) | words_in(  # every claim of success has one
    "ok okay all good ready perfect set go way live worked success successful successfully succeeded through complete"
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
_ASIDE = re.compile(  # a clause about the thing acted on: "the order that could not be delivered"; "no doubt"
    rf"\b(?P<deed>(?:{_DEEDS}|cancelled|canceled) (?:[\w-]+ ){{1,4}}?)(?:that|which|who|you|they)"
    r" (?:could|was|were|did|had|has|have|is|can|cannot|never)(?:n't)?\b.*"
    r"|(?:\bthere(?:'s| is) )?\bno doubt(?: that)?\b"
)
_CONDITIONAL = re.compile(r"(?:if|unless|until|as soon as|assuming|provided|in case|once(?! i\b| we\b)|should)\b")
_FIELD = re.compile(
    r"^\W*(?:[\w ]{0,20}\b)?(?:status|state|stage|step|phase|label|type|date|tags?|condition|created|updated"
    r"|modified|closed"
    r"|opened|placed|ordered|shipped|delivered|paid|completed)\W{0,3}[:=]"
)
_BUT = re.compile(r"\W*(?:but|however|though|although|except|unfortunately|sadly|only)\b")
_ORDINARY = (  # what is absent in any honest reply
    r"(?:need|charges?|fees?|costs?|rush|hurry|further|other|extra|additional|more|better|longer|reasons?"
    r"|doubt|problems?"
    r"|issues?|errors?|trouble|delays?|ways?|limits?|penalt(?:y|ies)|catch|minimum|change|harm|point|questions?|steps?"
    r"|cause|fault|damage|warnings?|conflicts?|failures?|sign of (?:trouble|damage|a problem))\b"
)
_MISSING = re.compile(
    r"\bnot (?:be )?(?:found|located|exist|recogni[sz]ed|registered|known|on (?:file|record)|in (?:our|my|the (?:system"
    r"|records?|database|list|files?))\b(?! (?:\w+ )?(?:window|period|plan|scope)))|\bno such\b"
    rf"|\bno (?!{_ORDINARY})(?:matching|record|match|results?|trace|sign)\b"
    r"|\bno luck (?:finding|locating|with)\b|\b(?:has|have|had|see|find"
    r"|show) no (?:[\w#'/.-]*\w ){1,3}(?:with us|here|on file"
    r"|under|by that|for (?:that|this)|in (?:our|the) )"
    r"|\b(?:could(?:n'?t| not)|can(?:not|'?t| not)|did(?:n'?t| not)|unable to|was(?:n'?t| not) able to"
    r"|failed to|do(?:n'?t| not)) (?:\w+ ){0,2}?"
    rf"(?:find|locate|see|identify|pull up|look up|have(?= an?\b| any\b| (?:that|this) (?:order|account|booking"
    r"|reservation|invoice|ticket|customer|user|record|number|file|document|product|sku)\b(?! (?:in stock|yet|at the"
    rf" moment|ready)\b)))(?! (?:an? |any |the )?(?:\w+ )?{_ORDINARY})"
    r"|\b(?:does|did|do)(?:n'?t| not) (?:\w+ )?(?:exist|appear|show|match|come up)\b"
    r"|\bis(?:n'?t| not) (?:an? (?:\w+ )?(?:valid|existing|known|registered|real|order|account|user|record|booking)\b"
    r"|any |on (?:file|record|our|your account|the list)|there\b|listed\b|valid\b|in (?:our|my|the (?:system|records?"
    r"|database|list|files?))\b(?! (?:\w+ )?(?:window|period|plan|scope)))"
    r"|\bno (?:[\w#'/.-]*\w ){1,6}(?:found|exists?|match(?:es|ing)?|turned up|came up|on (?:file|record)"
    r"|in (?:the|our|my)|under|with (?:that|this)|by that)\b"
    rf"|\bno [\w ]{{1,40}}\bmatching\b|\bthere(?:'s| is| are| was| were) no (?!(?:\w+ )?{_ORDINARY})"
    r"|\b(?:is|are|was|were|seems?|appears?|went|to be) (?:\w+ )?missing\b(?! (?:an?|the|its|one|some|two|from the)\b)"
    r"|\bnon-?existent\b|\b(?:found|returned|shows?) (?:no|nothing|none|zero|0)\b(?! (?:wrong|unusual|suspicious|odd"
    rf"|(?:\w+ )?{_ORDINARY}))|\bnothing (?:\w+ )?(?:found|matching|matches|turned|came|under|on file)\b"
    r"|\bcame (?:up|back) empty\b|\bnowhere to be found\b"
)
_MISSING_HINTS = ("no", "n't", "unable", "missing", "empty", "failed to", "cant", "0")
_ALREADY_HINTS = ("already", "previously", "earlier", "nothing")
_DECLINE_HINTS = ("n't", "cant", "wont", "not", "unable", "declin", "refus", "outside", "against", "inelig")
_OWN_ACT = re.compile(
    r"\bi(?:'ve| have)? already \w+|\byou(?:'ve| have| had)? (?:already|previously|earlier) (?:ordered|bought"
    r"|purchased|asked"
    r"|wrote|called|contacted|told|said|requested|tried|placed|chose|chosen|wanted)\b"
)
_DENIES = re.compile(r"\bnot\b|n't\b|\bnever\b|\bcannot\b")
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
    r"\b(?:(?:can(?:not|'?t| not)|could(?:n'?t| not))(?! (?:hurt|wait|thank|stress|go wrong|help but"
    r"|be (?:happier|easier"
    r"|better|more)))|unable|won'?t|will not|not (?:able|allowed|permitted|eligible"
    r"|possible|authori[sz]ed)"
    r"|ineligible|isn'?t (?:eligible|possible|allowed|permitted)|do(?:es)?(?:n'?t| not) (?:qualify|allow"
    r"|permit|offer|accept|give|issue|provide|refund)|declin\w+|refus\w+"
    r"|outside (?:the|our|of)|not something i|against (?:our|the) (?:policy|rules)|must decline|have to decline)\b"
)
_ANNOUNCES = re.compile(
    r"\b(?:i'll|i will|i am going to|i'm going to|let me|i have|i've|we'll|we will)(?! (?:not"
    r"|have to decline|need)\b)"
    r" (?:now |go ahead and |just |gladly |happily )?(?!check|look|see|explain|ask|be unable)(?:refund|process"
    r"|cancel|issue|proceed|do it|book|change|merge|send"
    r"|delete|update|create|submit|ship|exchange|replace|apply|make|do that|do this)"
)
_WORD = re.compile(r"\w+")
_QUESTION = re.compile(r"[?？؟\u037e\u055e⁇]|(?<=[α-ωά-ώ]);|か。|吗。|嗎。")
_TERNARY = re.compile(r"(?<=\s)\? ?(?=[a-z\d'\"(\[])")  # `x ? 1 : 2`
_FURTHER_HELP = re.compile(r"\b(?:else|more|further|other questions?|help you|help with|assist|like to know|enjoy)\b")
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
        if not _CLAIM_WORDS.isdisjoint(_WORD.findall(sentence))
        and not (_QUESTION.search(sentence[-2:]) or _CONDITIONAL.match(sentence) or _FIELD.match(sentence))
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
        clause = _ASIDE.sub(lambda found: found["deed"] or "", clause)
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
    return any(_MISSING.search(said) for said in _told(text, _MISSING_HINTS)) or missing_elsewhere(
        straight(spoken(text))
    )


def says_already_done(text: str) -> bool:
    """Whether a text says that what was asked for had been done before; a question says nothing.

    >>> says_already_done("It was already refunded."), says_already_done("Have you already submitted this?")
    (True, False)
    """
    return any(
        (found := _ALREADY.search(said)) is not None and not _DENIES.search(said[: found.end()])
        for said in (_OWN_ACT.sub(" ", told) for told in _told(text, _ALREADY_HINTS))
    ) or already_elsewhere(straight(spoken(text)))


def _told(text: str, hints: tuple[str, ...]) -> Iterator[str]:
    """The sentences that tell something and hold a hint, lower case: no questions, and no conditions."""
    plain = straight(spoken(text))
    if any(map(plain.__contains__, hints)):
        for sentence in sentences(plain):
            if not _QUESTION.search(sentence[-2:]) and any(map(sentence.__contains__, hints)):
                yield unconditional(" ".join(sentence.split()))


_LIMIT = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|nor|cannot|unable|only|until|already|however|but|yet|still|instead"
    r"|unless|except|although|though|must|requires?|needs?|wants?|ha(?:s|ve|d) to|otherwise|limited|capped|on hold"
    r"|wait|remains?|half|partly|locked|private|stops?|stopped)\b|n't\b"
)
_NO_LIMIT = re.compile(  # denials of trouble, and courtesies
    r"\b(?:no|without(?: any| a)?|not an?|never an?|any) (?:\w+ )?(?:problems?|issues?|errors?|trouble|worries|worry"
    r"|hassle|rush|fuss|hitch(?:es)?|hiccups?|charge|cost|fees?)\b|\bno longer\b|\bnot only\b"
    r"|\b(?:could|can)(?:n't| not) (?:be (?:easier|happier|better|simpler)|wait)\b"
    r"|\bdo(?:n't| not) (?:hesitate|worry)\b|\b(?:won't|will not) take long\b|\bfor the (?:long )?wait\b"
    r"|\bno (?:further|more) (?:action|steps?|payments?)\b|\bneeds? (?:nothing|no) |\bneed to do (?:nothing|anything)\b"
    r"|\bno doubt\b|\bdid(?:n't| not) fail\b|\bnothing (?:can|could|will) (?:\w+ )?go wrong\b"
    r"|\bif you need|\banything else you need|\byou (?:only|just) "
)


def declines(text: str) -> bool:
    """Whether a text says no to what was asked; one that announces the action does not.

    >>> declines("I can't refund this."), declines("I can't wait to help: I'll refund it.")
    (True, False)
    """
    plain = straight(spoken(text))
    if declines_elsewhere(plain):
        return True
    if not any(map(plain.__contains__, _DECLINE_HINTS)):
        return False
    return bool(_DECLINES.search(plain)) and not _ANNOUNCES.search(plain)


def leaves_open(text: str) -> bool:
    """Whether a text asks how to go on, or sets a limit, and claims no success: it may tell of trouble in its way.

    People tell a failure in more words than a list can hold; "the switch has to wait" hides nothing. An offer of
    further help leaves nothing open, nor does a denial of trouble. A script that is not read here may say anything.

    >>> [leaves_open(said) for said in ("Would ten o'clock suit you?", "Your account is on hold.")]
    [True, True]
    >>> [leaves_open(said) for said in ("It is booked. Anything else?", "No problem, you sit in 3C now.")]
    [False, False]
    """
    plain = straight(spoken(text))
    if not is_readable(plain):
        return True
    if not _LIMIT.search(plain) and not asks_back(text):
        return False
    asked = (part for part in sentences(plain) if _QUESTION.search(part[-2:]))
    opens = any(not _FURTHER_HELP.search(part) for part in asked) or _LIMIT.search(_NO_LIMIT.sub(" ", plain))
    return bool(opens) and not success_claims(text) and not worked_elsewhere(plain)


def asks_back(text: str) -> bool:
    """Whether a text asks a question; a question mark inside a link asks nothing.

    >>> asks_back("Which order do you mean?"), asks_back("See https://help.shop/item?id=3 for help.")
    (True, False)
    """
    return _QUESTION.search(_TERNARY.sub(" ", _LINK.sub(" ", spoken(text)))) is not None
